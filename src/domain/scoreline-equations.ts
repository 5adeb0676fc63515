// The equations between goal rates and market prices, with their derivatives. A bet on the margin or the
// total has one step, or two half-stake steps for a quarter line. Its value is the expected gain of a stake
// at the fair price, times the fair probability. So 0 means agreement, and the value is on the scale of a
// probability.
//
//   d P(margin > m) / d lambdaHome = P(margin = m), / d lambdaAway = -P(margin = m + 1)
//   d P(total > m) = P(total = m)

import {
  boundedRho,
  marginShiftAbove,
  type PoissonPair,
  RATE_MAX,
  RATE_MIN,
  totalShiftAbove,
} from './goal-model.ts';

/**
 * A bet of one step, or of two for a quarter line. Each step wins above one whole number, loses below another
 * and is void in between.
 */
interface SteppedBet {
  /** A step wins when the goals exceed `winAbove` and loses when they are below `lossBelow`. */
  readonly steps: readonly { readonly winAbove: number; readonly lossBelow: number }[];
  readonly winWeight: number;
  readonly lossWeight: number;
  /** What winWeight x P(win) - lossWeight x P(loss) must equal. */
  readonly target: number;
}

/** The equation P(home wins) - P(away wins) = `home` - `away`, when home leads by `lead`. */
export function resultBet(lead: number, home: number, away: number): SteppedBet {
  return {
    steps: [{ winAbove: -lead, lossBelow: -lead }],
    winWeight: 1,
    lossWeight: 1,
    target: home - away,
  };
}

/**
 * A stake on more than `quarters` / 4 goals, at a fair price of 1 / `probability`. For a home handicap, pass
 * the negated line.
 */
export function lineBet(quarters: number, probability: number): SteppedBet {
  const halves = quarters % 2 === 0 ? [quarters / 2] : [(quarters - 1) / 2, (quarters + 1) / 2];
  return {
    steps: halves.map((half) => ({ winAbove: Math.floor(half / 2), lossBelow: Math.ceil(half / 2) })),
    winWeight: 1 - probability,
    lossWeight: probability,
    target: 0,
  };
}

/** Where the low-score shift comes from: a fixed rho, or the draw price, which is then matched exactly. */
export type ShiftRule =
  | { readonly kind: 'rho'; readonly rho: number }
  | { readonly kind: 'draw'; readonly margin: number; readonly probability: number };

/** Residuals and their derivatives at one pair of rates. */
export class ScorelineEquations {
  readonly #pair: PoissonPair;
  readonly #supremacy: SteppedBet;
  readonly #total: SteppedBet;
  readonly #rule: ShiftRule;
  shift = 0;
  supremacy = 0;
  supremacyByHome = 0;
  supremacyByAway = 0;
  total = 0;
  totalByHome = 0;
  totalByAway = 0;

  constructor(pair: PoissonPair, bets: { supremacy: SteppedBet; total: SteppedBet }, rule: ShiftRule) {
    this.#pair = pair;
    this.#supremacy = bets.supremacy;
    this.#total = bets.total;
    this.#rule = rule;
  }

  /** Sum of squared residuals. */
  get cost(): number {
    return this.supremacy * this.supremacy + this.total * this.total;
  }

