// The clubs that people can name, from data/clubs.txt: which club a team of the slate is, and therefore its
// other names.

import { assert } from '../errors.ts';
import {
  BRAZILIAN_STATES,
  formOf,
  KIND_AFFIX,
  KIND_INITIALS,
  KIND_NUMBER,
  KIND_PROPER,
  kindOfTeamWord,
} from './club-words.ts';
import clubsText from './data/clubs.txt' with { type: 'text' };
import codesText from './data/codes.txt' with { type: 'text' };
import { type ClubRow, readClubs } from './data-tables.ts';
import { foldText } from './text/fold-text.ts';
import { NAME_INPUT_CHARS_MAX, type ParsedName, parseWords, splitWords } from './text/parse-name.ts';

/** Where a team plays, as far as it is known. */
export interface TeamContext {
  /** Index into SPORTS. */
  readonly sport: number | null;
  /** A country of the club table, folded, or null. */
  readonly country: string | null;
}

/** What the table has about one team. */
export interface KnownClub {
  /** Positions in CLUBS of the clubs that the team may be. */
  readonly clubs: readonly number[];
  /** How many of them, from the first, are lines of the women's, youth or second team itself: "Castilla". */
  readonly sides: number;
  /**
   * They are most likely the team, by a part of the name. They are not rivals, but their other names are not
   * used for the team.
   */
  readonly isNear?: boolean;
}

/** A name of the table: its words, folded, and its keys in CLUBS_BY_KEY. */
interface NameRead {
  readonly texts: readonly string[];
  readonly keys: readonly string[];
}

const UNKNOWN: KnownClub = { clubs: [], sides: 0 };

export const CLUBS: readonly ClubRow[] = withCodes();
/** Countries of the table, folded, those of several words first. */
export const CLUB_COUNTRIES: readonly string[] = [
  ...new Set(CLUBS.flatMap(({ country }) => (country === null ? [] : [country]))),
].sort((left, right) => right.split(' ').length - left.split(' ').length || (left < right ? -1 : 1));
/** Each name of the table is parsed once, while the indexes below are made. */
const NAMES_READ = new Map<string, NameRead>();
/** Clubs by each of their names, folded, and by the distinctive words of each. */
const CLUBS_BY_TEXT = clubsBy((name) => [textsOf(name).join(' ')]);
const CLUBS_BY_KEY = clubsBy(keysOf);
/**
 * Clubs by the distinctive words of their first names without forms and years: "TuS Koblenz" may be Koblenz.
 */
const CLUBS_BY_PLACE: ReadonlyMap<string, readonly number[]> = Map.groupBy(CLUBS.keys(), (club) =>
  placeKeyOf(textsOf(CLUBS[club]!.names[0]!)),
);
/** The one club with these distinctive words in any order: "UNAM Pumas" is Pumas UNAM. */
const CLUBS_BY_WORDS = clubsBy((name) => keysOf(name).slice(1, 2).flatMap(wordsKeyOf));
/** By the distinctive words of any name: "Boston" in England is Boston United. */
const CLUBS_BY_PROPER_WORDS = clubsBy((name) => [properKeyOf(textsOf(name))]);
const CLUBS_BY_TELLING_WORD = indexTellingWords();
const CLUBS_OF_WORD = clubsOfWords();
const CLUBS_BY_STATE = clubsBy((name) => {
  const last = textsOf(name).at(-1)!;
  return BRAZILIAN_STATES.has(last) ? [last] : [];
});
NAMES_READ.clear();
/** Countries whose clubs also play in another's leagues. */
const PLAYS_IN: ReadonlyMap<string, readonly string[]> = new Map([
  ['wales', ['england']],
  ['canada', ['usa']],
  ['usa', ['canada']],
  ['northern ireland', ['ireland']],
  ['australia', ['new zealand']],
]);

/**
 * The clubs of the table that a team of this name may be: those with the name as written, otherwise those
 * with its distinctive words.
 */
