// The criteria of the kinds of signals other than value and arbitrage; null where a kind is not wanted. Low
// hold is arbitrage with a negative least margin (criteria.ts), so it is not here.

export interface KindCriteria {
  readonly middle: {
    /**
     * Least and highest expected return, fractions. What is above the highest is dropped as implausible, and
     * counted.
     */
    readonly minExpected: number;
    readonly maxExpected: number;
  } | null;
  readonly move: {
    /** Least change: of a price relative to the earlier one, of a fair probability as a difference. */
    readonly change: number;
    readonly withinS: number;
    /** Whether fair probabilities of lines are compared, instead of prices of bookmakers. */
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

export function kindsKey({ middle, move, steam }: KindCriteria): string {
  return JSON.stringify([middle, move, steam]);
}

/**
 * Merges two criteria into one that finds what both find, with the lower thresholds. Null when no single
 * search can do so: middles with two different caps, moves within two different times, moves of prices and of
 * fair probabilities, or steam by two different definitions. A lower threshold of steam would change which
 * bookmakers a hit counts.
 */
export function joinKinds(one: KindCriteria, other: KindCriteria): KindCriteria | null {
  const { middle, move, steam } = one;
  if (middle !== null && other.middle !== null && middle.maxExpected !== other.middle.maxExpected)
    return null;
  if (move !== null && other.move !== null && !isSameMove(move, other.move)) return null;
  if (steam !== null && other.steam !== null && JSON.stringify(steam) !== JSON.stringify(other.steam))
    return null;
  return {
    middle: lower(middle, other.middle, (found) => found.minExpected),
    move: lower(move, other.move, (found) => found.change),
    steam: steam ?? other.steam,
  };
}

type Move = NonNullable<KindCriteria['move']>;

function isSameMove(one: Move, other: Move): boolean {
  return one.withinS === other.withinS && one.isFair === other.isFair;
}

function lower<Found>(one: Found | null, other: Found | null, bound: (found: Found) => number): Found | null {
  if (one === null || other === null) return one ?? other;
  return bound(one) <= bound(other) ? one : other;
}
