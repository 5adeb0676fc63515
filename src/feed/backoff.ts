// How long a source waits before it tries again. There are two kinds of failure. A temporary one (a lost
// connection, a busy server) is retried after a doubling, jittered pause. The other can be fixed only by the
// operator (a bad token) and is retried rarely.

import type { Random } from '../domain/random.ts';

/**
 * A refused token or key is retried after this long, because the operator may have made it valid upstream.
 */
export const FINAL_RETRY_MS = 15 * 60_000;

/** The longest first pause after a failure, and the longest pause of all. */
export interface RetryPace {
  readonly firstMs: number;
  readonly longestMs: number;
}
/** Connections are retried soon, because they cost the upstream little and without one no price arrives. */
const CONNECTION_RETRY: RetryPace = { firstMs: 250, longestMs: 30_000 };
/**
 * Requests are retried later than connections, because they may cost credits and other requests continue
 * meanwhile.
 */
export const REQUEST_RETRY: RetryPace = { firstMs: 2_000, longestMs: 5 * 60_000 };

/**
 * The pause after a temporary failure, in ms: half to all of `firstMs`, twice that, four times that, ...
 * `longestMs`.
 * @param failures how many in a row, this one included
 * @param unit a random number of [0, 1)
 */
export function retryWaitMs({ firstMs, longestMs }: RetryPace, failures: number, unit: number): number {
  const fullMs = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20));
  return Math.round(fullMs * (0.5 + unit / 2));
}

/** The pauses of one connection. */
export class Backoff {
  readonly #random: Random;
  readonly #pace: RetryPace;
  #failures = 0;

  constructor(random: Random, pace = CONNECTION_RETRY) {
    this.#random = random;
    this.#pace = pace;
  }

  /** Call it after a success, so that the next failure counts as the first. */
  reset(): void {
    this.#failures = 0;
  }

  /** Counts one more failure and returns the pause after it, in ms; see `retryWaitMs`. */
  nextMs(): number {
    this.#failures++;
    return retryWaitMs(this.#pace, this.#failures, this.#random.unit());
  }
}
