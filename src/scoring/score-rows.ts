// The score of a fixture: counts, and the best hit of each kind. Workers write it into shared memory for the
// pool, which makes the object from it. Like hits (hit-rows.ts), it is a row of Float64:
//
//   score      event number | version | valid until | awaited mask | books | fair lines | value count |
//              dropped | arb count | dropped | excluded x 8 | best value hit | best arb hit

import type { Exclusion } from '../domain/signal-gate.ts';
import { COMPARISON_SLACK } from './criteria.ts';
import {
  ARB_MARGIN,
  ARB_STRIDE,
  type ArbHit,
  arbHitAt,
  COUNT_ARB,
  COUNT_ARB_DROPPED,
  COUNT_AWAITED_MASK,
  COUNT_BOOKMAKER_MASK,
  COUNT_FAIR_LINES,
  COUNT_FINISHED,
  COUNT_LATE,
  COUNT_NO_REFERENCE,
  COUNT_NO_SHARP,
  COUNT_PERIOD_OVER,
  COUNT_SINGLE_BOOK,
  COUNT_STALE,
  COUNT_SUSPENDED,
  COUNT_VALUE,
  COUNT_VALUE_DROPPED,
  EXCLUDED_WORDS,
  FIRST_EXCLUDED,
  type ScoreBuffers,
  VALUE_EDGE,
  VALUE_STRIDE,
  type ValueHit,
  valueHitAt,
} from './hit-rows.ts';
import type { KindHit } from './kinds/kind-rows.ts';

const SCORE_EVENT_NUMBER = 0;
const SCORE_VERSION = 1;
const SCORE_VALID_UNTIL_MS = 2;
const SCORE_AWAITED_MASK = 3;
const SCORE_BOOKS = 4;
const SCORE_FAIR_LINES = 5;
const SCORE_VALUE = 6;
const SCORE_VALUE_DROPPED = 7;
const SCORE_ARB = 8;
const SCORE_ARB_DROPPED = 9;
const SCORE_EXCLUDED = 10;
const SCORE_BEST_VALUE = SCORE_EXCLUDED + EXCLUDED_WORDS;
const SCORE_BEST_ARB = SCORE_BEST_VALUE + VALUE_STRIDE;
export const SCORE_STRIDE = SCORE_BEST_ARB + ARB_STRIDE;

/** The version word of a fixture that is no longer in its slot. */
export const VERSION_GONE = -1;

export interface FixtureScore {
  readonly eventNumber: number;
  /** The fixture's version that was scored. */
  readonly version: number;
  /** The first instant at which these numbers may change through the passing of time alone. Unix ms. */
  readonly validUntilMs: number;
  /**
   * Bookmakers with stale quotes that a heartbeat of their source, at any time, may make fresh, as a mask.
   */
  readonly awaitedMask: number;
  /** Number of visible bookmakers with a quote that took part. */
  readonly bookCount: number;
  /** Number of lines with a fair price of the reference; 0 explains why there is no value. */
  readonly fairLineCount: number;
  readonly valueCount: number;
  /**
   * The hit with the highest edge; ties go to the first by market, period, line, outcome. Null when
   * `valueCount` is 0.
   */
  readonly bestValue: ValueHit | null;
  readonly arbCount: number;
  /**
   * The hit with the highest margin; ties go to the first by market, period, line. Null when `arbCount` is 0.
   */
  readonly bestArb: ArbHit | null;
  /** Hits above the caps, which are in no other count. */
  readonly droppedValueCount: number;
  readonly droppedArbCount: number;
  /** The quotes, lines and fixtures that gave no signal, counted by reason. */
  readonly leftOut: LeftOut;
}

/** A score with every hit, in row order: market, period, line, outcome. */
export interface ScoreWithHits extends FixtureScore {
  readonly valueHits: readonly ValueHit[];
  readonly arbHits: readonly ArbHit[];
  /** Middles, moves and steam, where `ScoreCriteria.kinds` asks for them. */
  readonly kindHits?: readonly KindHit[];
}

/** Adds the hits to a score. @param first the rows of `value` and `arb` at which its hits begin */
export function withHits(
  score: FixtureScore,
  { value, arb }: Pick<ScoreBuffers, 'value' | 'arb'>,
  first: { readonly value: number; readonly arb: number },
): ScoreWithHits {
  return {
    ...score,
    valueHits: Array.from({ length: score.valueCount }, (_, hit) =>
      valueHitAt(value, (first.value + hit) * VALUE_STRIDE),
    ),
    arbHits: Array.from({ length: score.arbCount }, (_, hit) =>
      arbHitAt(arb, (first.arb + hit) * ARB_STRIDE),
    ),
  };
}

/**
 * Counts of what a kernel left out, by reason. Implausible hits were scored, so they are counted separately.
 */
export type LeftOut = Readonly<Record<Exclude<Exclusion, 'implausible'>, number>>;

