// Notices a stream that is open but silent.

/** After this many missed heartbeats a stream counts as dead. */
const MISSED_HEARTBEATS_MAX = 3;

export interface Watchdog {
  /** Aborts when the stream has been silent for too long, or at the end. */
  readonly signal: AbortSignal;
  /** Called with every event. @param heartbeatMs the interval that a `hello` has announced */
  heard(heartbeatMs?: number): void;
  /** Stops watching, and closes the connection if it is still open. */
  end(reason?: Error): void;
}

/**
 * Watches one stream.
 * @param stop also ends the stream
 * @param firstMs the longest silence before the `hello`; 0 for no limit
 */
export function watchdogOf(stop: AbortSignal, firstMs: number): Watchdog {
  const own = new AbortController();
  let silenceMs = firstMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  function end(reason?: Error): void {
    clearTimeout(timer);
    own.abort(reason);
  }
  function heard(heartbeatMs?: number): void {
    if (heartbeatMs) silenceMs = heartbeatMs * MISSED_HEARTBEATS_MAX;
    clearTimeout(timer);
    if (silenceMs)
      timer = setTimeout(() => end(Error(`the stream was silent for ${silenceMs / 1_000} s`)), silenceMs);
  }
  heard();
  return { signal: AbortSignal.any([stop, own.signal]), heard, end };
}
