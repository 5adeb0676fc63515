// The words of a pool of names. Each has a worth, because rare words distinguish more than common ones. For a
// word of a query, the vocabulary finds the words of the pool that this word may mean. Built once per pool;
// look-ups allocate little and read a bounded number of words.

import { KIND_AFFIX, KIND_GENERIC, KIND_LITTLE, KIND_NUMBER, KIND_PLAIN } from './club-words.ts';
import type { NameLanguage } from './team-language.ts';
import type { NameWord } from './text/parse-name.ts';
import {
  fuzzySimilarity,
  isOneSlip,
  isShortSlip,
  lettersOf,
  mayBeFuzzy,
  otherYearsOf,
  shorteningSimilarity,
  skeletonOf,
} from './text/word-similarity.ts';

/** A word of the pool that a query word may mean. */
export interface WordMatch {
  readonly word: number;
  readonly similarity: number;
}

const SIMILARITY_FORM = 0.95;
const SIMILARITY_SKELETON = 0.96;
/** Similarity of short words that sound alike. They often belong to two clubs: "FAC" and "FAK". */
const SIMILARITY_SHORT_SKELETON = 0.7;
/**
 * If the pool contains a query word exactly as written, the word is less likely to mean another word of the
 * pool.
 */
const KNOWN_WORD_FACTOR = 0.8;
/**
 * Similarity of words one typing slip apart. In words with fewer letters than SLIP_LENGTH_MIN, a slip of one
 * letter more often makes another word.
 */
const SIMILARITY_SLIP = 0.9;
const SLIP_LENGTH_MIN = 5;
/** Similarity after a slip in a short word, which counts only beside a word that is right: "West Hma". */
const SIMILARITY_SHORT_SLIP = 0.7;
/**
 * Similarity if one letter of a short word is wrong ("Dynamo Kyia"), so that the answer asks whether the name
 * is meant.
 */
const SIMILARITY_OTHER_LETTER = 0.6;
/**
 * Fewest and most letters of words that are also indexed by their text without one letter. After a slip, such
 * short words have too few pairs of letters in common to be found by pairs.
 */
const SHORT_LENGTH_MIN = 4;
const SHORT_LENGTH_MAX = 5;
/** Most words matched as shortenings of a query word, and most matched as slips of a short one. */
const PREFIX_WORDS_MAX = 48;
/** Most words that one query word may mean. The best ones are kept. */
const MATCHES_MAX = 24;
/**
 * Maximum number of words whose matches are cached. For a new one, the least recently used one is dropped.
 */
const MATCHED_WORDS_MAX = 4_096;
/** The weight of a word that every name has, as a share of the weight of a word that only one name has. */
const RARITY_MIN = 0.28;

/** Most words passed on for one query word. Those with most in common come first. */
const NEAR_WORDS_MAX = 24;
const LENGTH_MIN = 3;
const BIGRAM_BASE = 37;

export class Vocabulary {
  readonly #language: NameLanguage;
  readonly #idByText = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #skeletons: string[] = [];
  /** The letters of each skeleton, as `lettersOf` returns them. */
  readonly #letters: number[] = [];
  readonly #marked: boolean[] = [];
  readonly #kinds: number[] = [];
  readonly #nameCounts: number[] = [];
  readonly #idsByForm = new Map<string, number[]>();
  readonly #idsBySkeleton = new Map<string, number[]>();
  readonly #idsByLetter = new Map<string, number[]>();
  /**
   * Finds words that may abbreviate each other: by their first three letters, by their first and last letter,
   * and, if they are marked as abbreviations, by their first letter.
   */
  readonly #idsByStart = new Map<string, number[]>();
  readonly #idsByEnds = new Map<string, number[]>();
  readonly #markedByLetter = new Map<string, number[]>();
  /** Short words by their text and by what is left of it without one letter. */
  readonly #idsByRest = new Map<string, number[]>();
  readonly #bigrams = new BigramIndex();
  #nameCount = 0;
  /**
   * Cached results of `matches`, because one query reads the same words in several ways and many queries have
   * the same words. A new word in the pool empties the cache.
   */
  readonly #matched = new Map<string, readonly WordMatch[]>();

