// A `league` parameter as the league id it stands for: an id, or a name that must mean one league of the slate.

import type { SportKey } from '../domain/catalogue.ts';
import { decodeId, idKindOf } from '../domain/ids.ts';
import { ServiceError } from '../errors.ts';
import type { NamedRef } from './fixture-view.ts';

/** Finds leagues by name: the resolver, or a stand-in in tests. */
export interface LeagueNames {
  /**
   * The leagues of the slate, of one sport or of all, that a name may mean, best first; more than one is ambiguous,
   * none is unknown.
   */
  candidates(text: string, nowMs: number, sport?: SportKey): readonly NamedRef[];
}

/** What of a request says its league. */
export interface LeagueWords {
  readonly league?: string | undefined;
  readonly sport?: SportKey | undefined;
}

export type LeagueIds = Pick<LeagueFilter, 'idOf'>;

/** Finds out what the league of a request means, so that it can be asked for: here, or on the thread that has the names. */
export type LeagueLookup = (words: LeagueWords, nowMs: number) => LeagueIds | Promise<LeagueIds>;

export class LeagueFilter {
  readonly #names: LeagueNames;

  constructor(names: LeagueNames) {
    this.#names = names;
  }

  /**
   * Id of the league that `league` stands for; `sport` tells leagues of one name apart.
   * @throws ServiceError `invalid_request`: an id that does not decode, an unknown name, or an ambiguous one, which
   *   lists the candidate ids
   */
  idOf(league: string, nowMs: number, sport?: SportKey): string {
    // An id of another kind is no name either: the decoder says which prefix is right.
    if (idKindOf(league) !== null) {
      decodeId('league', league);
      return league;
    }
    const candidates = this.#names.candidates(league, nowMs, sport);
    if (candidates.length === 1) return candidates[0]!.id;
    if (candidates.length === 0) {
      throw new ServiceError('invalid_request', 'Cannot find league: no league of the slate has that name', {
        fix: 'List the leagues with GET /v1/leagues and send an id',
      });
    }
    const list = candidates.map(({ id, name }) => `${id} (${name})`).join(', ');
    throw new ServiceError('invalid_request', 'Cannot choose league: several leagues have that name', {
      fix: `Send one of these ids: ${list}`,
    });
  }
}
