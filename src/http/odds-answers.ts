// Answers with the odds of one fixture, as bytes. Their entity tag covers everything that they depend on, so
// they are made again only when the fixture's version, its time stamp or its staleness changes. A cache hit
// is a map look-up, and a matching If-None-Match needs no body at all. A body that is requested once is sent
// from the encoder's buffer and not kept; one that is requested twice under the same tag is cached.

import { decodeId } from '../domain/ids.ts';
import type { Principal } from '../domain/tiers.ts';
import { ServiceError } from '../errors.ts';
import { ANSWER_CACHE_BYTES_MAX } from '../limits.ts';
import type { BatchEntry, OddsEncoder } from '../query/odds/odds-encoder.ts';
import { type OddsFilter, type OddsFilterWords, oddsFilter } from '../query/odds/odds-filter.ts';
import { reached } from '../query/reach.ts';
import { type FixtureNow, freshnessOf } from '../query/slate/fixture-view.ts';
import type { FixtureMark, FixtureWatch, Instant } from '../query/slate/fixture-watch.ts';
import type { Slate } from '../query/slate/slate.ts';
import { AnswerCaches, type CachedAnswer, type CacheRooms, sightOf } from './kit/answer-cache.ts';
import { FormedAnswer, type FormedBody, formed } from './kit/forms.ts';
import { PIECE_BYTES } from './kit/pieces.ts';
import { Reply } from './kit/reply.ts';
import { PLAIN, type Representation, tagAs } from './kit/representation.ts';
import type { ReadyAnswers } from './kit/route.ts';

interface OddsSources {
  readonly slate: Slate;
  readonly encoder: OddsEncoder;
  readonly watch: FixtureWatch;
}

/** Finds the epoch, version and view in an entity tag (`#etag`) of any form. */
const TAGS = /([0-9a-z]{1,16})-([0-9a-z]{1,16})-[0-9a-z]{1,16}-([0-9.]+)/g;

/**
 * Where an answer's body in one form is cached. Made once for each form, because an answer may be requested
 * many times.
 */
interface BodyPlace {
  readonly form: Representation;
  /** Key and tag of the cache entry. */
  readonly key: string;
  readonly etag: string;
  readonly sight: number;
  /** The cache entry that the body was last stored in or read from; null before that. */
  entry: CachedAnswer | null;
}

export class OddsAnswers {
  readonly cache: AnswerCaches;
  readonly #slate: Slate;
  readonly #encoder: OddsEncoder;
  readonly #watch: FixtureWatch;
  /**
   * The filter of the latest answer. Most answers have an equal filter and share this object, which keeps it
   * in the processor's cache.
   */
  #filter: OddsFilter | null = null;
  /** Whether several nodes serve this slate. It never changes. */
  readonly #isShared: boolean;

  constructor({ slate, encoder, watch }: OddsSources, rooms?: CacheRooms) {
    this.cache = new AnswerCaches(ANSWER_CACHE_BYTES_MAX, rooms);
    this.#slate = slate;
    this.#isShared = slate.feed().replication !== 'alone';
    this.#encoder = encoder;
    this.#watch = watch;
  }

  /**
   * Like `reply`. But in a cluster, the tag may come from a node that is ahead; the answer then waits until
   * this node has caught up.
   * @throws ServiceError as `reply`
   */
  answer(
    eventId: string,
    filter: OddsFilter,
    { nowMs, ifNoneMatch }: { readonly nowMs: number; readonly ifNoneMatch: string | null },
  ): Reply | Promise<Reply> {
    const isAhead = (): boolean => this.isAhead(eventId, filter, ifNoneMatch);
    if (!isAhead()) return this.reply(eventId, filter, nowMs);
    return reached('If-None-Match', isAhead).then(() => this.reply(eventId, filter, nowMs));
  }

