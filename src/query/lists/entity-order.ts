// Leagues or teams of the slate sorted by name, then id: one array for all and one for each sport. Entries
// are inserted and removed by binary search.

import type { SportKey } from '../../domain/catalogue.ts';
import type { NamedEntry } from '../../names/team-index.ts';
import { firstIndex } from '../first-index.ts';
import type { NamedRef } from '../slate/fixture-view.ts';

/** A league or team of the slate. */
export interface EntityEntry extends NamedEntry, NamedRef {
  readonly sportKey: SportKey;
}

/** Compares by name, then id. */
export function compareNames(left: NamedRef, right: NamedRef): number {
  if (left.name !== right.name) return left.name < right.name ? -1 : 1;
  return left.id < right.id ? -1 : left.id > right.id ? 1 : 0;
}

export class EntityOrder {
  readonly #all: EntityEntry[] = [];
  readonly #bySport = new Map<SportKey, EntityEntry[]>();

  add(entry: EntityEntry): void {
    this.#all.splice(firstFrom(this.#all, entry), 0, entry);
    const ofSport = this.#bySport.getOrInsertComputed(entry.sportKey, () => []);
    ofSport.splice(firstFrom(ofSport, entry), 0, entry);
  }

  delete(entry: EntityEntry): void {
    for (const entries of [this.#all, this.#bySport.get(entry.sportKey)!]) {
      entries.splice(entries.indexOf(entry, firstFrom(entries, entry)), 1);
    }
  }

  /** The entries of a sport (undefined means any) after a given one (null means from the start), in order. */
  *walk(sport: SportKey | undefined, after: NamedRef | null): Generator<EntityEntry, void, undefined> {
    const entries = sport === undefined ? this.#all : (this.#bySport.get(sport) ?? []);
    let index = after === null ? 0 : firstFrom(entries, after);
    if (after !== null && entries[index]?.id === after.id) index++;
    for (; index < entries.length; index++) yield entries[index]!;
  }
}

/** The index of the first entry that does not sort before this one. */
function firstFrom(entries: readonly EntityEntry[], ref: NamedRef): number {
  return firstIndex(entries.length, (index) => compareNames(entries[index]!, ref) >= 0);
}
