// The names of an index as tables: every word with its worth, the names that contain it, and the runs of
// words that initials may stand for. Entries are added and removed one by one.

import { allClubs, type KnownClub, type TeamContext } from './club-table.ts';
import { KIND_AFFIX, KIND_LITTLE, KIND_PLAIN, KIND_PROPER } from './club-words.ts';
import type { NameLanguage } from './team-language.ts';
import { asReserves, type NameWord, type ParsedName, VARIANT_WOMEN } from './text/parse-name.ts';
import { Vocabulary } from './vocabulary.ts';

/** The value of `entry` in a record whose entry was removed. */
export const NO_ENTRY = -1;

/** One name of an entry. */
export interface NameRecord {
  entry: number;
  /** Vocabulary numbers in the order of the name, with each word's text, kind and weight. */
  readonly words: readonly number[];
  readonly texts: readonly string[];
  /** Whether the word is in brackets after the name. */
  readonly asides: readonly boolean[];
  readonly kinds: readonly number[];
  /**
   * Weights of the words for the pool's version `weighedAt`; read them through NamePool.weighed. Empty until
   * then.
   */
  weights: number[];
  totalWeight: number;
  weighedAt: number;
  /** See ParsedName. */
  readonly variant: number;
  /** False for another name of the entry. */
  readonly own: boolean;
  /**
   * True for a name other than the entry's own, if several clubs have the entry's own name. This name may
   * then belong to another of these clubs.
   */
  readonly uncertain: boolean;
  /**
   * The club that this name was taken from, if only a part of the team's own name fits that club; otherwise
   * -1.
   */
  readonly tiedClub: number;
  readonly text: string;
  /** The distinctive words, for equality. */
  readonly key: string;
}

/** A run of words in one record that a single word stands for. */
interface RecordRun {
  readonly record: number;
  readonly start: number;
  readonly length: number;
  readonly similarity: number;
}

/**
 * A run of words of any name that may be written as one word: initials ("PSG") or neighbours written together
 * ("HamKam").
 */
interface WordRun {
  /** The one word that may stand for the run. */
  readonly text: string;
  readonly start: number;
  readonly length: number;
  readonly similarity: number;
}

/**
 * Raises the weight of the first distinctive word. It names the club more often than the later ones, which
 * name its town.
 */
const FIRST_WORD_FACTOR = 1.12;
const RUN_WORDS_MAX = 5;
const WRITTEN_TOGETHER = 0.97;
/** Similarity of club forms in full to their abbreviation: "Sportverein" and SV. */
const FORMS_SPELLED_OUT = 0.97;
/**
 * Maximum number of records kept for one set of initials. Initials that more names share do not help to
 * choose one, so further records are left out.
 */
const RUN_RECORDS_MAX = 64;

/** Stands for the weights of a record that no search has read yet. */
const NOT_WEIGHED: number[] = [];

/** The tables, which grow and shrink name by name. */
export class NamePool {
  readonly language: NameLanguage;
  readonly vocabulary: Vocabulary;
  readonly records: NameRecord[] = [];
  /**
   * The records of each word, by its number in the vocabulary. Records of removed entries stay, with `entry`
   * NO_ENTRY, until the pool is rebuilt.
   */
  readonly recordsByWord: number[][] = [];
  readonly runs = new Map<string, RecordRun[]>();
  /**
   * Records with equal lists share one list, because there are many thousands of records and few such lists.
   */
  readonly #asides = new Map<string, readonly boolean[]>();
  readonly #kinds = new Map<string, readonly number[]>();
  /** For each club: how many entries are that club, by their name. */
  readonly #namesByClub = new Map<number, Map<string, number>>();
  /** Rises with every change, because weights depend on how many entries contain a word. */
  #version = 0;
  #removed = 0;

  constructor(language: NameLanguage) {
    this.language = language;
    this.vocabulary = new Vocabulary(language);
  }

  /** Records of entries that were removed. */
  get removed(): number {
    return this.#removed;
  }

