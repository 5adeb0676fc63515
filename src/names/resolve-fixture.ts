// Which fixture does a text mean? One team or two, in any order, with a date and hints for sport and day. It
// never guesses: if two fixtures fit about equally well, or the best one does not fit for sure, the text is
// ambiguous; if none is worth offering, it is not found (docs/reference/names.md).

import type { QueryDates, Today } from '../domain/days/day-text.ts';
import { KIND_AFFIX, KIND_PLAIN, KIND_PROPER, kindOfTeamWord } from './club-words.ts';
import type { FixtureIndex, ResolvableFixture } from './fixture-index.ts';
import { isKnownClub } from './known-clubs.ts';
import { leagueFormOf, leagueWordsOf } from './league-language.ts';
import {
  type FixtureQuery,
  type FixtureReading,
  isSeparator,
  parseFixtureQuery,
  readingsOf,
} from './parse-fixture-query.ts';
import {
  ALTERNATIVES_MAX,
  CONTESTED_CONFIDENCE_MAX,
  confidenceOf,
  decide,
  type Evidence,
  OFFERED_CONFIDENCE_MIN,
  type ResolveStatus,
  type Weighed,
} from './resolution.ts';
import { STRENGTH_ONE_SIDE, STRENGTH_SHARED } from './score/strength.ts';
import { type ParsedName, parseName } from './text/parse-name.ts';
import { isOneSlip, jaroWinkler } from './text/word-similarity.ts';
import { type FixtureFit, type Keep, ReadingWeigher } from './weigh-reading.ts';

export interface FixtureCandidate {
  readonly eventNumber: number;
  readonly strength: number;
  /** 0 to 1, calibrated. */
  readonly confidence: number;
  readonly evidence: Evidence;
}

/** A fixture that a pair of teams may mean. */
interface PairCandidate extends FixtureCandidate {
  /** Whether both names were found in the fixture, with any confidence; otherwise only one of them was. */
  readonly isOfBoth: boolean;
  /** Whether the team named first plays away. */
  readonly isTurned: boolean;
}

export interface ResolveFixtureOptions {
  /** Index into SPORTS. */
  readonly sport?: number | undefined;
  /** Kickoff from (inclusive) and to (exclusive), Unix ms. A date in the text narrows further. */
  readonly dateFromMs?: number | undefined;
  readonly dateToMs?: number | undefined;
  /** The day that "today" means, and from which the year of "21 Nov" follows. */
  readonly today?: Today | undefined;
}

export interface FixtureResolution {
  readonly status: ResolveStatus;
  /** The surest fixture, also when ambiguous; null when not found. */
  readonly best: FixtureCandidate | null;
  /** The next surest; see Resolution. */
  readonly alternatives: readonly FixtureCandidate[];
  /** The day that the text names, YYYY-MM-DD, or null. */
  readonly dateText: string | null;
  /** The last day if the text names several ("this weekend"), otherwise null. */
  readonly lastDateText: string | null;
  /** The days that the text may mean ("02/01") if its date is ambiguous, otherwise null. */
  readonly dateChoices: { readonly written: string; readonly dates: readonly string[] } | null;
  /** The text without words of a question, dates and words between teams: empty for "games tomorrow". */
  readonly names: string;
  /** An event id found in the text, as written. Then nothing was searched, because the caller decodes it. */
  readonly idText: string | null;
}

/** The strongest evidence so far for a fixture. */
type Found = Pick<FixtureFit, 'strength' | 'coverage' | 'evidence'>;

/**
 * The day that "today" means if the caller does not give one. Only callers that always write dates as
 * YYYY-MM-DD, never in words, leave it out.
 */
const EPOCH: Today = { nowMs: 0 };
const NOTHING = {
  status: 'not_found',
  best: null,
  alternatives: [],
  dateChoices: null,
  names: '',
  lastDateText: null,
} as const;
/**
 * A reading of at least this strength explains every word. Further readings are skipped, because each costs a
 * search.
 */
const STRENGTH_ENOUGH = 3.4;
/**
 * A derby of two clubs has this many readings. If more clubs play the derby, a fixture with only one of them
 * is not offered.
 */
