// Notices a stream that is open but silent.

/** A stream counts as dead after this many missed heartbeats. */
const MISSED_HEARTBEATS_MAX = 3;

export interface Watchdog {
  /** Aborted when the stream has been silent for too long, or has ended. */
  readonly signal: AbortSignal;
  /**
   * Notes that the stream is alive. Call it with every event. @param heartbeatMs the interval, if the event
   * is a `hello` that announces it
   */
  heard(heartbeatMs?: number): void;
  /** Stops watching, and aborts `signal`, which closes the connection if it is still open. */
  end(reason?: Error): void;
}

/**
 * Watches one stream.
 * @param stop also ends the stream when it aborts
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
