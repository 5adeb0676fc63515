// A cache of answer bodies that are sent repeatedly, each stored with the entity tag it is valid for.

import { ANSWER_CACHE_BYTES_MAX } from '../../limits.ts';
import type { Coding } from './representation.ts';

/** A body and its tag, as they are put into the cache. */
export interface KeptBody {
  readonly etag: string;
  readonly body: Blob;
  /** How the body is compressed; null when it is not. */
  readonly coding: Coding | null;
}

/** An entry of the cache. */
export class CachedAnswer {
  /**
   * The entity tag. It covers everything that the bytes depend on, so an answer with another tag is out of
   * date.
   */
  readonly etag: string;
  /**
   * A Blob, which the socket reads in place: a thousand slow readers of one answer share one copy. Null after
   * eviction, so that an object that still refers to the answer does not keep its bytes in memory.
   */
  body: Blob | null;
  /** How the body is compressed; null when it is not. */
  readonly coding: Coding | null;
  /** Whether the answer was sent since the last sweep, or stored since. */
  wasUsed = true;

  constructor({ etag, body, coding }: KeptBody) {
    this.etag = etag;
    this.body = body;
    this.coding = coding;
  }
}

/** Memory of one entry besides its body and its key: the map's slot, the objects and the tag. */
const ENTRY_OVERHEAD_BYTES = 256;

/**
 * The share that is evicted when the cache is full: small enough that evicting delays no request for long.
 */
const DROPPED_SHARE = 1 / 16;
/**
 * Number of slots for hashes of answers that were made once: an answer is cached when it is made again. A
 * newer hash replaces the older one in its slot. The number is small on purpose. A client that polls a large
 * slate in rotation would otherwise fill the cache with answers that are evicted before they are requested
 * again. Making those again is cheaper.
 */
const SIGHTS = 1_024;
/**
 * The cache of callers who pay nothing may hold this fraction of what the cache of paying callers may hold.
 */
const UNPAID_SHARE = 1 / 2;

/** Where the bytes of cached answers are reserved. */
export interface CacheRoom {
  /** False, with nothing reserved, when there is no room. */
  reserve(bytes: number): boolean;
  release(bytes: number): void;
}

export interface CacheRooms {
  readonly paid: CacheRoom;
  readonly unpaid: CacheRoom;
}

const NO_BOUND: CacheRoom = { reserve: () => true, release: () => undefined };
/** For caches that are bounded only by their own limit. */
const NO_BOUNDS: CacheRooms = { paid: NO_BOUND, unpaid: NO_BOUND };

/** The cache of callers who pay and that of all others, who could otherwise evict what customers use. */
export class AnswerCaches {
  readonly #paid: AnswerCache;
  readonly #unpaid: AnswerCache;

  constructor(bytesMax = ANSWER_CACHE_BYTES_MAX, { paid, unpaid }: CacheRooms = NO_BOUNDS) {
    this.#paid = new AnswerCache(bytesMax, paid);
    this.#unpaid = new AnswerCache(bytesMax * UNPAID_SHARE, unpaid);
  }

  get hits(): number {
    return this.#paid.hits + this.#unpaid.hits;
  }

  get misses(): number {
    return this.#paid.misses + this.#unpaid.misses;
  }

  get bytes(): number {
    return this.#paid.bytes + this.#unpaid.bytes;
  }

  get size(): number {
    return this.#paid.size + this.#unpaid.size;
  }

  of(isPaid: boolean): AnswerCache {
    return isPaid ? this.#paid : this.#unpaid;
  }

  /** See AnswerCache. */
  sweep(): void {
    this.#paid.sweep();
    this.#unpaid.sweep();
  }
}

/**
 * Encoded answers of one thread, bounded by the sum of their bytes, and by the part of the memory budget that
 * is left for caches. When the cache is full, the oldest sixteenth is evicted.
 */
export class AnswerCache {
  readonly #bytesMax: number;
  readonly #room: CacheRoom;
  /** In order of insertion, oldest first. */
  readonly #entries = new Map<string, CachedAnswer>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;
  readonly #sights = new Int32Array(SIGHTS);

  constructor(bytesMax = ANSWER_CACHE_BYTES_MAX, room = NO_BOUND) {
    this.#bytesMax = bytesMax;
    this.#room = room;
  }

  get hits(): number {
    return this.#hits;
  }

  get misses(): number {
    return this.#misses;
  }

  /** Bytes held, including keys and overhead. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The answer under `key` if its tag is `etag`, otherwise null. Counts a hit or a miss. */
  get(key: string, etag: string): CachedAnswer | null {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.etag !== etag) {
      this.#misses += 1;
      return null;
    }
    this.countHit(entry);
    return entry;
  }

  /**
   * Whether this answer was made before and is therefore worth caching: most answers that miss are never
   * requested again. If it was not, remembers its hash.
   * @param sight the hash of the answer, from `sightOf`
   */
  isSecondSight(sight: number): boolean {
    const slot = (sight >>> 1) & (SIGHTS - 1);
    if (this.#sights[slot] === sight) return true;
    this.#sights[slot] = sight;
    return false;
  }

  /** Counts a hit on an answer that the caller had kept a reference to. */
  countHit(entry: CachedAnswer): void {
    entry.wasUsed = true;
    this.#hits += 1;
  }

  /**
   * Evicts what was not used since the last sweep. Otherwise answers to many filters that were each
   * requested for a moment would stay in memory.
   */
  sweep(): void {
    for (const [key, entry] of this.#entries) {
      if (!entry.wasUsed) this.#drop(key, entry);
      entry.wasUsed = false;
    }
  }

  /** Stores an answer in place of the one under `key`. @returns null if there is no room for it */
  set(key: string, answer: KeptBody): CachedAnswer | null {
    const bytes = costOf(key, answer.body);
    const previous = this.#entries.get(key);
    if (previous !== undefined) this.#drop(key, previous);
    if (bytes > this.#bytesMax) return null;
    if (this.#bytes + bytes > this.#bytesMax) this.#dropOldest(this.#bytesMax, bytes);
    if (!this.#room.reserve(bytes)) {
      this.#dropOldest(this.#bytes, bytes);
      if (!this.#room.reserve(bytes)) return null;
    }
    const entry = new CachedAnswer(answer);
    this.#entries.set(key, entry);
    this.#bytes += bytes;
    return entry;
  }

  /** @param bytesMax the most that may be held, including `bytesNeeded` */
  #dropOldest(bytesMax: number, bytesNeeded: number): void {
    const target = Math.min(bytesMax * (1 - DROPPED_SHARE), bytesMax - bytesNeeded);
    for (const [key, answer] of this.#entries) {
      if (this.#bytes <= target) return;
      this.#drop(key, answer);
    }
  }

  #drop(key: string, answer: CachedAnswer): void {
    this.#entries.delete(key);
    if (answer.body === null) return;
    const bytes = costOf(key, answer.body);
    this.#bytes -= bytes;
    this.#room.release(bytes);
    answer.body = null;
  }
}

/** The hash by which a repeated answer is recognised. */
export function sightOf(key: string, etag: string): number {
  return hashOf(etag, hashOf(key, 0)) | 1; // never 0, which marks a free slot
}

/**
 * FNV-1a over UTF-16 units, continued from `seed`. For short texts it is cheaper than a call into the
 * runtime.
 */
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
