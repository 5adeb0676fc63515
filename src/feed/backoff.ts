// How long a source waits before it tries again. Two kinds of failure: one that may pass (a cut, a busy server), tried
// again after a doubling, jittered wait; one that only the operator can mend (a bad token), looked at again rarely.

import type { Random } from '../domain/random.ts';

const FIRST_MS = 250;
const LONGEST_MS = 30_000;
/** A refused token or key is tried again after this long: the operator may have mended it upstream. */
export const FINAL_RETRY_MS = 15 * 60_000;

export class Backoff {
  readonly #random: Random;
  #failures = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Something worked: the next failure starts over. */
  reset(): void {
    this.#failures = 0;
  }

  /** How long to wait after one more failure, ms: half to all of 250, 500, 1,000 ... 30,000. */
  nextMs(): number {
    const fullMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(this.#failures++, 16));
    return fullMs * (0.5 + this.#random.unit() / 2);
  }
}