export function clubsOfTeam(name: ParsedName, context: TeamContext): KnownClub {
  const key = keyOf(name.words.map((word) => word.text));
  if (name.variant !== 0) {
    const side = fitting(CLUBS_BY_KEY.get(sideKey(name.variant, key)), context);
    if (side.length > 0) {
      const club = clubsOfTeam({ ...name, variant: 0 }, context).clubs;
      return { clubs: [...side, ...club.filter((each) => !side.includes(each))], sides: side.length };
    }
  }
  for (const each of [
    CLUBS_BY_TEXT.get(name.text),
    CLUBS_BY_KEY.get(key),
    CLUBS_BY_KEY.get(withoutState(key)),
  ]) {
    const clubs = fitting(each, context);
    if (clubs.length > 0) return { clubs, sides: 0 };
  }
  const reordered = wordsKeyOf(key).flatMap((words) => fitting(CLUBS_BY_WORDS.get(words), context));
  if (reordered.length === 1) return { clubs: reordered, sides: 0 };
  // Friendlies and cups are played abroad, but a name of several words is the club's own there too.
  if (context.country !== null && name.words.length > 1) {
    const clubs = fitting(CLUBS_BY_TEXT.get(name.text), { ...context, country: null });
    if (clubs.length === 1) return { clubs, sides: 0 };
  }
  const texts = name.words.map((word) => word.text);
  const proper = properKeyOf(texts);
  const bare =
    proper === '' || context.country === null ? [] : fitting(CLUBS_BY_PROPER_WORDS.get(proper), context);
  if (bare.length === 1) return { clubs: bare, sides: 0 };
  const place = placeKeyOf(texts);
  const clubs = place === '' ? [] : fitting(CLUBS_BY_PLACE.get(place), context);
  if (clubs.length === 1) return { clubs, sides: 0 };
  const near = clubNear(texts, context);
  return near.length === 0 ? UNKNOWN : { clubs: near, sides: 0, isNear: true };
}

/** The clubs that have the text as one of their names. */
export function clubsWritten(name: ParsedName): readonly number[] {
  return CLUBS_BY_TEXT.get(name.text) ?? [];
}

/** The clubs whose first name has the same distinctive words as the text: for "FC Craiova", every Craiova. */
export function namesakes(name: ParsedName): readonly number[] {
  const texts = name.words.map((word) => word.text);
  // A single letter stands for a distinctive word: "Manchester C".
  const key = texts.some((text) => text.length === 1) ? '' : placeKeyOf(texts);
  return key === '' ? [] : (CLUBS_BY_PLACE.get(key) ?? []);
}

/** The clubs whose name the text is, as written or by its distinctive words. */
export function clubsNamed(name: ParsedName): readonly number[] {
  return CLUBS_BY_TEXT.get(name.text) ?? CLUBS_BY_KEY.get(keyOf(name.words.map((word) => word.text))) ?? [];
}

/**
 * The clubs that the text names in two ways: "granata torino", or a Brazilian club with its state, "Vasco da
 * Gama RJ".
 */
