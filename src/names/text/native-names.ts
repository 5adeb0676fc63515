// Names of clubs in scripts whose letters do not spell the name that feeds use (data/native-names.txt). They
// are replaced before the text is folded, wherever they stand in it.

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
/** All marks but those that make another letter of a kana. */
const MARKS = /[\p{M}--[\u3099\u309a]]+/gv;
/** Letters and signs that are left out or written for each other. */
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

/** Spellings as one pattern, and the Latin name of each; made at the first text that needs them. */
let table: { readonly pattern: RegExp; readonly latinBySpelling: ReadonlyMap<string, string> } | null = null;

/** A text in normal form D without its accents, composed again. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, '').normalize('NFC');
}

/** The text with the known names in Latin letters. @param text in lower case and without marks */
export function withLatinNames(text: string): string {
  if (!NATIVE.test(text)) return text;
  table ??= readTable();
  const { pattern, latinBySpelling } = table;
  return withSameLetters(text).replace(pattern, (spelling) => ` ${latinBySpelling.get(keyOf(spelling))!} `);
}

/** A text as it was written, but with the known names in Latin letters. */
export function inLatinLetters(text: string): string {
  return NATIVE.test(text) ? withLatinNames(withoutMarks(text.toLowerCase().normalize('NFKD'))) : text;
}

/**
 * Whether a text has letters of a script that is not read by sound, outside the names of the table. A club
 * that it names may then not be found.
 */
export function hasUnreadLetters(text: string): boolean {
  return [...inLatinLetters(text)].some((letter) => /\p{L}/u.test(letter) && !SPELLED.test(letter));
}

function readTable(): NonNullable<typeof table> {
  const latinBySpelling = new Map<string, string>();
  for (const { latin, spellings } of readNativeNames('native-names.txt', nativeNamesText))
    for (const spelling of spellings) latinBySpelling.set(keyOf(plainOf(spelling)), latin.toLowerCase());
  // The longest first: "Inter Milan" contains "Milan".
  const keys = [...latinBySpelling.keys()].sort((left, right) => right.length - left.length);
  return { pattern: new RegExp(keys.map(patternOf).join('|'), 'gu'), latinBySpelling };
}

/** A spelling as texts have it when they are compared. */
function plainOf(spelling: string): string {
  return withSameLetters(withoutMarks(spelling.toLowerCase().normalize('NFKD')));
}

function withSameLetters(text: string): string {
  return text.replace(SAME_LETTER, (letter) => SAME[letter]!);
}

/** A spelling without the signs that people leave out. */
function keyOf(spelling: string): string {
  return spelling.replace(/[\s・·.'"=-]/g, '');
}

/** Finds a key with such signs between its letters, in a script with spaces only as whole words. */
function patternOf(key: string): string {
  const letters = [...key].join(`[\\s・·.'"=-]*`);
  const isUnspaced = UNSPACED.test(key);
  const before = isUnspaced ? '' : '(?<![\\p{L}\\d])';
  return `${before}${letters}${isUnspaced || HANGUL.test(key) ? '' : `['"]?(?![\\p{L}\\d])`}`;
}
