// Which fixture does a text mean? One team or two, in any order, with a date and hints for sport and day. Never
// guesses: what two fixtures fit about as well is ambiguous, what none fits for sure is not found (docs/names.md).

import type { KnownClub, TeamContext } from './club-table.ts';
import { contradictsSport } from './club-words.ts';
import { areTwoClubs, bestRival } from './known-clubs.ts';
import { countryOfLeague, leagueWordsOf } from './league-language.ts';
import { NameIndex, type NameMatch } from './name-index.ts';
import { type FixtureReading, parseFixtureQuery, readingsOf } from './parse-fixture-query.ts';
import { NameCache, type ParsedName, parseName } from './parse-name.ts';
import type { Today } from './query-dates.ts';
import { confidenceOf, decide, type ResolveStatus } from './resolution.ts';
import { GRADE_FORM, GRADE_SAME, GRADE_SHORT } from './score-name.ts';
import {
  STRENGTH_ONE_SIDE,
  strengthAlone,
  strengthInPair,
  strengthInPairMax,
  strengthOfPair,
} from './strength.ts';
import { TEAM_LANGUAGE } from './team-language.ts';

export interface ResolvableFixture {
  readonly eventNumber: number;
  readonly homeName: string;
  readonly awayName: string;
  readonly leagueName: string;
  /** Index into SPORTS. */
  readonly sport: number;
  /** Unix ms; NaN when unknown, and then no date finds it. */
  readonly scheduledAtMs: number;
}

export interface FixtureCandidate {
  readonly eventNumber: number;
  readonly strength: number;
  /** 0 to 1, calibrated. */
  readonly confidence: number;
}

/** A fixture that a pair of teams may mean. */
export interface PairCandidate extends FixtureCandidate {
  /** Both names were found in it, however sure; else only one of them was. */
  readonly isOfBoth: boolean;
  /** The team named first plays away. */
  readonly isTurned: boolean;
}

export interface ResolveFixtureOptions {
  /** Index into SPORTS. */
  readonly sport?: number | undefined;
  /** Kickoff from (inclusive) and to (exclusive), Unix ms. A date in the text narrows further. */
  readonly dateFromMs?: number | undefined;
  readonly dateToMs?: number | undefined;
  /** What "today" and "21 Nov" are counted from. */
  readonly today?: Today | undefined;
}

export interface FixtureResolution {
  readonly status: ResolveStatus;
  /** The surest fixture, also when ambiguous; null when not found. */
  readonly best: FixtureCandidate | null;
  /** The next surest, at most ALTERNATIVES_MAX. */
  readonly alternatives: readonly FixtureCandidate[];
  /** The day that the text names, YYYY-MM-DD, or null. */
  readonly dateText: string | null;
  /** The days that the text may mean ("02/01"), when it is the text's date that is ambiguous, else null. */
  readonly dateChoices: { readonly written: string; readonly dates: readonly string[] } | null;
  /** An event id found in the text, as written; then nothing was searched: the caller decodes it. */
  readonly idText: string | null;
}

