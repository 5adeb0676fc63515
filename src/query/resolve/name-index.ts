// A pool of names and the search over it: which entry does a text mean, and how sure is that (0 to 1)? Candidates come
// from the words they share with the query; the best few are scored word by word. Immutable once made.

import type { NameLanguage } from './name-language.ts';
import { runsOf } from './name-runs.ts';
import {
  type NameRecord,
  type PreparedQuery,
  type QuerySpan,
  type RecordRun,
  scoreRecord,
} from './name-score.ts';
import type { NameWord, ParsedName } from './normalise.ts';
import { Vocabulary, type WordMatch } from './vocabulary.ts';
import { KIND_PLAIN, KIND_PROPER } from './word-kinds.ts';

export interface NameMatch {
  /** Position of the entry in the list that the index was made from. */
  readonly entry: number;
  readonly confidence: number;
}

/** Records scored word by word for one query, those that share most with it. */
const SCORED_RECORDS_MAX = 40;
/** Records that one set of initials may stand for; more say nothing. */
const RUN_RECORDS_MAX = 64;
/** An entry's own name breaks the tie between two that share a nickname. */
const OWN_NAME_SHARE = 0.01;
/** "V. Koln": a lone letter weighs little. */
const LONE_LETTER_WEIGHT = 0.6;
/** Words spelled out in the text that a name holds as initials. */
const SPELLED_OUT_FACTOR = 0.85;
const INITIALS_CHARS_MAX = 5;
/** The first telling word names the club more often than the later ones, which name its town. */
const FIRST_WORD_FACTOR = 1.15;
/** A query word less like every word of the pool is a stranger, and weighs as a rare word. */
const KNOWN_SIMILARITY_MIN = 0.7;

export class NameIndex {
  readonly #language: NameLanguage;
  readonly #vocabulary: Vocabulary;
  readonly #records: NameRecord[] = [];
  readonly #recordsByWord: number[][] = [];
  readonly #runs = new Map<string, RecordRun[]>();
  readonly #wordWeights: Float64Array;
  readonly #recordWeights: Float64Array;
  /** Scratch of one search: what each record shares with the query. All zero between searches. */
  readonly #reached: Float64Array;

