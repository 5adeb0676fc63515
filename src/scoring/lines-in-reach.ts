// The kernel's pass over the quotes. It reads one line after another, counts the quotes that take part, and
// stops at each line where a hit is possible, so that `line-hits.ts` can write it. Like the kernel, it
// allocates nothing and never throws.
//
// The pass is one long function, so that the columns are looked up once per page. Split into a function
// called for each line, it takes a quarter longer. The functions that it calls are either small enough for
// the compiler to inline, or called rarely.

import {
  MARKET_1X2,
  outcomeCountOf,
  ownerMaskOf,
  QUOTE_OPEN,
  SHARP_BOOKMAKERS_MASK,
} from '../domain/catalogue.ts';
import { PRICE_ONE_E4 } from '../domain/odds-format.ts';
import { REFERENCE_CONSENSUS, REFERENCE_SHARP } from '../domain/reference.ts';
import { isPeriodEnded, type SignalGate } from '../domain/signal-gate.ts';
import { bookmakerOfKey, marketLineOfKey, marketOfKey, periodOfKey } from '../store/quote-key.ts';
import type { ReadonlyColumn, SlateColumns } from '../store/reader.ts';
import { consensusReaches } from './consensus-reach.ts';
import {
  COMPARISON_SLACK,
  inverseSumBound,
  inverseSumOf,
  inverseSumOfRow,
  type ScoreCriteria,
  takesPart,
  tighterRow,
} from './criteria.ts';
import {
  ARB_IN_REACH,
  COUNT_BOOKMAKER_MASK,
  COUNT_FAIR_LINES,
  COUNT_NO_REFERENCE,
  COUNT_NO_SHARP,
  COUNT_PERIOD_OVER,
  COUNT_REFERENCE_MASK,
  COUNT_SHARP_LEFT_OUT,
  COUNT_SINGLE_BOOK,
  COUNT_STALE,
  COUNT_STALE_MASK,
  COUNT_SUSPENDED,
  LINE_BEST,
  LINE_COMPARED_ONLY_MASK,
  LINE_END_ROW,
  LINE_FIRST_ROW,
  LINE_HIDDEN_MASK,
  LINE_IN_REACH,
  LINE_OUTCOME_COUNT,
  LINE_REFERENCE_MASK,
  LINE_REFERENCE_ROW,
  LINE_VISIBLE_MASK,
  type ScoreBuffers,
  VALUE_IN_REACH,
} from './hit-rows.ts';
import { powerLift } from './power-method.ts';

/** Clears the counts, and sets which bookmakers the lines of a page are read with. */
export function beginPage(
  { bookmakerMask, seesSharp, reference }: ScoreCriteria,
  { counts, line, spareMs }: ScoreBuffers,
): void {
  counts.fill(0);
  spareMs[0] = Number.POSITIVE_INFINITY;
  const visibleMask = seesSharp ? -1 : ~SHARP_BOOKMAKERS_MASK;
  const referenceMask = (reference >= 0 ? 1 << reference : SHARP_BOOKMAKERS_MASK) & visibleMask;
  line[LINE_VISIBLE_MASK] = visibleMask;
  line[LINE_HIDDEN_MASK] = ~(bookmakerMask & visibleMask);
  line[LINE_REFERENCE_MASK] = referenceMask;
  // Whatever the reference is, `lagging` depends on the sharp bookmakers.
  const comparedMask = referenceMask | (SHARP_BOOKMAKERS_MASK & visibleMask);
  line[LINE_COMPARED_ONLY_MASK] =
    (reference === REFERENCE_CONSENSUS ? visibleMask : comparedMask) & ~bookmakerMask;
}

/** The quotes of one page, sorted by quote key, and which of them may take part. */
export interface ScoredPage {
  readonly columns: SlateColumns;
  readonly base: number;
  readonly end: number;
  readonly sport: number;
  readonly gate: Pick<SignalGate, 'endedPeriodMask' | 'quoteFromMs'>;
}

/**
 * Reads lines from row `start`, which must begin a line, up to and including the first one where a hit is
 * possible. That line is then in `out.line`; LINE_IN_REACH is 0 when no such line came before the end.
 * @returns the row after the last line that was read
 */
