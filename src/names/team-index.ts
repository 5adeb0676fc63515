// Teams and leagues by name: a ranked search for lists and autocompletion, and a verdict for resolve.

import { LEAGUE_LANGUAGE } from './league-language.ts';
import { NameIndex } from './name-index.ts';
import { NameCache } from './parse-name.ts';
import { decide, type Resolution } from './resolution.ts';
import { type NameLanguage, TEAM_LANGUAGE } from './team-language.ts';

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
  readonly #language: NameLanguage;
  readonly #names: NameIndex;

  constructor(entries: readonly Entry[], language: NameLanguage, cache: NameCache) {
    this.#entries = entries;
    this.#language = language;
    this.#names = new NameIndex(
      entries.map((entry) => entry.name),
      language,
      (name) => cache.parse(name),
    );
  }

  /** Entries that `query` may mean, surest first; ties in the order of the list. */
  search(query: string, options: SearchOptions = {}): EntryCandidate<Entry>[] {
    const found: EntryCandidate<Entry>[] = [];
    const confidenceMin = options.confidenceMin ?? SEARCH_CONFIDENCE_MIN;
    for (const match of this.#names.search(this.#language.parse(query), confidenceMin)) {
      const entry = this.#entries[match.entry]!;
      if (options.sport !== undefined && entry.sport !== options.sport) continue;
      found.push({ entry, confidence: match.confidence });
    }
    return found;
  }

  /** One entry, several that fit about as well, or none: see decide. */
  resolve(query: string, options: SearchOptions = {}): Resolution<EntryCandidate<Entry>> {
    return decide(this.search(query, options));
  }
}

/** Teams made searchable; pass one cache to every rebuild, so that known names are not parsed again. */
export function createTeamIndex<Entry extends NamedEntry>(
  teams: readonly Entry[],
  cache: NameCache = new NameCache(),
): EntryIndex<Entry> {
  return new EntryIndex(teams, TEAM_LANGUAGE, cache);
}

/** Leagues made searchable: "EPL", "La Liga", "Serie A - Italy". A name that two countries use is ambiguous. */
export function createLeagueIndex<Entry extends NamedEntry>(leagues: readonly Entry[]): EntryIndex<Entry> {
  return new EntryIndex(leagues, LEAGUE_LANGUAGE, new NameCache(LEAGUE_LANGUAGE.parse));
}
