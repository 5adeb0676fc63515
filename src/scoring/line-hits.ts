// The kernel's work at the few lines where a hit is possible: it computes fair prices, finds the bookmakers
// and writes the rows. Like the kernel it reads columns and scalars, writes into the caller's arrays,
// allocates nothing and never throws.

import { MARKET_1X2, ownerMaskOf, SHARP_BOOKMAKERS_MASK } from '../domain/catalogue.ts';
import { PRICE_ONE_E4 } from '../domain/odds-format.ts';
import { bookmakerOfKey, lineQuartersOfKey, marketOfKey, periodOfKey } from '../store/quote-key.ts';
import type { SlateColumns } from '../store/reader.ts';
import {
  COMPARISON_SLACK,
  inverseSumBound,
  inverseSumOf,
  priceColumnOf,
  type ScoreCriteria,
  takesPart,
  tighterRow,
} from './criteria.ts';
import {
  ARB_INVERSE_SUM,
  ARB_LEG_COUNT,
  ARB_LEG_STRIDE,
  ARB_LEGS,
  ARB_MARGIN,
  ARB_SHARP_AT_MS,
  ARB_STRIDE,
  COUNT_ARB,
  COUNT_ARB_DROPPED,
  COUNT_SINGLE_BOOK,
  COUNT_VALUE,
  COUNT_VALUE_DROPPED,
  HIT_LINE_QUARTERS,
  HIT_MARKET,
  HIT_PERIOD,
  LINE_BEST,
  LINE_BEST_ROW,
  LINE_END_ROW,
  LINE_FIRST_ROW,
  LINE_HIDDEN_MASK,
  LINE_OUTCOME_COUNT,
  LINE_REFERENCE_ROW,
  LINE_VISIBLE_MASK,
  type ScoreBuffers,
  VALUE_AT_MS,
  VALUE_BOOKMAKER,
  VALUE_EDGE,
  VALUE_FAIR_DECIMAL,
  VALUE_OUTCOME,
  VALUE_PRICE_E4,
  VALUE_REFERENCE,
  VALUE_REFERENCE_AT_MS,
  VALUE_SHARP_AT_MS,
  VALUE_STRIDE,
} from './hit-rows.ts';
import { powerFair } from './power-method.ts';

/**
 * Writes into `out.sharpAtMs` when the sharp bookmaker's price at the line last moved. `lagging` is measured
 * against that time, whatever the reference is. Call it before the functions that write hits of the line.
 */
export function writeSharpTime(
  columns: SlateColumns,
  quoteFromMs: Readonly<Float64Array>,
  { line, sharpAtMs }: ScoreBuffers,
): void {
  const sharpMask = SHARP_BOOKMAKERS_MASK & line[LINE_VISIBLE_MASK]!;
  const outcomeCount = line[LINE_OUTCOME_COUNT]!;
  const endRow = line[LINE_END_ROW]!;
  let sharpRow = -1;
  for (let row = line[LINE_FIRST_ROW]!; row < endRow; row++) {
    if (((sharpMask >> bookmakerOfKey(columns.quoteKey[row]!)) & 1) === 0) continue;
    if (!takesPart(columns, row, outcomeCount, quoteFromMs)) continue;
    sharpRow = tighterRow(columns, sharpRow, row, outcomeCount);
  }
  sharpAtMs[0] = sharpRow < 0 ? Number.NaN : columns.quoteAtMs[sharpRow]!;
}

/**
 * Compares the line's best prices with the fair prices of a single reference bookmaker, and writes hits
 * between threshold and cap.
 */
export function writeValue(
  columns: SlateColumns,
  criteria: ScoreCriteria,
  quoteFromMs: Readonly<Float64Array>,
  out: ScoreBuffers,
): void {
  const { fair, line } = out;
  const referenceRow = line[LINE_REFERENCE_ROW]!;
  const key = columns.quoteKey[line[LINE_FIRST_ROW]!]!;
  if (!writeFairProbabilities(columns, marketOfKey(key), line, fair)) return;
  out.referenceAtMs[0] = columns.quoteAtMs[referenceRow]!;
  const reference = bookmakerOfKey(columns.quoteKey[referenceRow]!);
  for (let outcome = 0; outcome < line[LINE_OUTCOME_COUNT]!; outcome++) {
    if (!isWithin(edgeOf(outcome, out), criteria, out)) continue;
    const row = rowAtBest(columns, outcome, line, quoteFromMs);
    writeValueHit(columns, row, outcome, reference, out);
  }
}

/** Edge of the line's best price of an outcome over its fair probability in `out.fair`, a fraction. */
export function edgeOf(outcome: number, { line, fair }: ScoreBuffers): number {
  return (line[LINE_BEST + outcome]! / PRICE_ONE_E4) * fair[outcome]! - 1;
}

