// Turns a name as somebody wrote it into words that can be compared: folded, split, with marks of women's,
// youth and reserve sides as a separate attribute. Pure; every length is bounded for any input.

import { COMPOUNDS, JUNIOR_WORDS, RESERVE_WORDS, WOMEN_WORDS } from '../club-words.ts';
import { foldText } from './fold-text.ts';
import { isOneSlip } from './word-similarity.ts';

/** Characters of a name that are read. The rest of a longer name is ignored. */
export const NAME_INPUT_CHARS_MAX = 200;
/** Words of one name that are used; they fit a bit mask. Further words are left out. */
export const NAME_WORDS_MAX = 12;
/** Characters of one word that are used. The rest of a longer word is cut off. */
const WORD_CHARS_MAX = 24;

export interface NameWord {
  /** Folded letters and digits, never empty. */
  readonly text: string;
  /** Whether the word is written as an abbreviation, with a full stop ("Utd.") or apostrophe ("Nott'm"). */
  readonly shortened: boolean;
  /** Whether the word is in brackets after the name: a place or an older name that distinguishes the club. */
  readonly aside: boolean;
}

export interface ParsedName {
  readonly words: readonly NameWord[];
  /**
   * Which side of the club: 0 is the first men's team. Bit 0 women, bits 1-5 youth year (1: unspecified),
   * bits 6-7 reserve level (1: second team, 2: third). Different numbers are different teams.
   */
  readonly variant: number;
  /** The words in their order with spaces between. */
  readonly text: string;
}

/** Maximum number of parsed names that one cache keeps. When it is reached, the oldest half is dropped. */
const NAMES_KEPT = 16_384;

/** See ParsedName.variant. */
export const VARIANT_WOMEN = 1;
const VARIANT_YOUTH_SHIFT = 1;
const VARIANT_RESERVE_SHIFT = 6;
const YOUTH_UNSPECIFIED = 1;

/** Parses a name. Never throws; a text with no letter or digit of a known script gives no words. */
export function parseName(name: string): ParsedName {
  return parseWords(splitWords(foldText(name, NAME_INPUT_CHARS_MAX)));
}

/** Parses a name whose words are known already. */
export function parseWords(words: readonly NameWord[]): ParsedName {
  return extractVariant(words, true);
}

/** Parses the name of a league, where "B" and "2" are divisions and not reserve sides. */
export function parseLeagueName(name: string): ParsedName {
  return extractVariant(splitWords(foldText(name, NAME_INPUT_CHARS_MAX)), false);
}

/**
 * A text whose words all have two letters or more, without any other characters, as most names are. There is
 * nothing to replace in it.
 */
const PLAIN_WORDS = /^[a-z]{2,24}(?: [a-z]{2,24})*$/;

