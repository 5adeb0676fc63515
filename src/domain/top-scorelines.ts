// The likeliest full-time scores under fitted goal rates.

import { assert } from '../errors.ts';
import { type GoalRates, lowScoreShift, PoissonPair } from './goal-model.ts';

export interface Scoreline {
  readonly home: number;
  readonly away: number;
  readonly probability: number;
}

/**
 * The `count` likeliest full-time scores, likeliest first (ties: fewer goals, then fewer home goals), and the probability
 * that they cover together. Never below the current score.
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
  // By total goals, so that of two equal ones the one with fewer goals is met first.
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
