// The names of an index as tables: every word with its worth, the names that hold it, and the runs of words that
// initials may stand for. Built once, then only read.

import type { NameLanguage } from './name-language.ts';
import { runsOf } from './name-runs.ts';
import { asReserves, type NameWord, type ParsedName } from './normalise.ts';
import { Vocabulary } from './vocabulary.ts';
import { KIND_PLAIN, KIND_PROPER } from './word-kinds.ts';

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
/** Records that one set of initials may stand for; more say nothing. */
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
  // Worth depends on how many names hold a word, so it is known only now.
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
