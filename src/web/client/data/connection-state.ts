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
  /** The service answers 500 or above: mostly 503, because it has no current slate. */
  | 'unavailable'
  /**
   * The request itself is refused, for example a revoked key or an unknown filter. No retry until the request
   * changes.
   */
  | 'refused';
