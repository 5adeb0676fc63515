// Leagues and teams of the current slate as pages: by name then id, by relevance when `q` is given.

import type { League, Team } from '../contract/catalogue.ts';
import { indexIn, SPORT_KEYS, type SportKey } from '../domain/catalogue.ts';
import type { EntryIndex } from '../names/team-index.ts';
import { type PageOf, type PageRequest, type Position, pageOf } from './cursor.ts';
import type { EntityEntry, NameDirectory } from './name-directory.ts';

export interface EntityFilter {
  readonly sport?: SportKey | undefined;
  readonly q?: string | undefined;
}

interface RankedEntry {
  readonly entry: EntityEntry;
  /** See EntryMatch; 0 where nothing was asked for. */
  readonly coverage: number;
}

export class EntityQueries {
  readonly #names: NameDirectory;

  constructor(names: NameDirectory) {
    this.#names = names;
  }

  leagues(request: EntityFilter & PageRequest, nowMs: number): PageOf<League> {
    const ranked = rank(
      request,
      () => this.#names.leagues(nowMs),
      () => this.#names.leagueIndex(nowMs),
    );
    return pageOf(ranked, {
      scope: scopeOf('leagues', request),
      request,
      position: positionOf,
      render: ({ entry }) => ({ id: entry.id, name: entry.name, sport: entry.sportKey }),
    });
  }

  teams(request: EntityFilter & PageRequest, nowMs: number): PageOf<Team> {
    const ranked = rank(
      request,
      () => this.#names.teams(nowMs),
      () => this.#names.teamIndex(nowMs),
    );
    return pageOf(ranked, {
      scope: scopeOf('teams', request),
      request,
      position: positionOf,
      render: ({ entry }) => ({ id: entry.id, name: entry.name }),
    });
  }
}

function rank(
  { q, sport }: EntityFilter,
  entries: () => readonly EntityEntry[],
  index: () => EntryIndex<EntityEntry>,
): RankedEntry[] {
  if (q !== undefined) {
    return index().search(q, { sport: sport === undefined ? undefined : indexIn(SPORT_KEYS, sport) });
  }
  return entries()
    .filter((entry) => sport === undefined || entry.sportKey === sport)
    .map((entry) => ({ entry, coverage: 0 }));
}

function positionOf({ entry, coverage }: RankedEntry): Position {
  return [-Math.round(coverage * 1_000), entry.name, entry.id];
}

function scopeOf(list: string, { q, sport }: EntityFilter): string {
  return JSON.stringify([list, q, sport]);
}
