// The search over a pool of names: which entry does a text mean, and how well does it fit? Candidates come
// from the words they share with the query; the best few are scored word by word. Entries are added and
// removed one by one.

import type { KnownClub, TeamContext } from './club-table.ts';
import { KIND_PLAIN } from './club-words.ts';
import { NamePool, NO_ENTRY } from './name-pool.ts';
import { type PreparedQuery, prepareQuery } from './prepare-query.ts';
import { GRADE_SAME } from './score/name-grade.ts';
import { assess } from './score/score-name.ts';
import type { NameLanguage } from './team-language.ts';
import { asReserves, type ParsedName } from './text/parse-name.ts';

export interface NameMatch {
  /** The number that the entry was added under. */
  readonly entry: number;
  /** 0 to 1, to rank by. See Assessment. */
  coverage: number;
  /** See Assessment. */
  grade: number;
  /** Whether the query is, word for word, the entry's own name. */
  isOwn: boolean;
  /**
   * Whether the query and the entry's own name each have a club form that the other lacks: "Fortaleza FC" and
   * Fortaleza EC.
   */
  hasOtherForm: boolean;
  /** Whether the query has only words that many clubs share: "Racing", "United". */
  readonly isVague: boolean;
  /** Whether the query has more than one word ("Athletic Club"). */
  readonly isOfSeveralWords: boolean;
}

/** At most this many records are scored word by word for one query: those that share most with it. */
const SCORED_RECORDS_MAX = 40;
/**
 * The same limit for a query of many words. It is lower, so that no query takes long: such a query costs more
 * per record and fits fewer records.
 */
const SCORED_RECORDS_LONG_MAX = 16;
const LONG_QUERY_WORDS = 7;
/** Breaks the tie between two entries that share a nickname in favour of the one whose own name fits. */
const OWN_NAME_SHARE = 0.01;

export class NameIndex {
  readonly #pool: NamePool;
  readonly #parse: (name: string) => ParsedName;
  readonly #recordsByEntry = new Map<number, readonly number[]>();
  readonly #clubsByEntry = new Map<number, readonly number[]>();
  /** Scratch space of one search: what each record shares with the query. All zero between searches. */
  #reached = new Float64Array(64);

  /** @param parse parses a name by the rules of the language, possibly from a cache */
  constructor(language: NameLanguage, parse: (name: string) => ParsedName = language.parse) {
    this.#pool = new NamePool(language);
    this.#parse = parse;
  }

  /** How many names of removed entries there are. They cost memory and time until the index is rebuilt. */
  get removedNames(): number {
    return this.#pool.removed;
  }

  get names(): number {
    return this.#pool.records.length;
  }

  /** Adds an entry; returns what the tables know about it (see OtherNames). */
  add(entry: number, name: string, context: TeamContext): KnownClub {
    const { records, known } = this.#pool.add(entry, this.#parse(name), context, this.#parse);
    this.#recordsByEntry.set(entry, records);
    this.#clubsByEntry.set(entry, known.clubs);
    return known;
  }

