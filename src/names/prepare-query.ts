// A query made ready for one pool, once, before it is scored against many names: what each of its words may mean there,
// what they weigh, and where initials stand for several words on either side.

import { favourFirst, keyOfWords, type NamePool } from './name-pool.ts';
import { runsOf } from './name-runs.ts';
import type { NameWord, ParsedName } from './normalise.ts';
import type { WordMatch } from './vocabulary.ts';
import { KIND_AFFIX, KIND_INITIALS, KIND_PLAIN, KIND_PROPER } from './word-kinds.ts';

/** Query words (a bit mask) that stand for words of a name (a bit mask, 0 where the name decides the place). */
export interface Pair {
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
/** Words spelled out in the text that a name holds as initials. */
const SPELLED_OUT_FACTOR = 0.85;
const INITIALS_CHARS_MAX = 5;
/** "Mitre (Santiago del Estero)": what stands in brackets tells less than the name. */
const ASIDE_FACTOR = 0.7;
/** A query word less like every word of the pool is a stranger, and weighs as a rare word. */
const KNOWN_SIMILARITY_MIN = 0.7;

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
    // "Football Club" is what an FC stands for; "Fenerbahce Club" is not.
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