  /** Computes residuals and derivatives for rates between RATE_MIN and RATE_MAX. */
  evaluate(lambdaHome: number, lambdaAway: number): void {
    const pair = this.#pair;
    pair.set(lambdaHome, lambdaAway);
    let shiftByHome: number;
    let shiftByAway: number;
    if (this.#rule.kind === 'rho') {
      const rho = boundedRho(this.#rule.rho, lambdaHome, lambdaAway);
      this.shift = rho * lambdaHome * lambdaAway * Math.exp(-lambdaHome - lambdaAway);
      shiftByHome = this.shift * (1 / lambdaHome - 1);
      shiftByAway = this.shift * (1 / lambdaAway - 1);
    } else {
      const { margin, probability } = this.#rule;
      const perShift = marginShiftAbove(margin - 1) - marginShiftAbove(margin);
      const plain = pair.marginAt(margin);
      this.shift = (probability - plain) / perShift;
      shiftByHome = (plain - pair.marginAt(margin - 1)) / perShift;
      shiftByAway = (plain - pair.marginAt(margin + 1)) / perShift;
    }

    const supremacy = this.#supremacy;
    this.supremacy = marginValue(pair, supremacy, this.shift);
    let byHome = 0;
    let byAway = 0;
    let byShift = 0;
    for (const { winAbove, lossBelow } of supremacy.steps) {
      byHome +=
        supremacy.winWeight * pair.marginAt(winAbove) + supremacy.lossWeight * pair.marginAt(lossBelow - 1);
      byAway -=
        supremacy.winWeight * pair.marginAt(winAbove + 1) + supremacy.lossWeight * pair.marginAt(lossBelow);
      byShift +=
        supremacy.winWeight * marginShiftAbove(winAbove) +
        supremacy.lossWeight * marginShiftAbove(lossBelow - 1);
    }
    this.supremacyByHome = (byHome + byShift * shiftByHome) / supremacy.steps.length;
    this.supremacyByAway = (byAway + byShift * shiftByAway) / supremacy.steps.length;

    const total = this.#total;
    this.total = totalValue(pair, total, this.shift);
    let byRate = 0;
    byShift = 0;
    for (const { winAbove, lossBelow } of total.steps) {
      byRate += total.winWeight * pair.totalAt(winAbove) + total.lossWeight * pair.totalAt(lossBelow - 1);
      byShift +=
        total.winWeight * totalShiftAbove(winAbove) + total.lossWeight * totalShiftAbove(lossBelow - 1);
    }
    this.totalByHome = (byRate + byShift * shiftByHome) / total.steps.length;
    this.totalByAway = (byRate + byShift * shiftByAway) / total.steps.length;
  }
}

/** A bet on the margin, home minus away, of the remaining goals: its value minus its target. */
export function marginValue(pair: PoissonPair, bet: SteppedBet, shift: number): number {
  let sum = 0;
  for (const { winAbove, lossBelow } of bet.steps) {
    const win = pair.marginAbove(winAbove) + shift * marginShiftAbove(winAbove);
    const noLoss = pair.marginAbove(lossBelow - 1) + shift * marginShiftAbove(lossBelow - 1);
    sum += bet.winWeight * win - bet.lossWeight * (1 - noLoss);
  }
  return sum / bet.steps.length - bet.target;
}

/** A bet on the total of the remaining goals: its value minus its target. */
function totalValue(pair: PoissonPair, bet: SteppedBet, shift: number): number {
  let sum = 0;
  for (const { winAbove, lossBelow } of bet.steps) {
    const win = pair.totalAbove(winAbove) + shift * totalShiftAbove(winAbove);
    const noLoss = pair.totalAbove(lossBelow - 1) + shift * totalShiftAbove(lossBelow - 1);
    sum += bet.winWeight * win - bet.lossWeight * (1 - noLoss);
  }
  return sum / bet.steps.length - bet.target;
}

const STEPS_MAX = 40;
/** At this sum of squared residuals, prices agree to about eleven decimals. */
const COST_SOLVED = 1e-22;
/** If the relative gain of a step is below this, the search has stalled. */
const GAIN_MIN = 1e-9;
const LOG_STEP_MAX = 1;
const BACKTRACKS: readonly number[] = [1, 1 / 4, 1 / 16, 1 / 64];
const DAMPINGS: readonly number[] = [1e-3, 1e-1, 10, 1e4];

/** Rates in goals. */
interface Point {
  home: number;
  away: number;
}

/**
 * Finds the two goal rates that satisfy the equations. Newton's method over the logarithms of the rates with
 * backtracking, damped towards steepest descent (Levenberg-Marquardt) where Newton does not help. The rates
 * stay within their bounds; if the prices contradict each other, the result is the nearest fit. Starts from
 * `start` goals per side and minimises the residuals: two equations, two unknowns. On return, `equations` is
 * evaluated at the result.
 */
export function solveRates(equations: ScorelineEquations, start: number): Readonly<Point> {
  const point = { home: withinRates(start), away: withinRates(start) };
  equations.evaluate(point.home, point.away);
  for (let step = 0; step < STEPS_MAX && equations.cost > COST_SOLVED; step++) {
    if (!improve(equations, point)) break;
  }
  return point;
}

/**
 * Takes one step that lowers the cost: Newton's, otherwise a damped one.
 * @returns false when neither step lowers the cost
 */
function improve(equations: ScorelineEquations, point: Point): boolean {
  const { supremacy, total } = equations;
  const supremacyByHome = equations.supremacyByHome * point.home;
  const supremacyByAway = equations.supremacyByAway * point.away;
  const totalByHome = equations.totalByHome * point.home;
  const totalByAway = equations.totalByAway * point.away;
  const determinant = supremacyByHome * totalByAway - supremacyByAway * totalByHome;
  const home = (supremacyByAway * total - totalByAway * supremacy) / determinant;
  const away = (totalByHome * supremacy - supremacyByHome * total) / determinant;
  for (const scale of BACKTRACKS) if (stepTo(equations, point, home * scale, away * scale)) return true;
  const gradientHome = supremacyByHome * supremacy + totalByHome * total;
  const gradientAway = supremacyByAway * supremacy + totalByAway * total;
  const cross = supremacyByHome * supremacyByAway + totalByHome * totalByAway;
  for (const damping of DAMPINGS) {
    const curveHome = (supremacyByHome ** 2 + totalByHome ** 2) * (1 + damping);
    const curveAway = (supremacyByAway ** 2 + totalByAway ** 2) * (1 + damping);
    const damped = curveHome * curveAway - cross * cross;
    const stepHome = (cross * gradientAway - curveAway * gradientHome) / damped;
    const stepAway = (cross * gradientHome - curveHome * gradientAway) / damped;
    if (stepTo(equations, point, stepHome, stepAway)) return true;
  }
  return false;
}

/**
 * Takes a step in the logarithms, shortened to LOG_STEP_MAX, if that lowers the cost; otherwise restores the
 * former state. @returns whether the step was taken
 */
function stepTo(equations: ScorelineEquations, point: Point, stepHome: number, stepAway: number): boolean {
  const byHome = possibleStep(point.home, stepHome);
  const byAway = possibleStep(point.away, stepAway);
  const longest = Math.max(Math.abs(byHome), Math.abs(byAway));
  if (!Number.isFinite(longest)) return false;
  const scale = longest > LOG_STEP_MAX ? LOG_STEP_MAX / longest : 1;
  const home = withinRates(point.home * Math.exp(byHome * scale));
  const away = withinRates(point.away * Math.exp(byAway * scale));
  const cost = equations.cost;
  equations.evaluate(home, away);
  if (equations.cost < cost * (1 - GAIN_MIN)) {
    point.home = home;
    point.away = away;
    return true;
  }
  equations.evaluate(point.home, point.away);
  return false;
}

/**
 * A rate at its bound takes no step outwards, because a long step would also shorten the step of the other
 * rate.
 */
function possibleStep(rate: number, step: number): number {
  return (rate <= RATE_MIN && step < 0) || (rate >= RATE_MAX && step > 0) ? 0 : step;
}

function withinRates(rate: number): number {
  return Math.min(RATE_MAX, Math.max(RATE_MIN, rate));
}
