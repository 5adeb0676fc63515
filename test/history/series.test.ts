// The real series of shared/data, imported: 200 prices at random instants, all openings and all closings
// are those of the truth and of a plain reading.

import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { childEnvironment } from '../support/child-environment.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SERIES = new URL('../../../shared/data/series', import.meta.url).pathname;
const CHECK = new URL('./series-check.ts', import.meta.url).pathname;

async function check(name: string): Promise<Record<string, unknown>> {
  using folder = temporaryFolder();
  const child = Bun.spawn([process.execPath, CHECK, name, SERIES, folder.path], {
    env: childEnvironment(),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(errors);
  return JSON.parse(output) as Record<string, unknown>;
}

describe.skipIf(!existsSync(`${SERIES}/truth`))('a real series (skipped without shared/data)', () => {
  test('the World Cup: every price, opening and close as listed; imported twice, nothing is added', async () => {
    const found = await check('worldcup');
    expect(found).toMatchObject({ differing: [], addedAgain: 0, areFilesSame: true, fixtures: 77 });
    expect(found.leftOut).toEqual({ no_draw: 9 });
    expect(Number(found.closings)).toBeGreaterThan(1_000);
    expect(Number(found.openings)).toBeGreaterThan(1_500);
  });

  test('the WNBA: spreads too, moved kickoffs, a game that was put off', async () => {
    const found = await check('wnba');
    expect(found).toMatchObject({ differing: [], addedAgain: 0, areFilesSame: true, fixtures: 34 });
    expect(found.leftOut).toEqual({});
    expect(Number(found.closings)).toBeGreaterThan(800);
  });
});
