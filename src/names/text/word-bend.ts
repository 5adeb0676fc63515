// The cost of accepting one word for another when a query is compared with a name word by word.

import type { NameWord } from './parse-name.ts';
import { isOneSlip, isShortSlip, isTwoSlips } from './word-similarity.ts';

/** The cost of words that cannot stand for each other. Words with a lower cost can. */
export const BEND_MAX = 9;
/** Cost of another spelling of the same word: "Dynamo" and "Dinamo". */
export const BEND_SPELLING = 0.3;
const BEND_TRANSLATION = 0.9;
/** Cost of a first letter that stands for a word: "W. Bremen". */
const BEND_LETTER = 0.7;
/**
 * Cost of a typing slip in a short word, where it often makes another name, and of a second slip in a long
 * one.
 */
const BEND_SHORT_SLIP = 1.3;
const SHORT_SLIP_LENGTH_MIN = 4;
const BEND_USUAL_SLIP = 0.5;
const BEND_SLIP = 0.9;
/** Cost of a wrong last letter, which makes another name: "Caracal" and "Caracas". */
const BEND_OTHER_END = 1.4;
/** Cost of a typing slip beside a word that is right. */
const BEND_SLIP_BESIDE_EXACT = 0.5;
/** In words of at least this length, two typing slips still mean the same name ("Monchengladbch"). */
const TWO_SLIPS_LENGTH_MIN = 7;
/** Cost of words that have letters in common, but differ by more than typing slips. */
const BEND_FAR = 2.5;
/** Letters that a query may add to a whole word of the name ("Hotspurs"). */
const LONGER_BY_MAX = 1;
/** Cost of the beginning of a word, beside other words: "Eint Frankfurt". */
const BEND_BEGINNING = 0.65;
/** Number of letters of a scoreboard code. */
export const CODE_CHARS_MAX = 3;
/**
 * In words with fewer letters than this, a typing slip usually costs more, because it too often makes another
 * name.
 */
const SLIP_LENGTH_MIN = 6;

/** In a word of at least this many letters, a wrong last letter is a slip like any other. */
const SURE_END_LENGTH_MIN = 8;
/** The rows and the columns of the keyboard. */
const KEYBOARD = 'qwertyuiop asdfghjkl zxcvbnm qaz wsx edc rfv tgb yhn ujm ik ol';

/** Letters that are often confused. */
const SOUNDS = ['aeiouy', 'mn', 'bvw', 'dt', 'ckg', 'sz'];

interface BendOptions {
  readonly formOf: (text: string) => string;
  readonly slipFormOf: (text: string) => string | null;
  /** Whether a club of the tables has the word in a name. */
  readonly isKnown: (text: string) => boolean;
  /** Whether the query has several words, so that the others show which name is meant. */
  readonly isOfSeveral: boolean;
  /**
   * Whether this name has another, distinctive word of the query as it is written: in "aston vila", "aston"
   * is exact, so "vila" may be misspelt.
   */
  readonly isBesideExact: boolean;
  /**
   * Whether another word of the query is in this name as written, but is initials or shared by several clubs:
   * "CFR Cljj", "Dynamo Kyv".
   */
  readonly isBesideShared: boolean;
  /**
   * Whether two forms of the word belong to two languages: "Super Lig" is another league than "Super League".
   */
  readonly isTranslation: boolean;
}

/**
 * The cost of accepting one word for another: low for other spellings, higher for typing slips and
 * abbreviations.
 */
