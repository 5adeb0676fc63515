// The names of an index as tables: every word with its worth, the names that hold it, and the runs of words that
// initials may stand for. Built once, then only read.

import { KIND_AFFIX, KIND_LITTLE, KIND_PLAIN, KIND_PROPER } from './club-words.ts';
import { asReserves, type NameWord, type ParsedName } from './parse-name.ts';
import type { NameLanguage } from './team-language.ts';
import { Vocabulary } from './vocabulary.ts';

/** One name of an entry. */
export interface NameRecord {
  readonly entry: number;
  /** Vocabulary numbers in the order of the name, with each word's text, kind and weight. */
  readonly words: readonly number[];
  readonly texts: readonly string[];
  readonly kinds: readonly number[];
  readonly weights: readonly number[];
  readonly totalWeight: number;
  /** See ParsedName. */
  readonly variant: number;
  /** False: a nickname of the entry. */
  readonly own: boolean;
  /** The telling words, for equality. */
  readonly key: string;
}

/** A run of words in one record that a single word stands for. */
export interface RecordRun {
  readonly record: number;
  readonly start: number;
  readonly length: number;
  readonly similarity: number;
}

/** A run of words of any name that may be written as one word: initials ("PSG") or neighbours written together ("HamKam"). */
interface WordRun {
  /** The one word that may stand for the run. */
  readonly text: string;
  readonly start: number;
  readonly length: number;
  readonly similarity: number;
}

export interface NamePool {
  readonly language: NameLanguage;
  readonly vocabulary: Vocabulary;
  readonly records: readonly NameRecord[];
  /** By vocabulary number. */
  readonly recordsByWord: readonly (readonly number[])[];
  readonly runs: ReadonlyMap<string, readonly RecordRun[]>;
}

/** The first telling word names the club more often than the later ones, which name its town. */
export const FIRST_WORD_FACTOR = 1.12;
const RUN_WORDS_MAX = 5;
const WRITTEN_TOGETHER = 0.97;
/** Names kept for one set of initials. More: left out, for initials of so many names do not help in choosing. */
const RUN_RECORDS_MAX = 64;

/** @param parse takes a name apart as the language does; a cache may stand behind it */
export function buildNamePool(
  names: readonly string[],
  language: NameLanguage,
  parse: (name: string) => ParsedName,
): NamePool {
  const vocabulary = new Vocabulary(language);
  const records: Omit<NameRecord, 'weights' | 'totalWeight'>[] = [];
  const recordsByWord: number[][] = [];
  const runs = new Map<string, RecordRun[]>();
  /** So that a word counts once for all the names of an entry. */
  const lastEntryByWord: number[] = [];

  function add(entry: number, name: ParsedName, own: boolean): void {
    const record = records.length;
    const words: number[] = [];
    for (const word of name.words) {
      const id = vocabulary.add(word);
      if (id === recordsByWord.length) recordsByWord.push([]);
      if (!words.includes(id)) recordsByWord[id]!.push(record);
      if (lastEntryByWord[id] !== entry) vocabulary.countWord(id);
      lastEntryByWord[id] = entry;
      words.push(id);
    }
    records.push({
      entry,
      words,
      texts: words.map((word) => vocabulary.text(word)),
      kinds: words.map((word) => vocabulary.kind(word)),
      variant: name.variant,
      own,
      key: keyOfWords(name.words, language),
    });
    for (const { text, start, length, similarity } of runsOf(name.words, language.kindOf)) {
      const list = runs.get(text);
      if (list === undefined) runs.set(text, [{ record, start, length, similarity }]);
      else if (list.length < RUN_RECORDS_MAX) list.push({ record, start, length, similarity });
    }
  }

  for (let entry = 0; entry < names.length; entry++) {
    const name = parse(names[entry]!);
    vocabulary.countName();
    add(entry, name, true);
    const reserves = asReserves(name);
    if (reserves !== null) add(entry, reserves, false);
    for (const otherName of language.otherNames(name)) {
      const other = parse(otherName.text);
      const variant = otherName.wholeSide ? other.variant : name.variant | other.variant;
      if (other.text === name.text && variant === name.variant) continue;
      add(entry, { ...other, variant }, false);
    }
  }
  // A word weighs less the more names hold it, so weights can be computed only when all names are in.
  const weighed = records.map((record): NameRecord => {
    const weights = record.words.map((word) => vocabulary.weight(word));
    favourFirst(weights, record.kinds);
    return { ...record, weights, totalWeight: weights.reduce((sum, weight) => sum + weight, 0) };
  });
  return { language, vocabulary, records: weighed, recordsByWord, runs };
}

/** Raises the weight of the first word that is a name of its own. */
export function favourFirst(weights: number[], kinds: readonly number[]): void {
  const first = kinds.indexOf(KIND_PROPER);
  if (first >= 0) weights[first]! *= FIRST_WORD_FACTOR;
}

/** The telling words in order: equal for "Arsenal" and "Arsenal FC". */
export function keyOfWords(words: readonly NameWord[], language: NameLanguage): string {
  return words
    .map((word) => word.text)
    .filter((text) => language.kindOf(text) < KIND_PLAIN)
    .map((text) => language.formOf(text))
    .join(' ');
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

/** Fewer letters are the initials of more names, and so say less. */
function initialsSimilarity(initials: string): number {
  return initials.length === 2 ? 0.6 : initials.length === 3 ? 0.85 : 0.92;
}
