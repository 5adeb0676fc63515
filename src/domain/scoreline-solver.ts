// Finds the two goal rates at which the scoreline equations hold: Newton over the logarithms of the rates, damped towards
// steepest descent (Levenberg-Marquardt) whenever a step would not help. It stays inside its bounds and gives the nearest
// answer when the prices contradict each other.

import { RATE_MAX, RATE_MIN } from './goal-model.ts';
import type { ScorelineEquations } from './scoreline-equations.ts';

const STEPS_MAX = 60;
/** Sum of squared residuals at which prices agree to about eleven decimals. */
const COST_SOLVED = 1e-22;
const LOG_STEP_MAX = 1;
const DAMPING_MIN = 1e-4;
const DAMPING_MAX = 1e8;

/**
 * Minimises the residuals from `start` goals on each side: two equations, two unknowns.
 * Leaves `equations` evaluated at the answer.
 */
export function solveRates(equations: ScorelineEquations, start: number): { home: number; away: number } {
  let home = withinRates(start);
  let away = home;
  equations.evaluate(home, away);
  let damping = 0;
  for (let step = 0; step < STEPS_MAX && equations.cost > COST_SOLVED; step++) {
    const cost = equations.cost;
    const { supremacy, total } = equations;
    const supremacyByHome = equations.supremacyByHome * home;
    const supremacyByAway = equations.supremacyByAway * away;
    const totalByHome = equations.totalByHome * home;
    const totalByAway = equations.totalByAway * away;
    let stepHome: number;
    let stepAway: number;
    if (damping === 0) {
      const determinant = supremacyByHome * totalByAway - supremacyByAway * totalByHome;
      stepHome = (supremacyByAway * total - totalByAway * supremacy) / determinant;
      stepAway = (totalByHome * supremacy - supremacyByHome * total) / determinant;
    } else {
      const gradientHome = supremacyByHome * supremacy + totalByHome * total;
      const gradientAway = supremacyByAway * supremacy + totalByAway * total;
      const curveHome = (supremacyByHome ** 2 + totalByHome ** 2) * (1 + damping);
      const curveAway = (supremacyByAway ** 2 + totalByAway ** 2) * (1 + damping);
      const cross = supremacyByHome * supremacyByAway + totalByHome * totalByAway;
      const determinant = curveHome * curveAway - cross * cross;
      stepHome = (cross * gradientAway - curveAway * gradientHome) / determinant;
      stepAway = (cross * gradientHome - curveHome * gradientAway) / determinant;
    }
    const nextHome = withinRates(home * Math.exp(limited(stepHome)));
    const nextAway = withinRates(away * Math.exp(limited(stepAway)));
    const isMoving = nextHome !== home || nextAway !== away;
    if (isMoving) equations.evaluate(nextHome, nextAway);
    if (isMoving && equations.cost < cost) {
      home = nextHome;
      away = nextAway;
      damping = damping <= DAMPING_MIN ? 0 : damping / 10;
      continue;
    }
    if (isMoving) equations.evaluate(home, away);
    damping = Math.max(DAMPING_MIN, damping * 10);
    if (damping > DAMPING_MAX) break;
  }
  return { home, away };
}

function withinRates(rate: number): number {
  return Math.min(RATE_MAX, Math.max(RATE_MIN, rate));
}

/** A step in the logarithm of a rate; a singular system takes none and is damped instead. */
function limited(step: number): number {
  return Number.isFinite(step) ? Math.max(-LOG_STEP_MAX, Math.min(LOG_STEP_MAX, step)) : 0;
}
