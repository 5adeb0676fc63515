// The oracle of the score model: a plain grid with the four taus of the paper.

import type { GoalRates } from '../../src/domain/goal-model.ts';

export interface Cell {
  readonly home: number;
  readonly away: number;
  readonly probability: number;
}

const GOALS = 45;

export function poisson(goals: number, lambda: number): number {
  let logFactorial = 0;
  for (let factor = 2; factor <= goals; factor++) logFactorial += Math.log(factor);
  return Math.exp(goals * Math.log(lambda) - lambda - logFactorial);
}

/** Dixon and Coles (1997), equation 4.2, home goals first. */
export function tau(home: number, away: number, { lambdaHome, lambdaAway, rho }: GoalRates): number {
  if (home === 0 && away === 0) return 1 - lambdaHome * lambdaAway * rho;
  if (home === 0 && away === 1) return 1 + lambdaHome * rho;
  if (home === 1 && away === 0) return 1 + lambdaAway * rho;
  if (home === 1 && away === 1) return 1 - rho;
  return 1;
}

export function oracleGrid(rates: GoalRates): Cell[] {
  const [homes, aways] = [rates.lambdaHome, rates.lambdaAway].map((lambda) =>
    Array.from({ length: GOALS }, (_, goals) => poisson(goals, lambda)),
  ) as [number[], number[]];
  return homes.flatMap((ofHome, home) =>
    aways.map((ofAway, away) => ({ home, away, probability: ofHome * ofAway * tau(home, away, rates) })),
  );
}

export function sumOf(cells: readonly Cell[], holds: (cell: Cell) => boolean): number {
  return cells.reduce((sum, cell) => sum + (holds(cell) ? cell.probability : 0), 0);
}
