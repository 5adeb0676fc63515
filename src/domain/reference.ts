// The reference against which value is measured: the sharp bookmaker, the consensus of all bookmakers, or one
// bookmaker that the caller names.

import { BOOKMAKER_KEYS, SHARP_BOOKMAKERS } from './catalogue.ts';

export const REFERENCE_WORDS: readonly string[] = ['sharp', 'consensus', ...BOOKMAKER_KEYS];

/** A reference as the kernels read it: an index into BOOKMAKERS, REFERENCE_SHARP or REFERENCE_CONSENSUS. */
export const REFERENCE_SHARP = -1;
export const REFERENCE_CONSENSUS = -2;

/** Used where the caller names none. A roster without a sharp bookmaker compares with the consensus. */
export const REFERENCE_DEFAULT = SHARP_BOOKMAKERS.length > 0 ? 'sharp' : 'consensus';

export function referenceOfWord(word: string): number {
  if (word === 'sharp') return REFERENCE_SHARP;
  return word === 'consensus' ? REFERENCE_CONSENSUS : BOOKMAKER_KEYS.indexOf(word);
}

export function wordOfReference(reference: number): string {
  if (reference === REFERENCE_SHARP) return 'sharp';
  return reference === REFERENCE_CONSENSUS ? 'consensus' : BOOKMAKER_KEYS[reference]!;
}
