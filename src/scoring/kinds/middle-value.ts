// What a pair of bets on two lines is worth: one bet wins if the result is above its line, the other if the
// result is below a higher line. Between the two lines both win. Everything comes from a table of the
// probability of each result, so quarter lines are settled exactly, each half on its own line. Only the
// tables are allocated here.

import {
  type GoalRates,
  lowScoreShift,
  marginShiftAbove,
  PoissonPair,
  totalShiftAbove,
} from '../../domain/goal-model.ts';
import { normalBelow } from '../../domain/random.ts';
import { assert } from '../../errors.ts';

/** Goals or points beyond this from the middle of a table are too improbable to count. */
const GOALS_MAX = 40;
const POINTS_MAX = 120;
const SIZE = 2 * POINTS_MAX + 1;

/** The probability of each whole result from `first` on, of a margin (home minus away) or of a total. */
export interface ResultTable {
  /** The margin or total whose probability the first entry is. */
  first: number;
  count: number;
  readonly probabilities: Float64Array;
  /**
   * The probability of all results below the result of an index. The last entry has the probability of all
   * results.
   */
  readonly below: Float64Array;
}

export function emptyTable(): ResultTable {
  return { first: 0, count: 0, probabilities: new Float64Array(SIZE), below: new Float64Array(SIZE + 1) };
}

/** The margins and totals of the goals still to come, by the goal grid (goal-model.ts). */
export class GoalTables {
  readonly margins = emptyTable();
  readonly totals = emptyTable();
  readonly #pair = new PoissonPair();

  set(rates: GoalRates): void {
    const pair = this.#pair;
    pair.set(rates.lambdaHome, rates.lambdaAway);
    const shift = lowScoreShift(rates);
    const { margins, totals } = this;
    margins.first = -GOALS_MAX;
    margins.count = 2 * GOALS_MAX + 1;
    for (let index = 0; index < margins.count; index++) {
      const margin = margins.first + index;
      const moved = marginShiftAbove(margin - 1) - marginShiftAbove(margin);
      margins.probabilities[index] = Math.max(0, pair.marginAt(margin) + shift * moved);
    }
    totals.first = 0;
    totals.count = 2 * GOALS_MAX + 1;
    for (let total = 0; total < totals.count; total++) {
      const moved = totalShiftAbove(total - 1) - totalShiftAbove(total);
      totals.probabilities[total] = Math.max(0, pair.totalAt(total) + shift * moved);
    }
    sumUp(margins);
    sumUp(totals);
  }
}

/**
 * Writes a normal distribution of whole points. Without `hasTies`, the probability of 0 goes to the other
 * results, because a basketball match is played on until it has a winner.
 */
export function setPointTable(
  table: ResultTable,
  {
    mean,
    deviation,
    hasTies,
  }: { readonly mean: number; readonly deviation: number; readonly hasTies: boolean },
): void {
  assert(deviation > 0, 'points vary');
  table.first = Math.round(mean) - POINTS_MAX;
  table.count = SIZE;
  let below = normalBelow((table.first - 0.5 - mean) / deviation);
  let sum = 0;
  for (let index = 0; index < SIZE; index++) {
    const above = normalBelow((table.first + index + 0.5 - mean) / deviation);
    const isTie = table.first + index === 0;
    const probability = isTie && !hasTies ? 0 : above - below;
    table.probabilities[index] = probability;
    sum += probability;
    below = above;
  }
  for (let index = 0; index < SIZE; index++) table.probabilities[index]! /= sum;
  sumUp(table);
}

function sumUp({ count, probabilities, below }: ResultTable): void {
  below[0] = 0;
  for (let index = 0; index < count; index++) below[index + 1] = below[index]! + probabilities[index]!;
}

/** Two bets that leave a middle. Lines are in quarters of the table's results, prices in ten-thousandths. */
export interface MiddlePair {
  /** The bet that wins above this line: over, or home at minus this handicap. */
  aboveQuarters: number;
  abovePriceE4: number;
  /** The bet that wins below this line: under, or away. Higher than `aboveQuarters`. */
  belowQuarters: number;
  belowPriceE4: number;
}

