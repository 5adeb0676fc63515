// The hottest answer: one fixture's odds as bytes, kept until the fixture, its stamp or its staleness changes. A hit is
// a map look-up; a matching If-None-Match costs no body at all.

import { ANSWER_CACHE_BYTES_MAX } from '../limits.ts';
import type { FixtureNow } from '../query/fixture-view.ts';
import type { OddsEncoder } from '../query/odds-encoder.ts';
import type { OddsFilter } from '../query/odds-filter.ts';
import type { Slate } from '../query/slate.ts';
import { Reply } from './kit/reply.ts';

export class OddsAnswers {
  readonly cache = new AnswerCache();
  readonly #slate: Slate;
  readonly #encoder: OddsEncoder;

  constructor({ slate, encoder }: { readonly slate: Slate; readonly encoder: OddsEncoder }) {
    this.#slate = slate;
    this.#encoder = encoder;
  }

  /** @throws ServiceError `invalid_request`, `not_found`, `upstream_unavailable` */
  reply(eventId: string, filter: OddsFilter, nowMs: number): Reply {
    const fixture = this.#slate.fixtureById(eventId, nowMs);
    const etag = this.#etag(fixture, filter);
    const key = `${eventId} ${filter.key}`;
    const known = this.cache.get(key, etag);
    if (known !== null) return new Reply(known, { etag });
    const body = new Blob([this.#encoder.encode(fixture, filter)]);
    this.cache.set(key, { body, etag });
    return new Reply(body, { etag });
  }

  /** Unique across restarts: the store's epoch, the fixture's version, its stamp and whether it is stale. */
  #etag(fixture: FixtureNow, filter: OddsFilter): string {
    const epoch = this.#slate.createdAtMs.toString(36);
    const asOf = fixture.asOfMs.toString(36);
    return `"${epoch}-${fixture.view.version.toString(36)}-${asOf}${fixture.stale ? 's' : ''}-${filter.key}"`;
  }
}

/** One answer that can be sent as it is. */
interface KeptAnswer {
  /** A Blob, which the socket reads in place: a thousand slow readers of one answer hold one copy of it. */
  readonly body: Blob;
  /** With its quotes. It says all that the bytes depend on, so an answer with another one is out of date. */
  readonly etag: string;
}

/** What one entry costs besides its body and its key: the map's slot, the objects and the tag. */
const ENTRY_OVERHEAD_BYTES = 256;

/** Encoded answers of one HTTP thread, bounded by the sum of their bytes. Full: the oldest half is dropped. */
export class AnswerCache {
  readonly #bytesMax: number;
  /** In order of entry: the oldest first. */
  readonly #entries = new Map<string, KeptAnswer>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;

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

  /** The body under `key` if its tag is `etag`, else null. Counts. */
  get(key: string, etag: string): Blob | null {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.etag !== etag) {
      this.#misses += 1;
      return null;
    }
    this.#hits += 1;
    return entry.body;
  }

  /** Keeps an answer in place of the one under `key`. One larger than the whole cache is not kept. */
  set(key: string, answer: KeptAnswer): void {
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

  #drop(key: string, answer: KeptAnswer): void {
    this.#entries.delete(key);
    this.#bytes -= costOf(key, answer);
  }
}

function costOf(key: string, { body }: KeptAnswer): number {
  return body.size + 2 * key.length + ENTRY_OVERHEAD_BYTES;
}