export function clubsNamedTwice(name: ParsedName): readonly number[] {
  if (name.words.length < 2 || CLUBS_BY_TEXT.has(name.text)) return [];
  for (let at = 1; at < name.words.length; at++) {
    const first = clubsNamed(partOf(name, 0, at));
    if (first.length === 0) continue;
    const rest = partOf(name, at, name.words.length);
    const second = BRAZILIAN_STATES.has(rest.text) ? clubsOfState(rest.text) : clubsNamed(rest);
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

/** Clubs with a name that is followed by this state. */
function clubsOfState(state: string): readonly number[] {
  return CLUBS_BY_STATE.get(state) ?? [];
}

function withCodes(): ClubRow[] {
  const clubs = readClubs('clubs.txt', clubsText);
  const byName = new Map(
    clubs.map((club, index) => [`${club.sport}|${club.country}|${club.names[0]}`, index]),
  );
  for (const { names, country, sport } of readClubs('codes.txt', codesText)) {
    const [first, ...codes] = names;
    const index = byName.get(`${sport}|${country}|${first}`);
    assert(index !== undefined, `codes.txt: '${first}' is no first name of clubs.txt under that heading`);
    clubs[index] = { ...clubs[index]!, names: [...new Set([...clubs[index]!.names, ...codes])] };
  }
  return clubs;
}

function fitting(clubs: readonly number[] | undefined, context: TeamContext): readonly number[] {
  if (clubs === undefined) return [];
  return clubs.filter((club) => {
    const { sport, country } = CLUBS[club]!;
    if (context.sport !== null && sport !== context.sport) return false;
    if (context.country === null || country === null || country === context.country) return true;
    return PLAYS_IN.get(country)?.includes(context.country) === true;
  });
}

function clubsBy(keysOfName: (name: string) => readonly string[]): ReadonlyMap<string, readonly number[]> {
  const clubsByKey = new Map<string, number[]>();
  for (let club = 0; club < CLUBS.length; club++) {
    for (const key of new Set(CLUBS[club]!.names.flatMap(keysOfName))) {
      const list = clubsByKey.get(key);
      if (list === undefined) clubsByKey.set(key, [club]);
      else list.push(club);
    }
  }
  return clubsByKey;
}

function textsOf(name: string): readonly string[] {
  return readOnce(name).texts;
}

function keysOf(name: string): readonly string[] {
  return readOnce(name).keys;
}

function readOnce(name: string): NameRead {
  const known = NAMES_READ.get(name);
  if (known !== undefined) return known;
  const words = splitWords(foldText(name, NAME_INPUT_CHARS_MAX));
  const texts = words.map((word) => word.text);
  const { variant, words: kept } = parseWords(words);
  const keys = [texts.join(' '), keyOf(texts)];
  if (variant !== 0) keys.push(sideKey(variant, keyOf(kept.map((word) => word.text))));
  const read = { texts, keys };
  NAMES_READ.set(name, read);
  return read;
}

function sideKey(variant: number, key: string): string {
  return `${variant}|${key}`;
}

/**
 * The distinctive words, without plain and two-letter club forms and years. Longer forms stay, because they
 * often distinguish two clubs of one town ("VfB Leipzig").
 */
function keyOf(texts: readonly string[]): string {
  const telling = texts.filter((text, index) => {
    const kind = kindOfTeamWord(text);
    if (kind === KIND_NUMBER) return index > 0 && text.length < 4;
    return kind < KIND_AFFIX || (kind === KIND_AFFIX && text.length > 2);
  });
  return (telling.length === 0 ? texts : telling).map(formOf).join(' ');
}

/** Only the distinctive words; empty without any. */
function placeKeyOf(texts: readonly string[]): string {
  const isClubAtletico = texts.includes('club') && texts.includes('atletico');
  return texts
    .filter((text) => kindOfTeamWord(text) < KIND_INITIALS && !(isClubAtletico && text === 'atletico'))
    .map(formOf)
    .join(' ');
}

/** The names of places and people in a name, in alphabetical order. */
function properKeyOf(texts: readonly string[]): string {
  return texts
    .filter((text) => text.length > 2 && kindOfTeamWord(text) === KIND_PROPER)
    .map(formOf)
    .sort()
    .join(' ');
}

/** The clubs by the distinctive words of all their names. */
function indexTellingWords(): Map<string, { readonly club: number; readonly words: readonly string[] }[]> {
  const names = new Map<string, { club: number; words: string[] }[]>();
  for (let club = 0; club < CLUBS.length; club++) {
    for (const name of CLUBS[club]!.names) {
      const words = tellingWordsOf(textsOf(name));
      for (const word of words) {
        const list = names.get(word);
        if (list === undefined) names.set(word, [{ club, words }]);
        else list.push({ club, words });
      }
    }
  }
  return names;
}

/** Whether a club of the table has this distinctive word in one of its names. */
export function isKnownWord(text: string): boolean {
  return CLUBS_BY_TELLING_WORD.has(formOf(text));
}

/** Whether at most one club of the table has this distinctive word in one of its names. */
export function isRareWord(text: string): boolean {
  return (CLUBS_OF_WORD.get(formOf(text))?.size ?? 0) <= 1;
}

function clubsOfWords(): Map<string, Set<number>> {
  const clubsOfWord = new Map<string, Set<number>>();
  for (const [word, names] of CLUBS_BY_TELLING_WORD) {
    const clubs = names.filter(({ club }) => CLUBS[club]!.country !== null).map(({ club }) => club);
    if (clubs.length > 0) clubsOfWord.set(word, new Set(clubs));
  }
  return clubsOfWord;
}

function tellingWordsOf(texts: readonly string[]): string[] {
  return texts.filter((text) => text.length > 3 && kindOfTeamWord(text) === KIND_PROPER).map(formOf);
}

/**
 * The one club of the country (or of the world, if the country is unknown) whose name is part of the team's,
 * or the other way round: "Real Jaen" is the Jaen of the table. Then it is no rival of the team, but its
 * other names are not used. If there are several, the one with the team's first distinctive word: "Lazio
 * Rome" is Lazio, not Roma.
 */
function clubNear(texts: readonly string[], context: TeamContext): readonly number[] {
  const own = tellingWordsOf(texts);
  const found = new Set<number>();
  let ofFirst: readonly number[] | null = null;
  for (const word of own) {
    for (const { club, words } of CLUBS_BY_TELLING_WORD.get(word) ?? []) {
      const isPart = words.every((each) => own.includes(each)) || own.every((each) => words.includes(each));
      if (isPart) found.add(club);
    }
    ofFirst ??= [...found];
  }
  for (const clubs of [[...found], ofFirst ?? []]) {
    const near = fitting(clubs, context);
    if (near.length === 1) return near;
  }
  return [];
}

/** The words of a key in alphabetical order; none for a key of one word, which has only one order. */
function wordsKeyOf(key: string): string[] {
  const words = key.split(' ');
  return words.length < 2 ? [] : [words.sort().join(' ')];
}

function withoutState(key: string): string {
  const at = key.lastIndexOf(' ');
  return at > 0 && BRAZILIAN_STATES.has(key.slice(at + 1)) ? key.slice(0, at) : key;
}
