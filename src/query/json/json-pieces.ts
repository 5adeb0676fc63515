// JSON of unknown length written into one buffer and handed out in pieces.

import { putAscii } from './json-bytes.ts';

const ENCODER = new TextEncoder();
/**
 * Most deltas fit into this. Each view gets a delta per tick, and a larger buffer would cost more to
 * allocate.
 */
const START_BYTES = 2 * 1024;
/** A piece is complete from this size on. */
const PIECE_BYTES = 64 * 1024;

export class JsonPieces {
  #buffer = new Uint8Array(START_BYTES);
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  get isFull(): boolean {
    return this.#length >= PIECE_BYTES;
  }

  /** Discards what was written and keeps the buffer. */
  clear(): void {
    this.#length = 0;
  }

  text(text: string): void {
    this.#reserve(3 * text.length); // UTF-8 takes at most 3 bytes for a UTF-16 unit
    this.#length += ENCODER.encodeInto(text, this.#buffer.subarray(this.#length)).written;
  }

  /** Appends a text of ASCII characters only. It is several times as fast as `text` for short ones. */
  ascii(text: string): void {
    this.#reserve(text.length);
    this.#length = putAscii(this.#buffer, this.#length, text);
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** A copy of what was written since the last call. */
  take(): Uint8Array<ArrayBuffer> {
    const piece = this.#buffer.slice(0, this.#length);
    this.#length = 0;
    return piece;
  }

  #reserve(byteCount: number): void {
    const needed = this.#length + byteCount;
    if (needed <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#buffer.length));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}
