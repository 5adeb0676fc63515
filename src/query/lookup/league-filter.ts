// Turns a `league` parameter into a league id. It is an id, or a name that must mean one league of the slate.

import type { SportKey } from '../../domain/catalogue.ts';
import { decodeId, idKindOf } from '../../domain/ids.ts';
import { ServiceError } from '../../errors.ts';
import type { NamedRef } from '../slate/fixture-view.ts';

export interface LeagueCandidates {
  readonly isMatched: boolean;
  readonly leagues: readonly NamedRef[];
}

/** Finds leagues by name: the resolver, or a replacement in tests. */
export interface LeagueNames {
  /**
   * The leagues of the slate, of one sport or all, that a name may mean, best first, and whether the best one
   * is clearly meant.
   */
  candidates(text: string, nowMs: number, sport?: SportKey): LeagueCandidates;
  /**
   * For the error about an unknown league: what was searched (`of`), and how to see its leagues. Default: the
   * slate.
   */
  readonly unknown?: { readonly of: string; readonly fix: string };
}

/** The parameters of a request that name its league. */
export interface LeagueWords {
  readonly league?: string | undefined;
  readonly sport?: SportKey | undefined;
}

export type LeagueIds = Pick<LeagueFilter, 'idOf'>;

/** Finds the id of the league in a request: on this thread, or on the thread that has the names. */
export type LeagueLookup = (words: LeagueWords, nowMs: number) => LeagueIds | Promise<LeagueIds>;

const SLATE = { of: 'slate', fix: 'List the leagues with GET /v1/leagues and send an id' };

export class LeagueFilter {
  readonly #names: LeagueNames;

  constructor(names: LeagueNames) {
    this.#names = names;
  }

  /**
   * Id of the league that `league` names; `sport` separates leagues of one name.
   * @throws ServiceError `invalid_request` for an id that does not decode, an unknown name, or an ambiguous
   * one, which lists the candidate ids
   */
  idOf(league: string, nowMs: number, sport?: SportKey): string {
    // An id of another kind cannot be a name either. For it the decoder throws an error that says which
    // prefix is right.
    if (idKindOf(league) !== null) {
      decodeId('league', league);
      return league;
    }
    const { isMatched, leagues } = this.#names.candidates(league, nowMs, sport);
    if (isMatched) return leagues[0]!.id;
    if (leagues.length === 0) {
      const { of, fix } = this.#names.unknown ?? SLATE;
      throw new ServiceError('invalid_request', `Cannot find league: no league of the ${of} has that name`, {
        fix,
      });
    }
    const list = leagues.map(({ id, name }) => `${id} (${name})`).join(', ');
    throw new ServiceError(
      'invalid_request',
      'Cannot choose league: more than one league may have that name',
      {
        fix: `Send one of these ids: ${list}`,
      },
    );
  }
}
