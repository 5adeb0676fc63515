// How well a query fits a name. The query is made ready for one pool once: what each of its words may mean there, what
// they weigh, and where initials stand for several words on either side. Then each name is paired with it word by word,
// best pairs first, and what stays unpaired on either side costs its weight: a soft form of TF-IDF over aligned words
// (after Cohen, Ravikumar and Fienberg 2003).

import { KIND_AFFIX, KIND_GENERIC, KIND_INITIALS, KIND_PLAIN, KIND_PROPER } from './club-words.ts';
import { favourFirst, keyOfWords, type NamePool, type NameRecord, runsOf } from './name-pool.ts';
import type { NameWord, ParsedName } from './parse-name.ts';
import type { WordMatch } from './vocabulary.ts';

/** Query words (a bit mask) that stand for words of a name (a bit mask, 0 where the name decides the place). */
interface Pair {
  readonly queryMask: number;
  readonly nameMask: number;
  readonly similarity: number;
  /** Similarity times the weight of the query words. */
  readonly gain: number;
}

export interface PreparedQuery {
  readonly words: readonly NameWord[];
  readonly variant: number;
  readonly key: string;
  /** For each word of the pool that some query word may mean: how much each query word may, in their order. */
  readonly similarities: ReadonlyMap<number, Float64Array>;
  /** Runs of query words that one word of the pool stands for, by that word: "Paris Saint Germain" and PSG. */
  readonly spansByWord: ReadonlyMap<number, readonly Pair[]>;
  /** Query words that stand for a run of words in a name, by record: "PSG" and Paris Saint-Germain. */
  readonly runsByRecord: ReadonlyMap<number, readonly Pair[]>;
  readonly weights: readonly number[];
  readonly totalWeight: number;
  /** Some word is a lone letter. */
  readonly hasLetters: boolean;
  /** At least one word is a name of its own. */
  readonly telling: boolean;
  /** See NameLanguage. */
  readonly nameCoverShare: number;
}

/** "V. Koln": a lone letter weighs little. */
const LONE_LETTER_WEIGHT = 0.6;
/** The query spells out words that the name holds as initials ("Paris Saint Germain" and PSG). */
const SPELLED_OUT_FACTOR = 0.85;
const INITIALS_CHARS_MAX = 5;
/** "Mitre (Santiago del Estero)": what stands in brackets tells less than the name. */
const ASIDE_FACTOR = 0.7;
/** A query word less like every word of the pool is a stranger, and weighs as a rare word. */
const KNOWN_SIMILARITY_MIN = 0.7;

const NICKNAME_FACTOR = 0.98;
/** The query is not word for word the name. */
const INEXACT_FACTOR = 0.97;
/** Women's, youth and reserve sides are other teams: a mismatch never reaches the 0.6 that counts as found. */
const VARIANT_FACTOR = 0.55;
/** The same as NameLanguage's share, for nicknames: half a nickname means little. */
const NICKNAME_COVER_SHARE = 0.55;
/** Confidence that a query of generic words alone ("United") loses, less the more of the name it covers. */
const VAGUE_SHARE = 0.3;
const LONE_LETTER_SIMILARITY = 0.7;

export function prepareQuery(pool: NamePool, query: ParsedName): PreparedQuery {
  const { words, variant } = query;
  const matches = words.map((word) => pool.vocabulary.matches(word));
  const kinds = words.map((word) => pool.language.kindOf(word.text));
  const weights = words.map((word, index) => {
    return (word.aside ? ASIDE_FACTOR : 1) * weightOf(pool, word, matches[index]!);
  });
  favourFirst(weights, kinds);
  return {
    words,
    variant,
    key: keyOfWords(words, pool.language),
    similarities: similarityRows(matches),
    spansByWord: spansByWord(pool, words, weights),
    runsByRecord: runsByRecord(pool, words, weights),
    weights,
    totalWeight: weights.reduce((sum, weight) => sum + weight, 0),
    hasLetters: words.some((word) => word.text.length === 1),
    telling: kinds.includes(KIND_PROPER) || kinds.includes(KIND_INITIALS),
    nameCoverShare: pool.language.nameCoverShare,
  };
}

function weightOf(pool: NamePool, word: NameWord, matches: readonly WordMatch[]): number {
  if (word.text.length === 1 && word.shortened) return LONE_LETTER_WEIGHT;
  const best = matches[0];
  if (best === undefined || best.similarity < KNOWN_SIMILARITY_MIN)
    return pool.vocabulary.strangerWeight(word);
  // "Schw." is worth what it stands for; a whole "Sport" may mean "Sportfreunde" and is worth no more than any "Sport".
  const weight = pool.vocabulary.weight(best.word);
  return word.shortened ? weight : Math.min(weight, pool.vocabulary.strangerWeight(word));
}

