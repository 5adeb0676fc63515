// A query prepared for one pool of names: what each of its words may mean there, what the words weigh, and
// where initials stand for several words of either. score-name.ts compares names with it.

import {
  BRAZILIAN_STATES,
  type FormPhrase,
  formPhrasesIn,
  KIND_AFFIX,
  KIND_GENERIC,
  KIND_INITIALS,
  KIND_PLAIN,
  KIND_PROPER,
} from './club-words.ts';
import { favourFirst, keyOfWords, type NamePool, runsOf } from './name-pool.ts';
import type { NameLanguage } from './team-language.ts';
import type { NameWord, ParsedName } from './text/parse-name.ts';
import type { WordMatch } from './vocabulary.ts';

/**
 * Query words that stand for words of a name. Both are bit masks; `nameMask` is 0 if the positions of the
 * words differ from name to name.
 */
export interface Pair {
  readonly queryMask: number;
  readonly nameMask: number;
  readonly similarity: number;
  /** Similarity times the weight of the query words. */
  readonly gain: number;
}

export interface PreparedQuery {
  readonly words: readonly NameWord[];
  readonly kinds: readonly number[];
  readonly formOf: (text: string) => string;
  readonly slipFormOf: (text: string) => string | null;
  readonly isKnown: (text: string) => boolean;
  /**
   * The cost of accepting a word of the pool for each word of the query, by the word of the pool. Filled
   * while names are scored.
   */
  readonly bends: Map<number, Float64Array>;
  readonly affixesAreForms: boolean;
  /** Words that name at most one club of the tables, a bit mask. */
  readonly rareMask: number;
  /** Words of phrases that say what kind of club it is ("Club Atletico"), a bit mask. */
  readonly phraseMask: number;
  /**
   * The last word when it is a Brazilian state ("Botafogo SP"), which distinguishes clubs of one name;
   * otherwise -1.
   */
  readonly placeWord: number;
  readonly variant: number;
  readonly text: string;
  readonly key: string;
  /**
   * For each word of the pool that is similar to a query word: its similarity to each of the query words, in
   * their order.
   */
  readonly similarities: ReadonlyMap<number, Float64Array>;
  /**
   * Runs of query words that one word of a name abbreviates, by that word: "Paris Saint Germain" and PSG.
   */
  readonly spansByWord: ReadonlyMap<number, readonly Pair[]>;
  /** Query words that abbreviate a run of words in a name, by the name's record: "PSG". */
  readonly runsByRecord: ReadonlyMap<number, readonly Pair[]>;
  readonly weights: readonly number[];
  readonly totalWeight: number;
  /** Whether some word is a lone letter. */
  readonly hasLetters: boolean;
  /** Whether the query has only words that many clubs share. */
  readonly isVague: boolean;
  /** Whether at least one word is a distinctive name or initials. */
  readonly isDistinctive: boolean;
  /** See NameLanguage. */
  readonly nameCoverShare: number;
}

/** The weight of a lone letter, as in "V. Koln". */
const LONE_LETTER_WEIGHT = 0.6;
/**
 * Factor for a query that spells out words which the name has as initials ("Paris Saint Germain" and PSG).
 */
const SPELLED_OUT_FACTOR = 0.85;
const INITIALS_CHARS_MAX = 5;
/** Similarity of a phrase to its initials: "Club Deportivo" and CD. */
const PHRASE_SIMILARITY = 0.97;
/** Runs of at least this similarity are more than initials: see runsOf. */
export const SURE_RUN_SIMILARITY = 0.96;
/**
 * Factor on the weight of words in brackets, which count less than the name: "Mitre (Santiago del Estero)".
 */
const ASIDE_FACTOR = 0.7;
/**
 * If no word of the pool is at least this similar, a query word is unknown to the pool and weighs as a rare
 * word.
 */
const KNOWN_SIMILARITY_MIN = 0.7;

/**
 * Reads a query against a pool. @param plainly whether words are taken as they are, without slips and
 * shortenings
 */
