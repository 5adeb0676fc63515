// A pool of names and the search over it: which entry does this text mean, and how sure is that (0 to 1)? Words are
// aligned one to one, rare words count more, initials meet spelled-out words, and the side (women, youth, reserve)
// must agree. The same index serves teams and leagues.

import { nicknamesOf } from './nicknames.ts';
import { type NameWord, type ParsedName, parseName } from './normalise.ts';
import { KIND_AFFIX, KIND_LITTLE, KIND_PLAIN, kindOfWord, Vocabulary, type WordMatch } from './vocabulary.ts';

export interface NameMatch {
  /** Position of the entry in the list that the index was made from. */
  readonly entry: number;
  readonly confidence: number;
}

interface NameRecord {
  readonly entry: number;
  /** Vocabulary numbers in order. */
  readonly words: readonly number[];
  readonly variant: number;
  /** 1 for the entry's own name, less for a nickname of it. */
  readonly factor: number;
  readonly joined: string;
}

/** A run of words that one word may stand for: initials ("PSG") or the words written together ("Hamkam"). */
interface Run {
  readonly record: number;
  readonly start: number;
  readonly length: number;
  readonly similarity: number;
}

interface Pair {
  readonly queryMask: number;
  readonly nameMask: number;
  readonly similarity: number;
  readonly gain: number;
}

export interface NameIndexOptions {
  /** Parses a name; a bounded cache may stand behind it. Default: parseName. */
  readonly parse?: (name: string) => ParsedName;
}

const NICKNAME_FACTOR = 0.98;
/** Women's, youth and reserve sides are other teams: a mismatch never reaches the 0.6 that counts as found. */
const VARIANT_FACTOR = 0.55;
const SCORED_RECORDS_MAX = 40;
const RUN_WORDS_MAX = 5;
/** How much of the confidence rests on the query naming the whole name. Half a nickname means little. */
const NAME_COVER_SHARE = 0.35;
const NICKNAME_COVER_SHARE = 0.6;

export class NameIndex {
  readonly #vocabulary = new Vocabulary();
  readonly #records: NameRecord[] = [];
  readonly #postings: number[][] = [];
  readonly #runs = new Map<string, Run[]>();
  readonly #recordWeights: Float64Array;
  readonly #reached: Float64Array;

