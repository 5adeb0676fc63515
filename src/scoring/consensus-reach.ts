// Whether a line can have value against the consensus, without logarithms: instead of a mean of log-odds, a
// product of odds is compared with a power. It rules out most lines. Like the kernel, it reads columns and
// scalars, allocates nothing and never throws. It is one long function, because its parts would have to pass
// each other some twenty numbers for every line.

import { MARKET_1X2, OWNER_MASKS } from '../domain/catalogue.ts';
import { CONSENSUS_OWNERS_MIN, CONSENSUS_SUM_MAX } from '../domain/consensus.ts';
import { PRICE_ONE_E4 } from '../domain/odds-format.ts';
import { bookmakerOfKey, marketOfKey } from '../store/quote-key.ts';
import type { SlateColumns } from '../store/reader.ts';
import { COMPARISON_SLACK, inverseSumOfRow, takesPart } from './criteria.ts';
import {
  LINE_BEST,
  LINE_END_ROW,
  LINE_FIRST_ROW,
  LINE_HIDDEN_MASK,
  LINE_OUTCOME_COUNT,
  LINE_VISIBLE_MASK,
  type ScoreBuffers,
} from './hit-rows.ts';
import { powerLift } from './power-method.ts';

/** For each bookmaker, the first bookmaker of its owner. */
export const OWNER_OF = Int32Array.from(OWNER_MASKS, (mask) => 31 - Math.clz32(mask & -mask));

/**
 * The probability of each of three outcomes is computed from the mean log-odds of the bookmakers. If the odds
 * of each outcome differ between bookmakers by less than this factor, these probabilities sum to at least
 * SCALED_MIN before scaling. The second derivative of the logistic function is at most 0.0963, so each
 * outcome loses at most 0.0963 x (ln 1.35)^2 / 8 = 0.0011. The rest is for bookmakers whose margins differ.
 */
const ODDS_SPREAD_MAX = 1.35;
const SCALED_MIN = 0.99;
/** Allows for the rounding of a product of 32 factors. */
const PRODUCT_SLACK = 1 - 1e-9;

/** Whether a row counts in the consensus: it takes part, and its margin can be removed and is believable. */
export function isInConsensus(
  columns: SlateColumns,
  row: number,
  outcomeCount: number,
  quoteFromMs: Readonly<Float64Array>,
): boolean {
  if (!takesPart(columns, row, outcomeCount, quoteFromMs)) return false;
  const sum = inverseSumOfRow(columns, row, outcomeCount);
  return sum >= 1 - COMPARISON_SLACK && sum <= CONSENSUS_SUM_MAX + COMPARISON_SLACK;
}

/**
 * Decides whether one of the best prices of the line in `out.line` may be value against the consensus.
 * @returns false only when none can be; null when no outcome has the three other owners that a consensus
 * needs
 */
