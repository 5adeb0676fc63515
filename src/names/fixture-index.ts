// Makes fixtures searchable by the names of their teams and by the words of their leagues. Fixtures are added
// and removed one by one. resolve-fixture.ts decides which fixture a text means.

import { HOUR_MS } from '../clock.ts';
import type { KnownClub, TeamContext } from './club-table.ts';
import { countryOfLeague, leagueWordsOf } from './league-language.ts';
import { NameIndex, type NameMatch } from './name-index.ts';
import { TEAM_LANGUAGE } from './team-language.ts';
import { type NameCache, type ParsedName, parseName } from './text/parse-name.ts';

export interface ResolvableFixture {
  readonly eventNumber: number;
  readonly homeName: string;
  readonly awayName: string;
  readonly leagueName: string;
  /** Index into SPORTS. */
  readonly sport: number;
  /** Unix ms; NaN when unknown. No date finds such a fixture. */
  readonly scheduledAtMs: number;
}

/** A team by its name on the slate, in one sport and country; its fixtures by event number. */
export interface TeamEntry {
  readonly number: number;
  readonly name: string;
  readonly key: string;
  readonly context: TeamContext;
  readonly known: KnownClub;
  readonly events: Set<number>;
}

interface IndexedFixture {
  readonly fixture: ResolvableFixture;
  readonly home: TeamEntry;
  readonly away: TeamEntry;
}

export interface TeamMatch {
  readonly match: NameMatch;
  readonly team: TeamEntry;
}

/** How long after its kickoff a fixture is most likely over. */
const OVER_AFTER_MS = 3 * HOUR_MS;
const COVERAGE_MIN = 0.3;
/** Maximum number of teams that one name may mean. If there are more, those that fit worst are dropped. */
const TEAMS_PER_NAME_MAX = 16;

export class FixtureIndex {
  readonly #cache: NameCache;
  readonly #names: NameIndex;
  readonly #fixtures = new Map<number, IndexedFixture>();
  readonly #teams = new Map<string, TeamEntry>();
  readonly #teamByNumber = new Map<number, TeamEntry>();
  /** How many fixtures have each word in the name of their league. */
  readonly #countByLeagueWord = new Map<string, number>();
  #nextTeam = 0;

  /** @param cache pass one to every index, so that known names are not parsed again */
  constructor(cache: NameCache) {
    this.#cache = cache;
    this.#names = new NameIndex(TEAM_LANGUAGE, (name) => this.#cache.parse(name));
  }

  get size(): number {
    return this.#fixtures.size;
  }

  /** Whether most names in the index are of fixtures that have left. A new index should then replace it. */
  get isMostlyOld(): boolean {
    return this.#names.removedNames > 4_096 && 2 * this.#names.removedNames > this.#names.names;
  }

  /** The fixture as it was added, or undefined. */
  fixture(eventNumber: number): ResolvableFixture | undefined {
    return this.#fixtures.get(eventNumber)?.fixture;
  }

  eventNumbers(): Iterable<number> {
    return this.#fixtures.keys();
  }

  /** Adds a fixture, or replaces the one with its number. */
  set(fixture: ResolvableFixture): void {
    this.delete(fixture.eventNumber);
    const home = this.#teamOf(fixture.homeName, fixture);
    const away = this.#teamOf(fixture.awayName, fixture);
    home.events.add(fixture.eventNumber);
    away.events.add(fixture.eventNumber);
    this.#fixtures.set(fixture.eventNumber, { fixture, home, away });
    this.#countLeague(fixture, 1);
  }

  delete(eventNumber: number): void {
    const held = this.#fixtures.get(eventNumber);
    if (held === undefined) return;
    this.#fixtures.delete(eventNumber);
    for (const team of [held.home, held.away]) {
      team.events.delete(eventNumber);
      if (team.events.size > 0) continue;
      this.#teams.delete(team.key);
      this.#teamByNumber.delete(team.number);
      this.#names.remove(team.number);
    }
    this.#countLeague(held.fixture, -1);
  }

  #countLeague({ leagueName }: ResolvableFixture, change: number): void {
    for (const word of leagueWordsOf(leagueName)) {
      const count = (this.#countByLeagueWord.get(word) ?? 0) + change;
      if (count > 0) this.#countByLeagueWord.set(word, count);
      else this.#countByLeagueWord.delete(word);
    }
  }

  /** A fixture of the index, with its teams. */
  entry(eventNumber: number): IndexedFixture {
    return this.#fixtures.get(eventNumber)!;
  }

  /** Teams that a name may mean, those with the highest coverage first. */
  teamsNamed(name: ParsedName): readonly TeamMatch[] {
    return this.#names
      .search(name, COVERAGE_MIN)
      .slice(0, TEAMS_PER_NAME_MAX)
      .map((match) => ({ match, team: this.#teamByNumber.get(match.entry)! }));
  }

  /** Whether a team has exactly this name. */
  isTeamName(text: string): boolean {
    const name = parseName(text);
    return this.teamsNamed(name).some(({ team }) => this.parse(team.name).text === name.text);
  }

  /** Whether a fixture's league has this word in its name. */
  isLeagueWord(word: string): boolean {
    return this.#countByLeagueWord.has(word);
  }

  /** A text parsed as a team's name, from the cache of names. */
  parse(text: string): ParsedName {
    return this.#cache.parse(text);
  }

  /**
   * For sort: first the fixtures that are not over at `nowMs`, the earlier kickoff first; then the others,
   * the latest kickoff first; unknown kickoffs last.
   */
  compareKickoffs(left: number, right: number, nowMs: number): number {
    const leftMs = this.#fixtures.get(left)!.fixture.scheduledAtMs;
    const rightMs = this.#fixtures.get(right)!.fixture.scheduledAtMs;
    if (Number.isNaN(leftMs) || Number.isNaN(rightMs))
      return Number(Number.isNaN(leftMs)) - Number(Number.isNaN(rightMs)) || left - right;
    const isLeftOver = leftMs < nowMs - OVER_AFTER_MS;
    const isRightOver = rightMs < nowMs - OVER_AFTER_MS;
    if (isLeftOver !== isRightOver) return isLeftOver ? 1 : -1;
    return (isLeftOver ? rightMs - leftMs : leftMs - rightMs) || left - right;
  }

  #teamOf(name: string, { sport, leagueName }: ResolvableFixture): TeamEntry {
    const country = countryOfLeague(leagueName);
    const key = `${sport}|${country}|${name}`;
    const held = this.#teams.get(key);
    if (held !== undefined) return held;
    const number = this.#nextTeam++;
    const context = { sport, country };
    const known = this.#names.add(number, name, context);
    const team: TeamEntry = { number, name, key, context, known, events: new Set() };
    this.#teams.set(key, team);
    this.#teamByNumber.set(number, team);
    return team;
  }
}