  /** Whether a tag of this view has a version or an epoch that this node has not reached yet. */
  isAhead(eventId: string, { key, showsSharp }: OddsFilter, tags: string | null): boolean {
    if (tags === null || !this.#isShared) return false;
    const { epochMs } = this.#slate;
    for (const [, epoch = '', version = '', view = ''] of tags.matchAll(TAGS)) {
      if (view !== key) continue;
      const tagEpochMs = Number.parseInt(epoch, 36);
      if (tagEpochMs > epochMs) return true;
      if (tagEpochMs < epochMs) continue;
      const here = this.#slate.versionOf(decodeId('event', eventId), showsSharp);
      if (here !== null && Number.parseInt(version, 36) > here) return true;
    }
    return false;
  }

  /** @throws ServiceError `invalid_request`, `not_found`, `upstream_unavailable` */
  reply(eventId: string, filter: OddsFilter, nowMs: number): Reply {
    const answer = this.find(eventId, filter, nowMs);
    return new Reply(answer, { etag: answer.etag });
  }

  /**
   * Answers about several fixtures, in request order and with duplicates. An id that fails gets an error in
   * its own entry.
   * @throws ServiceError `upstream_unavailable` while there is no slate
   */
  batch(eventIds: readonly string[], filter: OddsFilter, nowMs: number): Reply {
    this.#slate.requireReady(nowMs);
    // A fixture may change while the next one is read, so each id is read once: duplicates get the same
    // entry.
    const found = new Map<string, BatchEntry>();
    for (const eventId of eventIds) {
      if (!found.has(eventId)) found.set(eventId, this.#batchEntry(eventId, nowMs));
    }
    const entries = eventIds.map((eventId) => found.get(eventId)!);
    // Copy the bytes: large answers are sent in pieces, long after the encoder has reused its buffer.
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

  /** The answer at this instant. Its body is made only when it is needed. @throws ServiceError as `reply` */
  find(eventId: string, filter: OddsFilter, nowMs: number): OddsAnswer {
    const fixture = this.#slate.fixtureById(eventId, nowMs);
    return new OddsAnswer(this, fixture, this.#shared(filter), this.#etag(fixture, filter));
  }

  /**
   * The filter of the latest answer, if it is equal and for the same class of callers. Otherwise the given
   * one, which becomes the latest.
   */
  #shared(filter: OddsFilter): OddsFilter {
    const latest = this.#filter;
    if (latest !== null && latest.key === filter.key && latest.isPaid === filter.isPaid) return latest;
    this.#filter = filter;
    return filter;
  }

  /**
   * Keeps answers for one URL: the latest one for callers who see the sharp book, and the latest one for
   * those who do not.
   */
  keep(eventId: string, words: OddsFilterWords): ReadyAnswers {
    return new KeptOdds(this, this.#watch, { eventId, words });
  }

  /**
   * Makes the body of an answer. Plain JSON is cached when it is made for the second time; other forms the
   * first time, because making them costs more than caching them.
   */
  make({ fixture, filter }: OddsAnswer, place: BodyPlace): FormedBody {
    const { form, key, etag } = place;
    const cache = this.cache.of(filter.isPaid);
    const entry = cache.get(key, etag);
    if (entry !== null && entry.body !== null) {
      place.entry = entry;
      return { body: entry.body, coding: entry.coding };
    }
    const json = this.#encoder.encode(fixture, filter);
    if (form === PLAIN && json.byteLength <= PIECE_BYTES && !cache.isSecondSight(place.sight)) {
      return { body: json, coding: null };
    }
    // Large plain JSON is made a Blob the first time, so that all readers share one copy and it need not be
    // sent in pieces.
    const { bytes, coding } = form === PLAIN ? { bytes: json, coding: null } : formed(json, form);
    const body = new Blob([bytes]);
    place.entry = cache.set(key, { etag, body, coding });
    return { body, coding };
  }

  /**
   * The entity tag: the store's epoch, the fixture's version of what this caller may see, the time stamp, an
   * `s` if stale, and the filter. The epoch makes it unique across restarts.
   */
  #etag(fixture: FixtureNow, filter: OddsFilter): string {
    const { version, commonVersion } = fixture.view;
    const { asOfMs, stale } = freshnessOf(fixture, filter);
    const epoch = this.#slate.epochMs.toString(36);
    const shown = (filter.showsSharp ? version : commonVersion).toString(36);
    return `"${epoch}-${shown}-${asOfMs.toString(36)}${stale ? 's' : ''}-${filter.key}"`;
  }
}

/** The answer about a fixture in the state in which it was read. */
class OddsAnswer extends FormedAnswer {
  readonly fixture: FixtureNow;
  readonly filter: OddsFilter;
  readonly etag: string;
  readonly #answers: OddsAnswers;
  #plainPlace: BodyPlace | null = null;
  #otherPlaces: BodyPlace[] | null = null;

  constructor(answers: OddsAnswers, fixture: FixtureNow, filter: OddsFilter, etag: string) {
    super();
    this.#answers = answers;
    this.fixture = fixture;
    this.filter = filter;
    this.etag = etag;
  }

  body(form: Representation): FormedBody {
    const place = this.#placeOf(form);
    const kept = place.entry;
    if (kept === null || kept.body === null) return this.#answers.make(this, place);
    this.#answers.cache.of(this.filter.isPaid).countHit(kept);
    return { body: kept.body, coding: kept.coding };
  }

  #placeOf(form: Representation): BodyPlace {
    if (form === PLAIN) {
      this.#plainPlace ??= this.#newPlace(form);
      return this.#plainPlace;
    }
    this.#otherPlaces ??= [];
    let place = this.#otherPlaces.find((one) => one.form === form);
    if (place === undefined) {
      place = this.#newPlace(form);
      this.#otherPlaces.push(place);
    }
    return place;
  }

  #newPlace(form: Representation): BodyPlace {
    const key = `${this.fixture.view.id} ${this.filter.key}${form.suffix}`;
    const etag = tagAs(this.etag, form);
    return { form, key, etag, sight: sightOf(key, etag), entry: null };
  }
}

interface MarkedAnswer {
  readonly answer: OddsAnswer;
  readonly mark: FixtureMark;
}

interface KeptRequest {
  readonly eventId: string;
  readonly words: OddsFilterWords;
}

class KeptOdds implements ReadyAnswers {
  readonly #answers: OddsAnswers;
  readonly #watch: FixtureWatch;
  readonly #eventId: string;
  readonly #words: OddsFilterWords;
  /** The answers for callers who do not see the sharp book, and for those who do. */
  #common: MarkedAnswer | null = null;
  #sharp: MarkedAnswer | null = null;

