// Parses a text that asks for a fixture ("who won Arsenal against Chelsea yesterday?", "Lakers @ Celtics
// 2026-11-20"). The result is an event id, or an inline date and the ways in which the words may be read as
// one team or two.

import { SPORT_BASKETBALL, SPORT_FOOTBALL } from '../domain/catalogue.ts';
import type { QueryDates, Today } from '../domain/days/day-text.ts';
import { QUERY_CHARS_MAX } from '../limits.ts';
import { clubsNamed, clubsWritten } from './club-table.ts';
import derbiesText from './data/derbies.txt' with { type: 'text' };
import { readDerbies } from './data-tables.ts';
import { takeQueryDates } from './query-dates.ts';
import { isQuestionWord, isQuestionWordAt } from './question/question-words.ts';
import { foldText } from './text/fold-text.ts';
import { type ParsedName, parseName } from './text/parse-name.ts';

/** One way to read the words: one team, or two with the first named on the left. Folded text. */
export interface FixtureReading {
  readonly left: string;
  readonly right: string | null;
  /** Whether the right one is at home: "Lakers @ Celtics". */
  readonly homeIsRight: boolean;
  /**
   * Whether a word that is never part of a name ("v") separates two teams, not a space, a comma or a hyphen
   * inside a word.
   */
  readonly isSeparated: boolean;
}

export type FixtureQuery =
  | { readonly kind: 'id'; readonly idText: string; readonly dates: QueryDates }
  | {
      readonly kind: 'names';
      readonly dates: QueryDates;
      /** Likeliest first; empty when no word remains. */
      readonly readings: readonly FixtureReading[];
      /** Whether the readings are pairs of clubs, all of which may be meant: "the London derby". */
      readonly isOfPairs: boolean;
      /** The words of the query, without question words. */
      readonly words: readonly string[];
      /** Index into SPORTS if the text names one, otherwise null. */
      readonly sport: number | null;
    };

