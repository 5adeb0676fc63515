// The states of a page's connection to the server.

export type ConnectionState =
  /** Before the first answer. */
  | 'loading'
  /** An instant of the past is shown; nothing is followed. */
  | 'past'
  /** The stream is open. */
  | 'live'
  /** The server refuses another stream, so the page polls the slate. */
  | 'polling'
  /** The stream broke and is being reopened. */
  | 'reconnecting'
  /** The browser has no network. */
  | 'offline'
  /** A limit is used up. */
  | 'limited'
  /** The service answers 503: mostly because it has no current slate. */
  | 'unavailable'
  /** The service, or a proxy in front of it, answers with another status of 500 or above. */
  | 'failed'
  /**
   * The request itself is refused, for example a revoked key or an unknown filter. No retry until the request
   * changes.
   */
  | 'refused';

/** The part of an `ApiFailure` that decides about the state. */
interface FailedCall {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The limit that was reached. */
  readonly scope: string | null;
}

/** The state after a call failed. @param failure null when the connection broke without an answer */
export function stateAfter(failure: FailedCall | null): ConnectionState {
  if (failure === null || failure.status === 0) return 'reconnecting';
  if (failure.status === 429) return failure.scope === 'streams' ? 'polling' : 'limited';
  if (failure.status === 503) return 'unavailable';
  return failure.status >= 500 ? 'failed' : 'refused';
}
