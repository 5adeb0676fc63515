// Makes a long task rest after every few milliseconds, for as long as it has worked. So the task takes at
// most half of a processor's time, in short pieces. Time in which the thread waited for a processor counts as
// work, so on a busy machine the task rests longer.
//
// Measured with 160 polls a second on two processors beside trials of alert rules, p99 of a poll: 8 to 11 ms
// without rests, 6 to 9 with them (once 12), and 4 to 5 without trials. The compiler, in a worker's first
// trial, causes most of the remaining difference. `bun test/faults/run-attacks.ts alertRules` repeats it.

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