function similarityRows(matches: readonly (readonly WordMatch[])[]): Map<number, Float64Array> {
  const rows = new Map<number, Float64Array>();
  for (let index = 0; index < matches.length; index++) {
    for (const { word, similarity } of matches[index]!) {
      let row = rows.get(word);
      if (row === undefined) {
        row = new Float64Array(matches.length);
        rows.set(word, row);
      }
      row[index] = similarity;
    }
  }
  return rows;
}

function spansByWord(
  pool: NamePool,
  words: readonly NameWord[],
  weights: readonly number[],
): Map<number, Pair[]> {
  const spans = new Map<number, Pair[]>();
  for (const run of runsOf(words, pool.language.kindOf)) {
    const word = pool.vocabulary.idOf(run.text);
    if (word === undefined) continue;
    // "FC" in a name stands for "Football Club" in a query, but not for "Fenerbahce Club".
    const isForm = pool.vocabulary.kind(word) >= KIND_PLAIN;
    if (isForm && !words.slice(run.start, run.start + run.length).every((it) => isFormWord(pool, it)))
      continue;
    const similarity = run.similarity * (run.text.length <= INITIALS_CHARS_MAX ? SPELLED_OUT_FACTOR : 1);
    let gain = 0;
    for (let index = run.start; index < run.start + run.length; index++) gain += similarity * weights[index]!;
    append(spans, word, { queryMask: maskOf(run.start, run.length), nameMask: 0, similarity, gain });
  }
  return spans;
}

function runsByRecord(
  pool: NamePool,
  words: readonly NameWord[],
  weights: readonly number[],
): Map<number, Pair[]> {
  const found = new Map<number, Pair[]>();
  for (let index = 0; index < words.length; index++) {
    for (const { record, start, length, similarity } of pool.runs.get(words[index]!.text) ?? []) {
      const gain = similarity * weights[index]!;
      append(found, record, { queryMask: 1 << index, nameMask: maskOf(start, length), similarity, gain });
    }
  }
  return found;
}

/** Says what kind of club it is, and nothing of which. */
function isFormWord(pool: NamePool, word: NameWord): boolean {
  return pool.language.kindOf(word.text) >= KIND_AFFIX;
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

/** Confidence, 0 to 1, that `query` means the record. */
export function scoreRecord(query: PreparedQuery, record: NameRecord, recordIndex: number): number {
  const pairs = pairWords(query, record, recordIndex);
  pairs.sort((left, right) => right.gain - left.gain);
  let queryTaken = 0;
  let nameTaken = 0;
  let queryCovered = 0;
  let nameCovered = 0;
  for (const pair of pairs) {
    if ((queryTaken & pair.queryMask) !== 0 || (nameTaken & pair.nameMask) !== 0) continue;
    queryTaken |= pair.queryMask;
    nameTaken |= pair.nameMask;
    queryCovered += pair.gain;
    for (let position = 0; position < record.words.length; position++) {
      if ((pair.nameMask & (1 << position)) !== 0) {
        nameCovered += pair.similarity * record.weights[position]!;
      }
    }
  }
  const queryCover = queryCovered / query.totalWeight;
  const nameCover = nameCovered / record.totalWeight;
  const share = record.own ? query.nameCoverShare : NICKNAME_COVER_SHARE;
  let confidence = queryCover * (1 - share + share * nameCover);
  if (!query.telling) confidence *= 1 - VAGUE_SHARE + VAGUE_SHARE * nameCover;
  if (query.key !== record.key) confidence *= INEXACT_FACTOR;
  if (!record.own) confidence *= NICKNAME_FACTOR;
  return query.variant === record.variant ? confidence : confidence * VARIANT_FACTOR;
}

function pairWords(query: PreparedQuery, record: NameRecord, recordIndex: number): Pair[] {
  const pairs: Pair[] = [...(query.runsByRecord.get(recordIndex) ?? [])];
  for (let position = 0; position < record.words.length; position++) {
    const word = record.words[position]!;
    const nameMask = 1 << position;
    const similarities = query.similarities.get(word);
    if (similarities !== undefined || query.hasLetters) {
      for (let index = 0; index < query.words.length; index++) {
        const similarity = similarities?.[index] || letterSimilarity(query.words[index]!, record, position);
        if (similarity === 0) continue;
        pairs.push({ queryMask: 1 << index, nameMask, similarity, gain: similarity * query.weights[index]! });
      }
    }
    for (const span of query.spansByWord.get(word) ?? []) pairs.push({ ...span, nameMask });
  }
  return pairs;
}

/** "V. Koln" and Viktoria Koln. */
function letterSimilarity(word: NameWord, record: NameRecord, position: number): number {
  const text = record.texts[position]!;
  if (word.text.length > 1 || text.length === 1 || record.kinds[position]! > KIND_GENERIC) return 0;
  return text[0] === word.text ? LONE_LETTER_SIMILARITY : 0;
}