  /**
   * Adds an entry under its own name and all its known other names. Returns its records and what is known
   * about it.
   */
  add(
    entry: number,
    name: ParsedName,
    context: TeamContext,
    parse: (name: string) => ParsedName,
  ): { records: number[]; known: KnownClub } {
    this.#version++;
    this.vocabulary.countEntry(1);
    const records = [this.#addRecord(entry, name, true, false)];
    const reserves = asReserves(name);
    if (reserves !== null) records.push(this.#addRecord(entry, reserves, false, false));
    const others = this.language.otherNames(name, context);
    const { clubs } = others.known;
    const isOfWomen = clubs.length > 0 && clubs.every((club) => allClubs()[club]!.country === 'wnba');
    // Some feeds mark the teams of a women's league, "Seattle Storm (W)", and some do not, so both forms are
    // added.
    if (isOfWomen) records.push(this.#addRecord(entry, withOtherMark(name), true, false));
    const tiedClub = others.known.isTied === true ? clubs[0]! : -1;
    this.#countName(clubs, name.text, 1);
    const seen = new Set<string>();
    for (const text of others.names) {
      const other = parse(text);
      const variant = others.wholeSide ? other.variant : name.variant | other.variant;
      const side = `${variant}|${other.text}`;
      if ((other.text === name.text && variant === name.variant) || seen.has(side)) continue;
      seen.add(side);
      records.push(this.#addRecord(entry, { ...other, variant }, false, others.uncertain, tiedClub));
      if (isOfWomen)
        records.push(this.#addRecord(entry, withOtherMark({ ...other, variant }), false, others.uncertain));
    }
    for (const word of this.#wordsOf(records)) this.vocabulary.countWord(word, 1);
    return { records, known: others.known };
  }

  /** Adds one name of an entry, without anything else known about it. Returns its record. */
  addName(entry: number, name: ParsedName, own: boolean): number {
    this.#version++;
    this.vocabulary.countEntry(1);
    const record = this.#addRecord(entry, name, own, false);
    for (const word of new Set(this.records[record]!.words)) this.vocabulary.countWord(word, 1);
    return record;
  }

  /** Whether the pool has another team of the club that the record's name was taken from. */
  isDoubtful({ tiedClub }: NameRecord): boolean {
    return tiedClub >= 0 && this.#namesByClub.get(tiedClub)!.size > 1;
  }

  #countName(clubs: readonly number[], text: string, change: number): void {
    for (const club of clubs) {
      const names = this.#namesByClub.getOrInsertComputed(club, () => new Map());
      const count = (names.get(text) ?? 0) + change;
      if (count > 0) names.set(text, count);
      else names.delete(text);
    }
  }

  /** Removes an entry by the records that `add` returned. */
  remove(records: readonly number[], clubs: readonly number[] = []): void {
    if (records.length > 0) this.#countName(clubs, this.records[records[0]!]!.text, -1);
    this.#version++;
    this.vocabulary.countEntry(-1);
    for (const word of this.#wordsOf(records)) this.vocabulary.countWord(word, -1);
    for (const index of records) this.records[index]!.entry = NO_ENTRY;
    this.#removed += records.length;
  }

  /** A record with its present weights. */
  weighed(index: number): NameRecord {
    const record = this.records[index]!;
    if (record.weighedAt !== this.#version) {
      let total = 0;
      const { words } = record;
      if (record.weights === NOT_WEIGHED) record.weights = new Array(words.length).fill(0);
      const { weights } = record;
      for (let at = 0; at < words.length; at++) weights[at] = this.vocabulary.weight(words[at]!);
      favourFirst(weights, record.kinds);
      for (let at = 0; at < weights.length; at++) total += weights[at]!;
      record.totalWeight = total;
      record.weighedAt = this.#version;
    }
    return record;
  }

  #wordsOf(records: readonly number[]): Set<number> {
    return new Set(records.flatMap((index) => this.records[index]!.words));
  }

  #addRecord(entry: number, name: ParsedName, own: boolean, uncertain: boolean, tiedClub = -1): number {
    const index = this.records.length;
    const words: number[] = [];
    for (const word of name.words) {
      const id = this.vocabulary.add(word);
      if (id === this.recordsByWord.length) this.recordsByWord.push([]);
      if (!words.includes(id)) this.recordsByWord[id]!.push(index);
      words.push(id);
    }
    const asides = name.words.map((word) => word.aside);
    const kinds = words.map((word) => this.vocabulary.kind(word));
    this.records.push({
      entry,
      words,
      texts: name.words.map((word) => word.text),
      asides: this.#asides.getOrInsert(asides.join(), asides),
      kinds: this.#kinds.getOrInsert(kinds.join(), kinds),
      weights: NOT_WEIGHED,
      totalWeight: 0,
      weighedAt: -1,
      variant: name.variant,
      own,
      uncertain,
      tiedClub,
      text: name.text,
      key: keyOfWords(name.words, this.language),
    });
    for (const { text, start, length, similarity } of runsOf(name.words, this.language.kindOf)) {
      const list = this.runs.getOrInsertComputed(text, () => []);
      if (list.length < RUN_RECORDS_MAX) list.push({ record: index, start, length, similarity });
    }
    return index;
  }
}

/** Adds the mark of women's sides if it is missing, and removes it if it is there. */
function withOtherMark(name: ParsedName): ParsedName {
  return { ...name, variant: name.variant ^ VARIANT_WOMEN };
}

export function favourFirst(weights: number[], kinds: readonly number[]): void {
  const first = kinds.indexOf(KIND_PROPER);
  if (first >= 0) weights[first]! *= FIRST_WORD_FACTOR;
}

/** The distinctive words in order: equal for "Arsenal" and "Arsenal FC". */
export function keyOfWords(words: readonly NameWord[], language: NameLanguage): string {
  return words
    .map((word) => word.text)
    .filter((text) => language.kindOf(text) < KIND_PLAIN)
    .map((text) => language.formOf(text))
    .join(' ');
}

/**
 * Initials of every run of two to five words, with and without the little words and with short club forms in
 * full ("HSV" of Hamburger SV), and every two neighbours written together.
 */
export function runsOf(words: readonly NameWord[], kindOf: (text: string) => number): WordRun[] {
  const runs: WordRun[] = [];
  if (words.length < 2) return runs;
  const kinds = words.map((word) => kindOf(word.text));
  for (let start = 0; start + 1 < words.length; start++) {
    let plain = '';
    let whole = '';
    let dense = '';
    let isForms = true;
    for (let length = 1; length <= RUN_WORDS_MAX && start + length <= words.length; length++) {
      const text = words[start + length - 1]!.text;
      const kind = kinds[start + length - 1]!;
      const form = kind >= KIND_AFFIX && text.length <= 3 && (kind !== KIND_LITTLE || text === 'de');
      isForms &&= kind >= KIND_AFFIX;
      plain += text[0]!;
      whole += form ? text : text[0]!;
      dense += kind === KIND_LITTLE ? '' : text[0]!;
      if (length === 1) continue;
      const similarity = isForms ? FORMS_SPELLED_OUT : initialsSimilarity(plain);
      // A short club form stays in full among initials: FC Barcelona is "FCB", not "FB".
      if (whole === plain || isForms) runs.push({ text: plain, start, length, similarity });
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

/** Few letters are the initials of many names, and so distinguish less. */
function initialsSimilarity(initials: string): number {
  return initials.length === 2 ? 0.6 : initials.length === 3 ? 0.85 : 0.92;
}