const EVENT_ID = /(?:^|[\s"'(:,])(evt_[A-Za-z0-9]+)/;
/** Maximum number of words of one query that take part. The rest is cut off. */
const QUERY_WORDS_MAX = 24;
/** Maximum number of places at which one query is split into two names. Later ones are not tried. */
const SPLITS_MAX = 4;
/** Maximum number of ways to read one text. If there are more, the unlikeliest are dropped. */
const READINGS_MAX = 12;
/** A text with at most this many words and none of SEPARATORS is also tried as two names side by side. */
const GAP_WORDS_MAX = 6;

/** Words that separate two teams and are never part of a name. */
const SEPARATORS: ReadonlySet<string> = new Set([
  ...'vs v versus vrs against contra gegen contre x - @ at tegen przeciwko kontra karsi'.split(' '),
  ...'play plays played playing beat beats host hosts hosting meet meets face faces facing'.split(' '),
  ...'visit visits visiting defeat defeats defeated'.split(' '),
]);
/** Articles before the names of clubs. */
const ARTICLES: ReadonlySet<string> = new Set('el la los las le les il lo o os der die das den'.split(' '));
/** Words for the two sports, in several languages. */
const FOOTBALL_WORDS: ReadonlySet<string> = new Set(['football', 'soccer', 'fussball', 'futbol', 'futebol']);
const BASKETBALL_WORDS: ReadonlySet<string> = new Set(['basketball', 'baloncesto', 'basquete', 'kosarka']);
const AWAY_FIRST: ReadonlySet<string> = new Set(['@', 'at', 'visit', 'visits', 'visiting']);
/** Words that may separate two teams, or be part of one team's name ("Brighton and Hove Albion"). */
const WEAK_SEPARATORS: ReadonlySet<string> = new Set([
  ...['and', '&', '+', '/', ',', 'or', 'with', 'to', '~'],
  ...['y', 'e', 'o', 'und', 'oder', 'et', 'ou', 've', 'veya', 'ile', 'czy'],
]);

/** Whether a folded word separates two teams and is never part of a name. */
export function isSeparator(word: string): boolean {
  return SEPARATORS.has(word.replace(/^(vs?)\.+$/, '$1'));
}

const DERBIES = derbyReadings();

/**
 * @throws ServiceError invalid_request when a date does not exist ("2026-13-45") or two dates disagree
 */
export function parseFixtureQuery(text: string, today: Today): FixtureQuery {
  const cut = text.length > QUERY_CHARS_MAX ? text.slice(0, QUERY_CHARS_MAX) : text;
  const id = EVENT_ID.exec(cut);
  const dates = takeQueryDates(cut, today);
  if (id !== null) return { kind: 'id', idText: id[1]!, dates };
  const folded = foldText(dates.rest, QUERY_CHARS_MAX);
  const words = folded
    .replace(/[@,/~?!:()]/g, (mark) => (mark === '@' || mark === ',' || mark === '/' ? ` ${mark} ` : ' '))
    .replace(/-{2,}/g, ' - ')
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '.')
    .slice(0, QUERY_WORDS_MAX)
    .map(withoutElision);
  const withoutQuestion = words.filter(
    // In "Value in Serie A" the last word is no article.
    (word, at) => !isQuestionWordAt(words, at) || (word === 'a' && at > 0 && at === words.length - 1),
  );
  const bare = withoutQuestion.filter((_word, at) => !isArticle(withoutQuestion, at));
  const found = { kind: 'names', dates, isOfPairs: false, sport: sportNamed(words) } as const;
  const derby = derbyNamed(words) ?? derbyNamed(bare);
  if (derby !== undefined) return { ...found, readings: derby, isOfPairs: true, words: bare };
  // "A Madrid" and "At Madrid" are names of one club, although "a" and "at" are words of questions.
  const whole = words.join(' ');
  const isCut = bare.length < words.length || words.some(isSeparator) || joinName(words) !== whole;
  if (isCut && clubsWritten(parseName(whole)).length > 0)
    return { ...found, readings: [ofOne(whole)], words };
  let readings = readingsOf(bare);
  if (bare.length < words.length) {
    const full = readingsOf(words);
    if (full.some(hasQuestionWordAsTeam)) readings = readings.filter(({ right }) => right !== null);
    readings.push(...full);
  }
  if (readings.length > READINGS_MAX) readings.length = READINGS_MAX;
  return { ...found, readings, words: bare };
}

/** Leaves the article out if the rest is a club ("L'OM") and the whole is not ("L'Aquila"). */
function withoutElision(word: string): string {
  const rest = /^(?:l|d|all|dell|nell)'(.{2,})$/.exec(word)?.[1];
  if (rest === undefined || clubsNamed(parseName(word)).length > 0) return word;
  return clubsWritten(parseName(rest)).length > 0 ? rest : word;
}

/** Whether the word is an article before a club ("el Barcelona"), and no part of the name ("El Gouna"). */
function isArticle(words: readonly string[], at: number): boolean {
  if (!ARTICLES.has(words[at]!)) return false;
  // In "Roma o Lazio" the "o" between two clubs is "or" and no article.
  if (WEAK_SEPARATORS.has(words[at]!) && at > 0 && !isSeparator(words[at - 1]!)) return false;
  const nameOf = (from: number, count: number): ParsedName =>
    parseName(words.slice(from, from + count).join(' '));
  return (
    [1, 2, 3].some((count) => clubsNamed(nameOf(at + 1, count)).length > 0) &&
    [2, 3].every((count) => clubsWritten(nameOf(at, count)).length === 0)
  );
}

/**
 * Whether a question word that is also the name of a team is where a team's name would be: "Start vs
 * Hønefoss".
 */
function hasQuestionWordAsTeam({ left, right, isSeparated }: FixtureReading): boolean {
  if (!isSeparated || right === null) return false;
  return [left, right].some((side) => {
    const isQuestion = side.split(' ').every(isQuestionWord);
    return isQuestion && clubsNamed(parseName(side)).length > 0;
  });
}

/** The readings of each named match: its pairs, both ways round, because no name says who is at home. */
function derbyReadings(): Map<string, FixtureReading[]> {
  const derbies = new Map<string, FixtureReading[]>();
  for (const { names, clubs } of readDerbies('derbies.txt', derbiesText)) {
    const folded = clubs.map((club) => foldText(club, QUERY_CHARS_MAX));
    const readings = folded.flatMap((left, at) =>
      folded.slice(at + 1).flatMap((right) => [
        { left, right, homeIsRight: false, isSeparated: true },
        { left, right, homeIsRight: true, isSeparated: true },
      ]),
    );
    for (const name of names) {
      const key = derbyKey(foldText(name, QUERY_CHARS_MAX).split(/[\s']+/));
      derbies.set(key, readings);
      const bare = withoutArticle(key);
      if (!derbies.has(bare)) derbies.set(bare, readings);
    }
  }
  return derbies;
}

function derbyNamed(words: readonly string[]): readonly FixtureReading[] | undefined {
  const key = derbyKey(words);
  const bare = withoutArticle(key);
  return DERBIES.get(key) ?? DERBIES.get(bare) ?? DERBIES.get(bare.replace(/ derby$/, ''));
}

/**
 * The key of a named match: its words without hyphens, as in "the Fla-Flu", and "derby" and "clasico" in one
 * spelling. "Classico" alone is Portugal's.
 */
function derbyKey(words: readonly string[]): string {
  return words
    .join(' ')
    .replace(/[-'\s]+/g, ' ')
    .trim()
    .replace(/\bderb(?:i|is|isi|ies|ys)\b/g, 'derby')
    .replace(/\bclassico (?=\w)/g, 'clasico ')
    .replace(/\b(?:d|dell) /g, '');
}

function withoutArticle(text: string): string {
  return text.replace(/^(?:the|el|le|il|o|der|de) /, '');
}

function sportNamed(words: readonly string[]): number | null {
  const isFootball = words.some((word) => FOOTBALL_WORDS.has(word));
  const isBasketball = words.some((word) => BASKETBALL_WORDS.has(word));
  if (isFootball === isBasketball) return null;
  return isFootball ? SPORT_FOOTBALL : SPORT_BASKETBALL;
}

/** The ways to read these folded words as one team or two, likeliest first. */
export function readingsOf(all: readonly string[]): FixtureReading[] {
  const readings: FixtureReading[] = [];
  const words = withoutOuterSeparators(all);
  const strong: number[] = [];
  const weak: number[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!.replace(/^(vs?)\.+$/, '$1');
    // "V. Koln" is a name. A single letter counts as a separator only with names on both sides of it.
    const isInitial = word.length === 1 && /[a-z]/.test(word) && (index === 0 || index === words.length - 1);
    if (SEPARATORS.has(word) && !isInitial) strong.push(index);
    else if (WEAK_SEPARATORS.has(word)) weak.push(index);
  }
  for (const at of strong.slice(0, SPLITS_MAX)) {
    // "Südtirol - Alto Adige" is one club.
    const sides = [words.slice(0, at), words.slice(at + 1)].map(joinName) as [string, string];
    if (words[at] === '-' && nameOneClub(sides)) readings.push(ofOne(sides.join(' ')));
    addSplit(readings, words, at, at + 1, true);
  }
  if (readings.length > 0) return readings;
  const whole = joinName(words);
  if (whole === '') return [];
  readings.push(ofOne(whole));
  for (const at of weak.slice(0, SPLITS_MAX)) addSplit(readings, words, at, at + 1);
  addHyphenSplits(readings, words);
  if (words.length > GAP_WORDS_MAX) return readings;
  const gaps: FixtureReading[] = [];
  for (let at = 1; at < words.length; at++) addSplit(gaps, words, at, at);
  // Readings with the names of two clubs come first, because if one of them explains every word, the others
  // need no search.
  for (const isOfClubs of [true, false])
    readings.push(...gaps.filter((reading) => hasTwoClubs(reading) === isOfClubs));
  return readings;
}

/** Drops separators that have nothing on one side: "At home, Juve or Lazio". */
function withoutOuterSeparators(words: readonly string[]): readonly string[] {
  const isOuter = (word: string): boolean => isMark(word) || (word.length > 1 && SEPARATORS.has(word));
  const first = words.findIndex((word) => !isOuter(word));
  const last = words.findLastIndex((word) => !isOuter(word));
  return first === -1 ? [] : words.slice(first, last + 1);
}

function hasTwoClubs({ left, right }: FixtureReading): boolean {
  return right !== null && clubsNamed(parseName(left)).length > 0 && clubsNamed(parseName(right)).length > 0;
}

function addSplit(
  readings: FixtureReading[],
  words: readonly string[],
  leftEnd: number,
  rightStart: number,
  isSeparated = false,
): void {
  const left = joinName(words.slice(0, leftEnd));
  const right = joinName(words.slice(rightStart));
  const homeIsRight = rightStart > leftEnd && AWAY_FIRST.has(words[leftEnd]!);
  if (left !== '' && right !== '') readings.push({ left, right, homeIsRight, isSeparated });
  else if (left !== '' || right !== '') readings.push({ ...ofOne(left + right), isSeparated });
}

function ofOne(left: string): FixtureReading {
  return { left, right: null, homeIsRight: false, isSeparated: false };
}

function nameOneClub([left, right]: readonly [string, string]): boolean {
  if (left === '' || right === '') return false;
  const clubs = clubsNamed(parseName(left));
  return clubs.length > 0 && clubsNamed(parseName(right)).some((club) => clubs.includes(club));
}

/** Tries each hyphen inside a word as one more place to split: "Arsenal-Chelsea", but also "Al-Ahly". */
function addHyphenSplits(readings: FixtureReading[], words: readonly string[]): void {
  let splits = 0;
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    for (let at = word.indexOf('-'); at > 0 && at < word.length - 1; at = word.indexOf('-', at + 1)) {
      if (++splits > SPLITS_MAX) return;
      const left = joinName([...words.slice(0, index), word.slice(0, at)]);
      const right = joinName([word.slice(at + 1), ...words.slice(index + 1)]);
      if (left !== '' && right !== '') readings.push({ left, right, homeIsRight: false, isSeparated: false });
    }
  }
}

function joinName(words: readonly string[]): string {
  let start = 0;
  let end = words.length;
  while (start < end && isMark(words[start]!)) start++;
  while (end > start && isMark(words[end - 1]!)) end--;
  return words.slice(start, end).join(' ');
}

function isMark(word: string): boolean {
  return !/[a-z0-9]/.test(word) || word === 'and' || word === 'or' || word === 'vs';
}