  constructor(language: NameLanguage) {
    this.#language = language;
  }

  get size(): number {
    return this.#texts.length;
  }

  /** Counts one entry more or less (1 or -1). */
  countEntry(step: number): void {
    this.#nameCount += step;
  }

  /** Counts one entry more or less (1 or -1) that has this word in one of its names. */
  countWord(id: number, step: number): void {
    this.#nameCounts[id]! += step;
  }

  /** The number of this word, new or known. */
  add(word: NameWord): number {
    const known = this.#idByText.get(word.text);
    if (known !== undefined) return known;
    this.#matched.clear();
    const id = this.#texts.length;
    const skeleton = skeletonOf(word.text);
    this.#idByText.set(word.text, id);
    this.#texts.push(word.text);
    this.#skeletons.push(skeleton);
    this.#letters.push(lettersOf(skeleton));
    this.#marked.push(word.shortened);
    this.#kinds.push(this.#language.kindOf(word.text));
    this.#nameCounts.push(0);
    push(this.#idsByForm, this.#language.formOf(word.text), id);
    push(this.#idsBySkeleton, skeleton, id);
    push(this.#idsByLetter, word.text[0]!, id);
    push(this.#idsByStart, word.text.slice(0, 3), id);
    push(this.#idsByEnds, word.text[0]! + word.text.at(-1)!, id);
    if (word.shortened) push(this.#markedByLetter, word.text[0]!, id);
    this.#bigrams.add(skeleton);
    if (word.text.length >= SHORT_LENGTH_MIN && word.text.length <= SHORT_LENGTH_MAX)
      for (const rest of restsOf(word.text)) push(this.#idsByRest, rest, id);
    return id;
  }

  idOf(text: string): number | undefined {
    return this.#idByText.get(text);
  }

  text(id: number): string {
    return this.#texts[id]!;
  }

  kind(id: number): number {
    return this.#kinds[id]!;
  }

  /** Worth of a word of the pool, 0 to 1. */
  weight(id: number): number {
    return this.#language.kindWeights[this.#kinds[id]!]! * this.#rarity(this.#nameCounts[id]!);
  }

  /** Worth of a word that no name of the pool holds. */
  strangerWeight(word: NameWord): number {
    return this.#language.kindWeights[this.#language.kindOf(word.text)]!;
  }

  #rarity(names: number): number {
    // Inverse document frequency, scaled so that a word of one entry has 1.
    const rarity = Math.log((this.#nameCount + 1) / Math.max(1, names)) / Math.log(this.#nameCount + 1);
    return RARITY_MIN + (1 - RARITY_MIN) * Math.max(0, rarity);
  }

  /**
   * The words of this pool that a query word may mean, best first, at most MATCHES_MAX. `plainly` leaves out
   * typing slips and abbreviations, which cost most of the time.
   */
  matches(word: NameWord, plainly = false): readonly WordMatch[] {
    const key = `${word.text}${word.shortened ? '.' : ''}${plainly ? '=' : ''}`;
    let found = this.#matched.get(key);
    if (found !== undefined) this.#matched.delete(key);
    else {
      found = this.#findMatches(word, plainly);
      if (this.#matched.size >= MATCHED_WORDS_MAX) this.#matched.delete(this.#matched.keys().next().value!);
    }
    // A Map keeps the order of setting, so the first key is the least recently used one.
    this.#matched.set(key, found);
    return found;
  }

  #findMatches(word: NameWord, plainly: boolean): WordMatch[] {
    const best = new Map<number, number>();
    const text = word.text;
    const skeleton = skeletonOf(text);
    const exact = this.#idByText.get(text);
    if (exact !== undefined) best.set(exact, 1);
    for (const id of this.#idsByForm.get(this.#language.formOf(text)) ?? []) raise(best, id, SIMILARITY_FORM);
    for (const id of this.#idsBySkeleton.get(skeleton) ?? []) {
      const isShort = Math.min(text.length, this.#texts[id]!.length) <= 3;
      raise(best, id, isShort ? SIMILARITY_SHORT_SKELETON : SIMILARITY_SKELETON);
    }
    for (const year of otherYearsOf(text)) this.#raiseText(best, year, SIMILARITY_FORM);
    const kind = this.#language.kindOf(text);
    if (
      !plainly &&
      (word.shortened || (kind !== KIND_LITTLE && kind !== KIND_PLAIN && kind !== KIND_NUMBER))
    ) {
      const isKnown = exact !== undefined && !word.shortened;
      const factor = isKnown ? KNOWN_WORD_FACTOR : 1;
      this.#addShortenings(best, word, factor);
      if (kind !== KIND_AFFIX && !isKnown) this.#addFuzzy(best, text, skeleton, factor);
      const form = isKnown ? null : this.#language.slipFormOf(text);
      for (const id of (form === null ? undefined : this.#idsByForm.get(form)) ?? [])
        raise(best, id, factor * SIMILARITY_SLIP);
    }
    const found: WordMatch[] = [];
    for (const [id, similarity] of best) found.push({ word: id, similarity });
    found.sort((left, right) => right.similarity - left.similarity || left.word - right.word);
    return found.length > MATCHES_MAX ? found.slice(0, MATCHES_MAX) : found;
  }

  #raiseText(best: Map<number, number>, text: string, similarity: number): void {
    const id = this.#idByText.get(text);
    if (id !== undefined) raise(best, id, similarity);
  }

  #addShortenings(best: Map<number, number>, word: NameWord, factor: number): void {
    const { text } = word;
    const lists = word.shortened
      ? [this.#idsByLetter.get(text[0]!)]
      : [
          this.#idsByStart.get(text.slice(0, 3)),
          this.#idsByEnds.get(text[0]! + text.at(-1)!),
          this.#markedByLetter.get(text[0]!),
        ];
    let taken = 0;
    for (const ids of lists) {
      if (ids === undefined) continue;
      for (const id of ids) {
        if (this.#kinds[id]! > KIND_NUMBER && !word.shortened) continue;
        const other = this.#texts[id]!;
        const similarity =
          other.length > text.length
            ? shorteningSimilarity(text, other, word.shortened)
            : shorteningSimilarity(other, text, this.#marked[id]!);
        if (similarity > 0) {
          raise(best, id, factor * similarity);
          if (++taken === PREFIX_WORDS_MAX) return;
        }
      }
    }
  }

  /** Adds the short words that one typing slip makes of this one ("laizo" and Lazio). */
  #addShortSlips(best: Map<number, number>, text: string, factor: number): void {
    if (text.length < SHORT_LENGTH_MIN - 1 || text.length > SHORT_LENGTH_MAX + 1) return;
    let taken = 0;
    for (const rest of restsOf(text)) {
      for (const id of this.#idsByRest.get(rest) ?? []) {
        const other = this.#texts[id]!;
        if (this.#kinds[id]! > KIND_GENERIC || !isOneSlip(text, other)) continue;
        const isLong = text.length >= SLIP_LENGTH_MIN && other.length >= SLIP_LENGTH_MIN;
        const short = isShortSlip(text, other) ? SIMILARITY_SHORT_SLIP : SIMILARITY_OTHER_LETTER;
        raise(best, id, factor * (isLong ? SIMILARITY_SLIP : short));
        if (++taken === PREFIX_WORDS_MAX) return;
      }
    }
  }

  /** Adds the short words, also forms and articles, two letters of which are exchanged ("culb", "lsa"). */
  #addExchanged(best: Map<number, number>, text: string, factor: number): void {
    if (text.length < SHORT_LENGTH_MIN - 1 || text.length > SHORT_LENGTH_MIN) return;
    for (let at = 0; at + 1 < text.length; at++)
      this.#raiseText(
        best,
        text.slice(0, at) + text[at + 1]! + text[at]! + text.slice(at + 2),
        factor * SIMILARITY_SHORT_SLIP,
      );
  }

  #addFuzzy(best: Map<number, number>, text: string, skeleton: string, factor: number): void {
    this.#addShortSlips(best, text, factor);
    this.#addExchanged(best, text, factor);
    const letters = lettersOf(skeleton);
    for (const id of this.#bigrams.near(skeleton)) {
      const isLong = text.length >= SLIP_LENGTH_MIN;
      if (this.#kinds[id]! > KIND_GENERIC) {
        // A club form that is a word ("Deportivo", "Calcio") is misspelled like any other word.
        const isForm = this.#kinds[id] === KIND_AFFIX || this.#kinds[id] === KIND_PLAIN;
        const isFormSlip = isForm && isLong && isOneSlip(text, this.#texts[id]!);
        if (isFormSlip && this.#texts[id]!.length >= SLIP_LENGTH_MIN)
          raise(best, id, factor * SIMILARITY_SLIP);
        continue;
      }
      if (isLong && isOneSlip(text, this.#texts[id]!)) raise(best, id, factor * SIMILARITY_SLIP);
      else if (!isLong && isShortSlip(text, this.#texts[id]!))
        raise(best, id, factor * SIMILARITY_SHORT_SLIP);
      if (!mayBeFuzzy(skeleton, letters, this.#skeletons[id]!, this.#letters[id]!)) continue;
      const similarity = fuzzySimilarity(skeleton, this.#skeletons[id]!);
      if (similarity === 0) continue;
      raise(best, id, factor * similarity);
      if (isLong && isOneSlip(skeleton, this.#skeletons[id]!)) raise(best, id, factor * SIMILARITY_SLIP);
    }
  }
}

/** A text, and what is left of it without each of its letters. */
function restsOf(text: string): Set<string> {
  const rests = new Set([text]);
  for (let at = 0; at < text.length; at++) rests.add(text.slice(0, at) + text.slice(at + 1));
  return rests;
}

function raise(best: Map<number, number>, id: number, similarity: number): void {
  const known = best.get(id);
  if (known === undefined || known < similarity) best.set(id, similarity);
}

function push<Key>(lists: Map<Key, number[]>, key: Key, value: number): void {
  lists.getOrInsertComputed(key, () => []).push(value);
}

/**
 * Finds which of many words look like this one: words that share neighbouring letters are counted, and the
 * few that share most are compared letter by letter.
 */
class BigramIndex {
  readonly #lengths: number[] = [];
  /** The ids of words with a pair of letters, by the code of the pair. */
  readonly #idsByBigram: (number[] | undefined)[] = new Array(BIGRAM_BASE * BIGRAM_BASE).fill(undefined);
  /** Scratch space of one search: shared bigrams by id. All zero between look-ups. */
  #common = new Uint8Array(0);

  /** Adds the next word; ids are assigned in order from 0. At most 24 letters. */
  add(word: string): void {
    const id = this.#lengths.length;
    this.#lengths.push(word.length);
    if (word.length < LENGTH_MIN) return;
    for (const bigram of bigramsOf(word)) {
      this.#idsByBigram[bigram] ??= [];
      this.#idsByBigram[bigram].push(id);
    }
  }

  /**
   * Ids of words that share at least a third of their bigrams with `word`. With fewer in common it is not a
   * typing slip.
   */
  near(word: string): number[] {
    if (word.length < LENGTH_MIN) return [];
    if (this.#common.length < this.#lengths.length) this.#common = new Uint8Array(2 * this.#lengths.length);
    const common = this.#common;
    const lengths = this.#lengths;
    const touched: number[] = [];
    for (const bigram of bigramsOf(word)) {
      const ids = this.#idsByBigram[bigram];
      if (ids === undefined) continue;
      for (const id of ids) if (common[id]!++ === 0) touched.push(id);
    }
    const near: number[] = [];
    for (const id of touched) if (3 * common[id]! >= Math.max(lengths[id]!, word.length)) near.push(id);
    if (near.length > NEAR_WORDS_MAX) {
      near.sort((left, right) => common[right]! - common[left]! || left - right);
      near.length = NEAR_WORDS_MAX;
    }
    for (const id of touched) common[id] = 0;
    return near;
  }
}

/**
 * A code for each pair of neighbouring letters. The edge of the word counts as a letter before the first and
 * after the last.
 */
function bigramsOf(text: string): number[] {
  const codes: number[] = [];
  let previous = 0;
  for (let index = 0; index <= text.length; index++) {
    const code = index === text.length ? 0 : text.charCodeAt(index) % BIGRAM_BASE;
    codes.push(previous * BIGRAM_BASE + code);
    previous = code;
  }
  return codes;
}