  /** @param parse takes a name apart as the language does; a cache may stand behind it */
  constructor(names: readonly string[], language: NameLanguage, parse: (name: string) => ParsedName) {
    this.#language = language;
    this.#vocabulary = new Vocabulary(language);
    for (let entry = 0; entry < names.length; entry++) {
      const name = parse(names[entry]!);
      this.#vocabulary.countName();
      this.#addRecord(entry, name, true);
      for (const otherName of language.otherNames(name)) {
        const other = parse(otherName);
        if (other.text === name.text) continue;
        this.#addRecord(entry, { ...other, variant: name.variant | other.variant }, false);
      }
    }
    this.#wordWeights = new Float64Array(this.#vocabulary.size);
    for (let word = 0; word < this.#vocabulary.size; word++)
      this.#wordWeights[word] = this.#vocabulary.weight(word);
    this.#recordWeights = new Float64Array(this.#records.length);
    for (let record = 0; record < this.#records.length; record++) {
      for (const word of this.#records[record]!.words)
        this.#recordWeights[record]! += this.#wordWeights[word]!;
    }
    this.#reached = new Float64Array(this.#records.length);
  }

  /** Entries that `query` may mean, surest first, ties in the order of the list; those under `confidenceMin` are left out. */
  search(query: ParsedName, confidenceMin: number): NameMatch[] {
    if (query.words.length === 0) return [];
    const prepared = this.#prepare(query);
    const bestByEntry = new Map<number, number>();
    const ownByEntry = new Map<number, number>();
    for (const recordIndex of this.#candidates(prepared)) {
      const record = this.#records[recordIndex]!;
      const confidence = scoreRecord(prepared, record, recordIndex, this.#wordWeights);
      if (record.own) ownByEntry.set(record.entry, confidence);
      const known = bestByEntry.get(record.entry);
      if (known === undefined || known < confidence) bestByEntry.set(record.entry, confidence);
    }
    const found: NameMatch[] = [];
    for (const [entry, best] of bestByEntry) {
      const confidence = Math.min(
        1,
        (1 - OWN_NAME_SHARE) * best + OWN_NAME_SHARE * (ownByEntry.get(entry) ?? 0),
      );
      if (confidence >= confidenceMin) found.push({ entry, confidence });
    }
    return found.sort((left, right) => right.confidence - left.confidence || left.entry - right.entry);
  }

  #addRecord(entry: number, name: ParsedName, own: boolean): void {
    const record = this.#records.length;
    const words: number[] = [];
    for (const word of name.words) {
      const id = this.#vocabulary.add(word);
      const again = words.includes(id);
      words.push(id);
      if (again) continue;
      const records = this.#recordsByWord[id];
      if (records === undefined) this.#recordsByWord[id] = [record];
      else records.push(record);
    }
    this.#records.push({
      entry,
      words,
      texts: words.map((word) => this.#vocabulary.text(word)),
      kinds: words.map((word) => this.#vocabulary.kind(word)),
      variant: name.variant,
      own,
      key: this.#keyOf(name.words),
    });
    for (const { text, start, length, similarity } of runsOf(name.words, this.#language.kindOf)) {
      const run: RecordRun = { record, start, length, similarity };
      const runs = this.#runs.get(text);
      if (runs === undefined) this.#runs.set(text, [run]);
      else if (runs.length < RUN_RECORDS_MAX) runs.push(run);
    }
  }

  #keyOf(words: readonly NameWord[]): string {
    return words
      .map((word) => word.text)
      .filter((text) => this.#language.kindOf(text) < KIND_PLAIN)
      .join(' ');
  }

  #prepare(query: ParsedName): PreparedQuery {
    const { words, variant } = query;
    const vocabulary = this.#vocabulary;
    const matches = words.map((word) => vocabulary.matches(word));
    const weights = words.map((word, index) => this.#queryWeight(word, matches[index]!));
    const first = words.findIndex((word) => this.#language.kindOf(word.text) === KIND_PROPER);
    if (first >= 0) weights[first]! *= FIRST_WORD_FACTOR;
    const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
    const spans = this.#spans(words);
    return {
      words,
      variant,
      key: this.#keyOf(words),
      matches,
      weights,
      totalWeight,
      spans,
      telling: first >= 0,
    };
  }

  #queryWeight(word: NameWord, matches: readonly WordMatch[]): number {
    if (word.text.length === 1 && word.shortened) return LONE_LETTER_WEIGHT;
    const best = matches[0];
    if (best === undefined || best.similarity < KNOWN_SIMILARITY_MIN)
      return this.#vocabulary.strangerWeight(word);
    return this.#wordWeights[best.word]!;
  }

  /** Runs of query words that are one word in the pool, and words that stand for a run in some name. */
  #spans(words: readonly NameWord[]): QuerySpan[] {
    const spans: QuerySpan[] = [];
    for (const { text, start, length, similarity } of runsOf(words, this.#language.kindOf)) {
      const word = this.#vocabulary.idOf(text);
      if (word === undefined) continue;
      const factor = text.length <= INITIALS_CHARS_MAX ? SPELLED_OUT_FACTOR : 1;
      spans.push({ start, length, similarity: similarity * factor, word, runs: null });
    }
    for (let index = 0; index < words.length; index++) {
      const runs = this.#runs.get(words[index]!.text);
      if (runs !== undefined) spans.push({ start: index, length: 1, similarity: 1, word: -1, runs });
    }
    return spans;
  }

  /** The records that share most with the query, best first, at most SCORED_RECORDS_MAX. */
  #candidates(query: PreparedQuery): number[] {
    const reached = this.#reached;
    const touched: number[] = [];
    const reach = (record: number, gain: number): void => {
      if (reached[record] === 0) touched.push(record);
      reached[record]! += gain;
    };
    const alone = query.words.length === 1;
    for (let index = 0; index < query.words.length; index++) {
      for (const { word, similarity } of query.matches[index]!) {
        if (this.#vocabulary.kind(word) >= KIND_PLAIN && !alone) continue;
        for (const record of this.#recordsByWord[word]!) reach(record, query.weights[index]! * similarity);
      }
    }
    for (const span of query.spans) {
      let weight = 0;
      for (let index = span.start; index < span.start + span.length; index++) weight += query.weights[index]!;
      if (span.runs === null) {
        for (const record of this.#recordsByWord[span.word]!) reach(record, weight * span.similarity);
      } else {
        for (const run of span.runs) reach(run.record, weight * run.similarity);
      }
    }
    const chosen = mostReached(
      touched,
      (record) => reached[record]! / (query.totalWeight + 0.5 * this.#recordWeights[record]!),
    );
    for (const record of touched) reached[record] = 0;
    return chosen;
  }
}

/** The SCORED_RECORDS_MAX records with the highest worth; worths are computed once and the cut found by counting. */
function mostReached(records: readonly number[], worthOf: (record: number) => number): number[] {
  if (records.length <= SCORED_RECORDS_MAX) return [...records];
  const buckets = 64;
  const worths = new Float64Array(records.length);
  const counts = new Int32Array(buckets);
  const bucketOf = (worth: number): number => Math.min(buckets - 1, Math.floor(worth * buckets));
  for (let index = 0; index < records.length; index++) {
    worths[index] = worthOf(records[index]!);
    counts[bucketOf(worths[index]!)]!++;
  }
  let cut = buckets - 1;
  let above = counts[cut]!;
  while (cut > 0 && above < SCORED_RECORDS_MAX) above += counts[--cut]!;
  const chosen: number[] = [];
  const onCut: number[] = [];
  for (let index = 0; index < records.length; index++) {
    const bucket = bucketOf(worths[index]!);
    if (bucket > cut) chosen.push(records[index]!);
    else if (bucket === cut) onCut.push(index);
  }
  onCut.sort((left, right) => worths[right]! - worths[left]! || records[left]! - records[right]!);
  for (const index of onCut.slice(0, SCORED_RECORDS_MAX - chosen.length)) chosen.push(records[index]!);
  return chosen;
}
