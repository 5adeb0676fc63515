// A short text in a shared buffer: one thread writes it now and then, any thread reads the newest. It has two
// halves that take turns, so a reader never sees half of a text.

import type { ColumnCursor } from './shared-buffer.ts';

/**
 * Indexes of `words`: how many texts were written, and the bytes of each half. The newest text is in half
 * `written % 2`.
 */
const WRITTEN = 0;
const LENGTHS = 1;
/** How often a read is tried. A try fails if a text is published during the copy. */
const TRIES_MAX = 3;

export interface SharedText {
  readonly words: Int32Array<SharedArrayBuffer>;
  readonly bytes: Uint8Array<SharedArrayBuffer>;
}

/** Allocates the memory of a shared text at the layout cursor. @param byteCount size of the longest text */
export function sharedText(cursor: ColumnCursor, byteCount: number): SharedText {
  return { words: cursor.int32(LENGTHS + 2), bytes: cursor.uint8(2 * byteCount) };
}

/** Publishes a text. One writer at a time. @returns false when it is too long, and the old one stays */
export function writeSharedText({ words, bytes }: SharedText, text: Uint8Array): boolean {
  const room = bytes.length / 2;
  if (text.byteLength > room) return false;
  const written = Atomics.load(words, WRITTEN) + 1;
  const half = written & 1;
  bytes.set(text, half * room);
  Atomics.store(words, LENGTHS + half, text.byteLength);
  Atomics.store(words, WRITTEN, written);
  return true;
}

/** How many texts were written so far. Any thread may call this. */
export function writtenTexts({ words }: SharedText): number {
  return Atomics.load(words, WRITTEN);
}

/** The newest text; null before the first, or if writes disturbed every try. Any thread may call this. */
export function readSharedText({ words, bytes }: SharedText): string | null {
  const room = bytes.length / 2;
  for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
    const written = Atomics.load(words, WRITTEN);
    if (written === 0) return null;
    const start = (written & 1) * room;
    const copy = bytes.slice(start, start + Atomics.load(words, LENGTHS + (written & 1)));
    if (Atomics.load(words, WRITTEN) === written) return Buffer.from(copy).toString();
  }
  return null;
}
