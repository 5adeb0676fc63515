// Odds of one fixture as bytes under the tag of what they depend on: they are made anew only when the fixture's version,
// its stamp or its staleness changes. A hit is a map look-up; a matching If-None-Match costs no body at all. What is asked
// for once is sent from the encoder's buffer and forgotten; what is asked for twice under one tag is kept.

import { decodeId } from '../domain/ids.ts';
import type { Principal } from '../domain/tiers.ts';
import { ServiceError } from '../errors.ts';
import { type FixtureNow, freshnessOf } from '../query/fixture-view.ts';
import type { FixtureMark, FixtureWatch, Instant } from '../query/fixture-watch.ts';
import type { BatchEntry, OddsEncoder } from '../query/odds-encoder.ts';
import { type OddsFilter, type OddsFilterWords, oddsFilter } from '../query/odds-filter.ts';
import { reached } from '../query/reach.ts';
import type { Slate } from '../query/slate.ts';
import { AnswerCache, type CachedAnswer, sightOf } from './kit/answer-cache.ts';
import { FormedAnswer, type FormedBody, formed } from './kit/forms.ts';
import { PIECE_BYTES, Reply } from './kit/reply.ts';
import { PLAIN, type Representation, tagAs } from './kit/representation.ts';
import type { ReadyAnswers } from './kit/route.ts';

interface OddsSources {
  readonly slate: Slate;
  readonly encoder: OddsEncoder;
  readonly watch: FixtureWatch;
}

/** Epoch, version, stamp and view of tags, whatever their form: see `#etag`. */
const TAGS = /([0-9a-z]{1,16})-([0-9a-z]{1,16})-[0-9a-z]{1,16}-([0-9.]+)/g;

/** Where the body of an answer in one form is kept. Made once for each form: an answer may be asked for many times. */
interface BodyPlace {
  readonly form: Representation;
  /** Its key and tag in the cache. */
  readonly key: string;
  readonly etag: string;
  readonly sight: number;
  /** In the cache, if it was kept there when it was made. */
  entry: CachedAnswer | null;
}

export class OddsAnswers {
  readonly cache = new AnswerCache();
  readonly #slate: Slate;
  readonly #encoder: OddsEncoder;
  readonly #watch: FixtureWatch;
  /** The filter of the last answer: most have the same, and share it, so that it is in the processor's cache. */
  #filter: OddsFilter | null = null;
  /** Whether the slate is that of several nodes, which is so from the start or never. */
  readonly #isShared: boolean;

  constructor({ slate, encoder, watch }: OddsSources) {
    this.#slate = slate;
    this.#isShared = slate.feed().replication !== 'alone';
    this.#encoder = encoder;
    this.#watch = watch;
  }

