// Finds a league by its id or its name among fixtures of the tape.

import { indexIn, SPORT_KEYS, type SportKey } from '../../domain/catalogue.ts';
import { entityId } from '../../domain/ids.ts';
import { LeagueFilter } from '../../query/lookup/league-filter.ts';
import type { FixtureIds } from '../tick.ts';

/** The facts about a fixture from which its league is found. */
interface LeagueFixture {
  readonly fixture: { readonly sport: SportKey; readonly league: string };
  readonly ids: FixtureIds | undefined;
}

/**
 * The id of the league that `league` means.
 * @throws ServiceError `invalid_request` as for the slate: an id that does not decode, an unknown name, an
 * ambiguous one
 */
export async function leagueIdOnTape(
  league: string,
  sport: SportKey | undefined,
  fixtures: Iterable<LeagueFixture>,
): Promise<string> {
  const { createLeagueIndex } = await import('../../names/team-index.ts'); // see words-on-tape.ts
  const byId = new Map<string, { readonly id: string; readonly name: string; readonly sport: number }>();
  for (const { fixture, ids } of fixtures) {
    if (sport !== undefined && fixture.sport !== sport) continue;
    const id = leagueIdOf(fixture, ids);
    byId.set(id, { id, name: fixture.league, sport: indexIn(SPORT_KEYS, fixture.sport) });
  }
  const filter = new LeagueFilter({
    candidates: (text) => {
      const { status, best, alternatives } = createLeagueIndex([...byId.values()]).resolve(text, {});
      const all = best === null ? alternatives : [best, ...alternatives];
      return { isMatched: status === 'matched', leagues: all.map(({ entry }) => entry) };
    },
    unknown: {
      of: 'price history',
      fix: 'See the leagues of the fixtures that GET /v1/history/events lists',
    },
  });
  return filter.idOf(league, 0);
}

/** The id that the tape keeps. If it keeps none, the id is made from the name. */
export function leagueIdOf(
  { sport, league }: { readonly sport: SportKey; readonly league: string },
  ids: FixtureIds | undefined,
): string {
  return ids?.leagueId ?? entityId('league', indexIn(SPORT_KEYS, sport), league);
}
