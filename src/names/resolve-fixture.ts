// Which fixture does a text mean? One team or two, in any order, with an inline date and hints for sport and day.
// Never guesses: what two fixtures fit about as well is ambiguous, what none fits well is not found.

import { foldText } from './fold-text.ts';
import { NameIndex, type NameMatch } from './name-index.ts';
import { type FixtureReading, parseFixtureQuery, readingsOf } from './parse-fixture-query.ts';
import { NAME_INPUT_CHARS_MAX, NameCache, parseName, splitWords } from './parse-name.ts';
import { decide, type ResolveStatus } from './resolution.ts';
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
  /** Position in the list that the index was made from. */
  readonly index: number;
  readonly eventNumber: number;
  /** 0 to 1. */
  readonly confidence: number;
}

export interface ResolveFixtureOptions {
  /** Index into SPORTS. */
  readonly sport?: number | undefined;
  /** Kickoff from (inclusive) and to (exclusive), Unix ms. An inline date narrows further, to that UTC day. */
  readonly dateFromMs?: number | undefined;
  readonly dateToMs?: number | undefined;
}

export interface FixtureResolution {
  readonly status: ResolveStatus;
  /** The surest fixture, also when ambiguous; null when not found. */
  readonly best: FixtureCandidate | null;
  /** The next surest, at most ALTERNATIVES_MAX. */
  readonly alternatives: readonly FixtureCandidate[];
  /** The inline date, YYYY-MM-DD, or null. */
  readonly dateText: string | null;
  /** An event id found in the text, as written; then nothing was searched: the caller decodes it. */
  readonly idText: string | null;
}

const DAY_MS = 86_400_000;
/** A reading this sure makes other readings of the same words pointless. */
const SURE_READING = 0.93;
const CANDIDATE_MIN = 0.3;
const TEAM_CANDIDATES_MAX = 16;
/** The less certain of two teams decides most of a pair's confidence. */
const WEAKER_TEAM_SHARE = 0.9;
/** Taken off the return match, when the match with the first-named team at home is there too. */
const RETURN_MATCH_PENALTY = 0.1;

/** Fixtures made searchable. Immutable: make a new one when the slate changes, with the same cache. */
export class FixtureIndex {
  readonly fixtures: readonly ResolvableFixture[];
  readonly #names: NameIndex;
  readonly #homeEntry: Int32Array;
  readonly #awayEntry: Int32Array;
  readonly #fixturesByEntry: number[][] = [];
  readonly #leagueWords = new LeagueWords();

  constructor(fixtures: readonly ResolvableFixture[], cache: NameCache) {
    this.fixtures = fixtures;
    this.#homeEntry = new Int32Array(fixtures.length);
    this.#awayEntry = new Int32Array(fixtures.length);
    const entryByName = new Map<string, number>();
    const names: string[] = [];
    const entryOf = (name: string, fixture: number): number => {
      let entry = entryByName.get(name);
      if (entry === undefined) {
        entry = names.length;
        entryByName.set(name, entry);
        names.push(name);
        this.#fixturesByEntry.push([]);
      }
      this.#fixturesByEntry[entry]!.push(fixture);
      return entry;
    };
    for (let index = 0; index < fixtures.length; index++) {
      this.#homeEntry[index] = entryOf(fixtures[index]!.homeName, index);
      this.#awayEntry[index] = entryOf(fixtures[index]!.awayName, index);
      this.#leagueWords.add(fixtures[index]!.leagueName);
    }
    this.#names = new NameIndex(names, TEAM_LANGUAGE, (name) => cache.parse(name));
  }

