// What the kernel does at the few lines where a hit is in reach: fair prices, the second book of an arbitrage, the rows.
// Like the kernel: columns and scalars in, the caller's arrays out, no allocation, nothing thrown.

import { MARKET_1X2, QUOTE_OPEN, SHARP_BOOKMAKER_INDEX } from '../domain/catalogue.ts';
import { powerExponent } from '../domain/devig.ts';
import { bookmakerOfKey, lineQuartersOfKey, marketOfKey, periodOfKey } from '../store/quote-key.ts';
import type { SlateColumns } from '../store/reader.ts';
import { COMPARISON_SLACK, type ScoreCriteria } from './criteria.ts';
import {
  ARB_INVERSE_SUM,
  ARB_LEG_COUNT,
  ARB_LEG_STRIDE,
  ARB_LEGS,
  ARB_MARGIN,
  ARB_STRIDE,
  COUNT_ARB,
  COUNT_ARB_DROPPED,
  COUNT_VALUE,
  COUNT_VALUE_DROPPED,
  HIT_LINE_QUARTERS,
  HIT_MARKET,
  HIT_PERIOD,
  LINE_BEST,
  LINE_BOOKMAKER,
  LINE_SHARP,
  type ScoreBuffers,
  VALUE_BOOKMAKER,
  VALUE_EDGE,
  VALUE_FAIR_DECIMAL,
  VALUE_OUTCOME,
  VALUE_PRICE_E4,
  VALUE_STRIDE,
} from './hits.ts';
import { inverseSumOf, PRICE_ONE_E4 } from './prices.ts';

/** Compares the line's best prices with the sharp book's fair ones. */
export function writeValue(firstKey: number, criteria: ScoreCriteria, out: ScoreBuffers): void {
  const { counts, line, value } = out;
  const market = marketOfKey(firstKey);
  const sharpSum = inverseSumOf(line[LINE_SHARP]!, line[LINE_SHARP + 1]!, line[LINE_SHARP + 2]!);
  if (sharpSum < 1 - COMPARISON_SLACK) return;
  const outcomeCount = line[LINE_SHARP + 2] === 0 ? 2 : 3;
  const byPower = market === MARKET_1X2;
  const exponent = byPower
    ? powerExponent(
        PRICE_ONE_E4 / line[LINE_SHARP]!,
        PRICE_ONE_E4 / line[LINE_SHARP + 1]!,
        outcomeCount === 2 ? 0 : PRICE_ONE_E4 / line[LINE_SHARP + 2]!,
      )
    : 1;
  for (let outcome = 0; outcome < outcomeCount; outcome++) {
    const sharpDecimal = line[LINE_SHARP + outcome]! / PRICE_ONE_E4;
    // 1/p with p = (1/d)^k, or p = (1/d) / sum.
    const fairDecimal = byPower ? sharpDecimal ** exponent : sharpDecimal * sharpSum;
    const priceE4 = line[LINE_BEST + outcome]!;
    const edge = priceE4 / PRICE_ONE_E4 / fairDecimal - 1;
    if (edge < criteria.minEdge - COMPARISON_SLACK) continue;
    if (edge > criteria.maxEdge + COMPARISON_SLACK) {
      counts[COUNT_VALUE_DROPPED]!++;
      continue;
    }
    const offset = counts[COUNT_VALUE]! * VALUE_STRIDE;
    counts[COUNT_VALUE]!++;
    if (offset + VALUE_STRIDE > value.length) continue;
    value[offset + HIT_MARKET] = market;
    value[offset + HIT_PERIOD] = periodOfKey(firstKey);
    value[offset + HIT_LINE_QUARTERS] = lineQuartersOfKey(firstKey);
    value[offset + VALUE_OUTCOME] = outcome;
    value[offset + VALUE_BOOKMAKER] = line[LINE_BOOKMAKER + outcome]!;
    value[offset + VALUE_PRICE_E4] = priceE4;
    value[offset + VALUE_FAIR_DECIMAL] = fairDecimal;
    value[offset + VALUE_EDGE] = edge;
  }
}