  constructor(names: readonly string[], options: NameIndexOptions = {}) {
    const parse = options.parse ?? parseName;
    for (let entry = 0; entry < names.length; entry++) {
      const parsed = parse(names[entry]!);
      this.#vocabulary.countName();
      this.#addRecord(entry, parsed.words, parsed.variant, 1);
      for (const nickname of nicknamesOf(parsed)) {
        const other = parse(nickname);
        if (other.text === parsed.text) continue;
        this.#addRecord(entry, other.words, parsed.variant | other.variant, NICKNAME_FACTOR);
      }
    }
    this.#recordWeights = new Float64Array(this.#records.length);
    for (let record = 0; record < this.#records.length; record++) {
      for (const word of this.#records[record]!.words)
        this.#recordWeights[record]! += this.#vocabulary.weight(word);
    }
    this.#reached = new Float64Array(this.#records.length);
  }

  #addRecord(entry: number, words: readonly NameWord[], variant: number, factor: number): void {
    const record = this.#records.length;
    const ids = words.map((word) => this.#vocabulary.add(word));
    this.#records.push({
      entry,
      words: ids,
      variant,
      factor,
      joined: words.map((word) => word.text).join(''),
    });
    for (const id of new Set(ids)) {
      const list = this.#postings[id];
      if (list === undefined) this.#postings[id] = [record];
      else list.push(record);
    }
    eachRun(words, (text, start, length, similarity) => {
      const run: Run = { record, start, length, similarity };
      const list = this.#runs.get(text);
      if (list === undefined) this.#runs.set(text, [run]);
      else if (list.length < 64) list.push(run);
    });
  }

  /** Entries that `query` may mean, surest first; those under `confidenceMin` are left out. */
  search(query: ParsedName, confidenceMin = 0.3): NameMatch[] {
    const words = query.words;
    if (words.length === 0) return [];
    const vocabulary = this.#vocabulary;
    const matches: WordMatch[][] = words.map((word) => vocabulary.matches(word));
    const weights = words.map((word, index) => {
      const best = matches[index]![0];
      if (best === undefined || best.similarity < 0.7) return vocabulary.strangerWeight(word.text);
      return vocabulary.weight(best.word);
    });
    const spans = this.#querySpans(words);
    const byEntry = new Map<number, number>();
    for (const record of this.#candidates(matches, weights, spans)) {
      const confidence = this.#score(record, query, matches, weights, spans);
      if (confidence < confidenceMin) continue;
      const entry = this.#records[record]!.entry;
      const known = byEntry.get(entry);
      if (known === undefined || known < confidence) byEntry.set(entry, confidence);
    }
    const found: NameMatch[] = [];
    for (const [entry, confidence] of byEntry) found.push({ entry, confidence });
    return found.sort((left, right) => right.confidence - left.confidence || left.entry - right.entry);
  }

  /** Runs of query words that are one word in the pool, and words that stand for a run in some name. */
  #querySpans(words: readonly NameWord[]): QuerySpan[] {
    const spans: QuerySpan[] = [];
    eachRun(words, (text, start, length, similarity) => {
      const word = this.#vocabulary.idOf(text);
      if (word !== undefined) spans.push({ start, length, similarity, word, runs: null });
    });
    for (let index = 0; index < words.length; index++) {
      const runs = this.#runs.get(words[index]!.text);
      if (runs !== undefined) spans.push({ start: index, length: 1, similarity: 1, word: -1, runs });
    }
    return spans;
  }

  #candidates(matches: WordMatch[][], weights: number[], spans: QuerySpan[]): number[] {
    const reached = this.#reached;
    const touched: number[] = [];
    const reach = (record: number, gain: number): void => {
      if (reached[record] === 0) touched.push(record);
      reached[record]! += gain;
    };
    for (let index = 0; index < matches.length; index++) {
      for (const match of matches[index]!) {
        if (this.#vocabulary.kind(match.word) >= KIND_PLAIN && matches.length > 1) continue;
        const gain = weights[index]! * match.similarity;
        for (const record of this.#postings[match.word]!) reach(record, gain);
      }
    }
    for (const span of spans) {
      let weight = 0;
      for (let index = span.start; index < span.start + span.length; index++) weight += weights[index]!;
      if (span.runs === null) {
        for (const record of this.#postings[span.word]!) reach(record, weight * span.similarity);
      } else {
        for (const run of span.runs) reach(run.record, weight * run.similarity);
      }
    }
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    for (const record of touched) reached[record]! /= total + 0.5 * this.#recordWeights[record]!;
    if (touched.length > SCORED_RECORDS_MAX) {
      touched.sort((left, right) => reached[right]! - reached[left]! || left - right);
    }
    for (const record of touched) reached[record] = 0;
    if (touched.length > SCORED_RECORDS_MAX) touched.length = SCORED_RECORDS_MAX;
    return touched;
  }

  #score(
    recordIndex: number,
    query: ParsedName,
    matches: WordMatch[][],
    weights: number[],
    spans: QuerySpan[],
  ): number {
    const record = this.#records[recordIndex]!;
    const pairs = this.#pairs(recordIndex, matches, weights, spans);
    pairs.sort((left, right) => right.gain - left.gain);
    let queryTaken = 0;
    let nameTaken = 0;
    let queryCovered = 0;
    let nameCovered = 0;
    for (const pair of pairs) {
      if ((queryTaken & pair.queryMask) !== 0 || (nameTaken & pair.nameMask) !== 0) continue;
      queryTaken |= pair.queryMask;
      nameTaken |= pair.nameMask;
      queryCovered += pair.similarity * maskWeight(pair.queryMask, weights);
      nameCovered += pair.similarity * this.#nameMaskWeight(pair.nameMask, record.words);
    }
    const queryTotal = weights.reduce((sum, weight) => sum + weight, 0);
    const queryCover = queryCovered / queryTotal;
    const nameCover = nameCovered / this.#recordWeights[recordIndex]!;
    const share = record.factor === 1 ? NAME_COVER_SHARE : NICKNAME_COVER_SHARE;
    const base = queryCover * (1 - share + share * nameCover);
    const sameSide = query.variant === record.variant;
    return base * record.factor * (sameSide ? 1 : VARIANT_FACTOR);
  }

  #pairs(recordIndex: number, matches: WordMatch[][], weights: number[], spans: QuerySpan[]): Pair[] {
    const words = this.#records[recordIndex]!.words;
    const pairs: Pair[] = [];
    for (let position = 0; position < words.length; position++) {
      const word = words[position]!;
      for (let index = 0; index < matches.length; index++) {
        for (const match of matches[index]!) {
          if (match.word !== word) continue;
          pairs.push({
            queryMask: 1 << index,
            nameMask: 1 << position,
            similarity: match.similarity,
            gain: match.similarity * weights[index]!,
          });
        }
      }
      for (const span of spans) {
        if (span.word !== word) continue;
        pairs.push(toPair(span, position, 1, span.similarity, weights));
      }
    }
    for (const span of spans) {
      if (span.runs === null) continue;
      for (const run of span.runs) {
        if (run.record !== recordIndex) continue;
        pairs.push(toPair(span, run.start, run.length, run.similarity, weights));
      }
    }
    return pairs;
  }

  #nameMaskWeight(mask: number, words: readonly number[]): number {
    let weight = 0;
    for (let position = 0; position < words.length; position++) {
      if ((mask & (1 << position)) !== 0) weight += this.#vocabulary.weight(words[position]!);
    }
    return weight;
  }
}

