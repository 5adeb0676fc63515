// Runs of words that may be written as one word: initials ("PSG") and neighbours written together ("HamKam").

import type { NameWord } from './normalise.ts';
import { KIND_AFFIX, KIND_LITTLE } from './word-kinds.ts';

const RUN_WORDS_MAX = 5;
const WRITTEN_TOGETHER = 0.97;

export interface WordRun {
  /** The one word that may stand for the run. */
  readonly text: string;
  readonly start: number;
  readonly length: number;
  readonly similarity: number;
}

/**
 * Initials of every run of two to five words, with and without the little words and with short club forms whole
 * ("HSV" of Hamburger SV), and every two neighbours written together.
 */
export function runsOf(words: readonly NameWord[], kindOf: (text: string) => number): WordRun[] {
  const runs: WordRun[] = [];
  if (words.length < 2) return runs;
  const kinds = words.map((word) => kindOf(word.text));
  for (let start = 0; start + 1 < words.length; start++) {
    let plain = '';
    let whole = '';
    let dense = '';
    for (let length = 1; length <= RUN_WORDS_MAX && start + length <= words.length; length++) {
      const text = words[start + length - 1]!.text;
      const kind = kinds[start + length - 1]!;
      const form = kind >= KIND_AFFIX && text.length <= 3 && (kind !== KIND_LITTLE || text === 'de');
      plain += text[0]!;
      whole += form ? text : text[0]!;
      dense += kind === KIND_LITTLE ? '' : text[0]!;
      if (length === 1) continue;
      runs.push({ text: plain, start, length, similarity: initialsSimilarity(plain) });
      if (whole !== plain) runs.push({ text: whole, start, length, similarity: initialsSimilarity(whole) });
      if (dense !== plain && dense.length > 1) {
        runs.push({ text: dense, start, length, similarity: initialsSimilarity(dense) });
      }
    }
    const together = words[start]!.text + words[start + 1]!.text;
    runs.push({ text: together, start, length: 2, similarity: WRITTEN_TOGETHER });
  }
  return runs;
}

/** Two letters are initials of too much. */
function initialsSimilarity(initials: string): number {
  return initials.length === 2 ? 0.6 : initials.length === 3 ? 0.85 : 0.92;
}
