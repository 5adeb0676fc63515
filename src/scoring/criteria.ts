// What the kernels look at: the criteria of the caller (markets, periods, bounds of a hit) and which quotes take part.

import { ALL_BOOKMAKERS_MASK, ALL_MARKETS_MASK, ALL_PERIODS_MASK, QUOTE_OPEN } from '../domain/catalogue.ts';
import { assert } from '../errors.ts';
import type { ReadonlyColumn, SlateColumns } from '../store/reader.ts';

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
  /** Bit b set: prices of bookmaker b of BOOKMAKERS may be a best price or a leg. The reference is not bound by it. */
  readonly bookmakerMask: number;
  /** False: the sharp book's quotes do not exist, so there is no value and only the other books make arbitrage. */
  readonly seesSharp: boolean;
  readonly minEdge: number;
  /** Above are hits that are dropped as implausible and counted; the margin's cap likewise. */
  readonly maxEdge: number;
  readonly minMargin: number;
  readonly maxMargin: number;
  /** Most age of a quote's last message; null: five minutes in play, any before it (domain/signal-gate.ts). */
  readonly maxAgeMs: number | null;
}

/** Refuses criteria no query should have let through: NaN would make every comparison false. */
export function checkCriteria(criteria: ScoreCriteria): void {
  assert((criteria.marketMask & ~ALL_MARKETS_MASK) === 0, 'a market mask has known markets only');
  assert((criteria.periodMask & ~ALL_PERIODS_MASK) === 0, 'a period mask has known periods only');
  assert((criteria.bookmakerMask & ~ALL_BOOKMAKERS_MASK) === 0, 'a bookmaker mask has known bookmakers only');
  assert(criteria.minEdge >= 0 && criteria.minMargin >= 0, 'score thresholds are numbers from 0 up');
  assert(criteria.maxEdge >= 0 && criteria.maxMargin >= 0, 'score caps are numbers from 0 up');
  assert(criteria.maxAgeMs === null || criteria.maxAgeMs >= 0, 'a most age is null or a number from 0 up');
}

/** One text per distinct criteria: the cache key. */
export function criteriaKey(criteria: ScoreCriteria): string {
  const {
    marketMask,
    periodMask,
    bookmakerMask,
    seesSharp,
    minEdge,
    maxEdge,
    minMargin,
    maxMargin,
    maxAgeMs,
  } = criteria;
  return `${marketMask}|${periodMask}|${bookmakerMask}|${seesSharp ? 1 : 0}|${minEdge}|${maxEdge}|${minMargin}|${maxMargin}|${maxAgeMs}`;
}

/** Decimal 1 in ten-thousandths. A price at or below it says nothing. */
export const PRICE_ONE_E4 = 10_000;

/**
 * Whether a row takes part: open, every outcome priced above 1, and not stale.
 * @param quoteFromMs oldest last message of a fresh quote, of the fixture's gate
 */
export function takesPart(
  columns: SlateColumns,
  row: number,
  outcomeCount: number,
  quoteFromMs: number,
): boolean {
  return (
    columns.quoteStatus[row] === QUOTE_OPEN &&
    columns.quoteAtMs[row]! >= quoteFromMs &&
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

/** Sum of the inverse decimal prices of one row. Meaningless unless the row `takesPart`. */
export function inverseSumOfRow(columns: SlateColumns, row: number, outcomeCount: number): number {
  const third = outcomeCount === 3 ? columns.priceE4C[row]! : 0;
  return inverseSumOf(columns.priceE4A[row]!, columns.priceE4B[row]!, third);
}

/**
 * Of two rows of sharp books at one line the one that fair prices are made of: the lower inverse sum of those that are 1
 * or more, ties the earlier row. Where both are below 1 there is no fair price, whichever it is.
 * @param held -1 for none yet
 */
export function tighterRow(columns: SlateColumns, held: number, row: number, outcomeCount: number): number {
  if (held < 0) return row;
  const sum = inverseSumOfRow(columns, row, outcomeCount);
  if (sum < 1 - COMPARISON_SLACK) return held;
  const heldSum = inverseSumOfRow(columns, held, outcomeCount);
  return heldSum < 1 - COMPARISON_SLACK || sum < heldSum - COMPARISON_SLACK ? row : held;
}
