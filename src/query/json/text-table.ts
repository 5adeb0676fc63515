// ASCII texts that are made once and written many times, kept as words of eight bytes. Writing one takes a
// few stores into the caller's buffer, where one call of `set` costs as much as all of them.

import { assert } from '../../errors.ts';

const WORD_BYTES = 8;
/** A text's handle is its first word and its length, so finding it needs no look-up. */
const LENGTH_BITS = 10;
const LENGTH_MASK = (1 << LENGTH_BITS) - 1;
const WORDS_MAX = 1 << (31 - LENGTH_BITS);
/**
 * Each word is stored as a number. That preserves all its bits, unless they are the bits of a NaN, whose last
 * byte is 0x7F or above. No printable character is that large.
 */
const PRINTABLE = /^[ -~]*$/;

export class TextTable {
  #words = new Float64Array(64);
  #wordCount = 0;

  /** Adds a text. @returns the handle for `put` */
  add(text: string): number {
    const start = this.#wordCount;
    const count = Math.ceil(text.length / WORD_BYTES);
    assert(text.length <= LENGTH_MASK && start + count <= WORDS_MAX, 'a prepared text is short');
    assert(PRINTABLE.test(text), 'a prepared text is printable ASCII');
    this.#reserve(start + count);
    new TextEncoder().encodeInto(text, new Uint8Array(this.#words.buffer, start * WORD_BYTES));
    this.#wordCount += count;
    return (start << LENGTH_BITS) | text.length;
  }

  /** Writes a text, and up to seven padding bytes after it. @returns the offset after the text */
  put(view: DataView, at: number, handle: number): number {
    const words = this.#words;
    const length = handle & LENGTH_MASK;
    const start = handle >>> LENGTH_BITS;
    const end = start + ((length + WORD_BYTES - 1) >>> 3);
    let to = at;
    for (let word = start; word < end; word++) {
      view.setFloat64(to, words[word]!, true);
      to += WORD_BYTES;
    }
    return at + length;
  }

  /** Removes all texts; their handles become invalid. */
  clear(): void {
    this.#wordCount = 0;
  }

  #reserve(wordCount: number): void {
    if (wordCount <= this.#words.length) return;
    const larger = new Float64Array(Math.max(wordCount, 2 * this.#words.length));
    larger.set(this.#words);
    this.#words = larger;
  }
}
