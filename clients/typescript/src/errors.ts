// One class for all failures: the server's error, or the reason why there was no answer.

export interface ErrorFacts {
  readonly status?: number;
  readonly code: string;
  readonly fix?: string | null;
  readonly isRetriable?: boolean;
  readonly retryAfterMs?: number | null;
  readonly scope?: string | null;
  readonly requestId?: string | null;
  readonly documentationUrl?: string | null;
  readonly cause?: unknown;
}

/**
 * A call that failed. `code` is the server's (`rate_limit_exceeded`, `not_found`, ...), or the client's own:
 * `unreachable`, `timeout`, `too_large` (an answer or the slate exceeds the client's limit), `gap` (a mirror
 * missed a change), `closed`, `no_websocket`, `unknown` (an error without the server's envelope).
 */
export class OverroundError extends Error {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly code: string;
  /** Advice for the caller, from the server or the client. It is also the last line of `message`. */
  readonly fix: string | null;
  /** Whether the same call may succeed later. */
  readonly isRetriable: boolean;
  readonly retryAfterMs: number | null;
  /**
   * The limit behind a 429: null for the rate per minute, otherwise `daily`, `streams`, `tickets` or `free`.
   */
  readonly scope: string | null;
  /** The request's id, by which the operator finds it in the log. */
  readonly requestId: string | null;
  readonly documentationUrl: string | null;

  constructor(message: string, facts: ErrorFacts) {
    super(facts.fix ? `${message}\n${facts.fix}` : message, { cause: facts.cause });
    this.name = 'OverroundError';
    this.status = facts.status ?? 0;
    this.code = facts.code;
    this.fix = facts.fix ?? null;
    this.isRetriable = facts.isRetriable ?? false;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.scope = facts.scope ?? null;
    this.requestId = facts.requestId ?? null;
    this.documentationUrl = facts.documentationUrl ?? null;
  }
}

interface Envelope {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly fix: string | null;
    readonly is_retriable: boolean;
    readonly retry_after_seconds: number | null;
    readonly documentation_url: string;
  };
}

interface ValidationBody {
  readonly detail: readonly { readonly loc: readonly (string | number)[]; readonly msg: string }[];
}

/** The error for an answer with a status other than 2xx. @param text the body of the answer */
export function errorOf(status: number, headers: Headers, text: string): OverroundError {
  const retryAfter = Number.parseFloat(headers.get('retry-after') ?? '');
  const facts = {
    status,
    scope: headers.get('x-ratelimit-scope'),
    requestId: headers.get('x-request-id'),
    retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1_000 : null,
    isRetriable: status === 429 || status >= 500,
  };
  const body = parsed(text);
  if (isEnvelope(body)) return envelopeError(body, facts);
  if (isValidation(body)) {
    const problems = body.detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
    return new OverroundError(problems.join('; '), { ...facts, code: 'validation_error' });
  }
  return new OverroundError(`The server answered ${status} without a reason`, { ...facts, code: 'unknown' });
}

/** The error in a server's error envelope, which comes as an answer or a WebSocket message. */
export function envelopeError({ error }: Envelope, facts: Omit<ErrorFacts, 'code'> = {}): OverroundError {
  const seconds = error.retry_after_seconds;
  return new OverroundError(error.message, {
    ...facts,
    code: error.code,
    fix: error.fix,
    isRetriable: error.is_retriable,
    retryAfterMs: facts.retryAfterMs ?? (seconds === null ? null : seconds * 1_000),
    documentationUrl: error.documentation_url,
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // A proxy's page, or no body: only the status is used.
  }
}

export function isEnvelope(body: unknown): body is Envelope {
  return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'object';
}

function isValidation(body: unknown): body is ValidationBody {
  return typeof body === 'object' && body !== null && 'detail' in body && Array.isArray(body.detail);
}
