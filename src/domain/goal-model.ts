// The distribution of the goals still to come: two Poisson rates with the low-score adjustment of Dixon, M.
// J. and Coles, S. G. (1997), "Modelling Association Football Scores and Inefficiencies in the Football
// Betting Market", Applied Statistics 46(2), 265-280. Home goals come first:
//   tau(0,0) = 1 - lh la rho   tau(0,1) = 1 + lh rho   tau(1,0) = 1 + la rho   tau(1,1) = 1 - rho
// All four change the probability by the same amount, `shift` = rho lh la exp(-lh - la): 0-0 and 1-1 lose it,
// 0-1 and 1-0 gain it. So the price of every bet is linear in `shift` and needs no grid of scores.

import { assert } from '../errors.ts';

/** Goals that each side is still expected to score, and the correlation of low scores (rho). */
export interface GoalRates {
  readonly lambdaHome: number;
  readonly lambdaAway: number;
  readonly rho: number;
}

export const RATE_MIN = 0.001;
export const RATE_MAX = 12;
/** Number of Poisson terms kept. At the largest total rate, 24, the remainder is below 1e-13. */
const TERMS_MAX = 72;

/** `rho`, limited to the range in which every tau is at least 0. */
export function boundedRho(rho: number, lambdaHome: number, lambdaAway: number): number {
  const lowest = -1 / Math.max(1, lambdaHome, lambdaAway);
  const highest = Math.min(1, 1 / (lambdaHome * lambdaAway));
  return Math.min(highest, Math.max(lowest, rho));
}

/** The probability that 0-1 and 1-0 gain and 0-0 and 1-1 lose: rho lh la exp(-lh - la). */
export function lowScoreShift(rates: GoalRates): number {
  const { lambdaHome, lambdaAway, rho } = rates;
  return rho * lambdaHome * lambdaAway * Math.exp(-lambdaHome - lambdaAway);
}

/** What one unit of `shift` adds to P(margin > m). The margin is home minus away goals still to come. */
export function marginShiftAbove(m: number): number {
  return m === 0 ? 1 : m === -1 ? -1 : 0;
}

/** What one unit of `shift` adds to P(total > m). */
export function totalShiftAbove(m: number): number {
  return m === 0 ? 1 : m === 1 ? -1 : 0;
}

/**
 * The two Poisson distributions for one pair of rates, without the low-score shift. A fit reuses the object
 * in every step.
 */
export class PoissonPair {
  readonly #home = new Float64Array(TERMS_MAX);
  readonly #away = new Float64Array(TERMS_MAX);
  /** P(away < index). */
  readonly #awayBelow = new Float64Array(TERMS_MAX + 1);
  readonly #total = new Float64Array(TERMS_MAX);
  #homeTerms = 0;
  #awayTerms = 0;
  #totalTerms = 0;

  /** Sets the rates, each from 0 to RATE_MAX. */
  set(lambdaHome: number, lambdaAway: number): void {
    this.#homeTerms = fillPoisson(this.#home, lambdaHome);
    this.#awayTerms = fillPoisson(this.#away, lambdaAway);
    this.#totalTerms = fillPoisson(this.#total, lambdaHome + lambdaAway);
    let sum = 0;
    for (let goals = 0; goals < this.#awayTerms; goals++) {
      this.#awayBelow[goals] = sum;
      sum += this.#away[goals]!;
    }
    this.#awayBelow[this.#awayTerms] = sum;
  }

  /**
   * How many numbers of home goals, from 0 up, are probable enough to be included; `awayTerms` is the same
   * for away.
   */
  get homeTerms(): number {
    return this.#homeTerms;
  }
  get awayTerms(): number {
    return this.#awayTerms;
  }

  /** P(home goals = home and away goals = away). */
  scoreAt(home: number, away: number): number {
    return this.#home[home]! * this.#away[away]!;
  }

  /** P(margin = m), margin being home minus away goals. */
  marginAt(m: number): number {
    let sum = 0;
    const last = Math.min(this.#homeTerms, this.#awayTerms + m);
    for (let goals = Math.max(0, m); goals < last; goals++)
      sum += this.#home[goals]! * this.#away[goals - m]!;
    return sum;
  }

  /** P(margin > m). */
  marginAbove(m: number): number {
    let sum = 0;
    for (let goals = Math.max(0, m + 1); goals < this.#homeTerms; goals++) {
      sum += this.#home[goals]! * this.#awayBelow[Math.min(goals - m, this.#awayTerms)]!;
    }
    return sum;
  }

  /** P(total = m). */
  totalAt(m: number): number {
    return m < 0 || m >= this.#totalTerms ? 0 : this.#total[m]!;
  }

  /** P(total > m). */
  totalAbove(m: number): number {
    let sum = 0;
    const last = Math.min(m, this.#totalTerms - 1);
    for (let goals = 0; goals <= last; goals++) sum += this.#total[goals]!;
    return 1 - sum;
  }
}

/** Writes the Poisson probabilities of 0, 1, 2 ... goals. @returns how many are large enough to count */
function fillPoisson(target: Float64Array, lambda: number): number {
  const terms = Math.min(TERMS_MAX, Math.ceil(lambda + 8 * Math.sqrt(lambda)) + 8);
  let probability = Math.exp(-lambda);
  for (let goals = 0; goals < terms; goals++) {
    target[goals] = probability;
    probability *= lambda / (goals + 1);
  }
  return terms;
}

export interface Scoreline {
  readonly home: number;
  readonly away: number;
  readonly probability: number;
}

/**
 * The `count` most likely full-time scores, most likely first (ties: fewer goals, then fewer home goals), and
 * their total probability. No score is below the current one.
 */
export function topScorelines(
  rates: GoalRates,
  score: { readonly home: number; readonly away: number },
  count: number,
): { scorelines: Scoreline[]; covered: number } {
  assert(Number.isInteger(count) && count >= 1, 'at least one scoreline is asked for');
  const pair = new PoissonPair();
  pair.set(rates.lambdaHome, rates.lambdaAway);
  const shift = lowScoreShift(rates);
  const scorelines: Scoreline[] = [];
  // In order of total goals, so that of two equally likely scores the one with fewer goals comes first.
  for (let goals = 0; goals < pair.homeTerms + pair.awayTerms - 1; goals++) {
    for (let home = Math.max(0, goals - pair.awayTerms + 1); home <= goals && home < pair.homeTerms; home++) {
      const away = goals - home;
      let probability = pair.scoreAt(home, away);
      if (home <= 1 && away <= 1) probability += home === away ? -shift : shift;
      if (scorelines.length === count && probability <= scorelines[count - 1]!.probability) continue;
      let place = scorelines.length;
      while (place > 0 && scorelines[place - 1]!.probability < probability) place--;
      scorelines.splice(place, 0, { home: score.home + home, away: score.away + away, probability });
      if (scorelines.length > count) scorelines.pop();
    }
  }
  const covered = scorelines.reduce((sum, scoreline) => sum + scoreline.probability, 0);
  return { scorelines, covered: Math.min(1, covered) };
}
