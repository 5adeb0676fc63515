// Teams and leagues by name: a ranked search for lists and autocompletion, and a resolution for /v1/resolve.

import { clubsNamedTwice, type KnownClub, type TeamContext } from './club-table.ts';
import { contradictsSport } from './club-words.ts';
import {
  type ComparedTeam,
  isContested,
  NO_RIVAL,
  raiseNamedTwice,
  type TableGrades,
  tableGrades,
} from './known-clubs.ts';
import { LEAGUE_LANGUAGE } from './league-language.ts';
import { NameIndex } from './name-index.ts';
import { confidenceOf, decide, type Resolution, type Weighed } from './resolution.ts';
import { GRADE_SAME } from './score/name-grade.ts';
import { isSoleFit, STRENGTH_SHARED, strengthAlone } from './score/strength.ts';
import { type NameLanguage, TEAM_LANGUAGE } from './team-language.ts';
import { NameCache, type ParsedName } from './text/parse-name.ts';

export interface NamedEntry {
  readonly name: string;
  /** Index into SPORTS. */
  readonly sport: number;
  /** A country of the club table, if it is known. */
  readonly country?: string | null | undefined;
}

export interface EntryMatch<Entry extends NamedEntry> {
  readonly entry: Entry;
  /** How much of the name and of the query the other one covers, 0 to 1. Results are ranked by it. */
  readonly coverage: number;
}

interface EntryCandidate<Entry extends NamedEntry> extends Weighed {
  readonly entry: Entry;
}

interface SearchOptions {
  /** Index into SPORTS. */
  readonly sport?: number | undefined;
  /** Weaker results are left out; default 0.4. */
  readonly coverageMin?: number | undefined;
}

const SEARCH_COVERAGE_MIN = 0.4;
const RESOLVE_COVERAGE_MIN = 0.3;

/** Named things made searchable. They are added and removed one by one. */
export class EntryIndex<Entry extends NamedEntry> {
  readonly #language: NameLanguage;
  readonly #names: NameIndex;
  readonly #held = new Map<number, { readonly entry: Entry; readonly known: KnownClub }>();
  #next = 0;

  constructor(language: NameLanguage, cache: NameCache) {
    this.#language = language;
    this.#names = new NameIndex(language, (name) => cache.parse(name));
  }

  /** Adds an entry; returns the number by which it is removed. */
  add(entry: Entry): number {
    const number = this.#next++;
    const { name, sport, country = null } = entry;
    this.#held.set(number, { entry, known: this.#names.add(number, name, { sport, country }) });
    return number;
  }

  remove(number: number): void {
    this.#held.delete(number);
    this.#names.remove(number);
  }

  /**
   * Entries that `query` may mean, those with the highest coverage first; ties in the order in which they
   * were added.
   */
  search(query: string, options: SearchOptions = {}): EntryMatch<Entry>[] {
    const found: EntryMatch<Entry>[] = [];
    const coverageMin = options.coverageMin ?? SEARCH_COVERAGE_MIN;
    for (const match of this.#names.search(this.#language.parse(query), coverageMin)) {
      const { entry } = this.#held.get(match.entry)!;
      if (options.sport !== undefined && entry.sport !== options.sport) continue;
      found.push({ entry, coverage: match.coverage });
    }
    return found;
  }

  /** The one entry that is meant, several that fit about equally well, or none: see decide. */
  resolve(
    query: string,
    { sport }: { readonly sport?: number | undefined } = {},
  ): Resolution<EntryCandidate<Entry>> {
    const name = this.#language.parse(query);
    const isLeague = this.#language === LEAGUE_LANGUAGE;
    const twice = isLeague ? [] : clubsNamedTwice(name);
    const found = this.#names.search(name, RESOLVE_COVERAGE_MIN).flatMap((match) => {
      const { entry, known } = this.#held.get(match.entry)!;
      const isSide = (): boolean => this.#language.parse(entry.name).variant === name.variant;
      const raised = raiseNamedTwice(match, { known, sport: entry.sport, isSide }, twice);
      if (match.grade === 0 || (sport !== undefined && entry.sport !== sport)) return [];
      if (contradictsSport(name, entry.sport) && match.grade < GRADE_SAME) return [];
      // Every word of a league's name also occurs in the names of other leagues, so that does not make a
      // league's name vague.
      const weighed = isLeague ? { ...match, isVague: false } : match;
      return [{ match: weighed, entry, ownName: entry.name, known, sport: entry.sport, raised }];
    });
    const candidates = found.map((each) => {
      const { match, entry, known, raised } = each;
      const team = { known, grade: match.grade, sport: entry.sport };
      const table = raised ?? this.#tableOf(name, team, { sport: sport ?? null, country: null });
      const weighed = strengthAlone(match, table);
      const isShared = !isLeague && !match.isOwn && isContested(name, each, found);
      const strength = isShared ? Math.min(weighed, STRENGTH_SHARED) : weighed;
      const evidence = !isLeague && isSoleFit(match, table) ? 'sole' : 'alone';
      return { entry, strength, confidence: confidenceOf(strength, evidence), coverage: match.coverage };
    });
    candidates.sort((left, right) => right.strength - left.strength || right.coverage - left.coverage);
    return decide(candidates);
  }

  /**
   * Leagues have no rivals outside the slate, so a name that several countries use means the one that is
   * there.
   */
  #tableOf(name: ParsedName, team: ComparedTeam, within: TeamContext): TableGrades {
    if (this.#language === TEAM_LANGUAGE) return tableGrades(name, team, within);
    return NO_RIVAL;
  }
}

/** Makes teams searchable; pass one cache to every rebuild, so that known names are not parsed again. */
export function createTeamIndex<Entry extends NamedEntry>(
  teams: readonly Entry[],
  cache: NameCache = new NameCache(),
): EntryIndex<Entry> {
  const index = new EntryIndex<Entry>(TEAM_LANGUAGE, cache);
  for (const team of teams) index.add(team);
  return index;
}

/**
 * Makes leagues searchable: "EPL", "La Liga", "Serie A - Italy". A name that two of the leagues share is
 * ambiguous, unless data/leagues.txt marks one of them.
 */
export function createLeagueIndex<Entry extends NamedEntry>(leagues: readonly Entry[]): EntryIndex<Entry> {
  const index = new EntryIndex<Entry>(LEAGUE_LANGUAGE, new NameCache(LEAGUE_LANGUAGE.parse));
  for (const league of leagues) index.add(league);
  return index;
}
