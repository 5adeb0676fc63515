// The cooldown of a whole source after a failure that concerns all its requests. No request is sent until it
// is over; then one request at a time checks whether the upstream answers again.

import type { PollFailure } from './failure.ts';
import { waitAfter } from './schedule.ts';

export class Cooldown {
  #failure: PollFailure | null = null;
  #untilMs = 0;
  /** Failures in a row. */
  #count = 0;

  /** Why the source is in cooldown, null when it is not. */
  get failure(): PollFailure | null {
    return this.#failure;
  }

  get untilMs(): number {
    return this.#untilMs;
  }

  /** Whether the last failure is of a kind that a retry cannot mend. */
  get isStop(): boolean {
    return this.#failure !== null && this.#failure.kind !== 'retry';
  }

  /** Begins or continues the cooldown. @param random a number of [0, 1) */
  begin(failure: PollFailure, nowMs: number, random: number): void {
    // If several requests that are open at the same time fail together, they count as one failure.
    if (this.#failure === null || nowMs >= this.#untilMs) this.#count++;
    this.#failure = failure;
    this.#untilMs = nowMs + waitAfter(failure, this.#count, random);
  }

  end(): void {
    this.#failure = null;
    this.#count = 0;
  }
}
