// What it costs to take one word for another when a query is compared with a name word by word.

import type { NameWord } from './parse-name.ts';
import { isOneSlip, isTwoSlips } from './word-similarity.ts';

/** A word bent this far is another word. */
export const BEND_MAX = 9;
/** One word in two spellings: "Dynamo" and "Dinamo". */
export const BEND_SPELLING = 0.3;
const BEND_TRANSLATION = 0.9;
/** "W. Bremen": the letter is a word's first. */
const BEND_LETTER = 0.7;
/** A slip in a short word, where it makes another name more often, or a second slip in a long one. */
const BEND_SHORT_SLIP = 1.3;
const SHORT_SLIP_LENGTH_MIN = 4;
const BEND_USUAL_SLIP = 0.5;
const BEND_SLIP = 0.9;
/** Caracal and Caracas. */
const BEND_OTHER_END = 1.4;
/** A slip beside a word that is right. */
const BEND_SLIP_BESIDE_EXACT = 0.5;
/** From this length two slips are still one name ("Monchengladbch"). */
const TWO_SLIPS_LENGTH_MIN = 7;
/** Letters in common, but more than slips apart. */
const BEND_FAR = 2.5;
/** Letters that a query may have behind a whole word of the name ("Hotspurs"). */
const LONGER_BY_MAX = 1;
/** "Eint Frankfurt": the beginning of a word, beside others. */
const BEND_BEGINNING = 0.65;
/** Letters of a code on a scoreboard. */
export const CODE_CHARS_MAX = 3;
/** Slips of the key count in words of so many letters; in shorter ones they make other names too often. */
const SLIP_LENGTH_MIN = 6;

/** Letters that are written for each other. */
const SOUNDS = ['aeiouy', 'mn', 'bvw', 'dt', 'ckg', 'sz'];

export interface BendOptions {
  readonly formOf: (text: string) => string;
  /** Whether a club of the tables has the word in a name. */
  readonly isKnown: (text: string) => boolean;
  /** The word is one of several of the query, so that the others say which name is meant. */
  readonly isOfSeveral: boolean;
  /** Another word of the query is a name of its own that this name has as written: "aston vila". */
  readonly isBesideExact: boolean;
  /** Two forms of the word are two languages': "Super Lig" is another league than "Super League". */
  readonly isTranslation: boolean;
}

/** What it costs to take one word for another: other spellings little, slips and shortenings more. */
export function bendOf(
  word: NameWord,
  text: string,
  similarity: number,
  { formOf, isKnown, isOfSeveral, isBesideExact, isTranslation }: BendOptions,
): number {
  const asked = word.text;
  if (asked === text) return 0;
  if (formOf(asked) === formOf(text)) return isTranslation ? BEND_TRANSLATION : 0.05;
  const length = Math.min(asked.length, text.length);
  if (asked.length === 1) return similarity > 0 ? BEND_LETTER : BEND_MAX;
  if (similarity >= 0.94 && length >= 5) return BEND_SPELLING;
  if (/^\d+$/.test(asked)) return similarity >= 0.94 ? 0.1 : BEND_MAX;
  if (length >= SHORT_SLIP_LENGTH_MIN && isSlipOf(asked, text)) {
    // "Boston" is a name, and no slip of "Bolton".
    if (isKnown(asked)) return isBesideExact ? BEND_SHORT_SLIP : BEND_FAR;
    const isOne = length >= SLIP_LENGTH_MIN && asked[0] === text[0] && isOneSlip(asked, text);
    if (isBesideExact && isOneSlip(asked, text)) return BEND_SLIP_BESIDE_EXACT;
    if (length === SHORT_SLIP_LENGTH_MIN && isOtherLetter(asked, text)) return BEND_FAR;
    if (!isOne) return BEND_SHORT_SLIP;
    if (isUsualSlip(asked, text)) return BEND_USUAL_SLIP;
    return hasOtherEnd(asked, text) ? BEND_OTHER_END : BEND_SLIP;
  }
  if (word.shortened) return similarity >= 0.84 ? 0.6 : BEND_MAX;
  if (isOfSeveral && asked.length >= 3 && text.startsWith(asked)) return BEND_BEGINNING;
  const isLonger = asked.startsWith(text) && asked.length <= text.length + LONGER_BY_MAX;
  // Four letters alone begin too many names: "chel" is Chelsea and Cheltenham.
  const isTelling = length > SHORT_SLIP_LENGTH_MIN || isOfSeveral;
  if (isTelling && similarity >= 0.84 && (text.startsWith(asked) || isLonger)) return 1.2;
  // A code ("ARS") is no shortening of whatever has its letters ("Akratitos").
  if (!isOfSeveral && text.length <= CODE_CHARS_MAX) return BEND_MAX;
  return similarity >= 0.7 ? BEND_FAR : BEND_MAX;
}

/**
 * Two letters changed over, or an inner one left out or doubled. A letter for another, or one more or less at the end,
 * makes another club's name as often: Boston and Bolton, Sliven and Slaven, Caracal and Caracas.
 */
function isUsualSlip(asked: string, text: string): boolean {
  // They are one slip apart: of one length and with one sum of letters, two have changed places.
  if (asked.length === text.length) return letterSum(asked) === letterSum(text);
  return asked.at(-1) === text.at(-1) && Math.min(asked.length, text.length) > SLIP_LENGTH_MIN;
}

/** One letter is another: BATE and BMTE. */
function isOtherLetter(asked: string, text: string): boolean {
  return asked.length === text.length && letterSum(asked) !== letterSum(text);
}

/** They differ in the last letter alone, and it sounds different: that makes another name most often. */
function hasOtherEnd(asked: string, text: string): boolean {
  if (asked.length !== text.length || asked.slice(0, -1) !== text.slice(0, -1)) return false;
  const ends = [asked.at(-1)!, text.at(-1)!];
  return !SOUNDS.some((letters) => ends.every((end) => letters.includes(end)));
}

/** One slip, but for another first letter ("Vannes" and Cannes), or two in a long word. */
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

/** The same for initials and words written together. */
export function bendOfRun(similarity: number): number {
  if (similarity >= 0.96) return 0.1;
  return similarity >= 0.8 ? 1 : 1.6;
}
