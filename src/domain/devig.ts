// Removes the bookmaker's margin from prices ("de-vigging"): overround, and the proportional, power and Shin
// methods. If prices cannot be de-vigged, the result gives the reason, and the caller decides what to do.

import type { MarketType } from './catalogue.ts';

/** Rounding allowed for when an inverse sum is compared with 1. */
const SUM_SLACK = 1e-9;
const EXPONENT_TOLERANCE = 1e-13;
const ITERATIONS_MAX = 64;

type DevigFailure = 'too_few_outcomes' | 'price_not_above_one' | 'inverse_sum_below_one';

type Devigged =
  | { readonly ok: true; readonly probabilities: number[] }
  | { readonly ok: false; readonly reason: DevigFailure };

export const FAIR_METHODS = ['proportional', 'power', 'shin'] as const;
export type FairMethod = (typeof FAIR_METHODS)[number];
/** The method used when the caller names none: docs/reference/decisions.md#analytics. */
export const FAIR_METHOD_BY_MARKET = {
  '1x2': 'power',
  asian_handicap: 'proportional',
  totals: 'proportional',
} as const satisfies Readonly<Record<MarketType, FairMethod>>;
export type DefaultFairMethod = (typeof FAIR_METHOD_BY_MARKET)[MarketType];

/**
 * Fair probabilities by the market's own method. @param decimals decimal prices of all its outcomes, two or
 * more
 */
export function devigByMarket(marketType: MarketType, decimals: readonly number[]): Devigged {
  return FAIR_METHOD_BY_MARKET[marketType] === 'power' ? devigPower(decimals) : devigProportional(decimals);
}

/**
 * The bookmaker's margin: the sum of 1/decimal over a market's outcomes, minus 1. Null when a price is 1 or
 * less, or not finite.
 */
export function overround(decimals: readonly number[]): number | null {
  const sum = inverseSum(decimals);
  return sum === null ? null : sum - 1;
}

/**
 * Fair probabilities by scaling 1/decimal to a sum of 1 ("basic normalisation" in Strumbelj, E., 2014, "On
 * determining probability forecasts from betting odds", International Journal of Forecasting 30(4), 934-943).
 * @param decimals decimal prices of all outcomes of one market, two or more
 */
export function devigProportional(decimals: readonly number[]): Devigged {
  const reason = failureOf(decimals);
  if (reason !== null) return { ok: false, reason };
  const sum = inverseSum(decimals)!;
  return { ok: true, probabilities: decimals.map((decimal) => 1 / decimal / sum) };
}

/**
 * Fair probabilities (1/decimal)^k with the k for which they sum to 1. With it, longshots give up more of the
 * margin than favourites do (Clarke, S., Kovalchik, S. and Ingram, M., 2017, "Adjusting bookmaker's odds to
 * allow for overround", American Journal of Sports Science 5(6), 45-49).
 * @param decimals decimal prices of all outcomes of one market, two or more
 */
export function devigPower(decimals: readonly number[]): Devigged {
  const reason = failureOf(decimals);
  if (reason !== null) return { ok: false, reason };
  const logs = decimals.map((decimal) => -Math.log(decimal));
  // Newton's method on g(k) = ln(sum of p^k). g is decreasing and convex, so from k = 1 no step passes the
  // root.
  let exponent = 1;
  for (let iteration = 0; iteration < ITERATIONS_MAX; iteration++) {
    let sum = 0;
    let slope = 0;
    for (const log of logs) {
      const power = Math.exp(exponent * log);
      sum += power;
      slope += power * log;
    }
    const step = (Math.log(sum) * sum) / slope;
    exponent -= step;
    if (Math.abs(step) <= EXPONENT_TOLERANCE * exponent) break;
  }
  return { ok: true, probabilities: logs.map((log) => Math.exp(exponent * log)) };
}

const SHIN_ITERATIONS_MAX = 60;

/**
 * Fair probabilities by Shin's model: a share z of the money comes from bettors who know the result, and the
 * book protects itself with its margin (Shin, H. S., 1993, "Measuring the incidence of insider trading in a
 * market for state-contingent claims", Economic Journal 103, 1141-1153). With q the inverse prices and B
 * their sum, p = (sqrt(z^2 + 4 (1 - z) q^2 / B) - z) / (2 (1 - z)), with the z for which they sum to 1
 * (Jullien, B. and Salanié, B., 1994, "Measuring the incidence of insider trading: a comment on Shin",
 * Economic Journal 104, 1418-1419). The sum decreases as z grows, so z is found by bisection.
 * @param decimals decimal prices of all outcomes of one market, two or more
 */
export function devigShin(decimals: readonly number[]): Devigged {
  const reason = failureOf(decimals);
  if (reason !== null) return { ok: false, reason };
  const inverses = decimals.map((decimal) => 1 / decimal);
  const sum = inverseSum(decimals)!;
  function probabilitiesAt(z: number): number[] {
    return inverses.map(
      (inverse) => (Math.sqrt(z * z + (4 * (1 - z) * inverse * inverse) / sum) - z) / (2 * (1 - z)),
    );
  }
  let low = 0;
  let high = 1;
  for (let iteration = 0; iteration < SHIN_ITERATIONS_MAX; iteration++) {
    const middle = (low + high) / 2;
    if (sumOf(probabilitiesAt(middle)) > 1) low = middle;
    else high = middle;
  }
  return { ok: true, probabilities: probabilitiesAt(low) };
}

/** Sum of 1/decimal, or null when a price is 1 or less or not finite. */
export function inverseSum(decimals: readonly number[]): number | null {
  let sum = 0;
  for (const decimal of decimals) {
    if (!(decimal > 1 && decimal < Number.POSITIVE_INFINITY)) return null;
    sum += 1 / decimal;
  }
  return sum;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function failureOf(decimals: readonly number[]): DevigFailure | null {
  if (decimals.length < 2) return 'too_few_outcomes';
  const sum = inverseSum(decimals);
  if (sum === null) return 'price_not_above_one';
  return sum < 1 - SUM_SLACK ? 'inverse_sum_below_one' : null;
}
