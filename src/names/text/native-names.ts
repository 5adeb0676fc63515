// Names of clubs in scripts whose letters do not spell the name that feeds use (data/native-names.txt). They
// are replaced before the text is folded, wherever they are in it.

import nativeNamesText from '../data/native-names.txt' with { type: 'text' };
import { readNativeNames } from '../data-tables.ts';

/** Letters of the scripts of the table. */
const NATIVE =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Greek}]/u;
/** Letters of scripts that are read by sound, so that other names than those of the table are found too. */
const SPELLED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;
/** Scripts that put no spaces between words; in Korean, particles follow a name without one. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HANGUL = /\p{Script=Hangul}/u;
/** All marks, except those that turn a kana into another letter. */
const MARKS = /[\p{M}--[\u3099\u309a]]+/gv;
/** Letters and signs that people write in place of each other. */
const SAME: Readonly<Record<string, string>> = {
  ة: 'ه',
  ى: 'ي',
  ٱ: 'ا',
  ی: 'ي',
  ک: 'ك',
  '״': '"',
  '׳': "'",
  '’': "'",
};
const SAME_LETTER = new RegExp(`[${Object.keys(SAME).join('')}]`, 'gu');

/** The most letters that a usual character is decomposed into: a Korean syllable has three. */
const DECOMPOSED_TIMES_MAX = 3;

/** Signs that people write or leave out between the letters of a name. */
const SIGNS = /[\s・·.'"=-]/g;
const IS_SIGN = new RegExp(`^${SIGNS.source}$`);
/** Arabic words of one letter. */
const PREFIXES: ReadonlySet<string> = new Set(['و', 'ل', 'ب', 'ف']);
const IN_WORD = /^[\p{L}\d]$/u;

interface NativeNames {
  /** The Latin names, by spelling without signs. */
  readonly latinBySpelling: ReadonlyMap<string, string>;
  readonly beginnings: ReadonlySet<string>;
}

/**
 * The table, made when a text first needs it. A regular expression of a thousand names would delay that text
 * for longer, because it would have to be compiled.
 */
let names: NativeNames | null = null;

/** A text in normal form D without its accents, composed again. */
function withoutMarks(text: string): string {
  return text.replace(MARKS, '').normalize('NFC');
}

/**
 * At most `charsMax` letters of the text, in lower case and without accents. Some characters are decomposed
 * into eighteen, so the decomposed text is cut as well.
 */
export function bareLetters(text: string, charsMax: number): string {
  const decomposed = text
    .toLowerCase()
    .normalize('NFKD')
    .slice(0, DECOMPOSED_TIMES_MAX * charsMax);
  return withoutMarks(decomposed).slice(0, charsMax);
}

/** The text with the known names in Latin letters. @param text in lower case and without marks */
export function withLatinNames(text: string): string {
  if (!NATIVE.test(text)) return text;
  names ??= readTable();
  const letters = [...withSameLetters(text)];
  let latin = '';
  for (let at = 0; at < letters.length; ) {
    const found = nameAt(names, letters, at) ?? prefixedAt(names, letters, at);
    latin += found === null ? letters[at]! : ` ${found.latin} `;
    at = found === null ? at + 1 : found.end;
  }
  return latin;
}

/** A text as it was written, but with the known names in Latin letters. */
export function inLatinLetters(text: string): string {
  return NATIVE.test(text) ? withLatinNames(bareLetters(text, text.length)) : text;
}

/**
 * Whether a text has letters of a script that is not read by sound, outside the names of the table. A club
 * that it names may then not be found.
 */
export function hasUnreadLetters(text: string): boolean {
  return [...inLatinLetters(text)].some((letter) => /\p{L}/u.test(letter) && !SPELLED.test(letter));
}

/** The longest name that begins here, and where it ends; null without one. */
function nameAt(
  { latinBySpelling, beginnings }: NativeNames,
  letters: readonly string[],
  from: number,
): { readonly latin: string; readonly end: number } | null {
  let spelling = '';
  let found: { latin: string; end: number } | null = null;
  for (let at = from; at < letters.length; at++) {
    if (at > from && IS_SIGN.test(letters[at]!)) continue;
    spelling += letters[at]!;
    if (!beginnings.has(spelling)) break;
    const latin = latinBySpelling.get(spelling);
    const end = latin === undefined ? null : endOf(spelling, letters, from, at + 1);
    if (end !== null) found = { latin: latin!, end };
  }
  return found;
}

/** A name after Arabic "and", "for" or "with", which are part of its word: "والزمالك", "للزمالك". */
function prefixedAt(
  names: NativeNames,
  letters: readonly string[],
  at: number,
): { readonly latin: string; readonly end: number } | null {
  if (!PREFIXES.has(letters[at]!) || IN_WORD.test(letters[at - 1] ?? '')) return null;
  // The article "al" loses its first letter after "for", so the letter is put back.
  const isJoined = letters[at] === 'ل' && letters[at + 1] === 'ل';
  const rest = [...(isJoined ? ' ا' : ' '), ...letters.slice(at + 1)];
  const found = nameAt(names, rest, 1);
  return found === null ? null : { latin: found.latin, end: found.end + at + 1 - (isJoined ? 2 : 1) };
}

/**
 * Where a name that was found ends, with one quotation mark after it. In scripts with spaces between words,
 * null if the letters are only a part of a word; in Korean a particle may follow.
 */
function endOf(spelling: string, letters: readonly string[], from: number, to: number): number | null {
  if (UNSPACED.test(spelling)) return to;
  const isInWord = (at: number): boolean => IN_WORD.test(letters[at] ?? '');
  if (isInWord(from - 1)) return null;
  if (HANGUL.test(spelling)) return to;
  if (isInWord(to)) return null;
  return /^['"]$/.test(letters[to] ?? '') && !isInWord(to + 1) ? to + 1 : to;
}

function readTable(): NativeNames {
  const latinBySpelling = new Map<string, string>();
  const beginnings = new Set<string>();
  for (const { latin, spellings } of readNativeNames('native-names.txt', nativeNamesText)) {
    for (const spelling of spellings) {
      const key = plainOf(spelling).replace(SIGNS, '');
      latinBySpelling.set(key, latin.toLowerCase());
      const letters = [...key];
      for (let end = 1; end <= letters.length; end++) beginnings.add(letters.slice(0, end).join(''));
    }
  }
  return { latinBySpelling, beginnings };
}

/** A spelling in the form in which texts are searched. */
function plainOf(spelling: string): string {
  return withSameLetters(withoutMarks(spelling.toLowerCase().normalize('NFKD')));
}

function withSameLetters(text: string): string {
  return text.replace(SAME_LETTER, (letter) => SAME[letter]!);
}
