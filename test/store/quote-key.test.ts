import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { BOOKMAKERS, MARKET_TYPES, PERIODS } from '../../src/domain/catalogue.ts';
import * as limits from '../../src/limits.ts';
import {
  bookmakerOfKey,
  lineQuartersOfKey,
  marketLineOfKey,
  marketOfKey,
  marketPeriodOfKey,
  packQuoteKey,
  periodOfKey,
} from '../../src/store/quote-key.ts';

const fields = fc.tuple(
  fc.nat(MARKET_TYPES.length - 1),
  fc.nat(PERIODS.length - 1),
  fc.integer({ min: -limits.LINE_QUARTERS_MAX, max: limits.LINE_QUARTERS_MAX }),
  fc.nat(BOOKMAKERS.length - 1),
);

describe('packQuoteKey', () => {
  test('gives back every field', () => {
    fc.assert(
      fc.property(fields, ([market, period, line, book]) => {
        const key = packQuoteKey(market, period, line, book);
        expect([marketOfKey(key), periodOfKey(key), lineQuartersOfKey(key), bookmakerOfKey(key)]).toEqual([
          market,
          period,
          line,
          book,
        ]);
        expect(marketLineOfKey(key)).toBe(marketLineOfKey(packQuoteKey(market, period, line, 0)));
        expect(marketPeriodOfKey(key)).toBe(market * 2 + period);
      }),
    );
  });

  test('sorts by market, period, line, book', () => {
    fc.assert(
      fc.property(fields, fields, (left, right) => {
        const byFields =
          left.map((value, index) => value - right[index]!).find((difference) => difference !== 0) ?? 0;
        expect(Math.sign(packQuoteKey(...left) - packQuoteKey(...right))).toBe(Math.sign(byFields));
      }),
    );
  });
});
