// The clubs that people can name, from data/clubs.txt, and the clubs that a text names.

import { assert } from '../errors.ts';
import { BRAZILIAN_STATES, formOf } from './club-words.ts';
import clubsText from './data/clubs.txt' with { type: 'text' };
import codesText from './data/codes.txt' with { type: 'text' };
import { type ClubRow, readClubs } from './data-tables.ts';
import { distinctiveWordsOf, keyOf, placeKeyOf, properKeyOf, sideKey, wordsKeyOf } from './text/club-keys.ts';
import { foldText } from './text/fold-text.ts';
import { NAME_INPUT_CHARS_MAX, type ParsedName, parseWords, splitWords } from './text/parse-name.ts';

/** What is known about where a team plays. */
export interface TeamContext {
  /** Index into SPORTS. */
  readonly sport: number | null;
  /** A country of the club table, folded, or null. */
  readonly country: string | null;
}

/** What the table knows about one team. */
export interface KnownClub {
  /** Positions in allClubs() of the clubs that the team may be. */
  readonly clubs: readonly number[];
  /**
   * How many clubs at the beginning of `clubs` are in the table as a women's, youth or second team:
   * "Castilla".
   */
  readonly sides: number;
  /**
   * Whether the clubs fit only a part of the team's name. They are then most likely the team itself, so they
   * do not count as rivals, but the team does not get their other names.
   */
  readonly isNear?: boolean;
  /**
   * Whether the league shows no country and this is the only club of the table that fits a part of the name.
   */
  readonly isTied?: boolean;
}

/** A name of the table: its words, folded, and its keys in ClubTables.byKey. */
interface NameRead {
  readonly texts: readonly string[];
  readonly keys: readonly string[];
  /** See ParsedName. */
  readonly variant: number;
}

interface ClubTables {
  readonly clubs: readonly ClubRow[];
  /** Countries of the table, folded, those of several words first. */
  readonly countries: readonly string[];
  /** Clubs by each of their names, folded. */
  readonly byText: ClubsByKey;
  /** Clubs by the distinctive words of each of their names. */
  readonly byKey: ClubsByKey;
  /**
   * Clubs by the distinctive words of the name listed first, without forms and years: "TuS Koblenz" may be
   * Koblenz.
   */
  readonly byPlace: ClubsByKey;
  /**
   * Clubs by the distinctive words of each of their names in alphabetical order: "UNAM Pumas" is Pumas UNAM.
   */
  readonly byWords: ClubsByKey;
  /** Clubs by the places and people in each of their names: "Boston" in England is Boston United. */
  readonly byProperWords: ClubsByKey;
  readonly byDistinctiveWord: ReadonlyMap<string, readonly DistinctiveName[]>;
  /** Clubs by the Brazilian state that ends one of their names. */
  readonly byState: ClubsByKey;
  /** The club that people mean by a name that several clubs have. */
  readonly usualByText: ReadonlyMap<string, number>;
}

type ClubsByKey = ReadonlyMap<string, readonly number[]>;
type ClubLists = Map<string, readonly number[]>;

/** A club, and the distinctive words of one of its names. */
interface DistinctiveName {
  readonly club: number;
  readonly words: readonly string[];
}

/** Clubs whose names are read in one step. Each takes some tens of microseconds. */
export const CLUBS_PER_STEP = 64;

/** Null until the first use, because only threads that resolve names need the tables, some ten megabytes. */
let loaded: ClubTables | null = null;

export function tables(): ClubTables {
  return loaded ?? allSteps(readingTables());
}

/**
 * Reads the tables, unless they are read. It yields between steps of a few milliseconds, so that a thread may
 * do other work.
 */
export function* readingTables(): Generator<void, ClubTables> {
  if (loaded !== null) return loaded;
  const made = yield* readTables();
  // Between two steps, other code may have called `tables`, which reads everything without a pause. Then the
  // tables that it made are used.
  loaded ??= made;
  return loaded;
}

