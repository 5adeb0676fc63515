import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { MARKET_TYPES, PERIODS } from '../../src/domain/catalogue.ts';
import * as limits from '../../src/limits.ts';
import {
  bookmakerMarketOfKey,
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
  fc.nat(limits.BOOKMAKERS_MAX - 1),
);

describe('packQuoteKey', () => {
  test('unpacking gives back every field', () => {
    fc.assert(
      fc.property(fields, ([market, period, line, bookmaker]) => {
        const key = packQuoteKey(market, period, line, bookmaker);
        expect([marketOfKey(key), periodOfKey(key), lineQuartersOfKey(key), bookmakerOfKey(key)]).toEqual([
          market,
          period,
          line,
          bookmaker,
        ]);
        expect(marketLineOfKey(key)).toBe(marketLineOfKey(packQuoteKey(market, period, line, 0)));
        expect(marketPeriodOfKey(key)).toBe(market * PERIODS.length + period);
        expect(bookmakerMarketOfKey(key)).toBe(
          bookmakerMarketOfKey(packQuoteKey(market, period, 0, bookmaker)),
        );
      }),
    );
  });

  test('bookmakerMarketOfKey differs between keys whose market, period or bookmaker differs', () => {
    fc.assert(
      fc.property(fields, fields, (left, right) => {
        const isSame = left.every((value, index) => index === 2 || value === right[index]);
        expect(
          bookmakerMarketOfKey(packQuoteKey(...left)) === bookmakerMarketOfKey(packQuoteKey(...right)),
        ).toBe(isSame);
      }),
    );
  });

  test('sorts by market, period, line, bookmaker', () => {
    fc.assert(
      fc.property(fields, fields, (left, right) => {
        const byFields =
          left.map((value, index) => value - right[index]!).find((difference) => difference !== 0) ?? 0;
        expect(Math.sign(packQuoteKey(...left) - packQuoteKey(...right))).toBe(Math.sign(byFields));
      }),
    );
  });
});
