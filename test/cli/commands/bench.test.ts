// Benchmarks that are programs of their own: with --help or unknown arguments they measure nothing.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { readFlags } from '../../../bench/flags.ts';

const ROOT = join(import.meta.dir, '../../..');
const PROGRAMS = [
  ['bun run bench:http', 'bench/http/run.ts'],
  ['bun run bench:scale', 'bench/scale/run.ts'],
  ['bun run bench:feed', 'bench/feed/run.ts'],
  ['bun bench/alerts/run.ts', 'bench/alerts/run.ts'],
  ['bun run bench:streams', 'bench/streams/run.ts'],
  ['bun bench/cluster/run.ts', 'bench/cluster/run.ts'],
  ['bun bench/cluster/costs.ts', 'bench/cluster/costs.ts'],
] as const;
const NAMED = { command: 'bun run bench:x', about: 'X.', named: 'some', canWrite: true } as const;
const BARE = { command: 'bun run bench:y', about: 'Y.' } as const;

test.concurrent.each(PROGRAMS)('%s --help shows its usage, and exits', async (command, file) => {
  const program = Bun.spawn([process.execPath, file, '--help'], {
    cwd: ROOT,
    stdout: 'pipe',
    stderr: 'inherit',
  });
  expect(await program.stdout.text()).toContain(`Usage: ${command} `);
  expect(await program.exited).toBe(0);
});

test('flags and a name are read, and unknown arguments are refused', () => {
  const nothing = { isQuick: false, isWritten: false, only: '' };
  expect(readFlags(NAMED, [])).toEqual(nothing);
  expect(readFlags(NAMED, ['hit', '--quick'])).toEqual({ ...nothing, isQuick: true, only: 'hit' });
  expect(readFlags(NAMED, ['--quick', '--write'])).toEqual({ ...nothing, isQuick: true, isWritten: true });
  // With a name, --write would replace the page of all cases by a page with one.
  expect(() => readFlags(NAMED, ['hit', '--write'])).toThrow('Leave out the name');
  expect(readFlags(BARE, ['--quick'])).toEqual({ ...nothing, isQuick: true });
  for (const args of [['--wirte'], ['a', 'b'], ['--quick=1']]) expect(() => readFlags(NAMED, args)).toThrow();
  for (const args of [['--write'], ['a']]) expect(() => readFlags(BARE, args)).toThrow();
});
