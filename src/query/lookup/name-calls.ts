// The calls of HTTP threads about the names of the slate. The indexes of names are large and take long to
// build, so only the query thread has them; other threads send it messages.

import { idKindOf } from '../../domain/ids.ts';
import type { Queries } from '../queries.ts';
import { LeagueFilter, type LeagueIds, type LeagueLookup, type LeagueWords } from './league-filter.ts';

export interface LeagueQuestion extends LeagueWords {
  readonly league: string;
  readonly nowMs: number;
}

/**
 * Calls with plain values as arguments and results.
 * @throws ServiceError `upstream_unavailable` when the query thread does not answer
 */
export interface NameCalls {
  /** The id of the league that a name means. @throws ServiceError as `LeagueFilter.idOf` */
  leagueId(question: LeagueQuestion): Promise<string>;
  /** Like `NameDirectory.whenIndexed`, for all names of the slate. @returns false while there is no slate */
  whenIndexed(request: { readonly nowMs: number }): Promise<boolean>;
}

type NameQueries = Pick<Queries, 'names' | 'leagues' | 'slate'>;

/** The calls, run on the thread that has the names. */
export function createNameCalls({ names, leagues, slate }: NameQueries): NameCalls {
  return {
    leagueId: async ({ league, sport, nowMs }) => {
      await names.whenIndexed(nowMs);
      return leagues.idOf(league, nowMs, sport);
    },
    whenIndexed: async ({ nowMs }) => {
      await names.whenIndexed(nowMs);
      return slate.isReady(nowMs);
    },
  };
}

/** League look-ups on the thread that has the names. */
export function leaguesHere({ names, leagues }: Pick<NameQueries, 'names' | 'leagues'>): LeagueLookup {
  return ({ league }, nowMs) => {
    const indexing = league === undefined ? null : names.whenIndexed(nowMs);
    return indexing === null ? leagues : indexing.then(() => leagues);
  };
}

/**
 * League look-ups on a thread without names. As in `leaguesHere`, a failure is thrown when the id is
 * requested.
 */
export function leaguesElsewhere({ leagueId }: Pick<NameCalls, 'leagueId'>): LeagueLookup {
  const ids = new LeagueFilter({ candidates: () => ({ isMatched: false, leagues: [] }) });
  return ({ league, sport }, nowMs) => {
    if (league === undefined || idKindOf(league) !== null) return ids;
    return leagueId({ league, sport, nowMs }).then(
      (id): LeagueIds => ({ idOf: () => id }),
      (error: unknown): LeagueIds => ({
        idOf: () => {
          throw error;
        },
      }),
    );
  };
}