export function prepareQuery(pool: NamePool, query: ParsedName, plainly: boolean): PreparedQuery {
  const { words, variant } = query;
  const matches = words.map((word) => pool.vocabulary.matches(word, plainly));
  const kinds = words.map((word) => pool.language.kindOf(word.text));
  const weights = words.map((word, index) => {
    return (word.aside ? ASIDE_FACTOR : 1) * weightOf(pool, word, matches[index]!);
  });
  favourFirst(weights, kinds);
  const phrases = pool.language.affixesAreForms ? formPhrasesIn(words) : [];
  const phraseMask = phrases.reduce((mask, { start, length }) => mask | maskOf(start, length), 0);
  const last = words.at(-1)!.text;
  const isPlace = words.length > 1 && BRAZILIAN_STATES.has(last) && kinds.at(-1)! < KIND_PLAIN;
  return {
    words,
    kinds,
    formOf: pool.language.formOf,
    slipFormOf: pool.language.slipFormOf,
    isKnown: pool.language.isKnown,
    bends: new Map(),
    affixesAreForms: pool.language.affixesAreForms,
    rareMask: rareMaskOf(words, kinds, pool.language) & ~phraseMask,
    phraseMask,
    placeWord: isPlace ? words.length - 1 : -1,
    variant,
    text: query.text,
    key: keyOfWords(words, pool.language),
    similarities: similarityRows(matches),
    spansByWord: spansByWord(pool, words, weights, phrases),
    runsByRecord: runsByRecord(pool, words, weights),
    weights,
    totalWeight: weights.reduce((sum, weight) => sum + weight, 0),
    hasLetters: words.some((word) => word.text.length === 1),
    isVague: kinds.every((kind) => kind === KIND_GENERIC || kind >= KIND_PLAIN),
    isDistinctive: kinds.includes(KIND_PROPER) || kinds.includes(KIND_INITIALS),
    nameCoverShare: pool.language.nameCoverShare,
  };
}

function rareMaskOf(words: readonly NameWord[], kinds: readonly number[], language: NameLanguage): number {
  let mask = 0;
  for (let index = 0; index < words.length; index++) {
    const { text } = words[index]!;
    if (kinds[index] === KIND_PROPER && text.length > 4 && language.isRare(text)) mask |= 1 << index;
  }
  return mask;
}

function weightOf(pool: NamePool, word: NameWord, matches: readonly WordMatch[]): number {
  if (word.text.length === 1 && word.shortened) return LONE_LETTER_WEIGHT;
  const best = matches[0];
  if (best === undefined || best.similarity < KNOWN_SIMILARITY_MIN)
    return pool.vocabulary.strangerWeight(word);
  // A shortening ("Schw.") weighs as much as the word it stands for. "Sport" as a whole word may mean
  // "Sportfreunde", but weighs no more than any "Sport".
  const weight = pool.vocabulary.weight(best.word);
  return word.shortened ? weight : Math.min(weight, pool.vocabulary.strangerWeight(word));
}

function similarityRows(matches: readonly (readonly WordMatch[])[]): Map<number, Float64Array> {
  const rows = new Map<number, Float64Array>();
  for (let index = 0; index < matches.length; index++) {
    for (const { word, similarity } of matches[index]!) {
      rows.getOrInsertComputed(word, () => new Float64Array(matches.length))[index] = similarity;
    }
  }
  return rows;
}

function spansByWord(
  pool: NamePool,
  words: readonly NameWord[],
  weights: readonly number[],
  phrases: readonly FormPhrase[],
): Map<number, Pair[]> {
  const spans = new Map<number, Pair[]>();
  for (const { start, length, short } of phrases) {
    const word = pool.vocabulary.idOf(short);
    if (word === undefined) continue;
    let gain = 0;
    for (let index = start; index < start + length; index++) gain += PHRASE_SIMILARITY * weights[index]!;
    append(spans, word, {
      queryMask: maskOf(start, length),
      nameMask: 0,
      similarity: PHRASE_SIMILARITY,
      gain,
    });
  }
  for (const run of runsOf(words, pool.language.kindOf)) {
    const word = pool.vocabulary.idOf(run.text);
    if (word === undefined) continue;
    // "FC" in a name stands for "Football Club" in a query, but not for "Fenerbahce Club", and "CP" for
    // "Clube de Portugal", but not for "Crystal Palace".
    const kind = pool.vocabulary.kind(word);
    const ofRun = words.slice(run.start, run.start + run.length);
    if (kind >= KIND_PLAIN && !ofRun.every((it) => isFormWord(pool, it))) continue;
    if (kind === KIND_AFFIX && !ofRun.some((it) => isFormWord(pool, it))) continue;
    const isInitials = run.text.length <= INITIALS_CHARS_MAX && run.similarity < SURE_RUN_SIMILARITY;
    const similarity = run.similarity * (isInitials ? SPELLED_OUT_FACTOR : 1);
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

/** Whether the word shows what kind of club it is, but not which one. */
function isFormWord(pool: NamePool, word: NameWord): boolean {
  return pool.language.kindOf(word.text) >= KIND_AFFIX;
}

/** Bits of `length` words from `start`. */
function maskOf(start: number, length: number): number {
  return ((1 << length) - 1) << start;
}

function append(lists: Map<number, Pair[]>, key: number, pair: Pair): void {
  lists.getOrInsertComputed(key, () => []).push(pair);
}
