// The sharpest prices of a line: those of the bookmaker with the lowest margin. Its margin is removed with
// the service's own formulas, by each of the three methods.

import type { MarketType, Outcome } from '../../../../domain/catalogue.ts';
import {
  devigPower,
  devigProportional,
  devigShin,
  FAIR_METHOD_BY_MARKET,
  FAIR_METHODS,
  type FairMethod,
  inverseSum,
} from '../../../../domain/devig.ts';
import type { LineGrid } from './market-lines.ts';

export interface SharpestPrices {
  readonly bookmaker: string;
  /** Decimal, in outcome order. */
  readonly prices: readonly number[];
  /** Fair probabilities by method, in outcome order; a method that finds none is missing. */
  readonly byMethod: ReadonlyMap<FairMethod, readonly number[]>;
}

const DEVIG = { proportional: devigProportional, power: devigPower, shin: devigShin } as const;

/**
 * The sharpest prices of a line; null without a bookmaker that has an open price for every outcome, with a
 * margin.
 */
export function sharpestOf({ outcomes, quotes }: LineGrid): SharpestPrices | null {
  let lowest = Number.POSITIVE_INFINITY;
  let found: { readonly bookmaker: string; readonly prices: readonly number[] } | null = null;
  for (const { bookmaker, status, decimals } of quotes.values()) {
    if (status !== 'open') continue;
    const prices = outcomes.map((outcome) => decimals.get(outcome) ?? 0);
    const sum = inverseSum(prices);
    if (sum === null || sum < 1 || sum >= lowest) continue;
    lowest = sum;
    found = { bookmaker, prices };
  }
  if (found === null) return null;
  const { prices } = found;
  const byMethod = new Map<FairMethod, readonly number[]>();
  for (const method of FAIR_METHODS) {
    const devigged = DEVIG[method](prices);
    if (devigged.ok && devigged.probabilities.every((value) => value > 0 && value < 1)) {
      byMethod.set(method, devigged.probabilities);
    }
  }
  return { ...found, byMethod };
}

/** The method that the service uses for a market. */
export function methodOf(market: MarketType): FairMethod {
  return FAIR_METHOD_BY_MARKET[market];
}

/** The fair price of each outcome; empty when the method finds none. */
export function fairPricesOf(
  { byMethod }: SharpestPrices,
  method: FairMethod,
  { outcomes }: { readonly outcomes: readonly Outcome[] },
): ReadonlyMap<Outcome, number> {
  const probabilities = byMethod.get(method);
  if (probabilities === undefined) return new Map();
  return new Map(outcomes.map((outcome, index) => [outcome, 1 / probabilities[index]!]));
}
