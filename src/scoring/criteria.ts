// What the kernels evaluate: the caller's criteria (markets, periods, bounds of a hit), and which quotes take
// part.

import {
  ALL_BOOKMAKERS_MASK,
  ALL_MARKETS_MASK,
  ALL_PERIODS_MASK,
  BOOKMAKER_KEYS,
  QUOTE_OPEN,
} from '../domain/catalogue.ts';
import { PRICE_ONE_E4 } from '../domain/odds-format.ts';
import { REFERENCE_CONSENSUS } from '../domain/reference.ts';
import { assert } from '../errors.ts';
import { bookmakerOfKey } from '../store/quote-key.ts';
import type { ReadonlyColumn, SlateColumns } from '../store/reader.ts';
import { type KindCriteria, kindsKey, NO_KINDS } from './kinds/kind-criteria.ts';

/**
 * Numbers closer than this count as equal, so that binary rounding does not decide when a price meets a bound
 * exactly in decimals. Such a price meets an inclusive bound, and an inverse sum of exactly 1 is no
 * arbitrage.
 */
export const COMPARISON_SLACK = 1e-12;

/** Edges and margins are fractions: 0.01 is one percent. All bounds are inclusive. */
export interface ScoreCriteria {
  /** Bit m set: market m of MARKET_TYPES takes part. */
  readonly marketMask: number;
  /** Bit p set: period p of PERIODS takes part. */
  readonly periodMask: number;
  /**
   * Bit b set: prices of bookmaker b of BOOKMAKERS may be a best price or a leg. The reference price is
   * exempt from this mask.
   */
  readonly bookmakerMask: number;
  /**
   * False: quotes of sharp bookmakers are treated as absent. There is then no value against a sharp
   * bookmaker, and only the other bookmakers make arbitrage.
   */
  readonly seesSharp: boolean;
  /** What value is measured against: a bookmaker, REFERENCE_SHARP or REFERENCE_CONSENSUS. */
  readonly reference: number;
  readonly minEdge: number;
  /** Hits above this are dropped as implausible, and counted. `maxMargin` works the same way. */
  readonly maxEdge: number;
  /**
   * If it is negative, lines whose best prices together cost up to that much more than they return are hits
   * too: low hold.
   */
  readonly minMargin: number;
  readonly maxMargin: number;
  /**
   * Highest age of a quote's last message. Null means five minutes in play and no limit before
   * (domain/signal-gate.ts).
   */
  readonly maxAgeMs: number | null;
  /** Further kinds of signals to find in the same scan (`scanHits`); none when absent. */
  readonly kinds?: KindCriteria;
}

/**
 * Asserts that criteria are valid, because with NaN every comparison would be false. Queries have refused
 * invalid ones already.
 */
export function checkCriteria(criteria: ScoreCriteria): void {
  assert((criteria.marketMask & ~ALL_MARKETS_MASK) === 0, 'a market mask has known markets only');
  assert((criteria.periodMask & ~ALL_PERIODS_MASK) === 0, 'a period mask has known periods only');
  assert((criteria.bookmakerMask & ~ALL_BOOKMAKERS_MASK) === 0, 'a bookmaker mask has known bookmakers only');
  assert(
    criteria.reference >= REFERENCE_CONSENSUS && criteria.reference < BOOKMAKER_KEYS.length,
    'a reference is a known one',
  );
  assert(
    criteria.minEdge >= 0 && criteria.minMargin > -1,
    'score thresholds are an edge from 0 up and a margin above -1',
  );
  assert(criteria.maxEdge >= 0 && criteria.maxMargin >= 0, 'score caps are numbers from 0 up');
  assert(criteria.maxAgeMs === null || criteria.maxAgeMs >= 0, 'a highest age is null or a number from 0 up');
}

/** One text per distinct criteria, used as the cache key. */
export function criteriaKey(criteria: ScoreCriteria): string {
  const { marketMask, periodMask, bookmakerMask, seesSharp, reference, kinds = NO_KINDS } = criteria;
  const { minEdge, maxEdge, minMargin, maxMargin, maxAgeMs } = criteria;
  const quotes = [marketMask, periodMask, bookmakerMask, seesSharp, reference];
  const bounds = [minEdge, maxEdge, minMargin, maxMargin, maxAgeMs];
  return [...quotes, ...bounds, kindsKey(kinds)].join('|');
}

/**
 * Whether a row takes part: open, every outcome priced above 1, and not stale.
 * @param quoteFromMs of the fixture's gate: by bookmaker, the oldest last message of a fresh quote
 */
export function takesPart(
  columns: SlateColumns,
  row: number,
  outcomeCount: number,
  quoteFromMs: Readonly<Float64Array>,
): boolean {
  return (
    columns.quoteStatus[row] === QUOTE_OPEN &&
    columns.quoteAtMs[row]! >= quoteFromMs[bookmakerOfKey(columns.quoteKey[row]!)]! &&
    columns.priceE4A[row]! > PRICE_ONE_E4 &&
    columns.priceE4B[row]! > PRICE_ONE_E4 &&
    (outcomeCount === 2 || columns.priceE4C[row]! > PRICE_ONE_E4)
  );
}

/** The price column of an outcome, 0 to 2. */
export function priceColumnOf(columns: SlateColumns, outcome: number): ReadonlyColumn {
  return outcome === 0 ? columns.priceE4A : outcome === 1 ? columns.priceE4B : columns.priceE4C;
}

/**
 * The inverse sum below which the best prices of a line are a hit: 1 for arbitrage, more if low hold is
 * requested.
 */
export function inverseSumBound(minMargin: number): number {
  return minMargin < 0 ? 1 / (1 + minMargin) + 2 * COMPARISON_SLACK : 1 - COMPARISON_SLACK;
}

/** Sum of the inverse decimal prices. A third price of 0 means that there is no third outcome. */
export function inverseSumOf(priceE4A: number, priceE4B: number, priceE4C: number): number {
  return PRICE_ONE_E4 / priceE4A + PRICE_ONE_E4 / priceE4B + (priceE4C === 0 ? 0 : PRICE_ONE_E4 / priceE4C);
}

/** Sum of the inverse decimal prices of one row. Only meaningful if the row `takesPart`. */
export function inverseSumOfRow(columns: SlateColumns, row: number, outcomeCount: number): number {
  const third = outcomeCount === 3 ? columns.priceE4C[row]! : 0;
  return inverseSumOf(columns.priceE4A[row]!, columns.priceE4B[row]!, third);
}

/**
 * Chooses, of two rows of sharp bookmakers at one line, the one that fair prices are computed from: the lower
 * inverse sum that is 1 or more; ties go to the earlier row. If both are below 1 there is no fair price with
 * either.
 * @param held row chosen so far, -1 for none yet
 */
export function tighterRow(columns: SlateColumns, held: number, row: number, outcomeCount: number): number {
  if (held < 0) return row;
  const sum = inverseSumOfRow(columns, row, outcomeCount);
  if (sum < 1 - COMPARISON_SLACK) return held;
  const heldSum = inverseSumOfRow(columns, held, outcomeCount);
  return heldSum < 1 - COMPARISON_SLACK || sum < heldSum - COMPARISON_SLACK ? row : held;
}