  constructor(answers: OddsAnswers, watch: FixtureWatch, { eventId, words }: KeptRequest) {
    this.#answers = answers;
    this.#watch = watch;
    this.#eventId = eventId;
    this.#words = words;
  }

  isAhead(principal: Principal, tags: string): boolean {
    return this.#answers.isAhead(this.#eventId, oddsFilter(this.#words, principal), tags);
  }

  ready(principal: Principal, instant: Instant): FormedAnswer | null {
    const kept = principal.seesSharp ? this.#sharp : this.#common;
    if (kept !== null && this.#watch.holds(kept.mark, instant)) return kept.answer;
    this.#keep(principal, null);
    try {
      const filter = kept?.answer.filter ?? oddsFilter(this.#words, principal);
      const answer = this.#answers.find(this.#eventId, filter, instant.nowMs);
      const mark = this.#watch.mark(answer.fixture, answer.filter);
      if (mark !== null) this.#keep(principal, { answer, mark });
      return answer;
    } catch (error) {
      if (error instanceof ServiceError) return null; // the handler meets the same error and answers with it
      throw error;
    }
  }

  #keep({ seesSharp }: Principal, marked: MarkedAnswer | null): void {
    if (seesSharp) this.#sharp = marked;
    else this.#common = marked;
  }
}
