// Random fixtures for property tests. They have few lines and few distinct prices, so that ties, sums from
// one bookmaker, suspended and withdrawn quotes and a missing sharp bookmaker all occur often.

import fc from 'fast-check';
import { ALL_BOOKMAKERS_MASK, BOOKMAKERS, outcomesOf } from '../../src/domain/catalogue.ts';
import { REFERENCE_CONSENSUS, REFERENCE_SHARP } from '../../src/domain/reference.ts';
import type { ScoreCriteria } from '../../src/scoring/criteria.ts';
import type { PlainFixture, PlainQuote } from './slate.ts';

const PRICES_E4: readonly number[] = [
  0, 10_000, 10_001, 12_500, 18_700, 19_500, 20_000, 20_400, 21_000, 22_000, 30_000, 33_000, 36_000, 50_000,
];
const priceE4 = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PRICES_E4.slice(3)) },
  { weight: 3, arbitrary: fc.integer({ min: 17_000, max: 23_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(...PRICES_E4) },
  { weight: 1, arbitrary: fc.integer({ min: 10_001, max: 5_000_000 }) },
);

const quote = fc.record({
  market: fc.integer({ min: 0, max: 2 }),
  period: fc.integer({ min: 0, max: 1 }),
  lineQuarters: fc.integer({ min: -2, max: 2 }),
  bookmaker: fc.integer({ min: 0, max: BOOKMAKERS.length - 1 }),
  pricesE4: fc.tuple(priceE4, priceE4, priceE4),
  status: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
  atMs: fc.integer({ min: -100_000, max: -60_000 }),
});

export const fixtureArbitrary: fc.Arbitrary<PlainFixture> = fc
  .record({
    sport: fc.integer({ min: 0, max: 1 }),
    quotes: fc.uniqueArray(quote, {
      maxLength: Math.max(60, 4 * BOOKMAKERS.length),
      size: 'max', // otherwise five quotes on average, and hardly ever two of one owner on a line
      selector: (item) => `${item.market}/${item.period}/${lineOf(item)}/${item.bookmaker}`,
    }),
  })
  .map(({ sport, quotes }) => ({
    eventNumber: 7,
    sport,
    quotes: quotes.map((item) => ({
      ...item,
      lineQuarters: lineOf(item),
      pricesE4: item.pricesE4.slice(0, outcomesOf(sport, item.market).length),
    })),
  }));

const fraction = fc.oneof(
  fc.constantFrom(0, 0.01, 0.02, 0.05, 0.1, 0.5, Number.POSITIVE_INFINITY),
  // Bounds are whole millionths. Within rounding of a bound, one of two correct sums may not meet it.
  fc.integer({ min: 0, max: 300_000 }).map((millionths) => millionths / 1_000_000),
);

export const criteriaArbitrary: fc.Arbitrary<ScoreCriteria> = fc.record({
  marketMask: fc.oneof(fc.constant(7), fc.integer({ min: 0, max: 7 })),
  periodMask: fc.oneof(fc.constant(3), fc.integer({ min: 0, max: 3 })),
  bookmakerMask: fc.oneof(
    fc.constant(ALL_BOOKMAKERS_MASK),
    fc.integer().map((bits) => bits & ALL_BOOKMAKERS_MASK),
  ),
  seesSharp: fc.oneof(fc.constant(true), fc.boolean()),
  reference: fc.oneof(
    fc.constant(REFERENCE_SHARP),
    fc.integer({ min: REFERENCE_CONSENSUS, max: BOOKMAKERS.length - 1 }),
  ),
  minEdge: fraction,
  maxEdge: fraction,
  minMargin: fraction,
  maxMargin: fraction,
  maxAgeMs: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 50_000 })),
});

function lineOf(item: Pick<PlainQuote, 'market' | 'lineQuarters'>): number {
  return item.market === 0 ? 0 : item.lineQuarters;
}
