// The headers of cache hits. Making a header object from a literal would cost more than the rest of a hit. So
// one object is kept for each coding of bodies, each hit changes only what differs from the previous hit, and
// the runtime copies it into the response. That takes a third of the time.

import type { BudgetState } from '../../access/gate.ts';
import type { FormedBody } from '../kit/forms.ts';
import {
  addOriginHeaders,
  CACHE_CONTROL,
  contentTypeOf,
  STRICT_TRANSPORT,
  serverTiming,
  VARY_METERED,
} from '../kit/headers.ts';
import { type Coding, PLAIN, type Representation } from '../kit/representation.ts';

/** An answer that is sent from the cache. */
export interface HitFacts {
  readonly body: FormedBody | null;
  readonly status: 200 | 304;
  readonly form: Representation;
  readonly etag: string;
  readonly budget: BudgetState;
  readonly requestId: string;
  readonly latencyMs: number;
  /** Whether the caller sees the sharp book. */
  readonly seesSharp: boolean;
  readonly hasOrigin: boolean;
}

/** The same headers that `AnswerHeaders` makes for a metered answer. */
export class HitHeaders {
  readonly #plain: CodedHeaders;
  readonly #coded: Readonly<Record<Coding, CodedHeaders>>;

  /** @param isSecure whether clients reach the server over HTTPS */
  constructor(isSecure: boolean) {
    this.#plain = new CodedHeaders(isSecure, null);
    this.#coded = { gzip: new CodedHeaders(isSecure, 'gzip'), zstd: new CodedHeaders(isSecure, 'zstd') };
  }

  /** Makes the response. */
  toResponse(facts: HitFacts): Response {
    const coding = facts.body?.coding ?? null;
    const response = (coding === null ? this.#plain : this.#coded[coding]).toResponse(facts);
    if (facts.hasOrigin) addOriginHeaders(response.headers);
    return response;
  }
}

/** The headers of bodies that are compressed in one way, or not at all. */
class CodedHeaders {
  readonly #headers: Headers;
  readonly #found: ResponseInit;
  readonly #unchanged: ResponseInit;
  // The current values of the headers.
  #form = PLAIN;
  #etag = '""';
  #limit = 0;
  #remaining = 0;
  #resetAtS = 0;
  #timing = '';

  constructor(isSecure: boolean, coding: Coding | null) {
    this.#headers = new Headers({
      'content-type': contentTypeOf(this.#form),
      'cache-control': CACHE_CONTROL,
      'x-content-type-options': 'nosniff',
      vary: VARY_METERED,
      ...(isSecure ? { 'strict-transport-security': STRICT_TRANSPORT } : {}),
      'x-request-id': '',
      'x-ratelimit-limit': String(this.#limit),
      'x-ratelimit-remaining': String(this.#remaining),
      'x-ratelimit-reset': String(this.#resetAtS),
      'server-timing': this.#timing,
      etag: this.#etag,
    });
    // Set this header last, as AnswerHeaders does: clients see the order of headers.
    if (coding !== null) this.#headers.set('content-encoding', coding);
    this.#found = { status: 200, headers: this.#headers };
    this.#unchanged = { status: 304, headers: this.#headers };
  }

  toResponse(facts: HitFacts): Response {
    const { body, status } = facts;
    this.#addHeaders(facts);
    return new Response(body?.body ?? null, status === 200 ? this.#found : this.#unchanged);
  }

  #addHeaders({ form, etag, budget, requestId, latencyMs, seesSharp }: HitFacts): void {
    const headers = this.#headers;
    headers.set('x-request-id', requestId);
    const { limit, remaining, resetAtS } = budget;
    if (remaining !== this.#remaining) {
      this.#remaining = remaining;
      headers.set('x-ratelimit-remaining', String(remaining));
    }
    if (resetAtS !== this.#resetAtS) {
      this.#resetAtS = resetAtS;
      headers.set('x-ratelimit-reset', String(resetAtS));
    }
    if (limit !== this.#limit) {
      this.#limit = limit;
      headers.set('x-ratelimit-limit', String(limit));
    }
    const timing = serverTiming(latencyMs, seesSharp);
    if (timing !== this.#timing) {
      this.#timing = timing;
      headers.set('server-timing', timing);
    }
    if (etag !== this.#etag) {
      this.#etag = etag;
      headers.set('etag', etag);
    }
    if (form !== this.#form) {
      this.#form = form;
      headers.set('content-type', contentTypeOf(form));
    }
  }
}
