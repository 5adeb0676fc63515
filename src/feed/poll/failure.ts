// What can go wrong with one request to an upstream, as a fixed set of words. They contain no text, address
// or key of the upstream, so a failure may be logged, counted and shown as it is.

/** Why a request failed. The order is fixed, because shared memory holds indexes into the list. */
const POLL_FAILURES = [
  'unreachable',
  'tls_failed',
  'timed_out',
  'cut_short',
  'too_large',
  'empty',
  'not_json',
  'wrong_shape',
  'source_changed',
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
 * What the poller does after a failure. `retry`: it sends the request again after a backoff. `final`: it
 * retries rarely, because the operator has to do something first. `quota`: no credits are left; the source
 * pauses, and a free request checks from time to time whether there are credits again.
 */
export type FailureKind = 'retry' | 'final' | 'quota';

/** Whether the failure concerns only this request, or every request of the source. */
export type FailureScope = 'request' | 'source';

export interface FailureOptions {
  readonly kind?: FailureKind;
  readonly scope?: FailureScope;
  /** The pause that the upstream requested with Retry-After, in ms. */
  readonly retryAfterMs?: number | null;
  /** For `source_changed`: the field that answers no longer have under its known name. */
  readonly field?: string;
  /** Says more than the reason, for the log. Without an address or a key of the upstream. */
  readonly message?: string;
}

/** One failed request. Such failures are expected, so they must not end the worker. */
export class PollFailure extends Error {
  readonly reason: PollFailureReason;
  readonly kind: FailureKind;
  readonly scope: FailureScope;
  readonly retryAfterMs: number | null;
  readonly field: string | null;

  constructor(reason: PollFailureReason, options: FailureOptions = {}) {
    super(options.message ?? `Cannot read the upstream's answer: ${reason}`);
    this.name = 'PollFailure';
    this.reason = reason;
    this.kind = options.kind ?? 'retry';
    this.scope = options.scope ?? 'request';
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.field = options.field ?? null;
  }
}

/**
 * Refuses an answer in which nothing can be read, because its shape has changed or it is another site's page.
 * Accepting it would mean that every fixture has gone.
 * @param total rows or fixtures in the answer
 * @param unreadable how many of them were refused as a whole
 * @throws PollFailure `wrong_shape`
 */
export function requireReadable(total: number, unreadable: number): void {
  if (total > 0 && unreadable === total) throw new PollFailure('wrong_shape');
}

/**
 * What an HTTP status other than success means, unless the source knows more from the body. A 401 or 402 is
 * final only with a JSON body, and a 403 is never final, because an HTML page or a 403 may be a temporary
 * answer of a proxy on the way.
 * @param retryAfterMs from Retry-After, null without that header
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
  // 499 is API-Football's own time-out.
  if (status === 408 || status === 499) return new PollFailure('timed_out', { retryAfterMs });
  if (status >= 400) return new PollFailure('bad_request', { kind: 'final' });
  return new PollFailure('unexpected_status');
}