/** A team as the slate names it, in one sport and country; its fixtures by event number. */
interface TeamEntry {
  readonly number: number;
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

/** A team that one side of the text may mean. */
interface Side {
  readonly match: NameMatch;
  readonly team: TeamEntry;
  /** The best grade of another club, looked for once and only when it matters: it costs as much as the search itself. */
  readonly rival: () => number;
}

/** What has been found so far: by event number. */
interface Found {
  strength: number;
  coverage: number;
  /** Both teams were asked for, with a word between them that is part of no name. */
  isPair: boolean;
}

interface Kept {
  readonly isOfBoth: boolean;
  readonly strength: number;
  readonly coverage: number;
  readonly isPair: boolean;
  /** The team named first plays away. */
  readonly isTurned: boolean;
}

/** Whether a fixture may be meant at all: what speaks for others is not weighed. */
type IsMeant = (eventNumber: number) => boolean;

const isAny: IsMeant = () => true;

type Keep = (eventNumber: number, kept: Kept) => void;

/** Dates in words need a today; who gives none asks with YYYY-MM-DD. */
const EPOCH: Today = { nowMs: 0 };
const NOTHING = { status: 'not_found', best: null, alternatives: [], dateChoices: null } as const;
/** A reading this strong explains every word: other readings of them are pointless, and each costs a search. */
const STRENGTH_ENOUGH = 3.4;
const COVERAGE_MIN = 0.3;
const SIDES_MAX = 16;
/** Taken off the return match, when the match with the first-named team at home is there too. */
const RETURN_MATCH_PENALTY = 0.5;

/** Fixtures made searchable. They come and go one by one. */
export class FixtureIndex {
  readonly #cache: NameCache;
  readonly #names: NameIndex;
  readonly #fixtures = new Map<number, IndexedFixture>();
  readonly #teams = new Map<string, TeamEntry>();
  readonly #teamByNumber = new Map<number, TeamEntry>();
  readonly #leagueCounts = new Map<string, number>();
  /** Leagues of the slate by each word of their names. */
  readonly #leaguesByWord = new Map<string, Set<string>>();
  #nextTeam = 0;

  /** @param cache pass one to every index, so that known names are not parsed again */
  constructor(cache: NameCache) {
    this.#cache = cache;
    this.#names = new NameIndex(TEAM_LANGUAGE, (name) => this.#cache.parse(name));
  }

  get size(): number {
    return this.#fixtures.size;
  }

  /** Whether most of what it holds is of fixtures that have left; then it is time for a new one. */
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

  /** Adds a fixture, in the place of one with its number. */
  set(fixture: ResolvableFixture): void {
    this.delete(fixture.eventNumber);
    const home = this.#teamOf(fixture.homeName, fixture);
    const away = this.#teamOf(fixture.awayName, fixture);
    home.events.add(fixture.eventNumber);
    away.events.add(fixture.eventNumber);
    this.#fixtures.set(fixture.eventNumber, { fixture, home, away });
    const count = this.#leagueCounts.get(fixture.leagueName) ?? 0;
    this.#leagueCounts.set(fixture.leagueName, count + 1);
    if (count > 0) return;
    for (const word of leagueWordsOf(fixture.leagueName)) {
      const leagues = this.#leaguesByWord.get(word);
      if (leagues === undefined) this.#leaguesByWord.set(word, new Set([fixture.leagueName]));
      else leagues.add(fixture.leagueName);
    }
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
    const { leagueName } = held.fixture;
    const count = this.#leagueCounts.get(leagueName)! - 1;
    this.#leagueCounts.set(leagueName, count);
    if (count > 0) return;
    this.#leagueCounts.delete(leagueName);
    for (const word of leagueWordsOf(leagueName)) {
      const leagues = this.#leaguesByWord.get(word)!;
      leagues.delete(leagueName);
      if (leagues.size === 0) this.#leaguesByWord.delete(word);
    }
  }