  /** Adds an entry under several names, of which the first is its own. */
  addNames(entry: number, names: readonly string[]): void {
    const records = names.map((name, at) => this.#pool.addName(entry, this.#parse(name), at === 0));
    this.#recordsByEntry.set(entry, records);
  }

  remove(entry: number): void {
    const records = this.#recordsByEntry.get(entry);
    if (records === undefined) return;
    this.#recordsByEntry.delete(entry);
    this.#pool.remove(records, this.#clubsByEntry.get(entry) ?? []);
    this.#clubsByEntry.delete(entry);
  }

  /**
   * Entries that `query` may mean, those with the highest coverage first, ties by number; entries below
   * `coverageMin` are left out. See Vocabulary.matches for `plainly`.
   */
  search(query: ParsedName, coverageMin: number, plainly = false): NameMatch[] {
    if (query.words.length === 0) return [];
    const found = new Map<number, NameMatch>();
    const ownCoverage = new Map<number, number>();
    this.#score(query, plainly, found, ownCoverage);
    const reserves = asReserves(query);
    if (reserves !== null) this.#score(reserves, plainly, found, ownCoverage);
    const kept: NameMatch[] = [];
    for (const match of found.values()) {
      const own = ownCoverage.get(match.entry) ?? 0;
      match.coverage = Math.min(1, (1 - OWN_NAME_SHARE) * match.coverage + OWN_NAME_SHARE * own);
      if (match.coverage >= coverageMin) kept.push(match);
    }
    return kept.sort((left, right) => right.coverage - left.coverage || left.entry - right.entry);
  }

  /** Raises each candidate entry to its best match with `query` over all its names. */
  #score(
    query: ParsedName,
    plainly: boolean,
    found: Map<number, NameMatch>,
    ownCoverage: Map<number, number>,
  ): void {
    const prepared = prepareQuery(this.#pool, query, plainly);
    const contradicted = new Map<number, number>();
    for (const recordIndex of this.#candidates(prepared)) {
      const record = this.#pool.weighed(recordIndex);
      const { coverage, grade, hasOtherForm } = assess(prepared, record, recordIndex);
      if (record.own && hasOtherForm && grade > 0) contradicted.set(record.entry, grade);
      if (record.own && coverage > (ownCoverage.get(record.entry) ?? 0))
        ownCoverage.set(record.entry, coverage);
      const isOwn = record.own && prepared.text === record.text && prepared.variant === record.variant;
      const match = found.get(record.entry);
      if (match === undefined) {
        found.set(record.entry, {
          entry: record.entry,
          coverage,
          grade,
          isOwn,
          hasOtherForm: false,
          isVague: prepared.isVague,
          isOfSeveralWords: prepared.words.length > 1,
        });
      } else {
        match.coverage = Math.max(match.coverage, coverage);
        match.grade = Math.max(match.grade, grade);
        match.isOwn ||= isOwn;
      }
    }
    // "Fortaleza FC" is not Fortaleza EC, although that is also called just Fortaleza.
    for (const [entry, grade] of contradicted) {
      const match = found.get(entry)!;
      if (match.grade === GRADE_SAME) continue;
      match.grade = Math.min(match.grade, grade);
      match.hasOtherForm = true;
    }
  }

  /** The records that share most with the query, at most SCORED_RECORDS_MAX, in no order. */
  #candidates(query: PreparedQuery): number[] {
    const pool = this.#pool;
    if (this.#reached.length < pool.records.length) this.#reached = new Float64Array(2 * pool.records.length);
    const reached = this.#reached;
    const touched: number[] = [];
    const reach = (record: number, gain: number): void => {
      const held = pool.records[record]!;
      if (held.entry === NO_ENTRY || pool.isDoubtful(held)) return;
      if (reached[record] === 0) touched.push(record);
      reached[record]! += gain;
    };
    // A query of only plain words, such as "LA FC", can be found only by them, so plain words count here.
    const isPlain = query.words.length === 1 || query.kinds.every((kind) => kind >= KIND_PLAIN);
    for (const [word, row] of query.similarities) {
      if (pool.vocabulary.kind(word) >= KIND_PLAIN && !isPlain) continue;
      let gain = 0;
      for (let index = 0; index < row.length; index++)
        gain = Math.max(gain, query.weights[index]! * row[index]!);
      for (const record of pool.recordsByWord[word]!) reach(record, gain);
    }
    for (const [word, spans] of query.spansByWord) {
      for (const span of spans) for (const record of pool.recordsByWord[word]!) reach(record, span.gain);
    }
    for (const [record, pairs] of query.runsByRecord) for (const pair of pairs) reach(record, pair.gain);
    const countMax = query.words.length < LONG_QUERY_WORDS ? SCORED_RECORDS_MAX : SCORED_RECORDS_LONG_MAX;
    const chosen = mostReached(touched, countMax, (record) => {
      return reached[record]! / (query.totalWeight + 0.5 * pool.weighed(record).totalWeight);
    });
    for (const record of touched) reached[record] = 0;
    return chosen;
  }
}

/**
 * The `countMax` records with the highest worth. Worths are computed once, and the limit is found by
 * counting.
 */
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
