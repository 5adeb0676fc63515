// Scorelines implied by market prices. Fair 1x2 and totals prices are converted into goal rates with the
// Dixon-Coles adjustment (goal-model.ts). The handicap checks the fit, or replaces a 1x2 that is missing or
// unusable. In play the rates describe the goals still to come:
// - 1x2 and totals are settled on the full-time score, including goals so far;
// - the asian handicap is settled on the goals from now on, as Asian bookmakers do. Checked against the
//   recorded in-play quotes of brazil-2022 at scores that are not level. The median |expected value| of the
//   fair handicap price is 0.06 under this rule, and 0.66 if it is settled on the full-time score.

import { assert } from '../errors.ts';
import { devigShin } from './devig.ts';
import {
  boundedRho,
  type GoalRates,
  lowScoreShift,
  marginShiftAbove,
  PoissonPair,
  totalShiftAbove,
} from './goal-model.ts';
import {
  lineBet,
  marginValue,
  resultBet,
  ScorelineEquations,
  type ShiftRule,
  solveRates,
} from './scoreline-equations.ts';
import type { FinalScore } from './settlement.ts';

/**
 * The rho used when the draw price cannot determine it (a lead of two or more, or no 1x2). It is the middle
 * of the range (-0.18 to 0.13) fitted to the recorded pre-match prices of two leagues.
 */
export const RHO_DEFAULT = -0.07;
/**
 * A fitted rho beyond this comes from noise in the prices, not from football. RHO_DEFAULT is used instead,
 * and the draw price is then matched less closely. For recorded in-play quotes at a lead of one, the handicap
 * agrees better this way than with rho at its limit (one bookmaker: median |expected value| 0.054 against
 * 0.105).
 */
const RHO_LIMIT = 0.25;
/** If a residual, as a probability, is above this, the markets contradict each other. */
const RESIDUAL_MAX = 0.02;
const DRAW_MISS_MAX = 0.05;

/** Fair (de-vigged) probabilities of one fixture's full-time markets. */
export interface ScorelineMarkets {
  /** Goals so far; 0 and 0 before kickoff. */
  readonly score: { readonly home: number; readonly away: number };
  /**
   * The 1x2; null when it is missing, suspended or too one-sided to use. The difference between the teams
   * then comes from the handicap.
   */
  readonly result: { readonly home: number; readonly draw: number; readonly away: number } | null;
  /** `over` is the fair probability, 1 / fair decimal price, at any whole, half or quarter line. */
  readonly totals: { readonly lineQuarters: number; readonly over: number };
  /** The home side's line and home's fair probability at that line. */
  readonly handicap: { readonly lineQuarters: number; readonly home: number } | null;
}

export type ScorelineFailure =
  /** Neither a 1x2 nor a handicap. */
  | 'no_supremacy_market'
  /** The goals so far already reach or exceed the totals line. */
  | 'totals_decided'
  /** No goal rates reproduce the prices. */
  | 'inconsistent_prices';

export interface ScorelineFit {
  readonly ok: true;
  readonly rates: GoalRates;
  /** Full-time result under the fit. */
  readonly implied: { readonly home: number; readonly draw: number; readonly away: number };
  /**
   * Expected gain of one unit on home at the fair handicap price under the fit. Near 0, the handicap agrees
   * with the fit. Null without a handicap, or when the handicap was used for the fit.
   */
  readonly handicapExpectedValue: number | null;
}

/**
 * Goal rates from fair probabilities. Three prices determine three unknowns: lambdaHome, lambdaAway and rho
 * are chosen to match home minus away, draw and over. If rho is fixed, home minus away and over are still
 * matched, but the draw is not.
 */
export function fitScoreline(
  markets: ScorelineMarkets,
): ScorelineFit | { readonly ok: false; readonly reason: ScorelineFailure } {
  const { score, result, totals, handicap } = markets;
  assert(isProbability(totals.over), 'the over probability is fair, between 0 and 1');
  assert(result === null || isProbability(result.draw), 'the 1x2 probabilities are fair, between 0 and 1');
  assert(
    handicap === null || isProbability(handicap.home),
    'the handicap probability is fair, between 0 and 1',
  );
  const lead = score.home - score.away;
  const remainingQuarters = totals.lineQuarters - 4 * (score.home + score.away);
  if (remainingQuarters <= 0) return { ok: false, reason: 'totals_decided' };
  const supremacy =
    result !== null
      ? resultBet(lead, result.home, result.away)
      : handicap !== null
        ? lineBet(-handicap.lineQuarters, handicap.home)
        : null;
  if (supremacy === null) return { ok: false, reason: 'no_supremacy_market' };

  const pair = new PoissonPair();
  const bets = { supremacy, total: lineBet(remainingQuarters, totals.over) };
  const start = remainingQuarters / 8;
  function solve(rule: ShiftRule): Solution {
    const equations = new ScorelineEquations(pair, bets, rule);
    const { home, away } = solveRates(equations, start);
    const rho = equations.shift / (home * away * Math.exp(-home - away)) || 0;
    return { rates: { lambdaHome: home, lambdaAway: away, rho }, equations };
  }

  let solution: Solution | null = null;
  if (result !== null && Math.abs(lead) <= 1) {
    const drawn = solve({ kind: 'draw', margin: -lead, probability: result.draw });
    if (isPlausible(drawn.rates) && isSolved(drawn.equations)) {
      const { lambdaHome, lambdaAway, rho } = drawn.rates;
      solution = {
        ...drawn,
        rates: { lambdaHome, lambdaAway, rho: boundedRho(rho, lambdaHome, lambdaAway) },
      };
    }
  }
  solution ??= solve({ kind: 'rho', rho: RHO_DEFAULT });

  const { rates } = solution;
  const implied = resultOf(pair, rates, lead);
  const drawMiss = result === null ? 0 : Math.abs(implied.draw - result.draw);
  if (!isSolved(solution.equations) || drawMiss > DRAW_MISS_MAX)
    return { ok: false, reason: 'inconsistent_prices' };
  return {
    ok: true,
    rates,
    implied,
    handicapExpectedValue: result !== null && handicap !== null ? handicapValue(pair, rates, handicap) : null,
  };
}

