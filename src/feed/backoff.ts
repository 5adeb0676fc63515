// How long a source waits before it tries again. Two kinds of failure: one that may pass (a cut, a busy
// server), tried again after a doubling, jittered wait; one that only the operator can mend (a bad token),
// looked at again rarely.

import type { Random } from '../domain/random.ts';

/** A refused token or key is tried again after this long: the operator may have mended it upstream. */
export const FINAL_RETRY_MS = 15 * 60_000;

/** How long the first wait after a failure is at most, and how long it may grow. */
export interface RetryPace {
  readonly firstMs: number;
  readonly longestMs: number;
}
/** A connection costs its upstream little, and without it nothing moves. */
const CONNECTION_RETRY: RetryPace = { firstMs: 250, longestMs: 30_000 };
/** Requests may cost credits, and other requests go on meanwhile. */
export const REQUEST_RETRY: RetryPace = { firstMs: 2_000, longestMs: 5 * 60_000 };

/**
 * The wait after a failure that may pass, ms: half to all of `firstMs`, twice that, four times that, ...
 * `longestMs`.
 * @param failures how many in a row, this one included
 * @param unit a random number of [0, 1)
 */
export function retryWaitMs({ firstMs, longestMs }: RetryPace, failures: number, unit: number): number {
  const fullMs = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20));
  return Math.round(fullMs * (0.5 + unit / 2));
}

/** The waits of one connection. */
export class Backoff {
  readonly #random: Random;
  readonly #pace: RetryPace;
  #failures = 0;

  constructor(random: Random, pace = CONNECTION_RETRY) {
    this.#random = random;
    this.#pace = pace;
  }

  /** Something worked: the next failure starts over. */
  reset(): void {
    this.#failures = 0;
  }

  /**
   * How long to wait after one more failure, ms: of a connection half to all of 250, 500, 1,000 ... 30,000.
   */
  nextMs(): number {
    this.#failures++;
    return retryWaitMs(this.#pace, this.#failures, this.#random.unit());
  }
}
