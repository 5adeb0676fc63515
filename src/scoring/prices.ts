// Numbers about prices that every kernel needs.

import { MARKET_ASIAN_HANDICAP, MARKET_TOTALS, SPORT_BASKETBALL } from '../domain/catalogue.ts';

/** Decimal 1 in ten-thousandths. A price at or below it says nothing. */
export const PRICE_ONE_E4 = 10_000;

/** Outcomes of a market: three in a football 1x2, two everywhere else (outcomesOf, as a number). */
export function outcomeCountOf(sport: number, market: number): number {
  return market === MARKET_TOTALS || market === MARKET_ASIAN_HANDICAP || sport === SPORT_BASKETBALL ? 2 : 3;
}

/** Sum of the inverse decimal prices; a third price of 0 is no outcome. */
export function inverseSumOf(priceE4A: number, priceE4B: number, priceE4C: number): number {
  return PRICE_ONE_E4 / priceE4A + PRICE_ONE_E4 / priceE4B + (priceE4C === 0 ? 0 : PRICE_ONE_E4 / priceE4C);
}
