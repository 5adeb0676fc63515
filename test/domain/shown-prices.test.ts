// Pages and commands convert prices as the server does, and choose the same line of a market.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ODDS_FORMATS } from '../../src/domain/catalogue.ts';
import { priceInFormat } from '../../src/domain/odds-format.ts';
import { byConsensus, fromDecimal, type RankedLine, toDecimal } from '../../src/domain/shown-prices.ts';

test('a price is converted as the server does, in every format and both ways', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10_100, max: 9_999_999 }), (priceE4) => {
      for (const format of ODDS_FORMATS) {
        const shown = priceInFormat(priceE4, format, 3);
        const own = fromDecimal(priceE4 / 10_000, format);
        // Each format is rounded to its number of decimals, half away from zero; american odds to whole
        // numbers.
        const step = format === 'american' ? 1 : 0.001;
        expect(Math.abs(own - shown)).toBeLessThanOrEqual(step / 2 + 1e-9);
        expect(toDecimal(own, format)).toBeCloseTo(priceE4 / 10_000, 6);
      }
    }),
  );
});

describe('byConsensus', () => {
  const line: RankedLine = { line: 2.5, bookCount: 3, bestDecimals: [1.9, 2] };
  const cases: readonly (readonly [string, RankedLine])[] = [
    ['fewer bookmakers', { line: 2.5, bookCount: 2, bestDecimals: [1.95, 1.95] }],
    ['less balanced prices', { line: 0, bookCount: 3, bestDecimals: [1.8, 2.1] }],
    ['an outcome without a price', { line: 0, bookCount: 3, bestDecimals: [1.9, 0] }],
    ['a number further from zero', { line: -3, bookCount: 3, bestDecimals: [2, 1.9 + 1e-12] }],
  ];
  test.each(cases)('byConsensus sorts a line with %s last', (_, other) => {
    expect([line, other].toSorted(byConsensus)).toEqual([line, other]);
    expect([other, line].toSorted(byConsensus)).toEqual([line, other]);
  });
});
