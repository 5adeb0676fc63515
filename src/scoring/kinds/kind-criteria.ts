// What is asked of the kinds of signals beyond value and arbitrage; null where a kind is not wanted. Low hold
// is arbitrage with a negative least margin (criteria.ts), so it is not here.

import { COMPARISON_SLACK } from '../criteria.ts';

export interface KindCriteria {
  readonly middle: {
    /** Least and highest expected return, fractions. Above: dropped as implausible, and counted. */
    readonly minExpected: number;
    readonly maxExpected: number;
  } | null;
}

export const NO_KINDS: KindCriteria = { middle: null };

/** One text per distinct criteria. */
export function kindsKey({ middle }: KindCriteria): string {
  return middle === null ? '' : `m${middle.minExpected},${middle.maxExpected}`;
}

/** Whether a change reaches a bound, but for binary rounding. */
export function reachesBound(change: number, bound: number): boolean {
  return Math.abs(change) >= bound - COMPARISON_SLACK;
}
