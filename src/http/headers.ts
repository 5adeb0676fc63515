// The headers of every answer: rate limits, request id, caching, security and the explicit CORS policy. One object a
// request, built once.

import type { Admission } from '../access/gate.ts';
import type { Reply } from './reply.ts';
import type { RouteAccess } from './route.ts';

export interface AnswerFacts {
  readonly reply: Reply;
  readonly admission: Admission;
  readonly access: RouteAccess;
  readonly requestId: string;
  readonly latencyMs: number;
  /** Whether the public side speaks HTTPS. */
  readonly isSecure: boolean;
}

/** Nothing may load, run or frame an API answer. Pages bring a policy of their own. */
const API_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";
const EXPOSED_HEADERS =
  'ETag, Retry-After, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Scope, Server-Timing';

/** Request headers a page of another origin may send. */
const ALLOWED_REQUEST_HEADERS = 'Authorization, Content-Type, If-None-Match, X-Request-Id';

export function answerHeaders(facts: AnswerFacts): Record<string, string> {
  const { reply, admission, access } = facts;
  const headers: Record<string, string> = {
    'content-type': reply.contentType,
    'cache-control': reply.cacheControl ?? (access === 'account' ? 'no-store' : 'private, no-cache'),
    'x-request-id': facts.requestId,
    'x-ratelimit-limit': String(admission.limit),
    'x-ratelimit-remaining': String(admission.remaining),
    'x-ratelimit-reset': String(admission.resetAtS),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': API_CONTENT_POLICY,
    'server-timing': `app;dur=${facts.latencyMs.toFixed(2)}`,
  };
  if (access !== 'account') {
    headers['access-control-allow-origin'] = '*';
    headers['access-control-expose-headers'] = EXPOSED_HEADERS;
  }
  if (access === 'metered' || access === 'key') headers.vary = 'Authorization';
  if (reply.etag !== null) headers.etag = reply.etag;
  if (facts.isSecure) headers['strict-transport-security'] = 'max-age=31536000';
  if (admission.daily !== null) addDailyHeaders(headers, admission.daily);
  if (reply.headers !== null) Object.assign(headers, reply.headers);
  return headers;
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

function addDailyHeaders(headers: Record<string, string>, daily: NonNullable<Admission['daily']>): void {
  headers['x-ratelimit-scope'] = 'daily';
  headers['ratelimit-limit'] = String(daily.limit);
  headers['ratelimit-remaining'] = String(daily.remaining);
  headers['ratelimit-reset'] = String(daily.resetAtS);
}
