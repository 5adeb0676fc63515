// What can go wrong with one request to an upstream, as closed words: nothing of the upstream's text, address
// or key is in them, so a failure may be logged, counted and shown as it is.

/** Why a request failed. The order is fixed: shared memory holds indexes into it. */
const POLL_FAILURES = [
  'unreachable',
  'tls_failed',
  'timed_out',
  'cut_short',
  'too_large',
  'empty',
  'not_json',
  'wrong_shape',
  'redirected',
  'throttled',
  'server_error',
  'unexpected_status',
  'bad_request',
  'bad_key',
  'not_paid',
  'forbidden',
  'unknown_product',
  'quota_spent',
  'missed_window',
] as const;
export type PollFailureReason = (typeof POLL_FAILURES)[number];

/**
 * What is to be done about it. `retry`: ask again after a backoff. `final`: asking again cannot help until a
 * person has done something, so look again rarely. `quota`: no credits are left; the source rests and a free
 * request looks again.
 */
export type FailureKind = 'retry' | 'final' | 'quota';

/** Whether only this request is concerned, or every request of the source. */
export type FailureScope = 'request' | 'source';

export interface FailureOptions {
  readonly kind?: FailureKind;
  readonly scope?: FailureScope;
  /** What the upstream asked for with Retry-After, milliseconds. */
  readonly retryAfterMs?: number | null;
}

/** One request that failed. Expected; caught by the poller and nowhere else. */
export class PollFailure extends Error {
  readonly reason: PollFailureReason;
  readonly kind: FailureKind;
  readonly scope: FailureScope;
  readonly retryAfterMs: number | null;

  constructor(reason: PollFailureReason, options: FailureOptions = {}) {
    super(`Cannot read the upstream's answer: ${reason}`);
    this.name = 'PollFailure';
    this.reason = reason;
    this.kind = options.kind ?? 'retry';
    this.scope = options.scope ?? 'request';
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/**
 * Refuses an answer of which nothing can be read: its shape has changed, or it is another site's page. Taken
 * as it is, it would say that every fixture has gone.
 * @param total rows or fixtures that the answer has
 * @param unreadable how many of them were refused as a whole
 * @throws PollFailure `wrong_shape`
 */
export function requireReadable(total: number, unreadable: number): void {
  if (total > 0 && unreadable === total) throw new PollFailure('wrong_shape');
}

/**
 * What an HTTP status that is not a success means, unless the source knows better from its body. A refusal is
 * final only when the upstream itself says so about the key or the plan: a 403, or a page for people, may be
 * of a proxy on the way and pass.
 * @param retryAfterMs what Retry-After asked for, null without one
 * @param isJson whether the body is JSON, as the upstream's own refusals are
 */
export function failureOfStatus(status: number, retryAfterMs: number | null, isJson = false): PollFailure {
  if (status >= 300 && status < 400) return new PollFailure('redirected');
  const kind = isJson ? 'final' : 'retry';
  if (status === 401) return new PollFailure('bad_key', { kind, scope: 'source', retryAfterMs });
  if (status === 402) return new PollFailure('not_paid', { kind, scope: 'source', retryAfterMs });
  if (status === 403) return new PollFailure('forbidden', { scope: 'source', retryAfterMs });
  if (status === 404) return new PollFailure('unknown_product', { kind: 'final' });
  if (status === 429) return new PollFailure('throttled', { scope: 'source', retryAfterMs });
  if (status >= 500) return new PollFailure('server_error', { retryAfterMs });
  // 499: API-Football's own time-out.
  if (status === 408 || status === 499) return new PollFailure('timed_out', { retryAfterMs });
  if (status >= 400) return new PollFailure('bad_request', { kind: 'final' });
  return new PollFailure('unexpected_status');
}
