// The scoring kernel: one pass over the quotes of one page finds value and arbitrage together. It works on columns and
// scalars, writes hits into the caller's typed arrays and allocates nothing. A page that turns under it may feed it
// garbage: every loop is bounded and nothing throws, and the caller throws the answer away (SlateReader.isIntact).

import { QUOTE_OPEN, SHARP_BOOKMAKER_INDEX } from '../domain/catalogue.ts';
import { bookmakerOfKey, marketLineOfKey, marketOfKey, periodOfKey } from '../store/quote-key.ts';
import type { SlateColumns } from '../store/reader.ts';
import { COMPARISON_SLACK, type ScoreCriteria } from './criteria.ts';
import {
  COUNT_BOOKMAKER_MASK,
  COUNT_SHARP_LINES,
  LINE_BEST,
  LINE_BOOKMAKER,
  LINE_SHARP,
  type ScoreBuffers,
} from './hits.ts';
import { moveCheapestLeg, writeArb, writeValue } from './line-hits.ts';
import { inverseSumOf, outcomeCountOf, PRICE_ONE_E4 } from './prices.ts';

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
  const { marketMask, periodMask, seesSharp } = criteria;
  const { counts, line } = out;
  // A fair price is never shorter than the sharp price, so only a best price this far above the sharp one can be value.
  const reach = (1 + criteria.minEdge) * (1 - COMPARISON_SLACK);
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
    let bookmakerA = 0;
    let bookmakerB = 0;
    let bookmakerC = 0;
    let sharpA = 0;
    let sharpB = 0;
    let sharpC = 0;
    for (; row < end; row++) {
      const key = quoteKey[row]!;
      if (marketLineOfKey(key) !== lineKey) break;
      const a = priceE4A[row]!;
      const b = priceE4B[row]!;
      const c = threeWay ? priceE4C[row]! : 0;
      if (quoteStatus[row] !== QUOTE_OPEN || a <= PRICE_ONE_E4 || b <= PRICE_ONE_E4) continue;
      if (threeWay && c <= PRICE_ONE_E4) continue;
      const bookmaker = bookmakerOfKey(key);
      if (bookmaker === SHARP_BOOKMAKER_INDEX) {
        if (!seesSharp) continue;
        sharpA = a;
        sharpB = b;
        sharpC = c;
      }
      bookmakerMask |= 1 << bookmaker;
      if (a > bestA) {
        bestA = a;
        bookmakerA = bookmaker;
      }
      if (b > bestB) {
        bestB = b;
        bookmakerB = bookmaker;
      }
      if (c > bestC) {
        bestC = c;
        bookmakerC = bookmaker;
      }
    }
    if (bestA === 0) continue;
    const sharpQuotes = sharpA !== 0;
    if (sharpQuotes) counts[COUNT_SHARP_LINES]!++;

    const valueInReach =
      sharpQuotes &&
      (bestA >= sharpA * reach || bestB >= sharpB * reach || (threeWay && bestC >= sharpC * reach));
    const inverseSum = inverseSumOf(bestA, bestB, bestC);
    const arbInReach = inverseSum < 1 - COMPARISON_SLACK;
    if (!valueInReach && !arbInReach) continue;

    line[LINE_BEST] = bestA;
    line[LINE_BEST + 1] = bestB;
    line[LINE_BEST + 2] = bestC;
    line[LINE_BOOKMAKER] = bookmakerA;
    line[LINE_BOOKMAKER + 1] = bookmakerB;
    line[LINE_BOOKMAKER + 2] = bookmakerC;
    line[LINE_SHARP] = sharpA;
    line[LINE_SHARP + 1] = sharpB;
    line[LINE_SHARP + 2] = sharpC;
    if (valueInReach) writeValue(firstKey, criteria, out);
    if (!arbInReach) continue;
    const oneBook = bookmakerA === bookmakerB && (!threeWay || bookmakerA === bookmakerC);
    if (oneBook && !moveCheapestLeg(columns, firstRow, row, seesSharp, threeWay, line)) continue;
    writeArb(firstKey, criteria, out);
  }
  counts[COUNT_BOOKMAKER_MASK] = bookmakerMask;
}