export function bendOf(
  word: NameWord,
  text: string,
  similarity: number,
  { formOf, slipFormOf, isKnown, isOfSeveral, isBesideExact, isBesideShared, isTranslation }: BendOptions,
): number {
  const asked = word.text;
  if (asked === text) return 0;
  if (formOf(asked) === formOf(text)) return isTranslation ? BEND_TRANSLATION : 0.05;
  const length = Math.min(asked.length, text.length);
  if (asked.length === 1) return similarity > 0 ? BEND_LETTER : BEND_MAX;
  if (similarity >= 0.94 && length >= 5) return BEND_SPELLING;
  if (/^\d+$/.test(asked)) return similarity >= 0.94 ? 0.1 : BEND_MAX;
  if (length >= SHORT_SLIP_LENGTH_MIN && isSlipOf(asked, text)) {
    // "Boston" is a name, and not a slip of "Bolton".
    if (isKnown(asked)) return isBesideExact ? BEND_SHORT_SLIP : BEND_FAR;
    const isOne = length >= SLIP_LENGTH_MIN && asked[0] === text[0] && isOneSlip(asked, text);
    if (isBesideExact && isOneSlip(asked, text)) return BEND_SLIP_BESIDE_EXACT;
    if (length === SHORT_SLIP_LENGTH_MIN && isOtherLetter(asked, text))
      return isBesideShared || isMistyped(asked, text) ? BEND_SHORT_SLIP : BEND_FAR;
    // "Proto" is Porto sooner than Prato.
    if (!isOne)
      return length > SHORT_SLIP_LENGTH_MIN && isShortSlip(asked, text) ? BEND_SLIP : BEND_SHORT_SLIP;
    if (isUsualSlip(asked, text)) return BEND_USUAL_SLIP;
    return hasOtherEnd(asked, text) ? BEND_OTHER_END : BEND_SLIP;
  }
  // "Anvvers" is a slip of Anvers, another spelling of Antwerp.
  if (similarity >= 0.7 && !isKnown(asked) && slipFormOf(asked) === formOf(text))
    return isBesideExact ? BEND_SLIP_BESIDE_EXACT : BEND_SLIP;
  const isBeside = isBesideExact || isBesideShared;
  if (isBeside && length < SHORT_SLIP_LENGTH_MIN && isShortSlip(asked, text) && !isKnown(asked))
    return BEND_SLIP;
  if (word.shortened) return similarity >= 0.84 ? 0.6 : BEND_MAX;
  if (isOfSeveral && asked.length >= 3 && text.startsWith(asked)) return BEND_BEGINNING;
  // "Stoke Cty": an abbreviation beside a word that matches exactly.
  if (isBesideExact && similarity >= 0.8 && asked.length < text.length) return BEND_BEGINNING;
  const isLonger = asked.startsWith(text) && asked.length <= text.length + LONGER_BY_MAX;
  // Four letters alone begin too many names: "chel" is Chelsea and Cheltenham.
  const isLongEnough = length > SHORT_SLIP_LENGTH_MIN || isOfSeveral;
  if (isLongEnough && similarity >= 0.84 && (text.startsWith(asked) || isLonger)) return 1.2;
  // A code ("ARS") is not an abbreviation of every word with its letters ("Akratitos").
  if (!isOfSeveral && text.length <= CODE_CHARS_MAX) return BEND_MAX;
  return similarity >= 0.7 ? BEND_FAR : BEND_MAX;
}

/**
 * Whether two letters are exchanged or, in words of more than six letters, an inner one is missing or added.
 * A different letter, or one more or fewer at the end, makes another club's name as often: Boston and Bolton,
 * Sliven and Slaven, Caracal and Caracas.
 */
function isUsualSlip(asked: string, text: string): boolean {
  // The words are one slip apart. If their length and the sum of their letters are equal, two letters have
  // changed places.
  if (asked.length === text.length) return letterSum(asked) === letterSum(text);
  return asked.at(-1) === text.at(-1) && Math.min(asked.length, text.length) > SLIP_LENGTH_MIN;
}

/** Whether one letter differs: BATE and BMTE. */
function isOtherLetter(asked: string, text: string): boolean {
  return asked.length === text.length && letterSum(asked) !== letterSum(text);
}

/**
 * Whether only the last letters of two words differ, and neither sound alike nor are neighbours on the
 * keyboard. Such words are usually different names, except long ones, for which it is false.
 */
function hasOtherEnd(asked: string, text: string): boolean {
  if (asked.length !== text.length || asked.length >= SURE_END_LENGTH_MIN) return false;
  if (asked.slice(0, -1) !== text.slice(0, -1)) return false;
  return !areConfused(asked.at(-1)!, text.at(-1)!);
}

/** Whether the one letter that differs is easily confused with the right one: "Kolm" and Koln. */
function isMistyped(asked: string, text: string): boolean {
  for (let at = 0; at < asked.length; at++)
    if (asked[at] !== text[at]) return areConfused(asked[at]!, text[at]!);
  return false;
}

/** Whether two letters sound alike or are next to each other on the keyboard. */
function areConfused(left: string, right: string): boolean {
  return (
    SOUNDS.some((letters) => letters.includes(left) && letters.includes(right)) || areNeighbours(left, right)
  );
}

/** Whether two letters are next to each other on the keyboard. */
function areNeighbours(left: string, right: string): boolean {
  return KEYBOARD.includes(left + right) || KEYBOARD.includes(right + left);
}

/** Whether there is one slip, except in the first letter ("Vannes" and Cannes), or two in a long word. */
function isSlipOf(asked: string, text: string): boolean {
  const areTurned = asked[0] === text[1] && asked[1] === text[0];
  if (isOneSlip(asked, text)) return asked[0] === text[0] || areTurned;
  const isLong = Math.min(asked.length, text.length) >= TWO_SLIPS_LENGTH_MIN;
  return isLong && asked[0] === text[0] && isTwoSlips(asked, text);
}

function letterSum(word: string): number {
  let sum = 0;
  for (let at = 0; at < word.length; at++) sum += word.charCodeAt(at);
  return sum;
}

/** The cost of accepting initials, or words written together. */
export function bendOfRun(similarity: number): number {
  if (similarity >= 0.96) return 0.1;
  return similarity >= 0.8 ? 1 : 1.6;
}
