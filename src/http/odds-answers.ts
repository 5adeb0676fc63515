// The hottest answer: one fixture's odds as bytes, kept until the fixture, its stamp or its staleness changes. A hit is
// a map look-up; a matching If-None-Match costs no body at all.

import type { Principal } from '../domain/tiers.ts';
import { ServiceError } from '../errors.ts';
import { ANSWER_CACHE_BYTES_MAX } from '../limits.ts';
import { type FixtureNow, freshnessOf } from '../query/fixture-view.ts';
import type { FixtureMark, FixtureWatch, Instant } from '../query/fixture-watch.ts';
import type { OddsEncoder } from '../query/odds-encoder.ts';
import { type OddsFilter, type OddsFilterWords, oddsFilter } from '../query/odds-filter.ts';
import type { Slate } from '../query/slate.ts';
import { Reply } from './kit/reply.ts';
import type { ReadyAnswer, ReadyAnswers } from './kit/route.ts';

interface OddsSources {
  readonly slate: Slate;
  readonly encoder: OddsEncoder;
  readonly watch: FixtureWatch;
}

export class OddsAnswers {
  readonly cache = new AnswerCache();
  readonly #slate: Slate;
  readonly #encoder: OddsEncoder;
  readonly #watch: FixtureWatch;

  constructor({ slate, encoder, watch }: OddsSources) {
    this.#slate = slate;
    this.#encoder = encoder;
    this.#watch = watch;
  }

  /** @throws ServiceError `invalid_request`, `not_found`, `upstream_unavailable` */
  reply(eventId: string, filter: OddsFilter, nowMs: number): Reply {
    const fixture = this.#slate.fixtureById(eventId, nowMs);
    const etag = this.#etag(fixture, filter);
    const key = `${eventId} ${filter.key}`;
    const known = this.cache.get(key, etag);
    if (known !== null) return new Reply(known.body, { etag });
    const body = new Blob([this.#encoder.encode(fixture, filter)]);
    this.cache.set(key, { body, etag });
    return new Reply(body, { etag });
  }

  /** What is kept for one URL: the last answer of each view of it, while the cache holds that answer. */
  keep(eventId: string, words: OddsFilterWords): ReadyAnswers {
    return new KeptOdds(words, {
      find: (filter, nowMs) => this.#find(eventId, filter, nowMs),
      watch: this.#watch,
      cache: this.cache,
    });
  }

  /** The answer as the cache holds it, with the mark of its fixture; null when one of them is not there. */
  #find(eventId: string, filter: OddsFilter, nowMs: number): MarkedAnswer | null {
    const fixture = this.#slate.fixtureById(eventId, nowMs);
    const answer = this.cache.peek(`${eventId} ${filter.key}`, this.#etag(fixture, filter));
    const mark = answer === null ? null : this.#watch.mark(fixture, filter.showsSharp);
    return answer === null || mark === null ? null : { answer, mark };
  }

  /**
   * Unique across restarts: the store's epoch, the fixture's version as far as its caller may know it, its stamp and whether
   * it is stale.
   */
  #etag(fixture: FixtureNow, filter: OddsFilter): string {
    const { version, commonVersion } = fixture.view;
    const { asOfMs, stale } = freshnessOf(fixture, filter.showsSharp);
    const epoch = this.#slate.createdAtMs.toString(36);
    const shown = (filter.showsSharp ? version : commonVersion).toString(36);
    return `"${epoch}-${shown}-${asOfMs.toString(36)}${stale ? 's' : ''}-${filter.key}"`;
  }
}

interface MarkedAnswer {
  readonly answer: CachedAnswer;
  readonly mark: FixtureMark;
}

interface KeptOddsSources {
  readonly find: (filter: OddsFilter, nowMs: number) => MarkedAnswer | null;
  readonly watch: FixtureWatch;
  readonly cache: AnswerCache;
}

class KeptOdds implements ReadyAnswers {
  readonly #words: OddsFilterWords;
  readonly #sources: KeptOddsSources;
  /** For callers who do not see the sharp book, and for those who do. */
  readonly #byView: [MarkedAnswer | null, MarkedAnswer | null] = [null, null];

  constructor(words: OddsFilterWords, sources: KeptOddsSources) {
    this.#words = words;
    this.#sources = sources;
  }

  ready(principal: Principal, instant: Instant): ReadyAnswer | null {
    const view = principal.seesSharp ? 1 : 0;
    const kept = this.#byView[view];
    if (kept?.answer.isKept && this.#sources.watch.holds(kept.mark, instant)) {
      this.#sources.cache.countHit();
      return kept.answer;
    }
    const found = this.#find(principal, instant.nowMs);
    this.#byView[view] = found;
    if (found !== null) this.#sources.cache.countHit();
    return found?.answer ?? null;
  }

  #find(principal: Principal, nowMs: number): MarkedAnswer | null {
    try {
      return this.#sources.find(oddsFilter(this.#words, principal), nowMs);
    } catch (error) {
      if (error instanceof ServiceError) return null; // the handler meets it again and answers it
      throw error;
    }
  }
}

/** An answer in the cache. */
export interface CachedAnswer extends ReadyAnswer {
  /** False once the cache has let go of it: whoever remembers it does so too, or its bytes would not be bounded. */
  readonly isKept: boolean;
}

interface Entry extends CachedAnswer {
  isKept: boolean;
}

/** What one entry costs besides its body and its key: the map's slot, the objects and the tag. */
const ENTRY_OVERHEAD_BYTES = 256;

/** Encoded answers of one HTTP thread, bounded by the sum of their bytes. Full: the oldest half is dropped. */
export class AnswerCache {
  readonly #bytesMax: number;
  /** In order of entry: the oldest first. */
  readonly #entries = new Map<string, Entry>();
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

  /** The answer under `key` if its tag is `etag`, else null. Counts. */
  get(key: string, etag: string): CachedAnswer | null {
    const entry = this.peek(key, etag);
    if (entry === null) this.#misses += 1;
    else this.#hits += 1;
    return entry;
  }

  /** As `get`, without counting. */
  peek(key: string, etag: string): CachedAnswer | null {
    const entry = this.#entries.get(key);
    return entry === undefined || entry.etag !== etag ? null : entry;
  }

  /** Counts an answer that was remembered elsewhere. */
  countHit(): void {
    this.#hits += 1;
  }

  /** Keeps an answer in place of the one under `key`. One larger than the whole cache is not kept. */
  set(key: string, { body, etag }: ReadyAnswer): void {
    const answer: Entry = { body, etag, isKept: true };
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

  #drop(key: string, answer: Entry): void {
    answer.isKept = false;
    this.#entries.delete(key);
    this.#bytes -= costOf(key, answer);
  }
}

function costOf(key: string, { body }: ReadyAnswer): number {
  return body.size + 2 * key.length + ENTRY_OVERHEAD_BYTES;
}
