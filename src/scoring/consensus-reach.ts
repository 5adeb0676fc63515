// Whether a line can have value against the consensus, without logarithms: instead of a mean of log-odds, a
// product of odds is compared with a power. It rules out most lines. Like the kernel, it reads columns and
// scalars, allocates nothing and never throws. It is one long function, because its parts would have to pass
// each other some twenty numbers for every line.

import { MARKET_1X2, OUTCOMES_MAX, OWNER_MASKS } from '../domain/catalogue.ts';
import { CONSENSUS_OWNERS_MIN, CONSENSUS_SUM_MAX } from '../domain/consensus.ts';
import { PRICE_ONE_E4 } from '../domain/odds-format.ts';
import { bookmakerOfKey, marketOfKey } from '../store/quote-key.ts';
import type { SlateColumns } from '../store/reader.ts';
import { COMPARISON_SLACK, inverseSumOfRow, priceColumnOf, takesPart } from './criteria.ts';
import {
  LINE_BEST,
  LINE_END_ROW,
  LINE_FIRST_ROW,
  LINE_HIDDEN_MASK,
  LINE_OUTCOME_COUNT,
  LINE_VISIBLE_MASK,
  REACH_LOWEST,
  REACH_OWN,
  REACH_OWN_COUNT,
  REACH_OWNERS,
  REACH_PRODUCT,
  REACH_SHARED,
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
  { line, reach }: ScoreBuffers,
): boolean | null {
  gatherOdds(columns, quoteFromMs, line, reach);
  const outcomeCount = line[LINE_OUTCOME_COUNT]!;
  const ownerCount = reach[REACH_OWNERS]!;
  let most = 0;
  // An owner with several bookmakers counts by their mean, which is no product: such a line is computed in
  // full.
  let isSpread = reach[REACH_SHARED] === 1;
  for (let outcome = 0; outcome < outcomeCount; outcome++) {
    most = Math.max(most, ownerCount - reach[REACH_OWN_COUNT + outcome]!);
    if (outcomeCount === 3 && isFarAbove(line[LINE_BEST + outcome]!, reach[REACH_LOWEST + outcome]!))
      isSpread = true;
  }
  if (most < CONSENSUS_OWNERS_MIN) return null;
  if (isSpread) return true;
  const least = (1 + minEdge) * (outcomeCount === 3 ? SCALED_MIN : 1) * PRODUCT_SLACK;
  for (let outcome = 0; outcome < outcomeCount; outcome++) {
    const others = ownerCount - reach[REACH_OWN_COUNT + outcome]!;
    const product = reach[REACH_PRODUCT + outcome]! / reach[REACH_OWN + outcome]!;
    if (isAtLeast(product, others, line[LINE_BEST + outcome]!, least)) return true;
  }
  return false;
}

/**
 * Writes into `reach`, by outcome: the product of the odds of all bookmakers that count, the odds of the
 * bookmaker with the best price, which never counts in its own reference, whether it counts at all, and the
 * lowest price. Then the number of owners, and whether one owner has several bookmakers.
 */
function gatherOdds(
  columns: SlateColumns,
  quoteFromMs: Readonly<Float64Array>,
  line: Int32Array,
  reach: Float64Array,
): void {
  const { quoteKey } = columns;
  const endRow = line[LINE_END_ROW]!;
  const outcomeCount = line[LINE_OUTCOME_COUNT]!;
  const byPower = marketOfKey(quoteKey[line[LINE_FIRST_ROW]!]!) === MARKET_1X2;
  let ownerMask = 0;
  clearReach(reach);
  for (let row = line[LINE_FIRST_ROW]!; row < endRow; row++) {
    const bookmaker = bookmakerOfKey(quoteKey[row]!);
    if (((line[LINE_VISIBLE_MASK]! >> bookmaker) & 1) === 0) continue;
    if (!takesPart(columns, row, outcomeCount, quoteFromMs)) continue;
    const sum = inverseSumOfRow(columns, row, outcomeCount);
    const isCounted = sum >= 1 - COMPARISON_SLACK && sum <= CONSENSUS_SUM_MAX + COMPARISON_SLACK;
    const isHidden = ((line[LINE_HIDDEN_MASK]! >> bookmaker) & 1) === 1;
    if (!isCounted && isHidden) continue;
    const lift = byPower ? powerLift(sum, outcomeCount === 3) : 0;
    for (let outcome = 0; outcome < outcomeCount; outcome++) {
      const price = priceColumnOf(columns, outcome)[row]!;
      let odds = 1;
      if (isCounted) {
        odds = byPower ? oddsAbove(price, lift) : priceColumnOf(columns, 1 - outcome)[row]! / price;
        reach[REACH_PRODUCT + outcome]! *= odds;
        reach[REACH_LOWEST + outcome] = Math.min(reach[REACH_LOWEST + outcome]!, price);
      }
      if (isHidden || reach[REACH_OWN + outcome] !== 0 || price !== line[LINE_BEST + outcome]) continue;
      reach[REACH_OWN + outcome] = odds;
      reach[REACH_OWN_COUNT + outcome] = isCounted ? 1 : 0;
    }
    if (!isCounted) continue;
    const owner = 1 << OWNER_OF[bookmaker]!;
    if ((ownerMask & owner) !== 0) reach[REACH_SHARED] = 1;
    else reach[REACH_OWNERS]!++;
    ownerMask |= owner;
  }
}

function clearReach(reach: Float64Array): void {
  reach.fill(0);
  reach.fill(1, REACH_PRODUCT, REACH_PRODUCT + OUTCOMES_MAX);
  reach.fill(Number.POSITIVE_INFINITY, REACH_LOWEST, REACH_LOWEST + OUTCOMES_MAX);
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
