// Leagues and teams of the current slate as pages: sorted by name, then id; by relevance when `q` is given.

import type { League, Team } from '../../contract/catalogue.ts';
import { indexIn, SPORT_KEYS, type SportKey } from '../../domain/catalogue.ts';
import type { EntryIndex } from '../../names/team-index.ts';
import type { NameDirectory } from '../lookup/name-directory.ts';
import type { NamedRef } from '../slate/fixture-view.ts';
import { type PageOf, type PageRequest, type Position, pageOf, pageOfSorted } from './cursor.ts';
import type { EntityEntry, EntityOrder } from './entity-order.ts';

export interface EntityFilter {
  readonly sport?: SportKey | undefined;
  readonly q?: string | undefined;
}

interface RankedEntry {
  readonly entry: EntityEntry;
  /** See EntryMatch; 0 when `q` is not given. */
  readonly coverage: number;
}

/** One kind of entity: the entries by name, the search, and the form in answers. */
interface EntityList<Entity> {
  readonly list: string;
  readonly order: () => EntityOrder;
  readonly index: () => EntryIndex<EntityEntry>;
  readonly render: (entry: EntityEntry) => Entity;
}

export class EntityQueries {
  readonly #names: NameDirectory;

  constructor(names: NameDirectory) {
    this.#names = names;
  }

  leagues(request: EntityFilter & PageRequest, nowMs: number): PageOf<League> {
    return pageBy(request, {
      list: 'leagues',
      order: () => this.#names.leagues(nowMs),
      index: () => this.#names.leagueIndex(nowMs),
      render: ({ id, name, sportKey }) => ({ id, name, sport: sportKey }),
    });
  }

  teams(request: EntityFilter & PageRequest, nowMs: number): PageOf<Team> {
    return pageBy(request, {
      list: 'teams',
      order: () => this.#names.teams(nowMs),
      index: () => this.#names.teamIndex(nowMs),
      render: ({ id, name }) => ({ id, name }),
    });
  }
}

function pageBy<Entity>(
  request: EntityFilter & PageRequest,
  { list, order, index, render }: EntityList<Entity>,
): PageOf<Entity> {
  const { q, sport } = request;
  const scope = scopeOf(list, request);
  if (q === undefined) {
    return pageOfSorted((after) => order().walk(sport, after === null ? null : refOf(after)), {
      scope,
      request,
      position: (entry) => positionOf({ entry, coverage: 0 }),
      render,
    });
  }
  const found = index().search(q, { sport: sport === undefined ? undefined : indexIn(SPORT_KEYS, sport) });
  return pageOf(found, { scope, request, position: positionOf, render: ({ entry }) => render(entry) });
}

function positionOf({ entry, coverage }: RankedEntry): Position {
  return [-Math.round(coverage * 1_000), entry.name, entry.id];
}

/** The name and id in a position. */
function refOf([, name, id]: Position): NamedRef {
  return { name: String(name), id: String(id) };
}

function scopeOf(list: string, { q, sport }: EntityFilter): string {
  return JSON.stringify([list, q, sport]);
}