const PAIR_READINGS = 2;
/** A team that covers this much of the text is near enough to be offered if none fits. */
const NEAR_COVERAGE_MIN = 0.45;
const NEAR_FIXTURES_MAX = 3;
const NEAR_WORD_LENGTH_MIN = 4;
const NEAR_WORD_SIMILARITY_MIN = 0.8;
/** A shorter word with one other letter is too often another club: Bolton is not offered for "Boston". */
const ONE_LETTER_LENGTH_MIN = 7;
/** Strength of a fixture that is offered because a name is one letter apart. */
const STRENGTH_NEAR = 0.5;

/**
 * Finds the fixture that a text means; sport and dates are filters, so they decide between fixtures.
 * @throws ServiceError invalid_request for an inline date that does not exist
 */
export function resolveFixture(
  index: FixtureIndex,
  query: string,
  options: ResolveFixtureOptions = {},
): FixtureResolution {
  const today = options.today ?? EPOCH;
  const parsed = parseFixtureQuery(query, today);
  const { choices, written } = parsed.dates;
  const dateText = choices?.length === 1 ? choices[0]!.dateText : null;
  if (parsed.kind === 'id') return { ...NOTHING, dateText, idText: parsed.idText };
  const sport = options.sport ?? parsed.sport;
  const isMeantAt = meantTimes(choices, options);
  const isMeant = (eventNumber: number): boolean => {
    const { fixture } = index.entry(eventNumber);
    return (sport === null || fixture.sport === sport) && isMeantAt(fixture.scheduledAtMs);
  };
  const found = findFixtures(index, parsed, { sport, isMeant });
  const candidates: (FixtureCandidate & Found & Weighed)[] = [];
  if (!hasOffer(found)) offerNearest(index, parsed.readings, found, isMeant);
  for (const [eventNumber, { strength, coverage, evidence }] of found) {
    const isOther = evidence === 'pair' && strength <= STRENGTH_ONE_SIDE && isOfKnownClubs(parsed.readings);
    // If the text says "tonight" but the fixture is in the afternoon, ask whether it is meant.
    const isDoubtful = strength > STRENGTH_SHARED && !isOfEvening(choices, index.entry(eventNumber).fixture);
    const weighed = isDoubtful
      ? { strength: STRENGTH_SHARED, evidence: 'alone' as const }
      : { strength, evidence };
    const confidence = confidenceOf(weighed.strength, weighed.evidence);
    candidates.push({ eventNumber, coverage, ...weighed, confidence, isOther });
  }
  candidates.sort(
    (left, right) =>
      right.strength - left.strength ||
      right.coverage - left.coverage ||
      index.compareKickoffs(left.eventNumber, right.eventNumber, today.nowMs),
  );
  const lastDay = choices?.length === 1 ? choices[0]!.lastDateText : null;
  const lastDateText = lastDay === dateText ? null : lastDay;
  const decided = decide(candidates);
  const isEmpty = decided.best === null && decided.alternatives.length === 0;
  const otherDays = isEmpty && choices !== null ? onOtherDays(index, parsed.dates.rest, options) : [];
  const decision = { ...decided, lastDateText, ...(otherDays.length > 0 && { alternatives: otherDays }) };
  const names = parsed.words.filter((word) => !isSeparator(word)).join(' ');
  if (choices === null || choices.length === 1 || decision.best === null)
    return { ...decision, names, dateText, idText: null, dateChoices: null };
  // "02/01" may mean either of two days: ask, whichever of them the fixture was found on.
  const dateChoices = { written, dates: choices.map((choice) => choice.dateText) };
  return { ...decision, names, status: 'ambiguous', dateText, idText: null, dateChoices };
}

/** What the names mean on other days, for a text that fits nothing on the day that it names. */
function onOtherDays(
  index: FixtureIndex,
  names: string,
  { sport, today }: ResolveFixtureOptions,
): readonly FixtureCandidate[] {
  const { status, best, alternatives } = resolveFixture(index, names, { sport, today });
  if (best === null || status === 'not_found') return [];
  return [best, ...alternatives].slice(0, ALTERNATIVES_MAX).map((candidate) => ({
    ...candidate,
    confidence: Math.min(candidate.confidence, CONTESTED_CONFIDENCE_MAX),
  }));
}

/** "Everton v Barcelona": both sides are clubs, whether or not they are on the slate. */
function isOfKnownClubs(readings: readonly FixtureReading[]): boolean {
  return readings.some(
    ({ left, right, isSeparated }) =>
      isSeparated && right !== null && isKnownClub(parseName(left)) && isKnownClub(parseName(right)),
  );
}

