// Time and random numbers for the client. Tests pass their own.

export interface Runtime {
  /** Milliseconds of a monotonic clock. */
  nowMs(): number;
  /** A random number: at least 0, below 1. */
  random(): number;
  /** Waits. @throws the signal's reason as soon as the signal aborts */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay that a timer supports. A timer with a longer delay fires immediately. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export const systemRuntime: Runtime = {
  nowMs: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const onEnd = (): void => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const timer = setTimeout(onEnd, Math.min(ms, TIMER_MS_MAX));
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};

export interface BackoffOptions {
  readonly firstPauseMs: number;
  readonly pauseMsMax: number;
}

/**
 * Pauses that double up to a maximum. Each pause is shortened at random, to half of its length at most, so
 * that many clients do not retry at the same time.
 */
export class Backoff {
  readonly #runtime: Runtime;
  readonly #options: BackoffOptions;
  #tries = 0;

  constructor(runtime: Runtime, options: BackoffOptions) {
    this.#runtime = runtime;
    this.#options = options;
  }

  /** @param leastMs the wait that the server asks for @returns how long to wait before the next try */
  next(leastMs = 0): number {
    const { firstPauseMs, pauseMsMax } = this.#options;
    const pauseMs = Math.min(pauseMsMax, firstPauseMs * 2 ** Math.min(this.#tries, 30));
    this.#tries++;
    return Math.max(leastMs, pauseMs * (0.5 + this.#runtime.random() / 2));
  }

  reset(): void {
    this.#tries = 0;
  }
}
