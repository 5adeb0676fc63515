// A pool of names and the search over it: which entry does a text mean, and how sure is that (0 to 1)? Candidates come
// from the words they share with the query; the best few are scored word by word. Immutable once made.

import type { NameLanguage } from './name-language.ts';
import { runsOf } from './name-runs.ts';
import { type NameRecord, type Pair, type PreparedQuery, type RecordRun, scoreRecord } from './name-score.ts';
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
    const matches = words.map((word) => this.#vocabulary.matches(word));
    const weights = words.map((word, index) => this.#queryWeight(word, matches[index]!));
    const first = words.findIndex((word) => this.#language.kindOf(word.text) === KIND_PROPER);
    if (first >= 0) weights[first]! *= FIRST_WORD_FACTOR;
    const similarities = new Map<number, Float64Array>();
    for (let index = 0; index < words.length; index++) {
      for (const { word, similarity } of matches[index]!) {
        let row = similarities.get(word);
        if (row === undefined) {
          row = new Float64Array(words.length);
          similarities.set(word, row);
        }
        row[index] = similarity;
      }
    }
    return {
      words,
      variant,
      key: this.#keyOf(words),
      similarities,
      spansByWord: this.#spansByWord(words, weights),
      runsByRecord: this.#runsByRecord(words, weights),
      weights,
      totalWeight: weights.reduce((sum, weight) => sum + weight, 0),
      telling: first >= 0,
      hasLetters: words.some((word) => word.text.length === 1),
    };
  }

  #queryWeight(word: NameWord, matches: readonly WordMatch[]): number {
    if (word.text.length === 1 && word.shortened) return LONE_LETTER_WEIGHT;
    const best = matches[0];
    if (best === undefined || best.similarity < KNOWN_SIMILARITY_MIN)
      return this.#vocabulary.strangerWeight(word);
    return this.#wordWeights[best.word]!;
  }

  /** Runs of query words that are one word in the pool: "Paris Saint Germain" and PSG. */
  #spansByWord(words: readonly NameWord[], weights: readonly number[]): Map<number, Pair[]> {
    const spans = new Map<number, Pair[]>();
    for (const run of runsOf(words, this.#language.kindOf)) {
      const word = this.#vocabulary.idOf(run.text);
      if (word === undefined) continue;
      const similarity = run.similarity * (run.text.length <= INITIALS_CHARS_MAX ? SPELLED_OUT_FACTOR : 1);
      let gain = 0;
      for (let index = run.start; index < run.start + run.length; index++)
        gain += similarity * weights[index]!;
      append(spans, word, { queryMask: maskOf(run.start, run.length), nameMask: 0, similarity, gain });
    }
    return spans;
  }

  /** Query words that stand for several words of a name: "PSG" and Paris Saint-Germain. */
  #runsByRecord(words: readonly NameWord[], weights: readonly number[]): Map<number, Pair[]> {
    const found = new Map<number, Pair[]>();
    for (let index = 0; index < words.length; index++) {
      for (const { record, start, length, similarity } of this.#runs.get(words[index]!.text) ?? []) {
        const gain = similarity * weights[index]!;
        append(found, record, { queryMask: 1 << index, nameMask: maskOf(start, length), similarity, gain });
      }
    }
    return found;
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
    for (const [word, row] of query.similarities) {
      if (this.#vocabulary.kind(word) >= KIND_PLAIN && !alone) continue;
      let gain = 0;
      for (let index = 0; index < row.length; index++)
        gain = Math.max(gain, query.weights[index]! * row[index]!);
      for (const record of this.#recordsByWord[word]!) reach(record, gain);
    }
    for (const [word, spans] of query.spansByWord) {
      for (const span of spans) for (const record of this.#recordsByWord[word]!) reach(record, span.gain);
    }
    for (const [record, pairs] of query.runsByRecord) for (const pair of pairs) reach(record, pair.gain);
    const chosen = mostReached(
      touched,
      (record) => reached[record]! / (query.totalWeight + 0.5 * this.#recordWeights[record]!),
    );
    for (const record of touched) reached[record] = 0;
    return chosen;
  }
}

/** Bits of `length` words from `start`. */
function maskOf(start: number, length: number): number {
  return ((1 << length) - 1) << start;
}

function append(lists: Map<number, Pair[]>, key: number, pair: Pair): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [pair]);
  else list.push(pair);
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