/**
 * The fixtures that fit a reading of the text. If none fits well, those that fit the text without its league
 * words are added.
 */
function findFixtures(
  index: FixtureIndex,
  { readings, isOfPairs, words }: Extract<FixtureQuery, { kind: 'names' }>,
  { sport, isMeant }: { readonly sport: number | null; readonly isMeant: (eventNumber: number) => boolean },
): Map<number, Found> {
  const found = new Map<number, Found>();
  let leagueWords: readonly string[] = [];
  const keep: Keep = (eventNumber, { strength, coverage, evidence, isOfBoth }) => {
    if (!isMeant(eventNumber) || (isOfPairs && readings.length > PAIR_READINGS && !isOfBoth)) return;
    const { fixture } = index.entry(eventNumber);
    if (leagueWords.length > 0 && !holdsAll(fixture.leagueName, leagueWords)) return;
    const held = found.get(eventNumber) ?? { strength: -1, coverage: 0 };
    if (strength > held.strength || (strength === held.strength && coverage > held.coverage))
      found.set(eventNumber, { strength, coverage, evidence });
  };
  const weigher = new ReadingWeigher(index, { sport });
  let most = 0;
  for (const reading of readings) {
    most = Math.max(most, weigher.weigh(reading, keep));
    if (most >= STRENGTH_ENOUGH && !isOfPairs) return found;
  }
  if (isOfPairs) return found;
  const isOfLeague = (word: string): boolean =>
    index.isLeagueWord(word) || index.isLeagueWord(leagueFormOf(word));
  leagueWords = words.filter(isOfLeague);
  const teamWords = words.filter((word) => !isOfLeague(word));
  // "Andorra vs Santa Coloma" asks for two teams, even if one of them has the country's name.
  const isOfTwo = readings.some(({ right, isSeparated }) => isSeparated && right !== null);
  const read = leagueWords.length === 0 ? [] : readingsOf(teamWords);
  // "Spurs NBA" means the team of that league, so teams of other leagues do not make the name ambiguous.
  const isOfLeagueNamed = (eventNumber: number): boolean =>
    holdsAll(index.entry(eventNumber).fixture.leagueName, leagueWords);
  const whole = parseName(words.join(' '));
  const withoutLeague = new ReadingWeigher(index, { sport: null, whole, isMeant: isOfLeagueNamed });
  for (const reading of isOfTwo ? read.filter(({ right }) => right !== null) : read)
    withoutLeague.weigh(reading, keep);
  return found;
}

function hasOffer(found: ReadonlyMap<number, Found>): boolean {
  for (const { strength, evidence } of found.values())
    if (confidenceOf(strength, evidence) >= OFFERED_CONFIDENCE_MIN) return true;
  return false;
}

/**
 * If nothing fits, adds the fixtures whose teams look most like the text, so that the answer offers them. The
 * name of a known club that is not on the slate is most likely no misspelling, so only a team whose name is
 * one letter apart is offered for it: Wolfsburg for "wolfsberg".
 */
function offerNearest(
  index: FixtureIndex,
  readings: readonly FixtureReading[],
  found: Map<number, Found>,
  isMeant: (eventNumber: number) => boolean,
): void {
  const [first] = readings;
  if (first === undefined || first.right !== null) return;
  const name = parseName(first.left);
  const isKnown = isKnownClub(name);
  const isDistinctive = name.words.some(({ text }) => kindOfTeamWord(text) < KIND_PLAIN);
  for (const { match, team } of index.teamsNamed(name)) {
    if (found.size >= NEAR_FIXTURES_MAX) return;
    const own = index.parse(team.name);
    const isNear = isDistinctive && match.coverage >= NEAR_COVERAGE_MIN && resembles(name, own);
    // A team that the table does not know may be that club in another spelling.
    const isStranger = !isKnown || team.known.clubs.length === 0;
    const isOffered =
      (isKnown ? isOneLetterFrom(name, own) : isBeginningsOf(name, own)) || (isStranger && isNear);
    if (!isOffered && !isFormOf(name, own)) continue;
    for (const eventNumber of team.events) {
      if (!isMeant(eventNumber)) continue;
      found.set(eventNumber, { strength: STRENGTH_NEAR, coverage: match.coverage, evidence: 'alone' });
    }
  }
}

