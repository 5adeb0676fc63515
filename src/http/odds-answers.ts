// Odds of one fixture as bytes under the tag of what they depend on: they are made anew only when the fixture's version,
// its stamp or its staleness changes. A hit is a map look-up; a matching If-None-Match costs no body at all. What is asked
// for once is sent from the encoder's buffer and forgotten; what is asked for twice under one tag is kept.

import type { Principal } from '../domain/tiers.ts';
import { ServiceError } from '../errors.ts';
import { ANSWER_CACHE_BYTES_MAX } from '../limits.ts';
import { type FixtureNow, freshnessOf } from '../query/fixture-view.ts';
import type { FixtureMark, FixtureWatch, Instant } from '../query/fixture-watch.ts';
import type { BatchEntry, OddsEncoder } from '../query/odds-encoder.ts';
import { type OddsFilter, type OddsFilterWords, oddsFilter } from '../query/odds-filter.ts';
import type { Slate } from '../query/slate.ts';
import { PIECE_BYTES, Reply } from './kit/reply.ts';
import type { ReadyAnswer, ReadyAnswers } from './kit/route.ts';

interface OddsSources {
  readonly slate: Slate;
  readonly encoder: OddsEncoder;
  readonly watch: FixtureWatch;
}

/** Bytes are the encoder's until it is asked again: whoever sends them copies them at once, as `new Response` does. */
type AnswerBody = Blob | Uint8Array<ArrayBuffer>;