interface Solution {
  readonly rates: GoalRates;
  readonly equations: ScorelineEquations;
}

function isProbability(value: number): boolean {
  return value > 0 && value < 1;
}

/** Whether rho is within its limit and no probability is negative, apart from rounding. */
function isPlausible(rates: GoalRates): boolean {
  const { lambdaHome, lambdaAway, rho } = rates;
  return Math.abs(rho) <= RHO_LIMIT && Math.abs(rho - boundedRho(rho, lambdaHome, lambdaAway)) < 1e-9;
}

function isSolved(equations: ScorelineEquations): boolean {
  return Math.abs(equations.supremacy) <= RESIDUAL_MAX && Math.abs(equations.total) <= RESIDUAL_MAX;
}

function resultOf(
  pair: PoissonPair,
  rates: GoalRates,
  lead: number,
): { home: number; draw: number; away: number } {
  const shift = lowScoreShift(rates);
  const home = pair.marginAbove(-lead) + shift * marginShiftAbove(-lead);
  const notAway = pair.marginAbove(-lead - 1) + shift * marginShiftAbove(-lead - 1);
  return { home, draw: notAway - home, away: 1 - notAway };
}

function handicapValue(
  pair: PoissonPair,
  rates: GoalRates,
  handicap: { readonly lineQuarters: number; readonly home: number },
): number {
  return (
    marginValue(pair, lineBet(-handicap.lineQuarters, handicap.home), lowScoreShift(rates)) / handicap.home
  );
}

/**
 * The expected share of a stake that is returned, neither won nor lost: the probability that the goals still
 * to come land exactly on a whole line; on a quarter line, half of that probability. It is the same for both
 * sides of the line.
 * @param quarters of the margin (home minus away) or of the total that the bet is settled on, in quarters of
 * a goal
 */
export function returnedShare(rates: GoalRates, settledOn: 'margin' | 'total', quarters: number): number {
  const pair = new PoissonPair();
  pair.set(rates.lambdaHome, rates.lambdaAway);
  const shift = lowScoreShift(rates);
  const { steps } = lineBet(quarters, 0.5);
  let sum = 0;
  for (const { winAbove, lossBelow } of steps) {
    if (winAbove !== lossBelow) continue; // a half line: the goals cannot land on it
    sum +=
      settledOn === 'margin'
        ? pair.marginAt(winAbove) + shift * (marginShiftAbove(winAbove - 1) - marginShiftAbove(winAbove))
        : pair.totalAt(winAbove) + shift * (totalShiftAbove(winAbove - 1) - totalShiftAbove(winAbove));
  }
  return sum / steps.length;
}

/** The prices with the lowest margin at the line of a market that most bookmakers offer, in outcome order. */
export interface PricedLine {
  /** The line; any number for a 1x2. */
  readonly lineQuarters: number;
  readonly probabilities: readonly number[];
  /** The bookmaker's decimal prices, margin included. */
  readonly prices: readonly number[];
}

interface PricedMarkets {
  /** The score that the rates start from: 0-0 before kickoff. */
  readonly score: FinalScore;
  readonly totals: PricedLine;
  readonly result: PricedLine | null;
  readonly handicap: PricedLine | null;
}

/**
 * The second lowest price that bookmakers offer. Once a price has fallen this far it hardly moves, so it
 * carries no more information.
 */
const FLOOR_PRICE = 1.02;
/**
 * From this lead on the 1x2 is so lopsided that its estimate of the goals to come depends on how the margin
 * is removed.
 */
const LOPSIDED_LEAD = 2;

export function isLopsided({ home, away }: FinalScore): boolean {
  return Math.abs(home - away) >= LOPSIDED_LEAD;
}

/** Whether the 1x2 gives the supremacy. If not, the handicap does. */
export function usesResult({ result, handicap }: Pick<PricedMarkets, 'result' | 'handicap'>): boolean {
  return result !== null && (handicap === null || Math.min(...result.prices) > FLOOR_PRICE);
}

/** What the goal rates are fitted to. */
export function scorelineMarkets(markets: PricedMarkets): ScorelineMarkets {
  const { score, totals, result, handicap } = markets;
  return {
    score,
    totals: { lineQuarters: totals.lineQuarters, over: totals.probabilities[0]! },
    result: result === null || !usesResult(markets) ? null : pricedResultOf(result, score),
    handicap:
      handicap === null ? null : { lineQuarters: handicap.lineQuarters, home: handicap.probabilities[0]! },
  };
}

/**
 * The 1x2 that the goal rates are fitted to. At a lead of two goals or more its margin is removed by Shin's
 * method. On the recorded in-play prices of brazil-2022 the held-out handicap then disagrees by 0.016 at the
 * median, against 0.097 with the power method and 0.159 with the proportional method
 * (docs/reference/signals.md#the-goal-grid).
 */
function pricedResultOf(
  { probabilities, prices }: PricedLine,
  score: FinalScore,
): ScorelineMarkets['result'] {
  const shin = isLopsided(score) ? devigShin(prices) : null;
  const [home, draw, away] = shin?.ok === true ? shin.probabilities : probabilities;
  return { home: home!, draw: draw!, away: away! };
}
