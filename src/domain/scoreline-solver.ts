// Finds the two goal rates at which the scoreline equations hold: Newton over the logarithms of the rates with
// backtracking, damped towards steepest descent (Levenberg-Marquardt) where Newton does not help. It stays inside its
// bounds and gives the nearest answer when the prices contradict each other.

import { RATE_MAX, RATE_MIN } from './goal-model.ts';
import type { ScorelineEquations } from './scoreline-equations.ts';

const STEPS_MAX = 40;
/** Sum of squared residuals at which prices agree to about eleven decimals. */
const COST_SOLVED = 1e-22;
/** A relative gain below this is a standstill, not progress. */
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
 * Minimises the residuals from `start` goals on each side: two equations, two unknowns.
 * Leaves `equations` evaluated at the answer.
 */
export function solveRates(equations: ScorelineEquations, start: number): Readonly<Point> {
  const point = { home: withinRates(start), away: withinRates(start) };
  equations.evaluate(point.home, point.away);
  for (let step = 0; step < STEPS_MAX && equations.cost > COST_SOLVED; step++) {
    if (!stepNewton(equations, point) && !stepDamped(equations, point)) break;
  }
  return point;
}

function stepNewton(equations: ScorelineEquations, point: Point): boolean {
  const { supremacy, total } = equations;
  const supremacyByHome = equations.supremacyByHome * point.home;
  const supremacyByAway = equations.supremacyByAway * point.away;
  const totalByHome = equations.totalByHome * point.home;
  const totalByAway = equations.totalByAway * point.away;
  const determinant = supremacyByHome * totalByAway - supremacyByAway * totalByHome;
  const home = (supremacyByAway * total - totalByAway * supremacy) / determinant;
  const away = (totalByHome * supremacy - supremacyByHome * total) / determinant;
  for (const scale of BACKTRACKS) if (stepTo(equations, point, home * scale, away * scale)) return true;
  return false;
}

function stepDamped(equations: ScorelineEquations, point: Point): boolean {
  const { supremacy, total } = equations;
  const supremacyByHome = equations.supremacyByHome * point.home;
  const supremacyByAway = equations.supremacyByAway * point.away;
  const totalByHome = equations.totalByHome * point.home;
  const totalByAway = equations.totalByAway * point.away;
  const gradientHome = supremacyByHome * supremacy + totalByHome * total;
  const gradientAway = supremacyByAway * supremacy + totalByAway * total;
  const cross = supremacyByHome * supremacyByAway + totalByHome * totalByAway;
  for (const damping of DAMPINGS) {
    const curveHome = (supremacyByHome ** 2 + totalByHome ** 2) * (1 + damping);
    const curveAway = (supremacyByAway ** 2 + totalByAway ** 2) * (1 + damping);
    const determinant = curveHome * curveAway - cross * cross;
    const home = (cross * gradientAway - curveAway * gradientHome) / determinant;
    const away = (cross * gradientHome - curveHome * gradientAway) / determinant;
    if (stepTo(equations, point, home, away)) return true;
  }
  return false;
}

/** Moves by a step in the logarithms, shortened to LOG_STEP_MAX, if that lowers the cost; else leaves all as it was. */
function stepTo(equations: ScorelineEquations, point: Point, stepHome: number, stepAway: number): boolean {
  const longest = Math.max(Math.abs(stepHome), Math.abs(stepAway));
  if (!Number.isFinite(longest)) return false;
  const scale = longest > LOG_STEP_MAX ? LOG_STEP_MAX / longest : 1;
  const home = withinRates(point.home * Math.exp(stepHome * scale));
  const away = withinRates(point.away * Math.exp(stepAway * scale));
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

function withinRates(rate: number): number {
  return Math.min(RATE_MAX, Math.max(RATE_MIN, rate));
}
