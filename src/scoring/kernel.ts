// The scoring kernel: one pass over the quotes of one page finds value and arbitrage together. It works on columns and
// scalars, writes hits into the caller's typed arrays and allocates nothing. A page that turns under it may feed it
// garbage: every loop is bounded and nothing throws, and SlateReader.read calls it again on the new page.

import {
  MARKET_1X2,
  outcomeCountOf,
  ownerMaskOf,
  QUOTE_OPEN,
  SHARP_BOOKMAKERS_MASK,
} from '../domain/catalogue.ts';
import { isPeriodEnded, type SignalGate, type SignalMoment, signalGate } from '../domain/signal-gate.ts';
import { bookmakerOfKey, marketLineOfKey, marketOfKey, periodOfKey } from '../store/quote-key.ts';
import type { SlateColumns, SlateReader } from '../store/reader.ts';
import {
  COMPARISON_SLACK,
  inverseSumOf,
  PRICE_ONE_E4,
  type ScoreCriteria,
  takesPart,
  tighterRow,
} from './criteria.ts';
import {
  COUNT_BOOKMAKER_MASK,
  COUNT_FINISHED,
  COUNT_LATE,
  COUNT_NO_SHARP,
  COUNT_PERIOD_OVER,
  COUNT_REFERENCE_MASK,
  COUNT_SHARP_LEFT_OUT,
  COUNT_SHARP_LINES,
  COUNT_SINGLE_BOOK,
  COUNT_STALE,
  COUNT_SUSPENDED,
  LINE_BEST,
  LINE_END_ROW,
  LINE_FIRST_ROW,
  LINE_HIDDEN_MASK,
  LINE_OUTCOME_COUNT,
  LINE_SHARP_ROW,
  type ScoreBuffers,
} from './hit-rows.ts';
import { writeArb, writeValue } from './line-hits.ts';

const LN_THREE = Math.log(3);

/**
 * Scores the quotes of one page, as far as its gate lets them through. Inside `SlateReader.read` only.
 * @returns the first instant at which time alone may change the answer, Unix ms
 */
export function scorePage(
  reader: SlateReader,
  page: number,
  criteria: ScoreCriteria,
  moment: SignalMoment,
  out: ScoreBuffers,
): number {
  const { columns, quotesPerFixture } = reader;
  const quoteCount = columns.quoteCount[page]!;
  const gate = signalGate(reader.matchFacts(page), moment, criteria.maxAgeMs);
  if (gate.closedBy !== null) {
    out.counts.fill(0);
    out.counts[gate.closedBy === 'finished' ? COUNT_FINISHED : COUNT_LATE] = 1;
    return gate.changesAtMs;
  }
  const base = page * quotesPerFixture;
  const oldestAtMs = scoreQuotes(columns, base, quoteCount, columns.sport[page]!, criteria, gate, out);
  return Math.min(gate.changesAtMs, oldestAtMs + gate.quoteLifeMs + 1);
}

/**
 * Scores rows base .. base + quoteCount - 1, sorted by quote key. Only open quotes with every price above 1 take part;
 * without `seesSharp` quotes of sharp books do not exist. Quotes of books outside `bookmakerMask` are no best price, no leg
 * and in no count, but those of sharp books stay the reference.
 *
 * Value: the best price of each outcome (ties: first book of the catalogue) against the sharp book's fair price at that
 * same line, of several sharp books the tightest (`tighterRow`); edge = decimal / fair - 1. Fair prices are by the power
 * method in a 1x2 (the two-way one of basketball too) and proportional in two-way markets. Where the sharp book's inverse sum is below 1 there is nothing to take
 * away, hence no fair price and no value.
 *
 * Arbitrage: the best price of each outcome, inverse sum below 1, legs from two books or more. When one book has every
 * best price, the leg that costs least to take elsewhere is taken elsewhere.
 *
 * Quotes of a period that is over, and quotes older than the gate's, are left out and counted.
 *
 * Writes counts, and hits in row order, into `out`; `out.counts` is cleared first.
 * @returns source time of the oldest quote that took part, Infinity when the gate asks for no age
 */
