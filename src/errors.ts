// The error registry: every code that the service can answer with. REST, tools, MCP, OpenAPI and /docs/errors
// take their codes from this table. An expected failure is thrown as a ServiceError or a ValidationError; a
// bug of our own is a failed `assert`.

export interface ErrorKind {
  readonly status: number;
  readonly retriable: boolean;
  readonly title: string;
  /** What the code means and what the caller should do: the text at the code's anchor on /docs/errors. */
  readonly help: string;
}

export const ERRORS = {
  invalid_request: {
    status: 400,
    retriable: false,
    title: 'The request cannot be used',
    help: 'A value is well-typed but unusable: an id that does not decode, an unknown enum value, book, league, cursor, time zone or date. `error.fix` names the correction. The same code carries 405 (wrong method, see the Allow header), 413 (body over 64 KB, on `/platform` over 4 KB; the connection is closed) and 415 (body is not application/json).',
  },
  unauthorized: {
    status: 401,
    retriable: false,
    title: 'No live key',
    help: 'The Authorization header is not a live key, or the endpoint needs one and none was sent. Send `Authorization: Bearer <key>`, or drop the header to use the free tier.',
  },
  plan_limit: {
    status: 402,
    retriable: false,
    title: 'Above the plan',
    help: 'The account requests something its plan does not include, such as a key of a higher tier. Change the plan, then retry.',
  },
  forbidden: {
    status: 403,
    retriable: false,
    title: 'Not for this tier',
    help: 'The tier cannot see the resource, such as the sharp book on the free tier. Drop it from the filter or use a key of a higher tier.',
  },
  not_found: {
    status: 404,
    retriable: false,
    title: 'Nothing there now',
    help: 'The route does not exist, or the id is well-formed but has no current match, odds or result. A fixture that ended leaves the slate; see /v1/results.',
  },
  validation_error: {
    status: 422,
    retriable: false,
    title: 'A parameter fails validation',
    help: 'Wrong type, missing field, number out of range, list too long or malformed JSON. The body is `{detail: [{type, loc, msg, input}]}`, one item per problem; `loc` says where.',
  },
  rate_limit_exceeded: {
    status: 429,
    retriable: true,
    title: 'Too many requests',
    help: 'Without `X-RateLimit-Scope` the limit per minute is reached: wait `Retry-After` seconds, then continue. With `X-RateLimit-Scope: daily` the daily quota is used up: wait until the day ends, do not retry in a loop. With `streams` or `tickets` the caller has as many as it may have: close or use one. With `messages` or `free` the connection sent too many messages, or the client too many requests that cost nothing: wait, then send fewer.',
  },
  internal: {
    status: 500,
    retriable: false,
    title: 'Our fault',
    help: 'An unexpected server error. It is logged under the request id in `X-Request-Id`; report that id.',
  },
  upstream_unavailable: {
    status: 503,
    retriable: true,
    title: 'The service cannot answer now',
    help: 'The first snapshot is still loading, the feed has been lost for too long, storage fails, or a queue is full. It does not mean that there are no matches. Retry after `retry_after_seconds`.',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;
/** The codes of the error envelope: all except the 422, whose body is `{detail}`. */
export type EnvelopeCode = Exclude<ErrorCode, 'validation_error'>;

export interface ServiceErrorOptions {
  /** The concrete corrective action, or null. */
  readonly fix?: string | null;
  readonly retryAfterSeconds?: number | null;
  /** Overrides the registry's status: 405, 413 and 415 are `invalid_request`. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An expected failure. Its message and fix are written for the caller and never contain a secret. */
export class ServiceError extends Error {
  readonly code: EnvelopeCode;
  readonly status: number;
  readonly fix: string | null;
  readonly retryAfterSeconds: number | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: EnvelopeCode, message: string, options: ServiceErrorOptions = {}) {
    super(message);
    this.name = 'ServiceError';
    this.code = code;
    this.status = options.status ?? ERRORS[code].status;
    this.fix = options.fix ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.headers = options.headers ?? {};
  }
}

/**
 * The body of every failure except REST's 422. `code` is from the registry; a client may get one from a newer
 * server.
 */
export interface ErrorBody<Code extends string = string> {
  readonly error: {
    readonly code: Code;
    readonly message: string;
    readonly fix: string | null;
    readonly is_retriable: boolean;
    readonly retry_after_seconds: number | null;
    readonly documentation_url: string;
  };
}

/** The fields of an envelope besides its code. */
export interface FailureText {
  readonly message: string;
  readonly fix: string | null;
  readonly retryAfterSeconds: number | null;
}

/**
 * The envelope of a code of the registry.
 * @param publicUrl base of the documentation link, without a final slash
 */
export function envelopeOf<Code extends ErrorCode>(
  code: Code,
  publicUrl: string,
  { message, fix, retryAfterSeconds }: FailureText,
): ErrorBody<Code> {
  return {
    error: {
      code,
      message,
      fix,
      is_retriable: ERRORS[code].retriable,
      retry_after_seconds: retryAfterSeconds,
      documentation_url: documentationUrl(publicUrl, code),
    },
  };
}

/** Where a code is explained: its anchor on the page of error codes. */
export function documentationUrl(publicUrl: string, code: string): string {
  return `${publicUrl}/docs/errors#${code}`;
}

/** One item of a 422 body. `loc` is like ["query", "limit"] or ["body", "query"]. */
export interface ValidationDetail {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
}

/** Parameter validation failed: a 422 with `{detail}`. `input` is null wherever it could be a secret. */
export class ValidationError extends Error {
  readonly detail: readonly ValidationDetail[];

  constructor(detail: readonly ValidationDetail[]) {
    super('Cannot validate request');
    this.name = 'ValidationError';
    this.detail = detail;
  }
}

/** The message of what was thrown, which need not be an Error. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The stack of what was thrown, for the log; its text if there is none. */
export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

/** The `code` that errors of the system and of libraries have; undefined without one. */
export function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
}

/** Throws on a bug of our own; the message says what was expected. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${message}`);
}

/**
 * Ends the thread with an error that nothing handles. It is thrown from a separate task, because an unhandled
 * rejection would end a worker without reporting why.
 */
export function endThread(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}
