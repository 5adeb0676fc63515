// This file has two uses. As a preload for `bun test`, it installs the roster in TEST_ROSTER before the
// tests. It also has the function that starts such a run. A roster must be installed before the first test
// file is loaded, so each roster needs its own process.

import { join } from 'node:path';
import { installRoster, type RosterBookmaker } from '../../src/domain/roster.ts';
import { runs } from './runs.ts';

const given = process.env.TEST_ROSTER;
// The roster has no origin, so that services started without BOOKMAKERS use it.
if (given !== undefined) installRoster({ origin: null, bookmakers: JSON.parse(given) as RosterBookmaker[] });

/**
 * Runs the tests in `files` whose names match the pattern `names`, with these bookmakers as the roster.
 * `share` of their random cases is played.
 * @returns the output of bun, and its exit code
 */
export async function testUnderRoster(
  bookmakers: readonly RosterBookmaker[],
  {
    files,
    names,
    share = 1,
  }: { readonly files: readonly string[]; readonly names: string; readonly share?: number },
): Promise<{ readonly output: string; readonly code: number }> {
  const command = ['test', '--timeout', '120000', '--preload', './test/support/own-roster.ts', '-t', names];
  const child = Bun.spawn([process.execPath, ...command, ...files], {
    cwd: join(import.meta.dir, '../..'),
    env: { ...process.env, TEST_ROSTER: JSON.stringify(bookmakers), RUNS: String(runs(1) * share) },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const output = await new Response(child.stderr).text();
  return { output, code: await child.exited };
}