export function scoreQuotes(
  columns: SlateColumns,
  base: number,
  quoteCount: number,
  sport: number,
  criteria: ScoreCriteria,
  gate: Pick<SignalGate, 'endedPeriodMask' | 'quoteFromMs'>,
  out: ScoreBuffers,
): number {
  const { quoteKey, quoteStatus, quoteAtMs, priceE4A, priceE4B, priceE4C } = columns;
  const { marketMask, periodMask } = criteria;
  const { counts, line } = out;
  const hiddenMask = ~criteria.bookmakerMask | (criteria.seesSharp ? 0 : SHARP_BOOKMAKERS_MASK);
  const referenceOnlyMask = criteria.seesSharp ? SHARP_BOOKMAKERS_MASK & ~criteria.bookmakerMask : 0;
  const edgeScale = (1 + criteria.minEdge) * (1 - COMPARISON_SLACK);
  const end = base + quoteCount;
  const { quoteFromMs } = gate;
  const checksAge = quoteFromMs > Number.NEGATIVE_INFINITY;
  let oldestAtMs = Number.POSITIVE_INFINITY;
  let suspendedCount = 0;
  let staleCount = 0;
  let bookmakerMask = 0;
  let referenceMask = 0;
  let row = base;
  counts.fill(0);

  while (row < end) {
    const firstRow = row;
    const firstKey = quoteKey[row]!;
    const lineKey = marketLineOfKey(firstKey);
    const market = marketOfKey(firstKey);
    if (((marketMask >> market) & (periodMask >> periodOfKey(firstKey)) & 1) === 0) {
      while (row < end && marketLineOfKey(quoteKey[row]!) === lineKey) row++;
      continue;
    }
    if (isPeriodEnded(gate, periodOfKey(firstKey))) {
      for (; row < end && marketLineOfKey(quoteKey[row]!) === lineKey; row++) {
        if (((hiddenMask >> bookmakerOfKey(quoteKey[row]!)) & 1) === 0) counts[COUNT_PERIOD_OVER]!++;
      }
      continue;
    }
    let lineMask = 0;
    const threeWay = outcomeCountOf(sport, market) === 3;
    let bestA = 0;
    let bestB = 0;
    let bestC = 0;
    let sharpRow = -1;
    // Two loops, as takesPart with the loads kept in locals: the two-way one, most of a slate, never sees a third price.
    // Maxima compile to selects; whose price it was is looked up for the few lines that need it.
    if (threeWay) {
      for (; row < end; row++) {
        const key = quoteKey[row]!;
        if (marketLineOfKey(key) !== lineKey) break;
        const a = priceE4A[row]!;
        const b = priceE4B[row]!;
        const c = priceE4C[row]!;
        const bookmaker = bookmakerOfKey(key);
        if (((hiddenMask >> bookmaker) & 1) === 1) {
          const isReference = ((referenceOnlyMask >> bookmaker) & 1) === 1;
          if (!isReference || !takesPart(columns, row, 3, quoteFromMs)) continue;
          sharpRow = tighterRow(columns, sharpRow, row, 3);
          if (checksAge) oldestAtMs = Math.min(oldestAtMs, quoteAtMs[row]!);
          continue;
        }
        if (quoteStatus[row] !== QUOTE_OPEN || a <= PRICE_ONE_E4 || b <= PRICE_ONE_E4 || c <= PRICE_ONE_E4) {
          suspendedCount++;
          continue;
        }
        if (checksAge) {
          const atMs = quoteAtMs[row]!;
          if (atMs < quoteFromMs) {
            staleCount++;
            continue;
          }
          oldestAtMs = Math.min(oldestAtMs, atMs);
        }
        if (((SHARP_BOOKMAKERS_MASK >> bookmaker) & 1) === 1)
          sharpRow = tighterRow(columns, sharpRow, row, 3);
        lineMask |= 1 << bookmaker;
        bestA = Math.max(bestA, a);
        bestB = Math.max(bestB, b);
        bestC = Math.max(bestC, c);
      }
    } else {
      for (; row < end; row++) {
        const key = quoteKey[row]!;
        if (marketLineOfKey(key) !== lineKey) break;
        const a = priceE4A[row]!;
        const b = priceE4B[row]!;
        const bookmaker = bookmakerOfKey(key);
        if (((hiddenMask >> bookmaker) & 1) === 1) {
          const isReference = ((referenceOnlyMask >> bookmaker) & 1) === 1;
          if (!isReference || !takesPart(columns, row, 2, quoteFromMs)) continue;
          sharpRow = tighterRow(columns, sharpRow, row, 2);
          if (checksAge) oldestAtMs = Math.min(oldestAtMs, quoteAtMs[row]!);
          continue;
        }
        if (quoteStatus[row] !== QUOTE_OPEN || a <= PRICE_ONE_E4 || b <= PRICE_ONE_E4) {
          suspendedCount++;
          continue;
        }
        if (checksAge) {
          const atMs = quoteAtMs[row]!;
          if (atMs < quoteFromMs) {
            staleCount++;
            continue;
          }
          oldestAtMs = Math.min(oldestAtMs, atMs);
        }
        if (((SHARP_BOOKMAKERS_MASK >> bookmaker) & 1) === 1)
          sharpRow = tighterRow(columns, sharpRow, row, 2);
        lineMask |= 1 << bookmaker;
        bestA = Math.max(bestA, a);
        bestB = Math.max(bestB, b);
      }
    }
    if (bestA === 0) continue;
    bookmakerMask |= lineMask;
    const comparedMask = sharpRow < 0 ? lineMask : lineMask | (1 << bookmakerOfKey(quoteKey[sharpRow]!));
    // One owner's prices can be compared with nobody's.
    if ((comparedMask & ~ownerMaskOf(comparedMask)) === 0) counts[COUNT_SINGLE_BOOK]!++;
    else if (sharpRow < 0) counts[COUNT_NO_SHARP]!++;
    let valueInReach = false;
    if (sharpRow >= 0) {
      const sharpA = priceE4A[sharpRow]!;
      const sharpB = priceE4B[sharpRow]!;
      const sharpC = threeWay ? priceE4C[sharpRow]! : 0;
      const sharpSum = inverseSumOf(sharpA, sharpB, sharpC);
      const isFair = sharpSum >= 1 - COMPARISON_SLACK;
      counts[isFair ? COUNT_SHARP_LINES : COUNT_SHARP_LEFT_OUT]!++;
      if (isFair) referenceMask |= 1 << bookmakerOfKey(quoteKey[sharpRow]!);
      const byPower = market === MARKET_1X2;
      const scale = byPower ? edgeScale : edgeScale * sharpSum;
      const lift = byPower ? powerLift(sharpSum, threeWay) : 0;
      valueInReach =
        isFair &&
        (reaches(bestA, sharpA, scale, lift) ||
          reaches(bestB, sharpB, scale, lift) ||
          (threeWay && reaches(bestC, sharpC, scale, lift)));
    }
    const arbInReach = inverseSumOf(bestA, bestB, bestC) < 1 - COMPARISON_SLACK;
    if (!valueInReach && !arbInReach) continue;

    line[LINE_FIRST_ROW] = firstRow;
    line[LINE_END_ROW] = row;
    line[LINE_SHARP_ROW] = sharpRow;
    line[LINE_HIDDEN_MASK] = hiddenMask;
    line[LINE_OUTCOME_COUNT] = threeWay ? 3 : 2;
    line[LINE_BEST] = bestA;
    line[LINE_BEST + 1] = bestB;
    line[LINE_BEST + 2] = bestC;
    if (valueInReach) writeValue(columns, criteria, quoteFromMs, out);
    if (arbInReach) writeArb(columns, criteria, quoteFromMs, out);
  }
  counts[COUNT_BOOKMAKER_MASK] = bookmakerMask;
  counts[COUNT_REFERENCE_MASK] = referenceMask;
  counts[COUNT_STALE] = staleCount;
  counts[COUNT_SUSPENDED] = suspendedCount;
  return oldestAtMs;
}

/**
 * Whether a best price can be value: at least `scale` times the sharp price, lengthened as far as its fair price surely
 * is. In two-way markets `scale` holds the exact answer and `lift` is 0; for the power method see `powerLift`.
 */
function reaches(bestE4: number, sharpE4: number, scale: number, lift: number): boolean {
  // (p - 1)/(p + 1) of the decimal price is (1 - q)/(1 + q) of its inverse.
  return bestE4 >= sharpE4 * scale * (1 + (lift * (sharpE4 - PRICE_ONE_E4)) / (sharpE4 + PRICE_ONE_E4));
}

/**
 * A lower bound on what the power method does to a price, without its logarithms: most lines are sorted out by it. Of n
 * inverse prices q with sum S, Newton's first step puts k - 1 at ln S / ln n or more (their entropy is at most ln n), so
 * the fair price is q^(1 - k) = exp((k - 1) ln(1/q)) >= 1 + (ln S / ln n) ln(1/q) times the sharp one; and ln x is at
 * least 2(x - 1)/(x + 1) for x from 1 up.
 */
function powerLift(sum: number, threeWay: boolean): number {
  return (4 * (sum - 1)) / ((sum + 1) * (threeWay ? LN_THREE : Math.LN2));
}
