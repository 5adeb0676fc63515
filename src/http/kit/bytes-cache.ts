// Encoded answers that are asked for again and again, kept for one HTTP thread. A hit is a map look-up; the body is a
// Blob, which the socket reads in place, so a thousand slow readers of one answer hold one copy of it.

import { ANSWER_CACHE_BYTES_MAX } from '../../limits.ts';

/** One answer that can be sent as it is. */
export interface CachedAnswer {
  readonly body: Blob;
  /** With its quotes. */
  readonly etag: string;
  /** What the answer was made from, such as a fixture's version: another token is a miss. */
  readonly token: number | string;
  /** The answer is not sent from this moment on: when it turns stale, or its stamp moves. */
  readonly validUntilMs: number;
}

export interface BytesCacheOptions {
  /** Sum of the bodies. Full: the oldest half is dropped. */
  readonly bytesMax?: number;
}

/** What one entry costs besides its body and its key: the map's slot, the objects and the tag. */
const ENTRY_OVERHEAD_BYTES = 256;

export class BytesCache {
  readonly #bytesMax: number;
  /** In order of entry: the oldest first. */
  readonly #entries = new Map<string, CachedAnswer>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;

  constructor(options: BytesCacheOptions = {}) {
    this.#bytesMax = options.bytesMax ?? ANSWER_CACHE_BYTES_MAX;
  }

  get hits(): number {
    return this.#hits;
  }

  get misses(): number {
    return this.#misses;
  }

  /** Bytes held, keys and overhead included. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The answer under `key` if it was made from `token` and is valid at `nowMs`, else null. Counts. */
  get(key: string, token: number | string, nowMs: number): CachedAnswer | null {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.token !== token || nowMs >= entry.validUntilMs) {
      this.#misses += 1;
      return null;
    }
    this.#hits += 1;
    return entry;
  }

  /** Keeps an answer in place of the one under `key`. One larger than the whole cache is not kept. */
  set(key: string, answer: CachedAnswer): void {
    const bytes = costOf(key, answer);
    const previous = this.#entries.get(key);
    if (previous !== undefined) this.#drop(key, previous);
    if (bytes > this.#bytesMax) return;
    if (this.#bytes + bytes > this.#bytesMax) this.#dropOldestHalf(bytes);
    this.#entries.set(key, answer);
    this.#bytes += bytes;
  }

  #dropOldestHalf(bytesNeeded: number): void {
    const target = Math.min(this.#bytesMax / 2, this.#bytesMax - bytesNeeded);
    for (const [key, answer] of this.#entries) {
      if (this.#bytes <= target) return;
      this.#drop(key, answer);
    }
  }

  #drop(key: string, answer: CachedAnswer): void {
    this.#entries.delete(key);
    this.#bytes -= costOf(key, answer);
  }
}

function costOf(key: string, answer: CachedAnswer): number {
  return answer.body.size + 2 * key.length + ENTRY_OVERHEAD_BYTES;
}
