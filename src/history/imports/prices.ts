// Prices as importers read them: by outcome, compared, and checked.

import { MARKET_TYPES, type MarketType } from '../../domain/catalogue.ts';
import { NO_PRICES, type PricesE4 } from '../tick.ts';

/** Prices by outcome, from a list in the order of the outcomes. */
export function namedPrices(marketType: MarketType, e4: readonly number[]): PricesE4 {
  if (marketType === MARKET_TYPES[2]) return { ...NO_PRICES, over: e4[0]!, under: e4[1]! };
  if (e4.length === 3) return { ...NO_PRICES, home: e4[0]!, draw: e4[1]!, away: e4[2]! };
  return { ...NO_PRICES, home: e4[0]!, away: e4[1]! };
}

export function isSamePrice(a: PricesE4, b: PricesE4): boolean {
  return (
    a.home === b.home && a.draw === b.draw && a.away === b.away && a.over === b.over && a.under === b.under
  );
}

/**
 * Why prices are refused: a sum of inverse prices below 1 or above 1.6; null when they may be right.
 * @param pricesE4 before rounding, if the source has them more exactly
 */
export function absurdity(pricesE4: readonly number[]): 'absurd_price' | null {
  const sum = pricesE4.reduce((total, priceE4) => total + 10_000 / priceE4, 0);
  const isAbsurd = sum < INVERSE_SUM_MIN - ROUNDING || sum > INVERSE_SUM_MAX + ROUNDING;
  return isAbsurd ? 'absurd_price' : null;
}

const INVERSE_SUM_MIN = 1;
const INVERSE_SUM_MAX = 1.6;
/**
 * Tolerance for rounding: for prices 2, 3 and 6 the computed sum is just below 1. It is smaller than the
 * change of a sum by one step of a price.
 */
const ROUNDING = 1e-9;