/**
 * Offset of the row with the largest value in a column; of values equal but for rounding, the first. -1 when
 * there are no rows.
 */
function bestRow(rows: Float64Array, count: number, stride: number, column: number): number {
  let best = -1;
  let highest = Number.NEGATIVE_INFINITY;
  const end = Math.min(count * stride, rows.length);
  for (let offset = 0; offset < end; offset += stride) {
    const value = rows[offset + column]!;
    if (value <= highest + COMPARISON_SLACK) continue;
    highest = value;
    best = offset;
  }
  return best;
}

/** Number of set bits in a mask of bookmakers or owners. */
export function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** What the result in `out` belongs to: a version of a fixture, valid until an instant. */
interface ScoreStamp {
  readonly eventNumber: number;
  /** VERSION_GONE when the fixture is gone. */
  readonly version: number;
  readonly validUntilMs: number;
}

/** Writes a kernel's result from `out` as the score row at `offset`. */
export function writeScore(
  rows: Float64Array,
  offset: number,
  { eventNumber, version, validUntilMs }: ScoreStamp,
  out: ScoreBuffers,
): void {
  rows[offset + SCORE_EVENT_NUMBER] = eventNumber;
  rows[offset + SCORE_VERSION] = version;
  if (version === VERSION_GONE) return;
  const { counts, value, arb } = out;
  rows[offset + SCORE_VALID_UNTIL_MS] = validUntilMs;
  for (let word = 0; word < EXCLUDED_WORDS; word++) {
    rows[offset + SCORE_EXCLUDED + word] = counts[FIRST_EXCLUDED + word]!;
  }
  rows[offset + SCORE_AWAITED_MASK] = counts[COUNT_AWAITED_MASK]!;
  rows[offset + SCORE_BOOKS] = bitCount(counts[COUNT_BOOKMAKER_MASK]!);
  rows[offset + SCORE_FAIR_LINES] = counts[COUNT_FAIR_LINES]!;
  rows[offset + SCORE_VALUE] = counts[COUNT_VALUE]!;
  rows[offset + SCORE_VALUE_DROPPED] = counts[COUNT_VALUE_DROPPED]!;
  rows[offset + SCORE_ARB] = counts[COUNT_ARB]!;
  rows[offset + SCORE_ARB_DROPPED] = counts[COUNT_ARB_DROPPED]!;
  const bestValue = bestRow(value, counts[COUNT_VALUE]!, VALUE_STRIDE, VALUE_EDGE);
  for (let word = 0; bestValue >= 0 && word < VALUE_STRIDE; word++) {
    rows[offset + SCORE_BEST_VALUE + word] = value[bestValue + word]!;
  }
  const bestArb = bestRow(arb, counts[COUNT_ARB]!, ARB_STRIDE, ARB_MARGIN);
  for (let word = 0; bestArb >= 0 && word < ARB_STRIDE; word++) {
    rows[offset + SCORE_BEST_ARB + word] = arb[bestArb + word]!;
  }
}

/** The score in the row that starts at `offset`, or null when the fixture was gone. */
export function scoreAt(rows: Float64Array, offset: number): FixtureScore | null {
  const version = rows[offset + SCORE_VERSION]!;
  if (version === VERSION_GONE) return null;
  const valueCount = rows[offset + SCORE_VALUE]!;
  const arbCount = rows[offset + SCORE_ARB]!;
  return {
    eventNumber: rows[offset + SCORE_EVENT_NUMBER]!,
    version,
    validUntilMs: rows[offset + SCORE_VALID_UNTIL_MS]!,
    awaitedMask: rows[offset + SCORE_AWAITED_MASK]!,
    bookCount: rows[offset + SCORE_BOOKS]!,
    fairLineCount: rows[offset + SCORE_FAIR_LINES]!,
    valueCount,
    bestValue: valueCount === 0 ? null : valueHitAt(rows, offset + SCORE_BEST_VALUE),
    arbCount,
    bestArb: arbCount === 0 ? null : arbHitAt(rows, offset + SCORE_BEST_ARB),
    droppedValueCount: rows[offset + SCORE_VALUE_DROPPED]!,
    droppedArbCount: rows[offset + SCORE_ARB_DROPPED]!,
    leftOut: leftOutAt(rows, offset + SCORE_EXCLUDED - FIRST_EXCLUDED),
  };
}

function leftOutAt(rows: Float64Array, offset: number): LeftOut {
  return {
    stale: rows[offset + COUNT_STALE]!,
    suspended: rows[offset + COUNT_SUSPENDED]!,
    period_over: rows[offset + COUNT_PERIOD_OVER]!,
    not_started_late: rows[offset + COUNT_LATE]!,
    finished: rows[offset + COUNT_FINISHED]!,
    single_book: rows[offset + COUNT_SINGLE_BOOK]!,
    no_sharp: rows[offset + COUNT_NO_SHARP]!,
    no_reference: rows[offset + COUNT_NO_REFERENCE]!,
  };
}