/**
 * One book holds every best price of the line. A set of legs from two books has at least one leg elsewhere, and giving
 * up one best price is cheaper than giving up two: so moves the one leg whose best price elsewhere adds least to the
 * inverse sum (ties: first outcome, first book). @returns false when no other book takes part
 */
export function moveCheapestLeg(
  columns: SlateColumns,
  firstRow: number,
  endRow: number,
  seesSharp: boolean,
  threeWay: boolean,
  line: Int32Array,
): boolean {
  const { quoteKey, quoteStatus, priceE4A, priceE4B, priceE4C } = columns;
  const owner = line[LINE_BOOKMAKER]!;
  const outcomeCount = threeWay ? 3 : 2;
  let movedOutcome = -1;
  let movedPriceE4 = 0;
  let movedBookmaker = 0;
  let leastCost = Number.POSITIVE_INFINITY;
  for (let row = firstRow; row < endRow; row++) {
    const bookmaker = bookmakerOfKey(quoteKey[row]!);
    if (bookmaker === owner || (bookmaker === SHARP_BOOKMAKER_INDEX && !seesSharp)) continue;
    const a = priceE4A[row]!;
    const b = priceE4B[row]!;
    const c = threeWay ? priceE4C[row]! : 0;
    if (quoteStatus[row] !== QUOTE_OPEN || a <= PRICE_ONE_E4 || b <= PRICE_ONE_E4) continue;
    if (threeWay && c <= PRICE_ONE_E4) continue;
    for (let outcome = 0; outcome < outcomeCount; outcome++) {
      const priceE4 = outcome === 0 ? a : outcome === 1 ? b : c;
      const cost = PRICE_ONE_E4 / priceE4 - PRICE_ONE_E4 / line[LINE_BEST + outcome]!;
      const cheaper = cost < leastCost - COMPARISON_SLACK;
      const asCheapEarlier = cost <= leastCost + COMPARISON_SLACK && outcome < movedOutcome;
      if (!cheaper && !asCheapEarlier) continue;
      leastCost = cost;
      movedOutcome = outcome;
      movedPriceE4 = priceE4;
      movedBookmaker = bookmaker;
    }
  }
  if (movedOutcome < 0) return false;
  line[LINE_BEST + movedOutcome] = movedPriceE4;
  line[LINE_BOOKMAKER + movedOutcome] = movedBookmaker;
  return true;
}

/** Writes the line's legs, unless they cost 1 or more, or pay less than the threshold or more than the cap. */
export function writeArb(firstKey: number, criteria: ScoreCriteria, out: ScoreBuffers): void {
  const { counts, line, arb } = out;
  const inverseSum = inverseSumOf(line[LINE_BEST]!, line[LINE_BEST + 1]!, line[LINE_BEST + 2]!);
  if (inverseSum >= 1 - COMPARISON_SLACK) return;
  const margin = 1 / inverseSum - 1;
  if (margin < criteria.minMargin - COMPARISON_SLACK) return;
  if (margin > criteria.maxMargin + COMPARISON_SLACK) {
    counts[COUNT_ARB_DROPPED]!++;
    return;
  }
  const offset = counts[COUNT_ARB]! * ARB_STRIDE;
  counts[COUNT_ARB]!++;
  if (offset + ARB_STRIDE > arb.length) return;
  const legCount = line[LINE_BEST + 2] === 0 ? 2 : 3;
  arb[offset + HIT_MARKET] = marketOfKey(firstKey);
  arb[offset + HIT_PERIOD] = periodOfKey(firstKey);
  arb[offset + HIT_LINE_QUARTERS] = lineQuartersOfKey(firstKey);
  arb[offset + ARB_LEG_COUNT] = legCount;
  for (let leg = 0; leg < legCount; leg++) {
    arb[offset + ARB_LEGS + leg * ARB_LEG_STRIDE] = line[LINE_BOOKMAKER + leg]!;
    arb[offset + ARB_LEGS + leg * ARB_LEG_STRIDE + 1] = line[LINE_BEST + leg]!;
  }
  arb[offset + ARB_INVERSE_SUM] = inverseSum;
  arb[offset + ARB_MARGIN] = margin;
}
