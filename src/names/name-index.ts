// The search over a pool of names: which entry does a text mean, and how sure is that (0 to 1)? Candidates come from
// the words they share with the query; the best few are scored word by word. Immutable once made.

import { KIND_PLAIN } from './club-words.ts';
import { buildNamePool, type NamePool } from './name-pool.ts';
import { asReserves, type ParsedName } from './parse-name.ts';
import { type PreparedQuery, prepareQuery, scoreRecord } from './score-name.ts';
import type { NameLanguage } from './team-language.ts';

export interface NameMatch {
  /** Position of the entry in the list that the index was made from. */
  readonly entry: number;
  readonly confidence: number;
}

/** Records scored word by word for one query, those that share most with it. */
const SCORED_RECORDS_MAX = 40;
/** The same for a text of many words, so that no text takes long: it costs more per record and can mean few. */
const SCORED_RECORDS_LONG_MAX = 16;
const LONG_QUERY_WORDS = 7;
/** An entry's own name breaks the tie between two that share a nickname. */
const OWN_NAME_SHARE = 0.01;

export class NameIndex {
  readonly #pool: NamePool;
  /** Scratch of one search: what each record shares with the query. All zero between searches. */
  readonly #reached: Float64Array;

  /** @param parse takes a name apart as the language does; a cache may stand behind it */
  constructor(names: readonly string[], language: NameLanguage, parse: (name: string) => ParsedName) {
    this.#pool = buildNamePool(names, language, parse);
    this.#reached = new Float64Array(this.#pool.records.length);
  }

  /** Entries that `query` may mean, surest first, ties in the order of the list; those under `confidenceMin` are left out. */
  search(query: ParsedName, confidenceMin: number): NameMatch[] {
    if (query.words.length === 0) return [];
    const bestByEntry = new Map<number, number>();
    const ownByEntry = new Map<number, number>();
    this.#score(query, bestByEntry, ownByEntry);
    const reserves = asReserves(query);
    if (reserves !== null) this.#score(reserves, bestByEntry, ownByEntry);
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

  /** Raises each candidate entry's confidence, over all its names and over its own, to what `query` gives it. */
  #score(query: ParsedName, bestByEntry: Map<number, number>, ownByEntry: Map<number, number>): void {
    const prepared = prepareQuery(this.#pool, query);
    for (const recordIndex of this.#candidates(prepared)) {
      const record = this.#pool.records[recordIndex]!;
      const confidence = scoreRecord(prepared, record, recordIndex);
      if (record.own) raise(ownByEntry, record.entry, confidence);
      raise(bestByEntry, record.entry, confidence);
    }
  }

  /** The records that share most with the query, at most SCORED_RECORDS_MAX, in no order. */
  #candidates(query: PreparedQuery): number[] {
    const reached = this.#reached;
    const touched: number[] = [];
    const reach = (record: number, gain: number): void => {
      if (reached[record] === 0) touched.push(record);
      reached[record]! += gain;
    };
    const alone = query.words.length === 1;
    for (const [word, row] of query.similarities) {
      if (this.#pool.vocabulary.kind(word) >= KIND_PLAIN && !alone) continue;
      let gain = 0;
      for (let index = 0; index < row.length; index++)
        gain = Math.max(gain, query.weights[index]! * row[index]!);
      for (const record of this.#pool.recordsByWord[word]!) reach(record, gain);
    }
    for (const [word, spans] of query.spansByWord) {
      for (const span of spans)
        for (const record of this.#pool.recordsByWord[word]!) reach(record, span.gain);
    }
    for (const [record, pairs] of query.runsByRecord) for (const pair of pairs) reach(record, pair.gain);
    const countMax = query.words.length < LONG_QUERY_WORDS ? SCORED_RECORDS_MAX : SCORED_RECORDS_LONG_MAX;
    const chosen = mostReached(touched, countMax, (record) => {
      return reached[record]! / (query.totalWeight + 0.5 * this.#pool.records[record]!.totalWeight);
    });
    for (const record of touched) reached[record] = 0;
    return chosen;
  }
}

function raise(best: Map<number, number>, entry: number, confidence: number): void {
  const known = best.get(entry);
  if (known === undefined || known < confidence) best.set(entry, confidence);
}

/** The `countMax` records with the highest worth; worths are computed once and the cut found by counting. */
function mostReached(
  records: readonly number[],
  countMax: number,
  worthOf: (record: number) => number,
): number[] {
  if (records.length <= countMax) return [...records];
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
  while (cut > 0 && above < countMax) above += counts[--cut]!;
  const chosen: number[] = [];
  const onCut: number[] = [];
  for (let index = 0; index < records.length; index++) {
    const bucket = bucketOf(worths[index]!);
    if (bucket > cut) chosen.push(records[index]!);
    else if (bucket === cut) onCut.push(index);
  }
  onCut.sort((left, right) => worths[right]! - worths[left]! || records[left]! - records[right]!);
  for (const index of onCut.slice(0, countMax - chosen.length)) chosen.push(records[index]!);
  return chosen;
}