export function nextLineInReach(
  { columns, end, sport, gate }: ScoredPage,
  start: number,
  { marketMask, periodMask, minEdge, minMargin, reference }: ScoreCriteria,
  out: ScoreBuffers,
): number {
  const { quoteKey, quoteStatus, quoteAtMs, priceE4A, priceE4B, priceE4C } = columns;
  const { counts, line } = out;
  const { quoteFromMs } = gate;
  const hiddenMask = line[LINE_HIDDEN_MASK]!;
  const referenceMask = line[LINE_REFERENCE_MASK]!;
  const arbSumBound = inverseSumBound(minMargin);
  let spareMs = out.spareMs[0]!;
  let suspendedCount = 0;
  let staleCount = 0;
  let staleMask = 0;
  let inReach = 0;
  let row = start;
  while (row < end && inReach === 0) {
    const firstRow = row;
    const firstKey = quoteKey[row]!;
    const lineKey = marketLineOfKey(firstKey);
    const market = marketOfKey(firstKey);
    const period = periodOfKey(firstKey);
    if (((marketMask >> market) & (periodMask >> period) & 1) === 0) {
      row = endOfLine(quoteKey, row, end);
      continue;
    }
    if (isPeriodEnded(gate, period)) {
      row = endOfLine(quoteKey, row, end);
      countEnded(quoteKey, firstRow, row, out);
      continue;
    }
    const outcomeCount = outcomeCountOf(sport, market);
    const isThreeWay = outcomeCount === 3;
    let lineMask = 0;
    let referenceRow = -1;
    let bestA = 0;
    let bestB = 0;
    let bestC = 0;
    // Same rule as takesPart, with the prices kept in local variables. The bookmaker of a best price is
    // looked up later, for the few lines that need it.
    for (; row < end; row++) {
      const key = quoteKey[row]!;
      if (marketLineOfKey(key) !== lineKey) break;
      const a = priceE4A[row]!;
      const b = priceE4B[row]!;
      const c = isThreeWay ? priceE4C[row]! : b;
      const bookmaker = bookmakerOfKey(key);
      if (((hiddenMask >> bookmaker) & 1) === 1) {
        const isComparedOnly = ((line[LINE_COMPARED_ONLY_MASK]! >> bookmaker) & 1) === 1;
        if (!isComparedOnly || !takesPart(columns, row, outcomeCount, quoteFromMs)) continue;
        if (((referenceMask >> bookmaker) & 1) === 1) {
          referenceRow = tighterRow(columns, referenceRow, row, outcomeCount);
        }
        spareMs = Math.min(spareMs, quoteAtMs[row]! - quoteFromMs[bookmaker]!);
        continue;
      }
      if (quoteStatus[row] !== QUOTE_OPEN || a <= PRICE_ONE_E4 || b <= PRICE_ONE_E4 || c <= PRICE_ONE_E4) {
        suspendedCount++;
        continue;
      }
      const quoteSpareMs = quoteAtMs[row]! - quoteFromMs[bookmaker]!;
      if (quoteSpareMs < 0) {
        staleCount++;
        staleMask |= 1 << bookmaker;
        continue;
      }
      spareMs = Math.min(spareMs, quoteSpareMs);
      if (((referenceMask >> bookmaker) & 1) === 1) {
        referenceRow = tighterRow(columns, referenceRow, row, outcomeCount);
      }
      lineMask |= 1 << bookmaker;
      bestA = Math.max(bestA, a);
      bestB = Math.max(bestB, b);
      bestC = Math.max(bestC, c);
    }
    if (bestA === 0) continue;
    if (!isThreeWay) bestC = 0;
    const isCompared = countLine(quoteKey, lineMask, referenceRow, reference, counts);
    if (inverseSumOf(bestA, bestB, bestC) < arbSumBound) inReach = ARB_IN_REACH;
    if (reference === REFERENCE_CONSENSUS) {
      line[LINE_FIRST_ROW] = firstRow;
      line[LINE_END_ROW] = row;
      line[LINE_OUTCOME_COUNT] = outcomeCount;
      line[LINE_BEST] = bestA;
      line[LINE_BEST + 1] = bestB;
      line[LINE_BEST + 2] = bestC;
      const isValue = consensusReaches(columns, minEdge, quoteFromMs, out);
      if (isValue === null && isCompared) counts[COUNT_NO_REFERENCE]!++;
      if (isValue !== null) counts[COUNT_FAIR_LINES]!++;
      if (isValue === true) inReach |= VALUE_IN_REACH;
    } else if (referenceRow >= 0) {
      const referenceSum = inverseSumOfRow(columns, referenceRow, outcomeCount);
      if (referenceSum < 1 - COMPARISON_SLACK) {
        counts[COUNT_SHARP_LEFT_OUT]!++;
      } else {
        counts[COUNT_FAIR_LINES]!++;
        counts[COUNT_REFERENCE_MASK]! |= 1 << bookmakerOfKey(quoteKey[referenceRow]!);
        const scale = edgeScaleOf(market, minEdge, referenceSum);
        const lift = market === MARKET_1X2 ? powerLift(referenceSum, isThreeWay) : 0;
        const valueInReach =
          reaches(bestA, priceE4A[referenceRow]!, scale, lift) ||
          reaches(bestB, priceE4B[referenceRow]!, scale, lift) ||
          (isThreeWay && reaches(bestC, priceE4C[referenceRow]!, scale, lift));
        if (valueInReach) inReach |= VALUE_IN_REACH;
      }
    }
    if (inReach === 0) continue;
    line[LINE_FIRST_ROW] = firstRow;
    line[LINE_END_ROW] = row;
    line[LINE_REFERENCE_ROW] = referenceRow;
    line[LINE_OUTCOME_COUNT] = outcomeCount;
    line[LINE_BEST] = bestA;
    line[LINE_BEST + 1] = bestB;
    line[LINE_BEST + 2] = bestC;
  }
  line[LINE_IN_REACH] = inReach;
  out.spareMs[0] = spareMs;
  counts[COUNT_STALE_MASK]! |= staleMask;
  counts[COUNT_SUSPENDED]! += suspendedCount;
  counts[COUNT_STALE]! += staleCount;
  return row;
}

