// A real series of shared/data is imported. 200 prices at random instants, all openings and all closing
// prices equal the expected prices that are stored beside the series, and a plain reading of it. A second
// import adds nothing. guide.test.ts compares the prices of the World Cup in the same way.

import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { checkedSeries, SERIES } from './checked-series.ts';

describe.skipIf(!existsSync(`${SERIES}/truth`))('a real series (skipped without shared/data)', () => {
  test('the tape of the WNBA has the listed prices, with spreads, moved kickoffs and a postponed game; a second import adds nothing', async () => {
    using folder = temporaryFolder();
    const found = await checkedSeries('wnba', folder.path);
    expect(found).toMatchObject({ differing: [], fixtures: 34, addedAgain: 0, areFilesSame: true });
    expect(found.leftOut).toEqual({});
    expect(Number(found.closings)).toBeGreaterThan(800);
  });
});
