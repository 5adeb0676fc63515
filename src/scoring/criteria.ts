// What a caller asks of the kernels: which markets, which books may be seen, and the bounds a hit must keep.

import { MARKET_TYPES, PERIODS } from '../domain/catalogue.ts';
import { assert } from '../errors.ts';

const ALL_MARKETS_MASK = (1 << MARKET_TYPES.length) - 1;
const ALL_PERIODS_MASK = (1 << PERIODS.length) - 1;

/**
 * Numbers closer than this count as equal, so that a bound a price meets exactly in decimals is met whatever binary
 * rounding did on the way: inclusive bounds let it in, and an inverse sum of exactly 1 is no arbitrage.
 */
export const COMPARISON_SLACK = 1e-12;

/** Edges and margins are fractions: 0.01 is one per cent. All bounds are inclusive. */
export interface ScoreCriteria {
  /** Bit m set: market m of MARKET_TYPES takes part. */
  readonly marketMask: number;
  /** Bit p set: period p of PERIODS takes part. */
  readonly periodMask: number;
  /** False: the sharp book's quotes do not exist, so there is no value and only the other books make arbitrage. */
  readonly seesSharp: boolean;
  readonly minEdge: number;
  /** Above are hits that are dropped as implausible and counted; the margin's cap likewise. */
  readonly maxEdge: number;
  readonly minMargin: number;
  readonly maxMargin: number;
}

/** Refuses criteria no query should have let through: NaN would make every comparison false. */
export function checkCriteria(criteria: ScoreCriteria): void {
  assert((criteria.marketMask & ~ALL_MARKETS_MASK) === 0, 'a market mask has known markets only');
  assert((criteria.periodMask & ~ALL_PERIODS_MASK) === 0, 'a period mask has known periods only');
  assert(criteria.minEdge >= 0 && criteria.minMargin >= 0, 'score thresholds are numbers from 0 up');
  assert(criteria.maxEdge >= 0 && criteria.maxMargin >= 0, 'score caps are numbers from 0 up');
}

/** One text per distinct criteria: the cache key. */
export function criteriaKey(criteria: ScoreCriteria): string {
  const { marketMask, periodMask, seesSharp, minEdge, maxEdge, minMargin, maxMargin } = criteria;
  return `${marketMask}|${periodMask}|${seesSharp ? 1 : 0}|${minEdge}|${maxEdge}|${minMargin}|${maxMargin}`;
}
