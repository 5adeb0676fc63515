// Teams and leagues by name: a ranked search for lists and autocompletion, and a verdict for resolve.

import type { NameCache } from './name-cache.ts';
import { NameIndex } from './name-index.ts';
import { parseName } from './normalise.ts';
import { decide, type Verdict } from './verdict.ts';

export interface NamedEntry {
  readonly name: string;
  /** Index into SPORTS. */
  readonly sport: number;
}

export interface EntryCandidate<Entry extends NamedEntry> {
  readonly entry: Entry;
  /** 0 to 1. */
  readonly confidence: number;
}

export interface SearchOptions {
  /** Index into SPORTS. */
  readonly sport?: number | undefined;
  /** Weaker candidates are left out; default 0.4. */
  readonly confidenceMin?: number | undefined;
}

const SEARCH_CONFIDENCE_MIN = 0.4;

/** Named things made searchable. Immutable: make a new one when the list changes, with the same cache. */
export class EntryIndex<Entry extends NamedEntry> {
  readonly #entries: readonly Entry[];
  readonly #names: NameIndex;

  constructor(entries: readonly Entry[], cache?: NameCache) {
    this.#entries = entries;
    this.#names = new NameIndex(
      entries.map((entry) => entry.name),
      cache === undefined ? {} : { parse: (name) => cache.parse(name) },
    );
  }

  /** Entries that `query` may mean, surest first; ties in the order of the list. */
  search(query: string, options: SearchOptions = {}): EntryCandidate<Entry>[] {
    const found: EntryCandidate<Entry>[] = [];
    const confidenceMin = options.confidenceMin ?? SEARCH_CONFIDENCE_MIN;
    for (const match of this.#names.search(parseName(query), confidenceMin)) {
      const entry = this.#entries[match.entry]!;
      if (options.sport !== undefined && entry.sport !== options.sport) continue;
      found.push({ entry, confidence: match.confidence });
    }
    return found;
  }

  /** One entry, several that fit about as well, or none: see decide. */
  resolve(query: string, options: SearchOptions = {}): Verdict<EntryCandidate<Entry>> {
    return decide(this.search(query, options));
  }
}

export function createTeamIndex<Entry extends NamedEntry>(
  teams: readonly Entry[],
  cache?: NameCache,
): EntryIndex<Entry> {
  return new EntryIndex(teams, cache);
}
