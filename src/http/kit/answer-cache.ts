// Bodies of answers that are sent again and again, under the tag of what they depend on.

import { ANSWER_CACHE_BYTES_MAX } from '../../limits.ts';
import type { Coding } from './representation.ts';

/** A body with its tag, as it goes into the cache. */
export interface KeptBody {
  readonly etag: string;
  readonly body: Blob;
  /** How the body is compressed. */
  readonly coding: Coding | null;
}

/** An answer in the cache. */
export class CachedAnswer {
  /** It says all that the bytes depend on, so an answer with another one is out of date. */
  readonly etag: string;
  /**
   * A Blob, which the socket reads in place: a thousand slow readers of one answer hold one copy of it. Null once the cache
   * has let go of it, so that whoever remembers the answer does not hold its bytes.
   */
  body: Blob | null;
  /** How the body is compressed. */
  readonly coding: Coding | null;

  constructor({ etag, body, coding }: KeptBody) {
    this.etag = etag;
    this.body = body;
    this.coding = coding;
  }
}

/** What one entry costs besides its body and its key: the map's slot, the objects and the tag. */
const ENTRY_OVERHEAD_BYTES = 256;

/** What is dropped at once when the cache is full: little enough that nobody waits for it. */
const DROPPED_SHARE = 1 / 16;
/**
 * Answers seen once that are remembered, as hashes. A newer one takes the place of an older of the same slot. Few, so that
 * whoever goes through a large slate in turn does not fill the cache with what is dropped before its turn comes again:
 * making an answer costs less than that.
 */
const SIGHTS = 1_024;

/** Encoded answers of one HTTP thread, bounded by the sum of their bytes. Full: the oldest sixteenth is dropped. */
export class AnswerCache {
  readonly #bytesMax: number;
  /** In order of entry: the oldest first. */
  readonly #entries = new Map<string, CachedAnswer>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;
  readonly #sights = new Int32Array(SIGHTS);

  constructor(bytesMax = ANSWER_CACHE_BYTES_MAX) {
    this.#bytesMax = bytesMax;
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

  /** The answer under `key` if its tag is `etag`, else null. Counts. */
  get(key: string, etag: string): CachedAnswer | null {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.etag !== etag) {
      this.#misses += 1;
      return null;
    }
    this.#hits += 1;
    return entry;
  }

  /**
   * Whether this answer was made before and is worth keeping: most misses are of answers that nobody asks for again.
   * @param sight of `sightOf`
   */
  isSecondSight(sight: number): boolean {
    const slot = (sight >>> 1) & (SIGHTS - 1);
    if (this.#sights[slot] === sight) return true;
    this.#sights[slot] = sight;
    return false;
  }

  /** Counts an answer that was remembered elsewhere. */
  countHit(): void {
    this.#hits += 1;
  }

  /** Keeps an answer in place of the one under `key`. @returns null for one larger than the whole cache */
  set(key: string, answer: KeptBody): CachedAnswer | null {
    const bytes = costOf(key, answer.body);
    const previous = this.#entries.get(key);
    if (previous !== undefined) this.#drop(key, previous);
    if (bytes > this.#bytesMax) return null;
    if (this.#bytes + bytes > this.#bytesMax) this.#dropOldest(bytes);
    const entry = new CachedAnswer(answer);
    this.#entries.set(key, entry);
    this.#bytes += bytes;
    return entry;
  }

  #dropOldest(bytesNeeded: number): void {
    const target = Math.min(this.#bytesMax * (1 - DROPPED_SHARE), this.#bytesMax - bytesNeeded);
    for (const [key, answer] of this.#entries) {
      if (this.#bytes <= target) return;
      this.#drop(key, answer);
    }
  }

  #drop(key: string, answer: CachedAnswer): void {
    this.#entries.delete(key);
    if (answer.body !== null) this.#bytes -= costOf(key, answer.body);
    answer.body = null;
  }
}

/** What an answer is known again by. */
export function sightOf(key: string, etag: string): number {
  return hashOf(etag, hashOf(key, 0)) | 1; // never 0, which marks a free slot
}

/** FNV-1a over UTF-16 units, on from `seed`: for keys and tags it is cheaper than a call into the runtime. */
function hashOf(text: string, seed: number): number {
  let hash = seed ^ 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}

function costOf(key: string, body: Blob): number {
  return body.size + 2 * key.length + ENTRY_OVERHEAD_BYTES;
}
