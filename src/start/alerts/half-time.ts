// Rests as long as it has worked, again and again after a few milliseconds, so that a long task never keeps
// a processor busy for long and uses half of its time at most. Time in which the thread waited for a
// processor counts as work: if there is more to do for others, it rests longer.
//
// Measured with 160 polls a second on two processors beside trials of alert rules, p99 of a poll: 8 to 11 ms
// without rests, 6 to 9 with them, once 12, and 4 to 5 without trials. Most of the difference that is left is
// the compiler's, in the first trial of a worker. `bun test/faults/run-attacks.ts alertRules` repeats it.

import type { Clock } from '../../clock.ts';

/** Work between two rests. A step that takes longer is not cut short, but is followed by a longer rest. */
const WORK_MS = 4;

export class HalfTime {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #wait: (ms: number) => Promise<void>;
  #workSinceMs: number;

  constructor(clock: Pick<Clock, 'monotonicMs'>, wait: (ms: number) => Promise<void> = Bun.sleep) {
    this.#clock = clock;
    this.#wait = wait;
    this.#workSinceMs = clock.monotonicMs();
  }

  /** Call it between two steps. Resolves when the next one may begin. */
  async afterStep(): Promise<void> {
    const workedMs = this.#clock.monotonicMs() - this.#workSinceMs;
    if (workedMs < WORK_MS) return;
    await this.#wait(workedMs);
    this.#workSinceMs = this.#clock.monotonicMs();
  }
}