interface MadeAnswer {
  readonly body: AnswerBody;
  readonly entry: CachedAnswer | null;
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
    const answer = this.find(eventId, filter, nowMs);
    return new Reply(answer.body(), { etag: answer.etag });
  }

  /**
   * One entry per id, in request order, duplicates too. An id that fails does so in its own entry.
   * @throws ServiceError `upstream_unavailable` while there is no slate
   */
  batch(eventIds: readonly string[], filter: OddsFilter, nowMs: number): Reply {
    this.#slate.requireReady(nowMs);
    const entries = eventIds.map((eventId) => this.#batchEntry(eventId, nowMs));
    // Large ones are sent in pieces, long after the encoder has been asked again.
    return new Reply(this.#encoder.batch(entries, filter).slice());
  }

  #batchEntry(eventId: string, nowMs: number): BatchEntry {
    try {
      return { eventId, fixture: this.#slate.fixtureById(eventId, nowMs), error: null };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { code, message, fix } = error;
      return { eventId, fixture: null, error: { code, message, fix } };
    }
  }

  /** The answer at this instant. Its body is not made before it is asked for. @throws ServiceError as `reply` */
  find(eventId: string, filter: OddsFilter, nowMs: number): OddsAnswer {
    const fixture = this.#slate.fixtureById(eventId, nowMs);
    return new OddsAnswer(this, fixture, filter, this.#etag(fixture, filter));
  }

  /** What is kept for one URL: the last answer of each view of it. */
  keep(eventId: string, words: OddsFilterWords): ReadyAnswers {
    return new KeptOdds(words, (filter, nowMs) => this.find(eventId, filter, nowMs), this.#watch);
  }

  /** Null when the fixture has moved since. */
  mark({ fixture, filter }: OddsAnswer): FixtureMark | null {
    return this.#watch.mark(fixture, filter.showsSharp);
  }

  /** The body of an answer, with its entry in the cache if it is kept there. */
  make({ fixture, filter, etag }: OddsAnswer): MadeAnswer {
    const key = `${fixture.view.id} ${filter.key}`;
    const entry = this.cache.get(key, etag);
    if (entry !== null && entry.body !== null) return { body: entry.body, entry };
    const bytes = this.#encoder.encode(fixture, filter);
    // A large one is a Blob at once: its readers share it, so none of them counts as slow.
    if (bytes.byteLength <= PIECE_BYTES && !this.cache.isSecondSight(key, etag)) {
      return { body: bytes, entry: null };
    }
    const body = new Blob([bytes]);
    return { body, entry: this.cache.set(key, etag, body) };
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

/** The answer about a fixture as it was found. */
class OddsAnswer implements ReadyAnswer {
  readonly fixture: FixtureNow;
  readonly filter: OddsFilter;
  readonly etag: string;
  readonly #answers: OddsAnswers;
  #entry: CachedAnswer | null = null;

  constructor(answers: OddsAnswers, fixture: FixtureNow, filter: OddsFilter, etag: string) {
    this.#answers = answers;
    this.fixture = fixture;
    this.filter = filter;
    this.etag = etag;
  }

  get mark(): FixtureMark | null {
    return this.#answers.mark(this);
  }

  body(): AnswerBody {
    const kept = this.#entry?.body ?? null;
    if (kept !== null) {
      this.#answers.cache.countHit();
      return kept;
    }
    const { body, entry } = this.#answers.make(this);
    this.#entry = entry;
    return body;
  }
}

interface MarkedAnswer {
  readonly answer: OddsAnswer;
  readonly mark: FixtureMark;
}

class KeptOdds implements ReadyAnswers {
  readonly #words: OddsFilterWords;
  readonly #find: (filter: OddsFilter, nowMs: number) => OddsAnswer;
  readonly #watch: FixtureWatch;
  /** For callers who do not see the sharp book, and for those who do. */
  readonly #byView: [MarkedAnswer | null, MarkedAnswer | null] = [null, null];

  constructor(
    words: OddsFilterWords,
    find: (filter: OddsFilter, nowMs: number) => OddsAnswer,
    watch: FixtureWatch,
  ) {
    this.#words = words;
    this.#find = find;
    this.#watch = watch;
  }

  ready(principal: Principal, instant: Instant): ReadyAnswer | null {
    const view = principal.seesSharp ? 1 : 0;
    const kept = this.#byView[view];
    if (kept !== null && this.#watch.holds(kept.mark, instant)) return kept.answer;
    this.#byView[view] = null;
    try {
      const answer = this.#find(kept?.answer.filter ?? oddsFilter(this.#words, principal), instant.nowMs);
      const { mark } = answer;
      if (mark !== null) this.#byView[view] = { answer, mark };
      return answer;
    } catch (error) {
      if (error instanceof ServiceError) return null; // the handler meets it again and answers it
      throw error;
    }
  }
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

  constructor(etag: string, body: Blob) {
    this.etag = etag;
    this.body = body;
  }
}

/** What one entry costs besides its body and its key: the map's slot, the objects and the tag. */
const ENTRY_OVERHEAD_BYTES = 256;

/** What is dropped at once when the cache is full: little enough that nobody waits for it. */
const DROPPED_SHARE = 1 / 16;
/** Answers seen once that are remembered, as hashes. A newer one takes the place of an older of the same slot. */
const SIGHTS = 16_384;

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

  /** Whether this answer was made before and is worth keeping: most misses are of answers that nobody asks for again. */
  isSecondSight(key: string, etag: string): boolean {
    const hash = hashOf(etag, hashOf(key, 0)) | 1; // never 0, which marks a free slot
    const slot = (hash >>> 1) & (SIGHTS - 1);
    if (this.#sights[slot] === hash) return true;
    this.#sights[slot] = hash;
    return false;
  }

  /** Counts an answer that was remembered elsewhere. */
  countHit(): void {
    this.#hits += 1;
  }

  /** Keeps an answer in place of the one under `key`. @returns null for one larger than the whole cache */
  set(key: string, etag: string, body: Blob): CachedAnswer | null {
    const bytes = costOf(key, body);
    const previous = this.#entries.get(key);
    if (previous !== undefined) this.#drop(key, previous);
    if (bytes > this.#bytesMax) return null;
    if (this.#bytes + bytes > this.#bytesMax) this.#dropOldest(bytes);
    const answer = new CachedAnswer(etag, body);
    this.#entries.set(key, answer);
    this.#bytes += bytes;
    return answer;
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