/** Whether an edge is within the requested bounds; counts it if it is implausible. */
export function isWithin(
  edge: number,
  { minEdge, maxEdge }: ScoreCriteria,
  { counts }: ScoreBuffers,
): boolean {
  if (edge < minEdge - COMPARISON_SLACK) return false;
  if (edge <= maxEdge + COMPARISON_SLACK) return true;
  counts[COUNT_VALUE_DROPPED]!++;
  return false;
}

/**
 * Writes a hit: the line's best price of an outcome, over its fair probability in `out.fair`.
 * @param row the row of that price
 * @param reference a bookmaker, or REFERENCE_CONSENSUS
 */
export function writeValueHit(
  columns: SlateColumns,
  row: number,
  outcome: number,
  reference: number,
  out: ScoreBuffers,
): void {
  const { counts, fair, line, value } = out;
  const offset = counts[COUNT_VALUE]! * VALUE_STRIDE;
  counts[COUNT_VALUE]!++;
  if (offset + VALUE_STRIDE > value.length) return;
  const key = columns.quoteKey[line[LINE_FIRST_ROW]!]!;
  value[offset + HIT_MARKET] = marketOfKey(key);
  value[offset + HIT_PERIOD] = periodOfKey(key);
  value[offset + HIT_LINE_QUARTERS] = lineQuartersOfKey(key);
  value[offset + VALUE_OUTCOME] = outcome;
  value[offset + VALUE_BOOKMAKER] = bookmakerOfKey(columns.quoteKey[row]!);
  value[offset + VALUE_AT_MS] = columns.quoteAtMs[row]!;
  value[offset + VALUE_SHARP_AT_MS] = out.sharpAtMs[0]!;
  value[offset + VALUE_PRICE_E4] = line[LINE_BEST + outcome]!;
  value[offset + VALUE_FAIR_DECIMAL] = 1 / fair[outcome]!;
  value[offset + VALUE_EDGE] = edgeOf(outcome, out);
  value[offset + VALUE_REFERENCE] = reference;
  value[offset + VALUE_REFERENCE_AT_MS] = out.referenceAtMs[0]!;
}

/**
 * Writes the line's arbitrage if its margin is between the threshold and the cap. If one owner has every best
 * price, one leg moves to another owner; without another owner nothing is written. If several bookmakers of
 * that owner had the best prices, the line is also counted in COUNT_SINGLE_BOOK.
 */
export function writeArb(
  columns: SlateColumns,
  criteria: ScoreCriteria,
  quoteFromMs: Readonly<Float64Array>,
  out: ScoreBuffers,
): void {
  const { counts, line, arb } = out;
  const legCount = line[LINE_OUTCOME_COUNT]!;
  let bookmakerMask = 0;
  for (let leg = 0; leg < legCount; leg++) {
    const row = rowAtBest(columns, leg, line, quoteFromMs);
    line[LINE_BEST_ROW + leg] = row;
    bookmakerMask |= 1 << bookmakerOfKey(columns.quoteKey[row]!);
  }
  const ownerMask = ownerMaskOf(bookmakerMask);
  if ((bookmakerMask & ~ownerMask) === 0) {
    if (!moveCheapestLeg(columns, ownerMask, line, quoteFromMs)) return;
    if ((bookmakerMask & (bookmakerMask - 1)) !== 0) counts[COUNT_SINGLE_BOOK]!++;
  }
  const inverseSum = inverseSumOf(line[LINE_BEST]!, line[LINE_BEST + 1]!, line[LINE_BEST + 2]!);
  if (inverseSum >= inverseSumBound(criteria.minMargin)) return;
  const margin = 1 / inverseSum - 1;
  if (margin < criteria.minMargin - COMPARISON_SLACK) return;
  if (margin > criteria.maxMargin + COMPARISON_SLACK) {
    counts[COUNT_ARB_DROPPED]!++;
    return;
  }
  const offset = counts[COUNT_ARB]! * ARB_STRIDE;
  counts[COUNT_ARB]!++;
  if (offset + ARB_STRIDE > arb.length) return;
  const key = columns.quoteKey[line[LINE_FIRST_ROW]!]!;
  arb[offset + HIT_MARKET] = marketOfKey(key);
  arb[offset + HIT_PERIOD] = periodOfKey(key);
  arb[offset + HIT_LINE_QUARTERS] = lineQuartersOfKey(key);
  arb[offset + ARB_LEG_COUNT] = legCount;
  for (let leg = 0; leg < legCount; leg++) {
    const row = line[LINE_BEST_ROW + leg]!;
    arb[offset + ARB_LEGS + leg * ARB_LEG_STRIDE] = bookmakerOfKey(columns.quoteKey[row]!);
    arb[offset + ARB_LEGS + leg * ARB_LEG_STRIDE + 1] = line[LINE_BEST + leg]!;
    arb[offset + ARB_LEGS + leg * ARB_LEG_STRIDE + 2] = columns.quoteAtMs[row]!;
  }
  arb[offset + ARB_INVERSE_SUM] = inverseSum;
  arb[offset + ARB_MARGIN] = margin;
  arb[offset + ARB_SHARP_AT_MS] = out.sharpAtMs[0]!;
}

