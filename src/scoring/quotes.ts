// What every kernel asks of a quote: whether it takes part, how many outcomes it prices, what its prices add up to.

import { MARKET_ASIAN_HANDICAP, MARKET_TOTALS, QUOTE_OPEN, SPORT_BASKETBALL } from '../domain/catalogue.ts';
import type { ReadonlyColumn, SlateColumns } from '../store/reader.ts';

/** Decimal 1 in ten-thousandths. A price at or below it says nothing. */
export const PRICE_ONE_E4 = 10_000;

/** Outcomes of a market: three in a football 1x2, two everywhere else (outcomesOf, as a number). */
export function outcomeCountOf(sport: number, market: number): number {
  return market === MARKET_TOTALS || market === MARKET_ASIAN_HANDICAP || sport === SPORT_BASKETBALL ? 2 : 3;
}

/** Whether a row takes part: open, and every outcome priced above 1. */
export function takesPart(columns: SlateColumns, row: number, outcomeCount: number): boolean {
  return (
    columns.quoteStatus[row] === QUOTE_OPEN &&
    columns.priceE4A[row]! > PRICE_ONE_E4 &&
    columns.priceE4B[row]! > PRICE_ONE_E4 &&
    (outcomeCount === 2 || columns.priceE4C[row]! > PRICE_ONE_E4)
  );
}

/** The price column of an outcome, 0 to 2. */
export function priceColumnOf(columns: SlateColumns, outcome: number): ReadonlyColumn {
  return outcome === 0 ? columns.priceE4A : outcome === 1 ? columns.priceE4B : columns.priceE4C;
}

/** Sum of the inverse decimal prices; a third price of 0 is no outcome. */
export function inverseSumOf(priceE4A: number, priceE4B: number, priceE4C: number): number {
  return PRICE_ONE_E4 / priceE4A + PRICE_ONE_E4 / priceE4B + (priceE4C === 0 ? 0 : PRICE_ONE_E4 / priceE4C);
}
