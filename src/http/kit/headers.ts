// The headers of every answer: rate limits, request id, caching, and what browsers need. Each header adds
// half a microsecond to a cache hit, so a header is sent only where a client uses it: CORS headers to pages
// of another origin, page policies with pages.

import type { Admission } from '../../access/gate.ts';
import { JSON_CONTENT_TYPE, type Reply } from './reply.ts';
import { type Coding, PACKED_CONTENT_TYPE, type Representation } from './representation.ts';
import type { Deprecation, RouteAccess } from './route.ts';
import type { SentBody } from './sent-body.ts';

export interface AnswerFacts {
  readonly reply: Reply;
  /** The status and body that are sent in place of the reply's own: a 304, pieces, or another form. */
  readonly status: number;
  readonly body: SentBody['body'];
  readonly coding: Coding | null;
  readonly etag: string | null;
  readonly contentType: string;
  readonly admission: Admission;
  readonly access: RouteAccess;
  readonly deprecation: Deprecation | null;
  readonly requestId: string;
  readonly latencyMs: number;
  /** Whether the request has an Origin header, which means that a browser sent it for a page. */
  readonly hasOrigin: boolean;
}

/**
 * An answer that is not a page may load nothing, run nothing and be framed nowhere. Pages have a policy of
 * their own.
 */
const PLAIN_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";
export const CACHE_CONTROL = 'private, no-cache';
export const STRICT_TRANSPORT = 'max-age=31536000';
/**
 * An answer that shows the sharp book is `private`. A cache that stores it anyway must at least know that it
 * depends on the caller.
 */
export const VARY_METERED = 'Accept, Accept-Encoding, Authorization, Cookie, Origin';
const EXPOSED_HEADERS =
  'Deprecation, ETag, Link, Retry-After, Sunset, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Scope, Server-Timing';
/** Request headers that a page of another origin may send. */
const ALLOWED_REQUEST_HEADERS = 'Authorization, Content-Type, If-None-Match, X-Request-Id';

/** The Server-Timing values up to ten milliseconds, in steps of a hundredth. */
const SERVER_TIMINGS = Array.from({ length: 1_000 }, (_, index) => `app;dur=${(index / 100).toFixed(2)}`);
/**
 * Callers who do not see the sharp book get the time in coarse steps. An answer that had to be made again
 * because that book moved takes a tenth of a millisecond longer than a cached one, and exact times would
 * reveal the move.
 */
const COARSE_STEP_MS = 10;

/** @param seesSharp whether the caller sees the sharp book */
export function serverTiming(latencyMs: number, seesSharp: boolean): string {
  const toldMs = seesSharp ? latencyMs : Math.floor(latencyMs / COARSE_STEP_MS) * COARSE_STEP_MS;
  return SERVER_TIMINGS[Math.round(toldMs * 100)] ?? `app;dur=${toldMs.toFixed(2)}`;
}

export class AnswerHeaders {
  readonly #templates: Readonly<Record<RouteAccess, Headers>>;

  /** @param isSecure whether clients reach the server over HTTPS */
  constructor(isSecure: boolean) {
    this.#templates = {
      open: templateOf('open', isSecure),
      metered: templateOf('metered', isSecure),
      key: templateOf('key', isSecure),
      account: templateOf('account', isSecure),
    };
  }

  /** Makes the response. */
  toResponse(facts: AnswerFacts): Response {
    const { reply, admission } = facts;
    const response = new Response(facts.body, {
      status: facts.status,
      headers: this.#templates[facts.access],
    });
    const { headers } = response;
    headers.set('x-request-id', facts.requestId);
    headers.set('x-ratelimit-limit', String(admission.limit));
    headers.set('x-ratelimit-remaining', String(admission.remaining));
    headers.set('x-ratelimit-reset', String(admission.resetAtS));
    headers.set('server-timing', serverTiming(facts.latencyMs, admission.principal.seesSharp));
    if (facts.etag !== null) headers.set('etag', facts.etag); // here as in a cache hit: clients see the order
    if (facts.contentType !== JSON_CONTENT_TYPE) headers.set('content-type', facts.contentType);
    if (facts.coding !== null) headers.set('content-encoding', facts.coding);
    if (reply.contentType !== JSON_CONTENT_TYPE) {
      headers.set('referrer-policy', 'no-referrer');
      headers.set('content-security-policy', PLAIN_CONTENT_POLICY);
    }
    if (facts.hasOrigin && facts.access !== 'account') addOriginHeaders(headers);
    if (reply.cacheControl !== null) headers.set('cache-control', reply.cacheControl);
    if (admission.daily !== null) addDailyHeaders(headers, admission.daily);
    if (facts.deprecation !== null) addDeprecation(headers, facts.deprecation);
    if (reply.headers !== null) {
      for (const name in reply.headers) setHeader(headers, name, reply.headers[name] ?? '');
    }
    return response;
  }
}

function setHeader(headers: Headers, name: string, value: string | readonly string[]): void {
  if (typeof value === 'string') {
    headers.set(name, value);
    return;
  }
  headers.delete(name);
  for (const one of value) headers.append(name, one);
}

/** Pages of every origin may read the API, and none may send cookies. */
export function addOriginHeaders(headers: Headers): void {
  headers.set('access-control-allow-origin', '*');
  headers.set('access-control-expose-headers', EXPOSED_HEADERS);
}

/** Headers of the answer to OPTIONS. A route without CORS gets only its allowed methods. */
export function preflightHeaders(allow: string, isShared: boolean): Record<string, string> {
  if (!isShared) return { allow };
  return {
    allow,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': ALLOWED_REQUEST_HEADERS,
    'access-control-max-age': '86400',
  };
}

/** The content type of an answer under /v1/. */
export function contentTypeOf({ isPacked }: Representation): string {
  return isPacked ? PACKED_CONTENT_TYPE : JSON_CONTENT_TYPE;
}

function templateOf(access: RouteAccess, isSecure: boolean): Headers {
  const headers = new Headers({
    'content-type': JSON_CONTENT_TYPE,
    'cache-control': access === 'account' ? 'no-store' : CACHE_CONTROL,
    'x-content-type-options': 'nosniff',
  });
  if (access === 'open') headers.set('vary', 'Origin');
  if (access === 'metered' || access === 'key') headers.set('vary', VARY_METERED);
  if (isSecure) headers.set('strict-transport-security', STRICT_TRANSPORT);
  return headers;
}

/** The headers of RFC 9745 (`deprecation`) and RFC 8594 (`sunset`). */
function addDeprecation(headers: Headers, { sinceMs, sunsetMs, url }: Deprecation): void {
  headers.set('deprecation', `@${Math.floor(sinceMs / 1_000)}`);
  headers.set('link', `<${url}>; rel="deprecation"; type="text/html"`);
  if (sunsetMs !== null) headers.set('sunset', new Date(sunsetMs).toUTCString());
}

function addDailyHeaders(headers: Headers, daily: NonNullable<Admission['daily']>): void {
  headers.set('x-ratelimit-scope', 'daily');
  headers.set('ratelimit-limit', String(daily.limit));
  headers.set('ratelimit-remaining', String(daily.remaining));
  headers.set('ratelimit-reset', String(daily.resetAtS));
}

/**
 * Whether If-None-Match contains `etag`, by the weak comparison of RFC 9110, 13.1.2.
 * @param etag with its quotes
 */
export function etagMatches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  const tag = withoutWeakness(etag);
  if (!ifNoneMatch.includes(tag)) return false;
  return ifNoneMatch.split(',').some((part) => withoutWeakness(part.trim()) === tag);
}

function withoutWeakness(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