  /**
   * As `reply`. On a node of a cluster a tag may come from another that is further, which is waited for.
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

  /** Whether a tag of this view is of a version, or of an epoch, that comes after where this node stands. */
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
   * One entry per id, in request order, duplicates too. An id that fails does so in its own entry.
   * @throws ServiceError `upstream_unavailable` while there is no slate
   */
  batch(eventIds: readonly string[], filter: OddsFilter, nowMs: number): Reply {
    this.#slate.requireReady(nowMs);
    // A fixture may move while the next one is looked up: an id that comes twice is told the same twice.
    const found = new Map<string, BatchEntry>();
    for (const eventId of eventIds) {
      if (!found.has(eventId)) found.set(eventId, this.#batchEntry(eventId, nowMs));
    }
    const entries = eventIds.map((eventId) => found.get(eventId)!);
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
    return new OddsAnswer(this, fixture, this.#shared(filter), this.#etag(fixture, filter));
  }

  /** An equal filter. */
  #shared(filter: OddsFilter): OddsFilter {
    if (this.#filter === null || this.#filter.key !== filter.key) this.#filter = filter;
    return this.#filter;
  }

  /** What is kept for one URL: the last answer of each view of it. */
  keep(eventId: string, words: OddsFilterWords): ReadyAnswers {
    return new KeptOdds(words, {
      find: (filter, nowMs) => this.find(eventId, filter, nowMs),
      isAhead: (filter, tags) => this.isAhead(eventId, filter, tags),
      watch: this.#watch,
    });
  }

  /** Null when the fixture has moved since. */
  mark({ fixture, filter }: OddsAnswer): FixtureMark | null {
    return this.#watch.mark(fixture, filter.showsSharp);
  }

  /**
   * The body of an answer. Plain JSON is kept in the cache when it is made for the second time, any other form at once, since
   * making it costs more than keeping it.
   */
  make({ fixture, filter }: OddsAnswer, place: BodyPlace): FormedBody {
    const { form, key, etag } = place;
    const entry = this.cache.get(key, etag);
    if (entry !== null && entry.body !== null) {
      place.entry = entry;
      return { body: entry.body, coding: entry.coding };
    }
    const json = this.#encoder.encode(fixture, filter);
    if (form === PLAIN && json.byteLength <= PIECE_BYTES && !this.cache.isSecondSight(place.sight)) {
      return { body: json, coding: null };
    }
    // A large one is a Blob at once: its readers share it, so none of them counts as slow.
    const { bytes, coding } = form === PLAIN ? { bytes: json, coding: null } : formed(json, form);
    const body = new Blob([bytes]);
    place.entry = this.cache.set(key, { etag, body, coding });
    return { body, coding };
  }

  /**
   * Unique across restarts: the store's epoch, the fixture's version as far as its caller may know it, its stamp and whether
   * it is stale.
   */
  #etag(fixture: FixtureNow, filter: OddsFilter): string {
    const { version, commonVersion } = fixture.view;
    const { asOfMs, stale } = freshnessOf(fixture, filter.showsSharp);
    const epoch = this.#slate.epochMs.toString(36);
    const shown = (filter.showsSharp ? version : commonVersion).toString(36);
    return `"${epoch}-${shown}-${asOfMs.toString(36)}${stale ? 's' : ''}-${filter.key}"`;
  }
}

/** The answer about a fixture as it was found. */
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

  get mark(): FixtureMark | null {
    return this.#answers.mark(this);
  }

  body(form: Representation): FormedBody {
    const place = this.#placeOf(form);
    const kept = place.entry;
    if (kept === null || kept.body === null) return this.#answers.make(this, place);
    this.#answers.cache.countHit();
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

interface KeptOddsOptions {
  readonly find: (filter: OddsFilter, nowMs: number) => OddsAnswer;
  readonly isAhead: (filter: OddsFilter, tags: string) => boolean;
  readonly watch: FixtureWatch;
}

class KeptOdds implements ReadyAnswers {
  readonly #words: OddsFilterWords;
  readonly #find: KeptOddsOptions['find'];
  readonly #isAhead: KeptOddsOptions['isAhead'];
  readonly #watch: FixtureWatch;
  /** For callers who do not see the sharp book, and for those who do. */
  #common: MarkedAnswer | null = null;
  #sharp: MarkedAnswer | null = null;

  constructor(words: OddsFilterWords, { find, isAhead, watch }: KeptOddsOptions) {
    this.#words = words;
    this.#find = find;
    this.#isAhead = isAhead;
    this.#watch = watch;
  }

  isAhead(principal: Principal, tags: string): boolean {
    return this.#isAhead(oddsFilter(this.#words, principal), tags);
  }

  ready(principal: Principal, instant: Instant): FormedAnswer | null {
    const kept = principal.seesSharp ? this.#sharp : this.#common;
    if (kept !== null && this.#watch.holds(kept.mark, instant)) return kept.answer;
    this.#keep(principal, null);
    try {
      const answer = this.#find(kept?.answer.filter ?? oddsFilter(this.#words, principal), instant.nowMs);
      const { mark } = answer;
      if (mark !== null) this.#keep(principal, { answer, mark });
      return answer;
    } catch (error) {
      if (error instanceof ServiceError) return null; // the handler meets it again and answers it
      throw error;
    }
  }

  #keep({ seesSharp }: Principal, marked: MarkedAnswer | null): void {
    if (seesSharp) this.#sharp = marked;
    else this.#common = marked;
  }
}