export function consensusReaches(
  columns: SlateColumns,
  minEdge: number,
  quoteFromMs: Readonly<Float64Array>,
  { line }: ScoreBuffers,
): boolean | null {
  const { quoteKey, priceE4A, priceE4B, priceE4C } = columns;
  const endRow = line[LINE_END_ROW]!;
  const outcomeCount = line[LINE_OUTCOME_COUNT]!;
  const isThreeWay = outcomeCount === 3;
  const bestA = line[LINE_BEST]!;
  const bestB = line[LINE_BEST + 1]!;
  const bestC = line[LINE_BEST + 2]!;
  const byPower = marketOfKey(quoteKey[line[LINE_FIRST_ROW]!]!) === MARKET_1X2;
  let ownerMask = 0;
  let ownerCount = 0;
  let isSpread = false;
  let productA = 1;
  let productB = 1;
  let productC = 1;
  // Odds of the bookmaker with the best price, which never counts in the consensus that its price is compared
  // with; 0 until it is found.
  let ownA = 0;
  let ownB = 0;
  let ownC = 0;
  // Owners of the best prices: all their bookmakers are left out of the reference, whichever of them counts.
  let ownerA = 0;
  let ownerB = 0;
  let ownerC = 0;
  let uncountedMask = 0;
  let lowestA = Number.POSITIVE_INFINITY;
  let lowestB = Number.POSITIVE_INFINITY;
  let lowestC = Number.POSITIVE_INFINITY;
  for (let row = line[LINE_FIRST_ROW]!; row < endRow; row++) {
    const bookmaker = bookmakerOfKey(quoteKey[row]!);
    if (((line[LINE_VISIBLE_MASK]! >> bookmaker) & 1) === 0) continue;
    if (!takesPart(columns, row, outcomeCount, quoteFromMs)) continue;
    const a = priceE4A[row]!;
    const b = priceE4B[row]!;
    const c = isThreeWay ? priceE4C[row]! : 0;
    const sum = inverseSumOfRow(columns, row, outcomeCount);
    const counted = sum >= 1 - COMPARISON_SLACK && sum <= CONSENSUS_SUM_MAX + COMPARISON_SLACK;
    const owner = 1 << OWNER_OF[bookmaker]!;
    const lift = byPower ? powerLift(sum, isThreeWay) : 0;
    const oddsA = counted ? (byPower ? oddsAbove(a, lift) : b / a) : 1;
    const oddsB = counted ? (byPower ? oddsAbove(b, lift) : a / b) : 1;
    const oddsC = counted && isThreeWay ? oddsAbove(c, lift) : 1;
    if (((line[LINE_HIDDEN_MASK]! >> bookmaker) & 1) === 0) {
      if (ownA === 0 && a === bestA) {
        ownA = oddsA;
        ownerA = owner;
        if (!counted) uncountedMask |= owner;
      }
      if (ownB === 0 && b === bestB) {
        ownB = oddsB;
        ownerB = owner;
        if (!counted) uncountedMask |= owner;
      }
      if (ownC === 0 && isThreeWay && c === bestC) {
        ownC = oddsC;
        ownerC = owner;
        if (!counted) uncountedMask |= owner;
      }
    }
    if (!counted) continue;
    productA *= oddsA;
    productB *= oddsB;
    productC *= oddsC;
    lowestA = Math.min(lowestA, a);
    lowestB = Math.min(lowestB, b);
    if (isThreeWay) lowestC = Math.min(lowestC, c);
    // The consensus uses the mean of an owner's bookmakers, which the products here cannot express. So a line
    // with several bookmakers of one owner is computed in full.
    if ((ownerMask & owner) !== 0) isSpread = true;
    else ownerCount++;
    ownerMask |= owner;
  }
  const countA = ownerCount - ((ownerMask & ownerA) !== 0 ? 1 : 0);
  const countB = ownerCount - ((ownerMask & ownerB) !== 0 ? 1 : 0);
  const countC = ownerCount - ((ownerMask & ownerC) !== 0 ? 1 : 0);
  const most = isThreeWay ? Math.max(countA, countB, countC) : Math.max(countA, countB);
  if (most < CONSENSUS_OWNERS_MIN) return null;
  // The products have another bookmaker of the owner of a best price, which the reference leaves out.
  if ((uncountedMask & ownerMask) !== 0) isSpread = true;
  if (isThreeWay) {
    isSpread ||= isFarAbove(bestA, lowestA) || isFarAbove(bestB, lowestB) || isFarAbove(bestC, lowestC);
  }
  if (isSpread) return true;
  const least = (1 + minEdge) * (isThreeWay ? SCALED_MIN : 1) * PRODUCT_SLACK;
  return (
    isAtLeast(productA / ownA, countA, bestA, least) ||
    isAtLeast(productB / ownB, countB, bestB, least) ||
    (isThreeWay && isAtLeast(productC / ownC, countC, bestC, least))
  );
}

/** Odds p/(1 - p) of an upper bound of the power method's fair probability: see `powerLift`. */
function oddsAbove(priceE4: number, lift: number): number {
  const fairE4 = priceE4 * (1 + (lift * (priceE4 - PRICE_ONE_E4)) / (priceE4 + PRICE_ONE_E4));
  return PRICE_ONE_E4 / (fairE4 - PRICE_ONE_E4);
}

function isFarAbove(highestE4: number, lowestE4: number): boolean {
  return highestE4 - PRICE_ONE_E4 > (lowestE4 - PRICE_ONE_E4) * ODDS_SPREAD_MAX;
}

/**
 * Whether a price is at least `least` times the fair price that the geometric mean of the odds stands for.
 * @param product of the odds of `count` owners
 */
function isAtLeast(product: number, count: number, priceE4: number, least: number): boolean {
  if (count < CONSENSUS_OWNERS_MIN) return false;
  const decimal = priceE4 / PRICE_ONE_E4;
  if (decimal <= least) return false;
  const odds = least / (decimal - least);
  let power = 1;
  for (let factor = 0; factor < count; factor++) power *= odds;
  return product >= power * PRODUCT_SLACK;
}
