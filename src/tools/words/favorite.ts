// The favourite of a match: the likeliest outcome of its full-time 1x2. For match_info and scan_slate.

import type { Favorite } from '../../contract/probability.ts';
import { OUTCOMES_1X2 } from '../../domain/catalogue.ts';
import type { FairMarket } from '../../query/markets/market-comparison.ts';
import { rounded4 } from '../../query/rounding.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';

/**
 * @param fair the fair prices of the full-time 1x2; null when there are none, and then there is no favourite
 */
export function favoriteOf({ view }: FixtureNow, fair: FairMarket | null): Favorite | null {
  if (fair === null) return null;
  let outcome: (typeof OUTCOMES_1X2)[number] = 'home';
  for (const other of OUTCOMES_1X2) {
    if ((fair.probabilities[other] ?? 0) > fair.probabilities[outcome]!) outcome = other;
  }
  return {
    outcome,
    team: outcome === 'home' ? view.homeTeam.name : outcome === 'away' ? view.awayTeam.name : null,
    win_probability: rounded4(fair.probabilities[outcome]!),
    source: fair.fromBookmaker,
  };
}