/** Words of already folded text, at most NAME_WORDS_MAX. */
export function splitWords(folded: string): NameWord[] {
  if (PLAIN_WORDS.test(folded)) {
    const texts = folded.split(' ').flatMap((text) => COMPOUNDS.get(text) ?? text);
    return texts.slice(0, NAME_WORDS_MAX).map((text) => ({ text, shortened: false, aside: false }));
  }
  const raw = folded
    .replace(/'s\b/g, 's')
    .replace(/([a-z]{3})-2\b(.*)$/, '$1$2 ii')
    .replace(/\b([a-z])\.(?=[a-z]\b)/g, '$1')
    .replace(/\.(?=[a-z0-9]{2})/g, '. ')
    .replace(/[&+]/g, ' and ')
    .replace(/\b([a-z])\.? de ([a-z])\b/g, '$1de$2')
    .replace(/([a-z]{3})(\d)/g, '$1 $2')
    .replace(/[()]/g, ' $& ')
    .split(/[^a-z0-9.'()]+/);
  const words: NameWord[] = [];
  let letters = '';
  let lettersMarked = false;
  let aside = false;
  for (const piece of raw) {
    if (piece === '(' || piece === ')') {
      pushLetters(words, letters, lettersMarked, aside);
      letters = '';
      lettersMarked = false;
      aside = piece === '(' && words.length > 0;
      continue;
    }
    const text = piece.replace(/[.']/g, '').slice(0, WORD_CHARS_MAX);
    if (text === '') continue;
    if (text.length === 1 && text >= 'a') {
      letters += text;
      lettersMarked ||= text.length < piece.length;
      continue;
    }
    pushLetters(words, letters, lettersMarked, aside);
    letters = '';
    lettersMarked = false;
    for (const part of COMPOUNDS.get(text) ?? [text]) {
      words.push({ text: part, shortened: text.length < piece.length && text.length > 1, aside });
    }
    if (words.length >= NAME_WORDS_MAX) break;
  }
  pushLetters(words, letters, lettersMarked, aside);
  return words.slice(0, NAME_WORDS_MAX);
}

/** Adds letters as one word: "A. C." and "A C" are "AC", and a single letter stays a word. */
function pushLetters(words: NameWord[], letters: string, marked: boolean, aside: boolean): void {
  if (letters !== '')
    words.push({ text: letters.slice(0, WORD_CHARS_MAX), shortened: marked && letters.length === 1, aside });
}

function extractVariant(words: readonly NameWord[], reserves: boolean): ParsedName {
  let women = 0;
  let youth = 0;
  let reserve = 0;
  const kept: NameWord[] = [];
  for (let index = 0; index < words.length; index++) {
    const text = words[index]!.text;
    const youthWords = youthYearAt(words, index);
    if (youthWords !== null && words.length > youthWords.length) {
      youth = youthWords.year;
      index += youthWords.length - 1;
    } else if (isWomenWord(text) && words.length > 1 && (text.length > 1 || kept.length > 0)) {
      women = VARIANT_WOMEN;
    } else {
      kept.push(words[index]!);
    }
  }
  const last = kept.at(-1);
  if (reserves && last !== undefined && kept.length > 1 && isReserveWord(last) && !isKing(kept)) {
    reserve = /^(iii|c|3)$/.test(last.text) ? 2 : 1;
    kept.pop();
  } else if (reserves && kept.length > 1 && kept[0]!.text === 'jong') {
    reserve = 1;
    kept.shift();
  }
  return {
    words: kept,
    variant: women | (youth << VARIANT_YOUTH_SHIFT) | (reserve << VARIANT_RESERVE_SHIFT),
    text: kept.map((word) => word.text).join(' '),
  };
}

/**
 * The second team that a name such as "Admira Juniors" or "Young Violets" may mean, or null. Boca Juniors and
 * Young Boys are first teams.
 */
export function asReserves(name: ParsedName): ParsedName | null {
  if (name.variant !== 0 || !name.words.some((word) => JUNIOR_WORDS.has(word.text))) return null;
  const words = name.words.filter((word) => !JUNIOR_WORDS.has(word.text));
  if (words.length === 0) return null;
  const text = words.map((word) => word.text).join(' ');
  return { words, variant: 1 << VARIANT_RESERVE_SHIFT, text };
}

/** Whether a word means women's sides, or is "women" or "ladies" with a typing slip ("womne", "ladeis"). */
function isWomenWord(text: string): boolean {
  if (WOMEN_WORDS.has(text)) return true;
  if (text[0] === 'w') return text.length > 3 && isOneSlip(text, 'women');
  return text[0] === 'l' && text.length > 4 && text[1] === 'a' && isOneSlip(text, 'ladies');
}

/** Whether the words name a king: Willem II of Tilburg is a first team. */
function isKing(words: readonly NameWord[]): boolean {
  return words.at(-2)?.text === 'willem';
}

/**
 * Whether a word means a reserve side: "II", "B", "Reserves", and German "A." for Amateure; but "C." and "B."
 * abbreviate a word ("Manchester C.").
 */
function isReserveWord(word: NameWord): boolean {
  if (word.text === 'c' || word.text === 'b') return !word.shortened;
  return RESERVE_WORDS.has(word.text) || (word.text === 'a' && word.shortened);
}

/** "U21", "U 21", "Under 21", "Sub-20", "U21s", "Youth": the age group, and the number of its words. */
function youthYearAt(words: readonly NameWord[], index: number): { year: number; length: number } | null {
  const text = words[index]!.text;
  if (text === 'youth' || text === 'primavera') return { year: YOUTH_UNSPECIFIED, length: 1 };
  const joined = /^(?:u|under|sub)(\d\d)s?$/.exec(text);
  if (joined !== null) return toYouth(joined[1]!, 1);
  const next = words[index + 1];
  if (
    (text === 'u' || text === 'under' || text === 'sub') &&
    next !== undefined &&
    /^\d\ds?$/.test(next.text)
  ) {
    return toYouth(next.text.slice(0, 2), 2);
  }
  return null;
}

function toYouth(digits: string, length: number): { year: number; length: number } | null {
  const year = Number(digits);
  return year >= 14 && year <= 23 ? { year, length } : null;
}

/**
 * Parsed names that are cached across rebuilds of an index, so that a slate with one changed fixture parses
 * two names.
 */
export class NameCache {
  readonly #parse: (name: string) => ParsedName;
  readonly #capacity: number;
  readonly #parsed = new Map<string, ParsedName>();

  /** @param capacity names kept; when full, the oldest half is dropped */
  constructor(parse: (name: string) => ParsedName = parseName, capacity: number = NAMES_KEPT) {
    this.#parse = parse;
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#parsed.size;
  }

  parse(name: string): ParsedName {
    const known = this.#parsed.get(name);
    if (known !== undefined) return known;
    if (this.#parsed.size >= this.#capacity) this.#dropOldestHalf();
    const parsed = this.#parse(name);
    this.#parsed.set(name, parsed);
    return parsed;
  }

  #dropOldestHalf(): void {
    let left = Math.ceil(this.#parsed.size / 2);
    for (const name of this.#parsed.keys()) {
      if (left-- <= 0) return;
      this.#parsed.delete(name);
    }
  }
}
