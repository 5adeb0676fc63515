// The hottest answer: one fixture's odds as bytes, kept until the fixture, its stamp or its staleness changes. A hit is
// a map look-up; a matching If-None-Match costs no body at all.

import type { FixtureNow } from '../query/fixture-view.ts';
import type { OddsEncoder } from '../query/odds-encoder.ts';
import type { OddsFilter } from '../query/odds-filter.ts';
import type { Slate } from '../query/slate.ts';
import type { BytesCache } from './kit/bytes-cache.ts';
import { Reply } from './kit/reply.ts';

export class OddsAnswers {
  readonly #slate: Slate;
  readonly #encoder: OddsEncoder;
  readonly #cache: BytesCache;

  constructor(options: { readonly slate: Slate; readonly encoder: OddsEncoder; readonly cache: BytesCache }) {
    this.#slate = options.slate;
    this.#encoder = options.encoder;
    this.#cache = options.cache;
  }

  /** @throws ServiceError `invalid_request`, `not_found`, `upstream_unavailable` */
  reply(eventId: string, filter: OddsFilter, nowMs: number): Reply {
    const fixture = this.#slate.fixtureById(eventId, nowMs);
    const etag = this.#etag(fixture, filter);
    const key = `${eventId} ${filter.key}`;
    // The tag says all that the bytes depend on, so it is the token, and an answer with another one is a miss.
    const known = this.#cache.get(key, etag, nowMs);
    if (known !== null) return new Reply(known.body, { etag });
    // A Blob is sent in place: slow readers of one answer hold one copy of it.
    const body = new Blob([this.#encoder.encode(fixture, filter)]);
    this.#cache.set(key, { body, etag, token: etag, validUntilMs: Number.POSITIVE_INFINITY });
    return new Reply(body, { etag });
  }

  /** Unique across restarts: the store's epoch, the fixture's version, its stamp and whether it is stale. */
  #etag(fixture: FixtureNow, filter: OddsFilter): string {
    const epoch = this.#slate.reader.createdAtMs.toString(36);
    const asOf = fixture.asOfMs.toString(36);
    return `"${epoch}-${fixture.view.version.toString(36)}-${asOf}${fixture.stale ? 's' : ''}-${filter.key}"`;
  }
}