/** Whether the text is one word made of the first letters of the name's first words: "LA", "MC". */
function isBeginningsOf({ words }: ParsedName, own: ParsedName): boolean {
  const [word] = words;
  if (words.length !== 1 || word!.text.length < 2) return false;
  return [...word!.text].every((letter, at) => own.words[at]?.text[0] === letter);
}

/** Whether the text is only a club form that the name has: "VfL". */
function isFormOf({ words }: ParsedName, own: ParsedName): boolean {
  const [word] = words;
  if (words.length !== 1 || kindOfTeamWord(word!.text) !== KIND_AFFIX) return false;
  return own.words.some(({ text }) => text === word!.text);
}

/** Whether the names are the same but for one slip in a long word, and other words that many clubs share. */
function isOneLetterFrom(name: ParsedName, own: ParsedName): boolean {
  const [word, more] = name.words.filter(({ text }) => kindOfTeamWord(text) === KIND_PROPER);
  if (word === undefined || more !== undefined || word.text.length < ONE_LETTER_LENGTH_MIN) return false;
  return own.words.some(({ text }) => text.length >= ONE_LETTER_LENGTH_MIN && isOneSlip(word.text, text));
}

/**
 * Whether some word of one name is spelled much like a word of the other, and does not only sound like it.
 */
function resembles(left: ParsedName, right: ParsedName): boolean {
  return left.words.some(
    ({ text }) =>
      text.length >= NEAR_WORD_LENGTH_MIN &&
      right.words.some((other) => jaroWinkler(text, other.text) >= NEAR_WORD_SIMILARITY_MIN),
  );
}

/**
 * Whether a kickoff passes the options and the dates in the text. An unknown kickoff passes only without a
 * date in either.
 */
function meantTimes(
  choices: QueryDates['choices'],
  { dateFromMs, dateToMs }: ResolveFixtureOptions,
): (atMs: number) => boolean {
  const fromMs = dateFromMs ?? Number.NEGATIVE_INFINITY;
  const toMs = dateToMs ?? Number.POSITIVE_INFINITY;
  if (choices === null && fromMs === Number.NEGATIVE_INFINITY && toMs === Number.POSITIVE_INFINITY)
    return () => true;
  return (atMs) => {
    if (!(atMs >= fromMs && atMs < toMs)) return false;
    return choices === null || choices.some((choice) => atMs >= choice.fromMs && atMs < choice.toMs);
  };
}

/** Whether a kickoff is in the evening that the text names. True if the text names none. */
function isOfEvening(choices: QueryDates['choices'], { scheduledAtMs }: ResolvableFixture): boolean {
  const evening = choices?.length === 1 ? choices[0]!.evening : null;
  return evening === null || (scheduledAtMs >= evening.fromMs && scheduledAtMs < evening.toMs);
}

/**
 * Fixtures that two teams may play, one name for each side, surest first. Unlike `resolveFixture` it decides
 * nothing: the caller gets every candidate, and it reads no words for dates or leagues.
 */
export function fixturesOfPair(
  index: FixtureIndex,
  [home, away]: readonly [string, string],
  { sport, dateFromMs, dateToMs }: { sport: number; dateFromMs: number; dateToMs: number },
): readonly PairCandidate[] {
  const found = new Map<number, FixtureFit>();
  const reading: FixtureReading = { left: home, right: away, isSeparated: true, homeIsRight: false };
  const isMeant = (eventNumber: number): boolean => {
    const { fixture } = index.entry(eventNumber);
    const { scheduledAtMs } = fixture;
    return fixture.sport === sport && scheduledAtMs >= dateFromMs && scheduledAtMs <= dateToMs;
  };
  new ReadingWeigher(index, { sport, isMeant }).weigh(reading, (eventNumber, fit) => {
    const held = found.get(eventNumber);
    const isBetter = held === undefined || fit.strength > held.strength;
    if (isBetter || (fit.isOfBoth && !held.isOfBoth)) found.set(eventNumber, fit);
  });
  return [...found]
    .map(([eventNumber, { strength, isTurned, isOfBoth }]) => ({
      eventNumber,
      confidence: confidenceOf(strength, 'pair'),
      strength,
      evidence: 'pair' as const,
      isTurned,
      isOfBoth,
    }))
    .sort((left, right) => right.strength - left.strength || left.eventNumber - right.eventNumber);
}

function holdsAll(leagueName: string, words: readonly string[]): boolean {
  const held = leagueWordsOf(leagueName);
  return words.every((word) => held.has(word) || held.has(leagueFormOf(word)));
}
