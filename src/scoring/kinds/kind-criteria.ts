// What is asked of the kinds of signals beyond value and arbitrage; null where a kind is not wanted. Low hold
// is arbitrage with a negative least margin (criteria.ts), so it is not here.

export interface KindCriteria {
  readonly middle: {
    /** Least and highest expected return, fractions. Above: dropped as implausible, and counted. */
    readonly minExpected: number;
    readonly maxExpected: number;
  } | null;
  readonly move: {
    /** Least change: of a price relative to the earlier one, of a fair probability as a difference. */
    readonly change: number;
    readonly withinS: number;
    /** Fair probabilities of lines instead of prices of bookmakers. */
    readonly isFair: boolean;
  } | null;
  readonly steam: {
    /** Least relative change of a price. */
    readonly change: number;
    readonly withinS: number;
    /** Least number of owners that moved the same way. */
    readonly owners: number;
  } | null;
}

export const NO_KINDS: KindCriteria = { middle: null, move: null, steam: null };

/** One text per distinct criteria. */
export function kindsKey({ middle, move, steam }: KindCriteria): string {
  return JSON.stringify([middle, move, steam]);
}
