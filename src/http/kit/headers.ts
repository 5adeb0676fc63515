// The headers of every answer: rate limits, request id, caching, security and the explicit CORS policy. What never
// changes is built once per kind of access; a request adds only what is its own, which halves the cost.

import type { Admission } from '../../access/gate.ts';
import { JSON_CONTENT_TYPE, type MadePieces, type Reply, type ReplyBody } from './reply.ts';
import type { RouteAccess } from './route.ts';

export interface AnswerFacts {
  readonly reply: Reply;
  /** What goes out instead of the reply's own status and body: 304, or a body in pieces. */
  readonly status: number;
  readonly body: Exclude<ReplyBody, MadePieces>;
  readonly admission: Admission;
  readonly access: RouteAccess;
  readonly requestId: string;
  readonly latencyMs: number;
}

/** Nothing may load, run or frame an API answer. Pages bring a policy of their own. */
const API_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";
const EXPOSED_HEADERS =
  'ETag, Retry-After, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Scope, Server-Timing';
/** Request headers a page of another origin may send. */
const ALLOWED_REQUEST_HEADERS = 'Authorization, Content-Type, If-None-Match, X-Request-Id';

export class AnswerHeaders {
  readonly #templates: Readonly<Record<RouteAccess, Headers>>;

  /** @param isSecure whether the public side speaks HTTPS */
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
    headers.set('server-timing', `app;dur=${facts.latencyMs.toFixed(2)}`);
    if (reply.contentType !== JSON_CONTENT_TYPE) headers.set('content-type', reply.contentType);
    if (reply.etag !== null) headers.set('etag', reply.etag);
    if (reply.cacheControl !== null) headers.set('cache-control', reply.cacheControl);
    if (admission.daily !== null) addDailyHeaders(headers, admission.daily);
    if (reply.headers !== null) {
      for (const name in reply.headers) headers.set(name, reply.headers[name] ?? '');
    }
    return response;
  }
}

/** Headers of the answer to OPTIONS. A route outside the CORS policy names its methods and nothing else. */
export function preflightHeaders(allow: string, isShared: boolean): Record<string, string> {
  if (!isShared) return { allow };
  return {
    allow,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': ALLOWED_REQUEST_HEADERS,
    'access-control-max-age': '86400',
  };
}

function templateOf(access: RouteAccess, isSecure: boolean): Headers {
  const headers = new Headers({
    'content-type': JSON_CONTENT_TYPE,
    'cache-control': access === 'account' ? 'no-store' : 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': API_CONTENT_POLICY,
  });
  if (access !== 'account') {
    headers.set('access-control-allow-origin', '*');
    headers.set('access-control-expose-headers', EXPOSED_HEADERS);
  }
  if (access === 'metered' || access === 'key') headers.set('vary', 'Authorization');
  if (isSecure) headers.set('strict-transport-security', 'max-age=31536000');
  return headers;
}

function addDailyHeaders(headers: Headers, daily: NonNullable<Admission['daily']>): void {
  headers.set('x-ratelimit-scope', 'daily');
  headers.set('ratelimit-limit', String(daily.limit));
  headers.set('ratelimit-remaining', String(daily.remaining));
  headers.set('ratelimit-reset', String(daily.resetAtS));
}

/** Whether If-None-Match names `etag`, by the weak comparison of RFC 9110, 13.1.2. @param etag with its quotes */
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
