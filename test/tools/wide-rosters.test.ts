// The tools on operators' rosters. First the samples of The Odds API: the seventy-one bookmakers of the
// files, thirty-one at a time with Pinnacle, so that lines of many real bookmakers are compared. Then made-up
// slates with several sharp bookmakers.

import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROSTER_BOOKMAKERS_MAX } from '../../src/domain/roster.ts';
import { testUnderRoster } from '../support/own-roster.ts';

const SAMPLES = join(import.meta.dir, '../../../shared/data/upstreams/the-odds-api');
const PINNACLE_AT = 11;

test.skipIf(!existsSync(SAMPLES))(
  'value, arbitrage and comparison of the sample files are right with thirty-two bookmakers (skipped where the files are missing)',
  async () => {
    const roster = Array.from({ length: ROSTER_BOOKMAKERS_MAX }, (_, index) =>
      index === PINNACLE_AT
        ? { key: 'pinnacle', name: 'Pinnacle', class: 'sharp' as const, sources: {} }
        : { key: `place_${index}`, name: `Place ${index}`, class: 'retail' as const, sources: {} },
    );
    const files = ['test/tools/the-odds-api-samples.test.ts'];
    const { output, code } = await testUnderRoster(roster, { files, names: '' });
    expect([output.match(/^\(fail\).*$/gm), code]).toEqual([null, 0]);
    expect(output).toMatch(/\b4 pass\b/); // three turns, and the test that every bookmaker had one
  },
  120_000,
);

// The tiers that do not see the sharp bookmakers all get the same answers, and the tiers that see them do
// too. So only one tier of each kind asks about the slate.
test('every tool on a made-up slate of twenty bookmakers, four of them sharp, answers as the oracle expects', async () => {
  const roster = Array.from({ length: 20 }, (_, index) => ({
    key: `book_${index}`,
    name: `Book ${index}`,
    class: index % 5 === 3 ? ('sharp' as const) : ('asian' as const),
    sources: {},
  }));
  const { output, code } = await testUnderRoster(roster, {
    files: ['test/tools/random-slate.test.ts'],
    names: 'seed 1 (?!(free|standard): tools about the slate)',
  });
  expect([output.match(/^\(fail\).*$/gm), code]).toEqual([null, 0]);
}, 240_000);