/** The result of work that yields between its steps. */
export function allSteps<Result>(work: Iterator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** The clubs of the table; other functions use positions in it. */
export function allClubs(): readonly ClubRow[] {
  return tables().clubs;
}

export function clubCountries(): readonly string[] {
  return tables().countries;
}

function* readTables(): Generator<void, ClubTables> {
  const clubs = withCodes();
  yield;
  const countries = new Set(clubs.flatMap(({ country }) => (country === null ? [] : [country])));
  // Each name is read once, because every start of a server waits for the tables.
  const names = new Map<string, NameRead>();
  const read = (name: string): NameRead => names.getOrInsertComputed(name, readName);
  return {
    clubs,
    countries: [...countries].sort(
      (left, right) => right.split(' ').length - left.split(' ').length || (left < right ? -1 : 1),
    ),
    ...(yield* indexNames(clubs, read)),
    usualByText: usualClubs(clubs, read),
  };
}

function usualClubs(clubs: readonly ClubRow[], read: (name: string) => NameRead): Map<string, number> {
  const found = new Map<string, number>();
  for (const [club, { usualNames }] of clubs.entries()) {
    for (const name of usualNames) {
      const text = read(name).texts.join(' ');
      assert(!found.has(text), `clubs.txt: '${name}' is marked as the usual name of two clubs`);
      found.set(text, club);
    }
  }
  return found;
}

/** The club that people mean by a name that several clubs have, if the table marks one. */
export function usualClub(name: ParsedName): number | null {
  return tables().usualByText.get(name.text) ?? null;
}

/** The clubs that have the text as one of their names. */
export function clubsWritten(name: ParsedName): readonly number[] {
  return tables().byText.get(name.text) ?? [];
}

/**
 * For the name of a second team, a women's team or the like, such as "Real Madrid B": the clubs for which the
 * table lists such a team of this name.
 */
export function clubsOfSide({ words, variant }: ParsedName): readonly number[] {
  if (variant === 0) return [];
  return tables().byKey.get(sideKey(variant, keyOf(words.map((word) => word.text)))) ?? [];
}

/**
 * The clubs whose name listed first has the same distinctive words as the text: for "FC Craiova", every
 * Craiova.
 */
export function namesakes(name: ParsedName): readonly number[] {
  const texts = name.words.map((word) => word.text);
  // A single letter stands for a distinctive word: "Manchester C".
  const key = texts.some((text) => text.length === 1) ? '' : placeKeyOf(texts);
  return key === '' ? [] : (tables().byPlace.get(key) ?? []);
}

/** The clubs whose name the text is, as written or by its distinctive words. */
export function clubsNamed(name: ParsedName): readonly number[] {
  return (
    tables().byText.get(name.text) ?? tables().byKey.get(keyOf(name.words.map((word) => word.text))) ?? []
  );
}

/**
 * The clubs that the text names twice: "granata torino", or a Brazilian club with its state, "Vasco da Gama
 * RJ".
 */
export function clubsNamedTwice(name: ParsedName): readonly number[] {
  if (name.words.length < 2 || tables().byText.has(name.text)) return [];
  for (let at = 1; at < name.words.length; at++) {
    const first = clubsNamed(partOf(name, 0, at));
    if (first.length === 0) continue;
    const rest = partOf(name, at, name.words.length);
    const isState = BRAZILIAN_STATES.has(rest.text);
    const second = isState ? (tables().byState.get(rest.text) ?? []) : clubsNamed(rest);
    const both = first.filter((club) => second.includes(club));
    if (both.length > 0) return both;
  }
  return [];
}

/** Some of the words of a name, as a separate name. */
export function partOf(name: ParsedName, from: number, to: number): ParsedName {
  const words = name.words.slice(from, to);
  return { words, variant: 0, text: words.map((word) => word.text).join(' ') };
}

function withCodes(): ClubRow[] {
  const clubs = readClubs('clubs.txt', clubsText);
  const byName = new Map(
    clubs.map((club, index) => [`${club.sport}|${club.country}|${club.names[0]}`, index]),
  );
  for (const { names, country, sport, usualNames } of readClubs('codes.txt', codesText)) {
    const [first, ...codes] = names;
    const index = byName.get(`${sport}|${country}|${first}`);
    assert(index !== undefined, `codes.txt: '${first}' is not a first name in clubs.txt under that heading`);
    const known = clubs[index]!;
    clubs[index] = {
      ...known,
      names: [...new Set([...known.names, ...codes])],
      usualNames: [...known.usualNames, ...usualNames],
    };
  }
  return clubs;
}

function* indexNames(
  clubs: readonly ClubRow[],
  read: (name: string) => NameRead,
): Generator<void, Omit<ClubTables, 'clubs' | 'countries' | 'usualByText'>> {
  const byText: ClubLists = new Map();
  const byKey: ClubLists = new Map();
  const byPlace: ClubLists = new Map();
  const byWords: ClubLists = new Map();
  const byProperWords: ClubLists = new Map();
  const byState: ClubLists = new Map();
  const byDistinctiveWord = new Map<string, DistinctiveName[]>();
  for (const [club, { names }] of clubs.entries()) {
    if (club % CLUBS_PER_STEP === 0) yield;
    const alone = [club] as const;
    for (const [at, name] of names.entries()) {
      const { texts, keys, variant } = read(name);
      addClub(byText, keys[0]!, alone);
      for (const key of keys) addClub(byKey, key, alone);
      // The second team "Athletic Bilbao B" is no namesake of Athletic Bilbao.
      if (at === 0)
        addClub(byPlace, variant === 0 ? placeKeyOf(texts) : sideKey(variant, placeKeyOf(texts)), alone);
      for (const key of wordsKeyOf(keys[1]!)) addClub(byWords, key, alone);
      addClub(byProperWords, properKeyOf(texts), alone);
      if (BRAZILIAN_STATES.has(texts.at(-1)!)) addClub(byState, texts.at(-1)!, alone);
      const distinctive = { club, words: distinctiveWordsOf(texts) };
      for (const word of distinctive.words)
        byDistinctiveWord.getOrInsertComputed(word, () => []).push(distinctive);
    }
  }
  return { byText, byKey, byPlace, byWords, byProperWords, byState, byDistinctiveWord };
}

/**
 * Adds a club to the list of a key. Clubs come in order, so only the last of the list can be the same club.
 * @param alone a list with only this club. All keys that belong to this club alone share that list
 */
function addClub(lists: ClubLists, key: string, alone: readonly [number]): void {
  const list = lists.getOrInsert(key, alone);
  if (list.at(-1) !== alone[0]) lists.set(key, [...list, alone[0]]);
}

function readName(name: string): NameRead {
  const words = splitWords(foldText(name, NAME_INPUT_CHARS_MAX));
  const texts = words.map((word) => word.text);
  const { variant, words: kept } = parseWords(words);
  const keys = [texts.join(' '), keyOf(texts)];
  if (variant !== 0) keys.push(sideKey(variant, keyOf(kept.map((word) => word.text))));
  return { texts, keys, variant };
}

/** Whether a club of the table has this distinctive word in one of its names. */
export function isKnownWord(text: string): boolean {
  return tables().byDistinctiveWord.has(formOf(text));
}

/**
 * Whether at most one club of the table has this distinctive word in one of its names. Clubs without a
 * country (national teams and most basketball clubs) are not counted.
 */
export function isRareWord(text: string): boolean {
  const all = allClubs();
  let first = -1;
  for (const { club } of tables().byDistinctiveWord.get(formOf(text)) ?? []) {
    if (all[club]!.country === null) continue;
    if (first !== -1 && club !== first) return false;
    first = club;
  }
  return true;
}