  /** See resolveFixture. */
  resolve(query: string, options: ResolveFixtureOptions): FixtureResolution {
    const parsed = parseFixtureQuery(query);
    const { dateText } = parsed;
    if (parsed.kind === 'id') {
      return { status: 'not_found', best: null, alternatives: [], dateText, idText: parsed.idText };
    }
    let fromMs = options.dateFromMs ?? Number.NEGATIVE_INFINITY;
    let toMs = options.dateToMs ?? Number.POSITIVE_INFINITY;
    if (dateText !== null) {
      const dayMs = Date.parse(`${dateText}T00:00:00.000Z`);
      fromMs = Math.max(fromMs, dayMs);
      toMs = Math.min(toMs, dayMs + DAY_MS);
    }
    const anyDate = fromMs === Number.NEGATIVE_INFINITY && toMs === Number.POSITIVE_INFINITY;
    const confidences = new Map<number, number>();
    const sport = options.sport ?? parsed.sport;
    let leagueWords: readonly string[] = [];
    const keep = (index: number, confidence: number): void => {
      const fixture = this.fixtures[index]!;
      if (sport !== null && fixture.sport !== sport) return;
      if (leagueWords.length > 0 && !this.#leagueWords.holds(fixture.leagueName, leagueWords)) return;
      if (!anyDate && !(fixture.scheduledAtMs >= fromMs && fixture.scheduledAtMs < toMs)) return;
      if (confidence > (confidences.get(index) ?? 0)) confidences.set(index, confidence);
    };
    const searched = new Map<string, NameMatch[]>();
    let sure = 0;
    for (const reading of parsed.readings) {
      sure = this.#read(reading, searched, keep);
      if (sure >= SURE_READING) break;
    }
    if (sure < SURE_READING) {
      leagueWords = parsed.words.filter((word) => this.#leagueWords.has(word));
      const teamWords = parsed.words.filter((word) => !this.#leagueWords.has(word));
      const readings = leagueWords.length === 0 ? [] : readingsOf(teamWords);
      for (const reading of readings) this.#read(reading, searched, keep);
    }
    const candidates: FixtureCandidate[] = [];
    for (const [index, confidence] of confidences) {
      candidates.push({ index, eventNumber: this.fixtures[index]!.eventNumber, confidence });
    }
    candidates.sort(
      (left, right) => right.confidence - left.confidence || this.#compare(left.index, right.index),
    );
    return { ...decide(candidates), dateText, idText: null };
  }

  /** Scores one reading, hands every fitting fixture to `keep`, and answers how sure the best one is. */
  #read(
    reading: FixtureReading,
    searched: Map<string, NameMatch[]>,
    keep: (index: number, confidence: number) => void,
  ): number {
    const left = this.#search(reading.left, searched);
    if (reading.right === null) {
      for (const match of left) {
        for (const index of this.#fixturesByEntry[match.entry]!) keep(index, match.confidence);
      }
      return left[0]?.confidence ?? 0;
    }
    const right = new Map<number, number>();
    for (const match of this.#search(reading.right, searched)) right.set(match.entry, match.confidence);
    if (right.size === 0) return 0;
    let best = 0;
    const straight = new Set<number>();
    const turned: { index: number; pair: number; confidence: number }[] = [];
    for (const match of left) {
      for (const index of this.#fixturesByEntry[match.entry]!) {
        const leftIsHome = this.#homeEntry[index] === match.entry;
        const other = leftIsHome ? this.#awayEntry[index]! : this.#homeEntry[index]!;
        const otherConfidence = right.get(other);
        if (otherConfidence === undefined || other === match.entry) continue;
        const weaker = Math.min(match.confidence, otherConfidence);
        const stronger = Math.max(match.confidence, otherConfidence);
        const confidence = WEAKER_TEAM_SHARE * weaker + (1 - WEAKER_TEAM_SHARE) * stronger;
        if (confidence > best) best = confidence;
        const pair = match.entry * this.#fixturesByEntry.length + other;
        if (leftIsHome !== reading.homeIsRight) {
          straight.add(pair);
          keep(index, confidence);
        } else {
          turned.push({ index, pair, confidence });
        }
      }
    }
    for (const { index, pair, confidence } of turned) {
      keep(index, straight.has(pair) ? confidence - RETURN_MATCH_PENALTY : confidence);
    }
    return best;
  }

  #search(text: string, searched: Map<string, NameMatch[]>): NameMatch[] {
    const known = searched.get(text);
    if (known !== undefined) return known;
    const found = this.#names.search(parseName(text), CANDIDATE_MIN).slice(0, TEAM_CANDIDATES_MAX);
    searched.set(text, found);
    return found;
  }

  /** Sooner first, unknown kickoffs last. */
  #compare(left: number, right: number): number {
    const leftMs = this.fixtures[left]!.scheduledAtMs;
    const rightMs = this.fixtures[right]!.scheduledAtMs;
    if (Number.isNaN(leftMs) || Number.isNaN(rightMs))
      return Number(Number.isNaN(leftMs)) - Number(Number.isNaN(rightMs)) || left - right;
    return leftMs - rightMs || left - right;
  }
}

/** Makes `fixtures` searchable; pass one cache to every rebuild, so that known names are not parsed again. */
export function createFixtureIndex(
  fixtures: readonly ResolvableFixture[],
  cache: NameCache = new NameCache(),
): FixtureIndex {
  return new FixtureIndex(fixtures, cache);
}

/**
 * Finds the fixture that a text means. Two fixtures within 0.08 confidence are `ambiguous`, a best one under 0.6 is
 * `not_found`; sport and dates are filters, so they separate.
 * @throws ServiceError invalid_request for an inline date that does not exist
 */
export function resolveFixture(
  index: FixtureIndex,
  query: string,
  options: ResolveFixtureOptions = {},
): FixtureResolution {
  return index.resolve(query, options);
}

/** The words of the leagues that fixtures belong to, so that "Lakers NBA" is a team and its league. */
class LeagueWords {
  readonly #leagues = new Set<string>();
  readonly #leaguesByWord = new Map<string, Set<string>>();

  add(leagueName: string): void {
    if (this.#leagues.has(leagueName)) return;
    this.#leagues.add(leagueName);
    for (const { text } of splitWords(foldText(leagueName, NAME_INPUT_CHARS_MAX))) {
      const leagues = this.#leaguesByWord.get(text);
      if (leagues === undefined) this.#leaguesByWord.set(text, new Set([leagueName]));
      else leagues.add(leagueName);
    }
  }

  has(word: string): boolean {
    return this.#leaguesByWord.has(word);
  }

  /** Whether this league's name holds every one of `words`. */
  holds(leagueName: string, words: readonly string[]): boolean {
    return words.every((word) => this.#leaguesByWord.get(word)?.has(leagueName) === true);
  }
}
