// Probabilities of final scores from the fitted goal rates: two Poisson counts with the Dixon-Coles
// correction of low scores (Dixon and Coles, 1997, formula 4.2). In play the rates are of the goals still to
// come.

export interface FittedRates {
  readonly home: number;
  readonly away: number;
  readonly rho: number;
  /** The current score. */
  readonly score: { readonly home: number; readonly away: number };
}

/** Most goals to come per side that are counted; more are too improbable to show. */
const GOALS_MAX = 20;

/**
 * Probability of each final score: home goals by row, away goals by column. The last row and column mean
 * "that many or more".
 * @param size number of rows and of columns
 */
export function scoreGrid(
  { home, away, rho, score }: FittedRates,
  size: number,
): readonly (readonly number[])[] {
  const grid = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  const homeGoals = poisson(home);
  const awayGoals = poisson(away);
  let sum = 0;
  for (let more = 0; more <= GOALS_MAX; more++) {
    for (let other = 0; other <= GOALS_MAX; other++) {
      const share = homeGoals[more]! * awayGoals[other]! * correction({ home, away, rho }, more, other);
      const row = grid[Math.min(size - 1, score.home + more)]!;
      row[Math.min(size - 1, score.away + other)]! += share;
      sum += share;
    }
  }
  return grid.map((row) => row.map((share) => share / sum));
}

function poisson(rate: number): readonly number[] {
  const shares = [Math.exp(-rate)];
  for (let goals = 1; goals <= GOALS_MAX; goals++) shares.push((shares[goals - 1]! * rate) / goals);
  return shares;
}

function correction(
  { home, away, rho }: Pick<FittedRates, 'home' | 'away' | 'rho'>,
  more: number,
  other: number,
): number {
  if (more === 0 && other === 0) return 1 - home * away * rho;
  if (more === 0 && other === 1) return 1 + home * rho;
  if (more === 1 && other === 0) return 1 + away * rho;
  if (more === 1 && other === 1) return 1 - rho;
  return 1;
}