  /**
   * Fixtures that two teams may play, one name for each side, surest first. Unlike `resolve` it decides nothing: who asks
   * sees every candidate, and takes no words for dates or leagues.
   */
  pairs(
    home: string,
    away: string,
    { sport, dateFromMs, dateToMs }: { sport: number; dateFromMs: number; dateToMs: number },
  ): readonly PairCandidate[] {
    const found = new Map<number, Kept>();
    const reading: FixtureReading = { left: home, right: away, isSeparated: true, homeIsRight: false };
    const isMeant: IsMeant = (eventNumber) => {
      const { fixture } = this.#fixtures.get(eventNumber)!;
      const { scheduledAtMs } = fixture;
      return fixture.sport === sport && scheduledAtMs >= dateFromMs && scheduledAtMs <= dateToMs;
    };
    this.#read(reading, { searched: new Map(), within: sport, isMeant }, (eventNumber, kept) => {
      const held = found.get(eventNumber);
      const isBetter = held === undefined || kept.strength > held.strength;
      if (isBetter || (kept.isOfBoth && !held.isOfBoth)) found.set(eventNumber, kept);
    });
    return [...found]
      .map(([eventNumber, { strength, isTurned, isOfBoth }]) => ({
        eventNumber,
        confidence: confidenceOf(strength, true),
        strength,
        isTurned,
        isOfBoth,
      }))
      .sort((left, right) => right.strength - left.strength || left.eventNumber - right.eventNumber);
  }

  /** See resolveFixture. */
  resolve(query: string, options: ResolveFixtureOptions): FixtureResolution {
    const parsed = parseFixtureQuery(query, options.today ?? EPOCH);
    const { choices, written } = parsed.dates;
    const dateText = choices?.length === 1 ? choices[0]!.dateText : null;
    if (parsed.kind === 'id') {
      return { ...NOTHING, dateText, idText: parsed.idText };
    }
    const fromMs = options.dateFromMs ?? Number.NEGATIVE_INFINITY;
    const toMs = options.dateToMs ?? Number.POSITIVE_INFINITY;
    const anyDate =
      choices === null && fromMs === Number.NEGATIVE_INFINITY && toMs === Number.POSITIVE_INFINITY;
    const isMeantDay = (atMs: number): boolean => {
      if (!(atMs >= fromMs && atMs < toMs)) return false;
      return choices === null || choices.some((choice) => atMs >= choice.fromMs && atMs < choice.toMs);
    };
    const sport = options.sport ?? parsed.sport;
    const found = new Map<number, Found>();
    let leagueWords: readonly string[] = [];
    const keep: Keep = (eventNumber, { strength, coverage, isPair }) => {
      const { fixture } = this.#fixtures.get(eventNumber)!;
      if (sport !== null && fixture.sport !== sport) return;
      if (leagueWords.length > 0 && !holdsAll(fixture.leagueName, leagueWords)) return;
      if (!anyDate && !isMeantDay(fixture.scheduledAtMs)) return;
      const held = found.get(eventNumber);
      if (held === undefined) found.set(eventNumber, { strength, coverage, isPair });
      else if (strength > held.strength || (strength === held.strength && coverage > held.coverage)) {
        held.strength = strength;
        held.coverage = coverage;
        held.isPair = isPair;
      }
    };
    const searched = new Map<string, Side[]>();
    let most = 0;
    for (const reading of parsed.readings) {
      most = Math.max(most, this.#read(reading, { searched, within: sport, isMeant: isAny }, keep));
      if (most >= STRENGTH_ENOUGH) break;
    }
    if (most < STRENGTH_ENOUGH) {
      leagueWords = parsed.words.filter((word) => this.#leaguesByWord.has(word));
      const teamWords = parsed.words.filter((word) => !leagueWords.includes(word));
      // "Andorra vs Santa Coloma" asks for two teams, also when one of them is called as the country is.
      const isOfTwo = parsed.readings.some(({ right, isSeparated }) => isSeparated && right !== null);
      const read = leagueWords.length === 0 ? [] : readingsOf(teamWords);
      const readings = isOfTwo ? read.filter(({ right }) => right !== null) : read;
      const asked = parseName(parsed.words.join(' '));
      searched.clear();
      for (const reading of readings) this.#read(reading, { searched, within: asked, isMeant: isAny }, keep);
    }
    const candidates: (FixtureCandidate & Found)[] = [];
    for (const [eventNumber, { strength, coverage, isPair }] of found) {
      const confidence = confidenceOf(strength, isPair);
      candidates.push({ eventNumber, strength, coverage, isPair, confidence });
    }
    candidates.sort(
      (left, right) =>
        right.strength - left.strength ||
        right.coverage - left.coverage ||
        this.#compare(left.eventNumber, right.eventNumber),
    );
    const decision = decide(candidates);
    if (choices === null || choices.length === 1 || decision.best === null)
      return { ...decision, dateText, idText: null, dateChoices: null };
    // "02/01" may be either day, and so may the fixture: ask, whichever of them it was found on.
    const dateChoices = { written, dates: choices.map((choice) => choice.dateText) };
    return { ...decision, status: 'ambiguous', dateText, idText: null, dateChoices };
  }

  /**
   * @param within the sport asked for, if any; or all words of the query, when the reading leaves out those of a league,
   *   and then the league and country of each team
   *
   * Weighs one reading, hands every fitting fixture to `keep`, and answers what speaks for the best one. */
  #read(
    reading: FixtureReading,
    {
      searched,
      within,
      isMeant,
    }: {
      readonly searched: Map<string, Side[]>;
      readonly within: number | null | ParsedName;
      readonly isMeant: IsMeant;
    },
    keep: Keep,
  ): number {
    const left = this.#search(reading.left, searched, within);
    let most = 0;
    if (reading.right === null) {
      for (const { match, team, rival } of left) {
        let strength = strengthAlone(match, rival());
        if (strength < GRADE_SAME && strength > 1 && areTwoClubs(this.#cache.parse(reading.left)))
          strength = 1;
        most = Math.max(most, strength);
        for (const eventNumber of team.events) {
          keep(eventNumber, {
            strength,
            coverage: match.coverage,
            isPair: false,
            isTurned: false,
            isOfBoth: false,
          });
        }
      }
      return most;
    }
    const right = this.#search(reading.right, searched, within);
    const rightByTeam = new Map(right.map((side) => [side.team, side]));
    const isPair = reading.isSeparated;
    const isWithoutLeague = within !== null && typeof within !== 'number';
    const straight = new Set<TeamEntry>();
    const turned: { eventNumber: number; pair: TeamEntry; strength: number; coverage: number }[] = [];
    for (const side of left) {
      const canStandAlone = strengthInPairMax(side.match) >= 2;
      straight.clear();
      turned.length = 0;
      for (const eventNumber of side.team.events) {
        const { home, away } = this.#fixtures.get(eventNumber)!;
        const leftIsHome = home === side.team;
        const other = rightByTeam.get(leftIsHome ? away : home);
        const isStraight = leftIsHome !== reading.homeIsRight;
        if (isStraight && other !== undefined && other.team !== side.team) straight.add(other.team);
        if (!isMeant(eventNumber)) continue;
        if (other === undefined || other.team === side.team) {
          if (canStandAlone && strengthInPair(side.match, side.rival()) >= 2)
            keep(eventNumber, { ...oneSide(side, isPair), isTurned: !leftIsHome });
          continue;
        }
        const own = strengthInPair(side.match, side.rival());
        const others = strengthInPair(other.match, other.rival());
        // "Austria Wien" is not "Wien" in Austria: with the league's words taken out, the rest has to be a name in full.
        const isPart = isWithoutLeague && Math.min(own, others) < GRADE_SHORT;
        const strength = isPart ? STRENGTH_ONE_SIDE : strengthOfPair(own, others);
        const coverage = Math.min(side.match.coverage, other.match.coverage);
        most = Math.max(most, strength);
        if (isStraight) {
          keep(eventNumber, { strength, coverage, isPair, isTurned: !leftIsHome, isOfBoth: true });
        } else {
          turned.push({ eventNumber, pair: other.team, strength, coverage });
        }
      }
      for (const { eventNumber, pair, strength, coverage } of turned) {
        const weighed = straight.has(pair) ? strength - RETURN_MATCH_PENALTY : strength;
        const isTurned = !reading.homeIsRight;
        keep(eventNumber, { strength: weighed, coverage, isPair, isTurned, isOfBoth: true });
      }
    }
    for (const side of right) {
      const { match, team, rival } = side;
      const events = [...team.events].filter(isMeant);
      if (events.length === 0 || strengthInPairMax(match) < 2 || strengthInPair(match, rival()) < 2) continue;
      for (const eventNumber of events) {
        const rightIsHome = this.#fixtures.get(eventNumber)!.home === team;
        keep(eventNumber, { ...oneSide(side, isPair), isTurned: rightIsHome });
      }
    }
    return most;
  }

  #search(text: string, searched: Map<string, Side[]>, within: number | null | ParsedName): Side[] {
    const known = searched.get(text);
    if (known !== undefined) return known;
    const name = parseName(text);
    const sides: Side[] = [];
    const matches = this.#names.search(name, COVERAGE_MIN).slice(0, SIDES_MAX);
    const hasOwn = (within === null || typeof within === 'number') && matches.some((match) => match.isOwn);
    for (const match of matches) {
      const team = this.#teamByNumber.get(match.entry)!;
      const isOtherSport = match.grade < GRADE_SAME && contradictsSport(name, team.context.sport);
      if (match.grade === 0 || isOtherSport) continue;
      let rival = hasOwn && !match.isOwn ? GRADE_SAME : null;
      sides.push({ match, team, rival: () => (rival ??= this.#rivalOf(name, match, team, within)) });
    }
    searched.set(text, sides);
    return sides;
  }

  #rivalOf(name: ParsedName, match: NameMatch, team: TeamEntry, within: number | null | ParsedName): number {
    if (match.grade < 1) return 0;
    if (match.isOwn && (within === null || typeof within === 'number')) return 0;
    const asked = { known: team.known, grade: match.grade };
    if (within === null || typeof within === 'number')
      return bestRival(name, asked, { sport: within, country: null });
    // "Austria Wien" is not "Wien" in Austria's league: with the league's words taken out it must not be another club.
    const whole = bestRival(within, asked, { sport: null, country: null });
    return Math.max(whole >= GRADE_FORM ? GRADE_SAME + 1 : 0, bestRival(name, asked, team.context));
  }

  #teamOf(name: string, { sport, leagueName }: ResolvableFixture): TeamEntry {
    const country = countryOfLeague(leagueName);
    const key = `${sport}|${country}|${name}`;
    const held = this.#teams.get(key);
    if (held !== undefined) return held;
    const number = this.#nextTeam++;
    const context = { sport, country };
    const known = this.#names.add(number, name, context);
    const team: TeamEntry = { number, key, context, known, events: new Set() };
    this.#teams.set(key, team);
    this.#teamByNumber.set(number, team);
    return team;
  }

  /** Sooner first, unknown kickoffs last. */
  #compare(left: number, right: number): number {
    const leftMs = this.#fixtures.get(left)!.fixture.scheduledAtMs;
    const rightMs = this.#fixtures.get(right)!.fixture.scheduledAtMs;
    if (Number.isNaN(leftMs) || Number.isNaN(rightMs))
      return Number(Number.isNaN(leftMs)) - Number(Number.isNaN(rightMs)) || left - right;
    return leftMs - rightMs || left - right;
  }
}

/** Only one side of the text fits: worth showing, never a match. */
function oneSide({ match }: Side, isPair: boolean): Omit<Kept, 'isTurned'> {
  return { strength: STRENGTH_ONE_SIDE, coverage: 0.5 * match.coverage, isPair, isOfBoth: false };
}

/** Makes `fixtures` searchable. */
export function createFixtureIndex(
  fixtures: readonly ResolvableFixture[],
  cache: NameCache = new NameCache(),
): FixtureIndex {
  const index = new FixtureIndex(cache);
  for (const fixture of fixtures) index.set(fixture);
  return index;
}

/**
 * Finds the fixture that a text means; sport and dates are filters, so they separate.
 * @throws ServiceError invalid_request for an inline date that does not exist
 */
export function resolveFixture(
  index: FixtureIndex,
  query: string,
  options: ResolveFixtureOptions = {},
): FixtureResolution {
  return index.resolve(query, options);
}

function holdsAll(leagueName: string, words: readonly string[]): boolean {
  const held = leagueWordsOf(leagueName);
  return words.every((word) => held.has(word));
}
