// What it costs to take one word for another when a query is compared with a name word by word.

import type { NameWord } from './parse-name.ts';
import { isOneSlip } from './word-similarity.ts';

/** A word bent this far is another word. */
export const BEND_MAX = 9;
/** One word in two spellings: "Dynamo" and "Dinamo". */
export const BEND_SPELLING = 0.3;
/** "W. Bremen": the letter is a word's first. */
const BEND_LETTER = 0.7;
/** Slips of the key count in words of so many letters; in shorter ones they make other names too often. */
const SLIP_LENGTH_MIN = 6;

/** What it costs to take one word for another: other spellings little, slips and shortenings more. */
export function bendOf(
  word: NameWord,
  text: string,
  similarity: number,
  formOf: (text: string) => string,
): number {
  const asked = word.text;
  if (asked === text) return 0;
  if (formOf(asked) === formOf(text)) return 0.05;
  const length = Math.min(asked.length, text.length);
  if (asked.length === 1) return similarity > 0 ? BEND_LETTER : BEND_MAX;
  if (similarity >= 0.94 && length >= 5) return BEND_SPELLING;
  if (/^\d+$/.test(asked)) return similarity >= 0.94 ? 0.1 : BEND_MAX;
  if (length >= SLIP_LENGTH_MIN && asked[0] === text[0] && isOneSlip(asked, text)) {
    return isUsualSlip(asked, text) ? 0.5 : 0.9;
  }
  if (word.shortened) return similarity >= 0.84 ? 0.6 : BEND_MAX;
  if (length >= 4 && similarity >= 0.84 && (text.startsWith(asked) || asked.startsWith(text))) return 1.2;
  return similarity >= 0.7 ? 1.6 : BEND_MAX;
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