/** @returns the first row after the line of `firstRow`, at most `end` */
function endOfLine(quoteKey: ReadonlyColumn, firstRow: number, end: number): number {
  const lineKey = marketLineOfKey(quoteKey[firstRow]!);
  let row = firstRow + 1;
  while (row < end && marketLineOfKey(quoteKey[row]!) === lineKey) row++;
  return row;
}

/** Counts the quotes of a line whose period is over. */
function countEnded(
  quoteKey: ReadonlyColumn,
  firstRow: number,
  endRow: number,
  { counts, line }: ScoreBuffers,
): void {
  for (let row = firstRow; row < endRow; row++) {
    if (((line[LINE_HIDDEN_MASK]! >> bookmakerOfKey(quoteKey[row]!)) & 1) === 0) counts[COUNT_PERIOD_OVER]!++;
  }
}

/**
 * Records which bookmakers take part in a line, and counts the line if it cannot have value or cannot have
 * arbitrage.
 * @returns whether prices of two owners can be compared
 */
function countLine(
  quoteKey: ReadonlyColumn,
  lineMask: number,
  referenceRow: number,
  reference: number,
  counts: Int32Array,
): boolean {
  counts[COUNT_BOOKMAKER_MASK]! |= lineMask;
  const comparedMask =
    referenceRow < 0 ? lineMask : lineMask | (1 << bookmakerOfKey(quoteKey[referenceRow]!));
  // With prices of one owner only, there is nothing to compare.
  if ((comparedMask & ~ownerMaskOf(comparedMask)) === 0) {
    counts[COUNT_SINGLE_BOOK]!++;
    return false;
  }
  if (referenceRow < 0 && reference === REFERENCE_SHARP) counts[COUNT_NO_SHARP]!++;
  if (referenceRow < 0 && reference >= 0) counts[COUNT_NO_REFERENCE]!++;
  return true;
}

/**
 * The factor by which a best price must exceed the reference price to be value, without the effect of the
 * power method (`powerLift`).
 */
function edgeScaleOf(market: number, minEdge: number, referenceSum: number): number {
  const scale = (1 + minEdge) * (1 - COMPARISON_SLACK);
  return market === MARKET_1X2 ? scale : scale * referenceSum;
}

/**
 * Whether a best price can be value: it must be at least `scale` times the reference price, raised by a lower
 * bound of what the power method adds. In two-way markets `scale` is exact and `lift` is 0; for the power
 * method see `powerLift`.
 */
function reaches(bestE4: number, referenceE4: number, scale: number, lift: number): boolean {
  // (p - 1)/(p + 1) of the decimal price equals (1 - q)/(1 + q) of its inverse.
  return (
    bestE4 >= referenceE4 * scale * (1 + (lift * (referenceE4 - PRICE_ONE_E4)) / (referenceE4 + PRICE_ONE_E4))
  );
}
