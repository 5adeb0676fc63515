// Kinds of words in names, by how much a word says about which club or league is meant.

import { AFFIXES, GENERIC_WORDS, LITTLE_WORDS, PLAIN_AFFIXES } from './name-words.ts';

/** A name of its own or a place. */
export const KIND_PROPER = 0;
/** Shared by many: "United". */
export const KIND_GENERIC = 1;
/** Two to four letters without a vowel: initials of what is not known, most often one more club form ("WSC"). */
export const KIND_INITIALS = 2;
export const KIND_NUMBER = 3;
/** A club's form ("VfB"), a league's country. */
export const KIND_AFFIX = 4;
/** Says next to nothing: "FC". */
export const KIND_PLAIN = 5;
export const KIND_LITTLE = 6;

const INITIALS = /^(?:(?!st$)[bcdfghjklmnpqrstvwxz]{2,4}|[b-z])$/;

/** Kind of a word in a club's name. */
export function kindOfTeamWord(text: string): number {
  if (PLAIN_AFFIXES.has(text)) return KIND_PLAIN;
  if (AFFIXES.has(text)) return KIND_AFFIX;
  if (LITTLE_WORDS.has(text)) return KIND_LITTLE;
  if (GENERIC_WORDS.has(text)) return KIND_GENERIC;
  if (INITIALS.test(text)) return KIND_INITIALS;
  return /^\d+$/.test(text) ? KIND_NUMBER : KIND_PROPER;
}