/** What `middleValue` writes, by index. All values are fractions. */
export const MIDDLE_BOTH_WIN = 0; // P(both bets win, at least by half)
export const MIDDLE_NO_LOSS = 1; // P(one bet wins at least by half and the other loses nothing)
export const MIDDLE_EXPECTED = 2; // expected return of one unit on the pair
export const MIDDLE_WORST = 3; // return of one unit on the pair at the worst result
export const MIDDLE_WORDS = 4;

/**
 * The expected return of a pair (MIDDLE_EXPECTED) except for rounding, found without going through all
 * results. A result above a line wins that line's bet in full and a result below it loses it in full, or the
 * reverse. Only the result nearest to the line may settle otherwise.
 */
export function middleExpected(table: ResultTable, pair: Readonly<MiddlePair>): number {
  const above = 10_000 / pair.abovePriceE4;
  const below = 10_000 / pair.belowPriceE4;
  const paid = paidAbove(table, pair.aboveQuarters, above) + paidBelow(table, pair.belowQuarters, below);
  return paid / (above + below) - table.below[table.count]!;
}

/** The average return of a bet that wins above a line, as a share of its payout when it wins in full. */
function paidAbove({ first, count, probabilities, below }: ResultTable, line: number, part: number): number {
  const near = nearIndex(first, line);
  const full = Math.min(count, Math.max(0, near + 1));
  const paid = below[count]! - below[full]!;
  if (near < 0 || near >= count) return paid;
  return paid + probabilities[near]! * shareReturned(wonShare((first + near) * 4 - line), part);
}

/** The average return of a bet that wins below a line, as a share of its payout when it wins in full. */
function paidBelow({ first, count, probabilities, below }: ResultTable, line: number, part: number): number {
  const near = nearIndex(first, line);
  const paid = below[Math.min(count, Math.max(0, near))]!;
  if (near < 0 || near >= count) return paid;
  return paid + probabilities[near]! * shareReturned(wonShare(line - (first + near) * 4), part);
}

/**
 * The index of the result nearest to a line. A bet that wins above the line loses in full on all lower
 * results and wins in full on all higher ones.
 */
function nearIndex(first: number, line: number): number {
  return Math.round(line / 4) - first;
}

/**
 * Values a pair. One unit is split over the two bets so that both pay the same when they win in full, as for
 * an arbitrage: each bet's part is the inverse of its price. This is only a measure of the pair, not advice
 * how much to stake.
 */
export function middleValue(table: ResultTable, pair: Readonly<MiddlePair>, out: Float64Array): void {
  const { aboveQuarters, belowQuarters } = pair;
  const above = 10_000 / pair.abovePriceE4;
  const below = 10_000 / pair.belowPriceE4;
  const payout = 1 / (above + below);
  let bothWin = 0;
  let noLoss = 0;
  let expected = 0;
  let worst = Number.POSITIVE_INFINITY;
  for (let index = 0; index < table.count; index++) {
    const quarters = (table.first + index) * 4;
    const won = wonShare(quarters - aboveQuarters);
    const otherWon = wonShare(belowQuarters - quarters);
    const returned = payout * (shareReturned(won, above) + shareReturned(otherWon, below)) - 1;
    const probability = table.probabilities[index]!;
    if (won > 0 && otherWon > 0) bothWin += probability;
    if (won >= 0 && otherWon >= 0 && won + otherWon > 0) noLoss += probability;
    expected += probability * returned;
    worst = Math.min(worst, returned);
  }
  out[MIDDLE_BOTH_WIN] = bothWin;
  out[MIDDLE_NO_LOSS] = noLoss;
  out[MIDDLE_EXPECTED] = expected;
  out[MIDDLE_WORST] = worst;
}

/**
 * The share of a bet that wins (above 0) or loses (below 0); the rest is returned. Does the same as
 * settlement.ts, without objects.
 */
function wonShare(marginQuarters: number): number {
  return Math.max(-2, Math.min(2, marginQuarters)) / 2;
}

/**
 * What a bet returns, as a share of what it returns on a full win.
 * @param won 1 for a full win, 0.5 for a half win, 0 for a push, -0.5 for a half loss, -1 for a full loss
 * @param part the stake, as a share of what a full win returns
 */
function shareReturned(won: number, part: number): number {
  // A full win returns 1, a push the part, a full loss nothing.
  return won >= 0 ? part + won * (1 - part) : part * (1 + won);
}