/**
 * Removes the margin from the reference bookmaker's quote.
 * @returns false when its inverse sum is below 1, so that there is no margin to remove
 */
function writeFairProbabilities(
  columns: SlateColumns,
  market: number,
  line: Int32Array,
  fair: Float64Array,
): boolean {
  const referenceRow = line[LINE_REFERENCE_ROW]!;
  const third = line[LINE_OUTCOME_COUNT] === 3 ? PRICE_ONE_E4 / columns.priceE4C[referenceRow]! : 0;
  const first = PRICE_ONE_E4 / columns.priceE4A[referenceRow]!;
  const second = PRICE_ONE_E4 / columns.priceE4B[referenceRow]!;
  const sum = first + second + third;
  if (sum < 1 - COMPARISON_SLACK) return false;
  const byPower = market === MARKET_1X2;
  const divisor = byPower ? 1 : sum;
  fair[0] = first / divisor;
  fair[1] = second / divisor;
  fair[2] = third / divisor;
  if (byPower) powerFair(fair);
  return true;
}

/** The row of the first bookmaker, in catalogue order, that offers the line's best price of an outcome. */
export function rowAtBest(
  columns: SlateColumns,
  outcome: number,
  line: Int32Array,
  quoteFromMs: Readonly<Float64Array>,
): number {
  const prices = priceColumnOf(columns, outcome);
  const priceE4 = line[LINE_BEST + outcome]!;
  const outcomeCount = line[LINE_OUTCOME_COUNT]!;
  const endRow = line[LINE_END_ROW]!;
  for (let row = line[LINE_FIRST_ROW]!; row < endRow; row++) {
    if (prices[row] !== priceE4 || !takesPart(columns, row, outcomeCount, quoteFromMs)) continue;
    if (((line[LINE_HIDDEN_MASK]! >> bookmakerOfKey(columns.quoteKey[row]!)) & 1) === 0) return row;
  }
  return -1; // only when the page was replaced meanwhile
}

/**
 * Called when bookmakers of one owner have every best price of the line. Legs from two owners need at least
 * one leg elsewhere, and giving up one best price is cheaper than giving up two. So one leg moves: the one
 * whose best price elsewhere adds least to the inverse sum (ties: first outcome, first bookmaker).
 * @returns false when no bookmaker of another owner takes part
 */
function moveCheapestLeg(
  columns: SlateColumns,
  ownerMask: number,
  line: Int32Array,
  quoteFromMs: Readonly<Float64Array>,
): boolean {
  const outcomeCount = line[LINE_OUTCOME_COUNT]!;
  const endRow = line[LINE_END_ROW]!;
  let movedOutcome = -1;
  let movedPriceE4 = 0;
  let movedRow = 0;
  let leastCost = Number.POSITIVE_INFINITY;
  for (let row = line[LINE_FIRST_ROW]!; row < endRow; row++) {
    const bookmaker = bookmakerOfKey(columns.quoteKey[row]!);
    if ((((ownerMask | line[LINE_HIDDEN_MASK]!) >> bookmaker) & 1) === 1) continue;
    if (!takesPart(columns, row, outcomeCount, quoteFromMs)) continue;
    for (let outcome = 0; outcome < outcomeCount; outcome++) {
      const priceE4 = priceColumnOf(columns, outcome)[row]!;
      const cost = PRICE_ONE_E4 / priceE4 - PRICE_ONE_E4 / line[LINE_BEST + outcome]!;
      const cheaper = cost < leastCost - COMPARISON_SLACK;
      const asCheapEarlier = cost <= leastCost + COMPARISON_SLACK && outcome < movedOutcome;
      if (!cheaper && !asCheapEarlier) continue;
      leastCost = cost;
      movedOutcome = outcome;
      movedPriceE4 = priceE4;
      movedRow = row;
    }
  }
  if (movedOutcome < 0) return false;
  line[LINE_BEST + movedOutcome] = movedPriceE4;
  line[LINE_BEST_ROW + movedOutcome] = movedRow;
  return true;
}
