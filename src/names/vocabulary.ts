// The words of a pool of names: their worth (rare words tell more than common ones) and, for any query word, which of
// them it may mean. Built once per pool; look-ups allocate little and look at a bounded number of words.

import { BigramIndex } from './bigram-index.ts';
import type { NameLanguage } from './name-language.ts';
import type { NameWord } from './normalise.ts';
import { KIND_AFFIX, KIND_GENERIC, KIND_LITTLE, KIND_NUMBER, KIND_PLAIN } from './word-kinds.ts';
import {
  fuzzySimilarity,
  isOneSlip,
  otherYearsOf,
  shorteningSimilarity,
  skeletonOf,
} from './word-similarity.ts';

/** A word of the pool that a query word may mean. */
export interface WordMatch {
  readonly word: number;
  readonly similarity: number;
}

const SIMILARITY_FORM = 0.95;
const SIMILARITY_SKELETON = 0.96;
/** "FAC" and "FAK" sound alike and are two clubs. */
const SIMILARITY_SHORT_SKELETON = 0.7;
/** A word that is in the pool as written means others of it less. */
const KNOWN_WORD_FACTOR = 0.8;
/** One slip of the key in a word of so many letters: shorter words are too often two words. */
const SIMILARITY_SLIP = 0.9;
const SLIP_LENGTH_MIN = 5;
/** Words taken from one list of equal beginnings. */
const PREFIX_WORDS_MAX = 48;
/** Words that one query word may mean, best first. */
const MATCHES_MAX = 24;
const MATCHED_WORDS_MAX = 4_096;
/** Weight that is left to a word of every name, as a share of a unique word's. */
const RARITY_MIN = 0.28;

export class Vocabulary {
  readonly #language: NameLanguage;
  readonly #idByText = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #skeletons: string[] = [];
  readonly #marked: boolean[] = [];
  readonly #kinds: number[] = [];
  readonly #nameCounts: number[] = [];
  readonly #idsByForm = new Map<string, number[]>();
  readonly #idsBySkeleton = new Map<string, number[]>();
  readonly #idsByLetter = new Map<string, number[]>();
  readonly #bigrams = new BigramIndex();
  #nameCount = 0;
  /** Answers of `matches`, kept because one query reads the same words in several ways. Full: forgotten at once. */
  readonly #matched = new Map<string, readonly WordMatch[]>();

  constructor(language: NameLanguage) {
    this.#language = language;
  }

  get size(): number {
    return this.#texts.length;
  }

  /** Call once per entry added, before weights are asked for. */
  countName(): void {
    this.#nameCount++;
  }

  /** One more entry holds this word in one of its names. */
  countWord(id: number): void {
    this.#nameCounts[id]!++;
  }

  /** The number of this word, new or known. */
  add(word: NameWord): number {
    const known = this.#idByText.get(word.text);
    if (known !== undefined) return known;
    const id = this.#texts.length;
    const skeleton = skeletonOf(word.text);
    this.#idByText.set(word.text, id);
    this.#texts.push(word.text);
    this.#skeletons.push(skeleton);
    this.#marked.push(word.shortened);
    this.#kinds.push(this.#language.kindOf(word.text));
    this.#nameCounts.push(0);
    push(this.#idsByForm, this.#language.formOf(word.text), id);
    push(this.#idsBySkeleton, skeleton, id);
    push(this.#idsByLetter, word.text[0]!, id);
    this.#bigrams.add(skeleton);
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
    const rarity = Math.log((this.#nameCount + 1) / names) / Math.log(this.#nameCount + 1);
    return RARITY_MIN + (1 - RARITY_MIN) * Math.max(0, rarity);
  }

  /** What a query word may mean in this pool, best first, at most MATCHES_MAX. */
  matches(word: NameWord): readonly WordMatch[] {
    const key = word.shortened ? `${word.text}.` : word.text;
    const known = this.#matched.get(key);
    if (known !== undefined) return known;
    const found = this.#findMatches(word);
    if (this.#matched.size >= MATCHED_WORDS_MAX) this.#matched.clear();
    this.#matched.set(key, found);
    return found;
  }

  #findMatches(word: NameWord): WordMatch[] {
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
    if (word.shortened || (kind !== KIND_LITTLE && kind !== KIND_PLAIN && kind !== KIND_NUMBER)) {
      const isKnown = exact !== undefined && !word.shortened;
      const factor = isKnown ? KNOWN_WORD_FACTOR : 1;
      this.#addShortenings(best, word, factor);
      if (kind !== KIND_AFFIX) this.#addFuzzy(best, text, skeleton, factor);
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
    const ids = this.#idsByLetter.get(word.text[0]!) ?? [];
    let taken = 0;
    for (const id of ids) {
      if (this.#kinds[id]! > KIND_NUMBER && !word.shortened) continue;
      const other = this.#texts[id]!;
      const similarity =
        other.length > word.text.length
          ? shorteningSimilarity(word.text, other, word.shortened)
          : shorteningSimilarity(other, word.text, this.#marked[id]!);
      if (similarity > 0) {
        raise(best, id, factor * similarity);
        if (++taken === PREFIX_WORDS_MAX) return;
      }
    }
  }

  #addFuzzy(best: Map<number, number>, text: string, skeleton: string, factor: number): void {
    for (const id of this.#bigrams.near(skeleton)) {
      if (this.#kinds[id]! > KIND_GENERIC) continue;
      const similarity = fuzzySimilarity(skeleton, this.#skeletons[id]!);
      if (similarity === 0) continue;
      raise(best, id, factor * similarity);
      if (text.length < SLIP_LENGTH_MIN) continue;
      if (isOneSlip(text, this.#texts[id]!) || isOneSlip(skeleton, this.#skeletons[id]!))
        raise(best, id, factor * SIMILARITY_SLIP);
    }
  }
}

function raise(best: Map<number, number>, id: number, similarity: number): void {
  const known = best.get(id);
  if (known === undefined || known < similarity) best.set(id, similarity);
}

function push<Key>(lists: Map<Key, number[]>, key: Key, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
