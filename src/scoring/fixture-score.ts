// One fixture's score as a scan shows it: counts and the best hit of each kind. Workers write it as a row of Float64
// words into shared memory, the pool makes the object.
//
//   event number | version | books | sharp lines | value count | dropped | arb count | dropped | best value | best arb

import {
  ARB_MARGIN,
  ARB_STRIDE,
  type ArbHit,
  arbHitAt,
  bestRow,
  COUNT_ARB,
  COUNT_ARB_DROPPED,
  COUNT_BOOKMAKER_MASK,
  COUNT_SHARP_LINES,
  COUNT_VALUE,
  COUNT_VALUE_DROPPED,
  type ScoreBuffers,
  VALUE_EDGE,
  VALUE_STRIDE,
  type ValueHit,
  valueHitAt,
} from './hits.ts';

const SCORE_EVENT_NUMBER = 0;
const SCORE_VERSION = 1;
const SCORE_BOOKS = 2;
const SCORE_SHARP_LINES = 3;
const SCORE_VALUE = 4;
const SCORE_VALUE_DROPPED = 5;
const SCORE_ARB = 6;
const SCORE_ARB_DROPPED = 7;
const SCORE_BEST_VALUE = 8;
const SCORE_BEST_ARB = SCORE_BEST_VALUE + VALUE_STRIDE;
/** Words of one score row. */
export const SCORE_STRIDE = SCORE_BEST_ARB + ARB_STRIDE;

/** Version word of a fixture that has left its slot. */
export const VERSION_GONE = -1;

export interface FixtureScore {
  readonly eventNumber: number;
  /** The fixture's version these numbers belong to. */
  readonly version: number;
  /** Visible books with a quote that took part. */
  readonly bookCount: number;
  /** Lines at which the sharp book took part; 0 explains why there is no value. */
  readonly sharpLineCount: number;
  readonly valueCount: number;
  /** Highest edge; ties: first by market, period, line, outcome. Null when `valueCount` is 0. */
  readonly bestValue: ValueHit | null;
  readonly arbCount: number;
  /** Highest margin; ties likewise. Null when `arbCount` is 0. */
  readonly bestArb: ArbHit | null;
  /** Hits above the caps, in none of the counts. */
  readonly droppedValueCount: number;
  readonly droppedArbCount: number;
}

/** Set bits of a mask of books. */
export function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Writes what a kernel left in `out` as the score row at `offset`; VERSION_GONE for a fixture that is not there. */
export function writeScore(
  rows: Float64Array,
  offset: number,
  eventNumber: number,
  version: number,
  out: ScoreBuffers,
): void {
  rows[offset + SCORE_EVENT_NUMBER] = eventNumber;
  rows[offset + SCORE_VERSION] = version;
  if (version === VERSION_GONE) return;
  const { counts, value, arb } = out;
  rows[offset + SCORE_BOOKS] = bitCount(counts[COUNT_BOOKMAKER_MASK]!);
  rows[offset + SCORE_SHARP_LINES] = counts[COUNT_SHARP_LINES]!;
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

/** The score whose row starts at `offset`, or null when the fixture was gone. */
export function scoreAt(rows: Float64Array, offset: number): FixtureScore | null {
  const version = rows[offset + SCORE_VERSION]!;
  if (version === VERSION_GONE) return null;
  const valueCount = rows[offset + SCORE_VALUE]!;
  const arbCount = rows[offset + SCORE_ARB]!;
  return {
    eventNumber: rows[offset + SCORE_EVENT_NUMBER]!,
    version,
    bookCount: rows[offset + SCORE_BOOKS]!,
    sharpLineCount: rows[offset + SCORE_SHARP_LINES]!,
    valueCount,
    bestValue: valueCount === 0 ? null : valueHitAt(rows, offset + SCORE_BEST_VALUE),
    arbCount,
    bestArb: arbCount === 0 ? null : arbHitAt(rows, offset + SCORE_BEST_ARB),
    droppedValueCount: rows[offset + SCORE_VALUE_DROPPED]!,
    droppedArbCount: rows[offset + SCORE_ARB_DROPPED]!,
  };
}