interface QuerySpan {
  readonly start: number;
  readonly length: number;
  readonly similarity: number;
  /** The word of the pool that the run is, or -1. */
  readonly word: number;
  /** Runs in names that the one word at `start` stands for, or null. */
  readonly runs: readonly Run[] | null;
}

function toPair(
  span: QuerySpan,
  position: number,
  length: number,
  similarity: number,
  weights: readonly number[],
): Pair {
  const queryMask = ((1 << span.length) - 1) << span.start;
  return {
    queryMask,
    nameMask: ((1 << length) - 1) << position,
    similarity,
    gain: similarity * maskWeight(queryMask, weights),
  };
}

function maskWeight(mask: number, weights: readonly number[]): number {
  let weight = 0;
  for (let index = 0; index < weights.length; index++)
    if ((mask & (1 << index)) !== 0) weight += weights[index]!;
  return weight;
}

/**
 * Initials of every run of two to five words, with and without the little words and with short club forms whole
 * ("HSV" of Hamburger SV), and every two neighbours written together.
 */
function eachRun(
  words: readonly NameWord[],
  take: (text: string, start: number, length: number, similarity: number) => void,
): void {
  for (let start = 0; start + 1 < words.length; start++) {
    let plain = '';
    let whole = '';
    let dense = '';
    for (let length = 1; length <= RUN_WORDS_MAX && start + length <= words.length; length++) {
      const text = words[start + length - 1]!.text;
      const kind = kindOfWord(text);
      plain += text[0]!;
      whole += kind >= KIND_AFFIX && kind !== KIND_LITTLE && text.length <= 3 ? text : text[0]!;
      dense += kind === KIND_LITTLE ? '' : text[0]!;
      if (length === 1) continue;
      take(plain, start, length, initialsSimilarity(plain));
      if (whole !== plain) take(whole, start, length, initialsSimilarity(whole));
      if (dense !== plain && dense.length > 1) take(dense, start, length, initialsSimilarity(dense));
    }
    take(words[start]!.text + words[start + 1]!.text, start, 2, 0.97);
  }
}

/** Two letters are initials of too much. */
function initialsSimilarity(initials: string): number {
  return initials.length === 2 ? 0.6 : initials.length === 3 ? 0.85 : 0.92;
}
