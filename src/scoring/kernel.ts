// The scoring kernel: one pass over the quotes of one page finds value and arbitrage together. It works on columns and
// scalars, writes hits into the caller's typed arrays and allocates nothing. A page that turns under it may feed it
// garbage: every loop is bounded and nothing throws, and SlateReader.read calls it again on the new page.

import { MARKET_1X2, outcomeCountOf, QUOTE_OPEN, SHARP_BOOKMAKER_INDEX } from '../domain/catalogue.ts';
import { bookmakerOfKey, marketLineOfKey, marketOfKey, periodOfKey } from '../store/quote-key.ts';
import type { SlateColumns, SlateReader } from '../store/reader.ts';
import { COMPARISON_SLACK, inverseSumOf, PRICE_ONE_E4, type ScoreCriteria } from './criteria.ts';
import { writeArb, writeValue } from './line-hits.ts';
import {
  COUNT_BOOKMAKER_MASK,
  COUNT_SHARP_LEFT_OUT,
  COUNT_SHARP_LINES,
  LINE_BEST,
  LINE_END_ROW,
  LINE_FIRST_ROW,
  LINE_HIDDEN_BOOKMAKER,
  LINE_OUTCOME_COUNT,
  LINE_SHARP_ROW,
  type ScoreBuffers,
} from './score-rows.ts';

const NO_BOOKMAKER = -1;
const LN_THREE = Math.log(3);

/** Scores the quotes of one page. Inside `SlateReader.read` only. */
export function scorePage(
  { columns, quotesPerFixture }: SlateReader,
  page: number,
  criteria: ScoreCriteria,
  out: ScoreBuffers,
): void {
  const quoteCount = columns.quoteCount[page]!;
  scoreQuotes(columns, page * quotesPerFixture, quoteCount, columns.sport[page]!, criteria, out);
}

/**
 * Scores rows base .. base + quoteCount - 1, sorted by quote key. Only open quotes with every price above 1 take part;
 * without `seesSharp` the sharp book's quotes do not exist.
 *
 * Value: the best price of each outcome (ties: first book of the catalogue) against the sharp book's fair price at that
 * same line; edge = decimal / fair - 1. Fair prices are by the power method in a 1x2 (the two-way one of basketball
 * too) and proportional in two-way markets. Where the sharp book's inverse sum is below 1 there is nothing to take
 * away, hence no fair price and no value.
 *
 * Arbitrage: the best price of each outcome, inverse sum below 1, legs from two books or more. When one book has every
 * best price, the leg that costs least to take elsewhere is taken elsewhere.
 *
 * Writes counts, and hits in row order, into `out`; `out.counts` is cleared first.
 */
export function scoreQuotes(
  columns: SlateColumns,
  base: number,
  quoteCount: number,
  sport: number,
  criteria: ScoreCriteria,
  out: ScoreBuffers,
): void {
  const { quoteKey, quoteStatus, priceE4A, priceE4B, priceE4C } = columns;
  const { marketMask, periodMask } = criteria;
  const { counts, line } = out;
  const hiddenBookmaker = criteria.seesSharp ? NO_BOOKMAKER : SHARP_BOOKMAKER_INDEX;
  const edgeScale = (1 + criteria.minEdge) * (1 - COMPARISON_SLACK);
  const end = base + quoteCount;
  let bookmakerMask = 0;
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
        if (quoteStatus[row] !== QUOTE_OPEN) continue;
        if (a <= PRICE_ONE_E4 || b <= PRICE_ONE_E4 || c <= PRICE_ONE_E4) continue;
        const bookmaker = bookmakerOfKey(key);
        if (bookmaker === hiddenBookmaker) continue;
        if (bookmaker === SHARP_BOOKMAKER_INDEX) sharpRow = row;
        bookmakerMask |= 1 << bookmaker;
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
        if (quoteStatus[row] !== QUOTE_OPEN || a <= PRICE_ONE_E4 || b <= PRICE_ONE_E4) continue;
        const bookmaker = bookmakerOfKey(key);
        if (bookmaker === hiddenBookmaker) continue;
        if (bookmaker === SHARP_BOOKMAKER_INDEX) sharpRow = row;
        bookmakerMask |= 1 << bookmaker;
        bestA = Math.max(bestA, a);
        bestB = Math.max(bestB, b);
      }
    }
    if (bestA === 0) continue;
    let valueInReach = false;
    if (sharpRow >= 0) {
      const sharpA = priceE4A[sharpRow]!;
      const sharpB = priceE4B[sharpRow]!;
      const sharpC = threeWay ? priceE4C[sharpRow]! : 0;
      const sharpSum = inverseSumOf(sharpA, sharpB, sharpC);
      const isFair = sharpSum >= 1 - COMPARISON_SLACK;
      counts[isFair ? COUNT_SHARP_LINES : COUNT_SHARP_LEFT_OUT]!++;
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
    line[LINE_HIDDEN_BOOKMAKER] = hiddenBookmaker;
    line[LINE_OUTCOME_COUNT] = threeWay ? 3 : 2;
    line[LINE_BEST] = bestA;
    line[LINE_BEST + 1] = bestB;
    line[LINE_BEST + 2] = bestC;
    if (valueInReach) writeValue(columns, criteria, out);
    if (arbInReach) writeArb(columns, criteria, out);
  }
  counts[COUNT_BOOKMAKER_MASK] = bookmakerMask;
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
