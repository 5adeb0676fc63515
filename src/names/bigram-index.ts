// Which of many words look like this one? Words that share neighbouring letters are counted, and the few that share
// most are handed on to be compared letter by letter.

/** Words handed on for one question, those with most in common first. */
const NEAR_WORDS_MAX = 24;
const LENGTH_MIN = 4;
const BIGRAM_BASE = 37;

export class BigramIndex {
  readonly #lengths: number[] = [];
  readonly #idsByBigram = new Map<number, number[]>();
  /** Scratch of one look-up: bigrams in common by id. All zero between look-ups. */
  #common = new Uint8Array(0);

  /** Adds the next word; ids are given in order from 0. At most 24 letters. */
  add(word: string): void {
    const id = this.#lengths.length;
    this.#lengths.push(word.length);
    if (word.length < LENGTH_MIN) return;
    for (const bigram of bigramsOf(word)) {
      const ids = this.#idsByBigram.get(bigram);
      if (ids === undefined) this.#idsByBigram.set(bigram, [id]);
      else ids.push(id);
    }
  }

  /** Ids of words that share at least a third of their bigrams with `word`: fewer can't be a slip of the key. */
  near(word: string): number[] {
    if (word.length < LENGTH_MIN) return [];
    if (this.#common.length < this.#lengths.length) this.#common = new Uint8Array(2 * this.#lengths.length);
    const common = this.#common;
    const touched: number[] = [];
    for (const bigram of bigramsOf(word)) {
      for (const id of this.#idsByBigram.get(bigram) ?? []) {
        if (common[id] === 0) touched.push(id);
        common[id]!++;
      }
    }
    const near = touched.filter((id) => 3 * common[id]! >= Math.max(this.#lengths[id]!, word.length));
    if (near.length > NEAR_WORDS_MAX) {
      near.sort((left, right) => common[right]! - common[left]! || left - right);
      near.length = NEAR_WORDS_MAX;
    }
    for (const id of touched) common[id] = 0;
    return near;
  }
}

/** Codes of neighbouring letters, the word's end included. */
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
