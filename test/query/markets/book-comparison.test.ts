// Bookmakers are not ranked by a lag shorter than the interval at which their sources are polled.

import { expect, test } from 'bun:test';
import { MINUTE_MS } from '../../../src/clock.ts';
import { BOOKMAKER_KEYS } from '../../../src/domain/catalogue.ts';
import { compareBooks } from '../../../src/query/markets/book-comparison.ts';
import type { BookRow, MarketQueries } from '../../../src/query/markets/market-comparison.ts';

/**
 * The ranks of the first bookmakers of the catalogue. For each, the time at which it changed the price of one
 * line and the interval at which its source is polled are given.
 */
function standings(movedMs: readonly number[], intervalMs: readonly number[]) {
  const rows = movedMs.map(
    (atMs, bookmakerIndex): BookRow => ({
      ...{ bookmaker: BOOKMAKER_KEYS[bookmakerIndex]!, bookmakerIndex, line: 2.5, status: 'open', atMs },
      ...{ pricesE4: [19_000, 19_000], overround: 0.05 },
    }),
  );
  const markets = {
    intervalsMs: () => BOOKMAKER_KEYS.map((_, index) => intervalMs[index] ?? 0),
    compare: () =>
      ({ outcomes: [], consensus: null, judged: null, linesOffered: [], closedBy: null, rows }) as never,
  } as Pick<MarketQueries, 'intervalsMs' | 'compare'> as MarketQueries;
  const question = { marketType: 'totals', period: 'full_time', seesSharp: true } as const;
  return compareBooks(markets, [{} as never], question).map(
    ({ firstCount, medianLagMs, sharedMoveCount, hiddenMoveCount }) =>
      [firstCount, medianLagMs, sharedMoveCount, hiddenMoveCount] as const,
  );
}

test('bookmakers whose sources send changes are ranked by any difference in time', () => {
  expect(standings([0, 1_000, MINUTE_MS], [0, 0, 0])).toEqual([
    [1, 0, 1, 0],
    [0, 1_000, 1, 0],
    [0, MINUTE_MS, 1, 0],
  ]);
});

test('if two changes are closer together than the interval of either source, neither bookmaker is first, and only longer lags count', () => {
  expect(standings([0, MINUTE_MS, 5 * MINUTE_MS], [0, 2 * MINUTE_MS, 0])).toEqual([
    [0, null, 0, 1],
    [0, null, 0, 1],
    [0, 5 * MINUTE_MS, 1, 0],
  ]);
  expect(standings([0, MINUTE_MS], [2 * MINUTE_MS, 0])).toEqual([
    [0, null, 0, 1],
    [0, null, 0, 1],
  ]);
  expect(standings([0, 2 * MINUTE_MS], [2 * MINUTE_MS, 0])).toEqual([
    [1, 0, 1, 0],
    [0, 2 * MINUTE_MS, 1, 0],
  ]);
});

test('if the interval of a source is unknown, its bookmakers are not ranked against others', () => {
  expect(standings([0, 9 * MINUTE_MS], [0, Number.POSITIVE_INFINITY])).toEqual([
    [0, null, 0, 1],
    [0, null, 0, 1],
  ]);
});
