// Makes a long task rest after every few milliseconds, for as long as it has worked, and longer if HTTP
// threads had to wait for a processor meanwhile. So the task takes at most half of a processor's time, in
// short pieces. Time in which the thread waited for a processor counts as work, so on a busy machine the task
// rests longer.
//
// Measured with 160 polls a second on two processors during trials of alert rules, p99 of a poll: 8 to 11 ms
// without rests, 6 to 9 with them (once 12), and 4 to 5 when no trial runs. The compiler, in a worker's first
// trial, causes most of the remaining difference. `bun test/faults/run-attacks.ts alertRules` repeats it.

import type { Clock } from '../../clock.ts';

/** Work between two rests. A step that takes longer is not cut short, but is followed by a longer rest. */
const WORK_MS = 4;
/**
 * How much longer a rest is for each millisecond that HTTP threads waited for a processor since the last
 * rest.
 */
const REST_PER_WAIT = 10;
/** A rest is extended by at most this, because the system may have stopped all threads for seconds. */
const FOR_WAITS_MS_MAX = 100;

export class HalfPace {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #wait: (ms: number) => Promise<void>;
  readonly #waitedMs: () => number;
  #workSinceMs: number;
  #waitedBeforeMs: number;

  /** @param waitedMs how long HTTP threads have waited for a processor so far */
  constructor(
    clock: Pick<Clock, 'monotonicMs'>,
    waitedMs: () => number,
    wait: (ms: number) => Promise<void> = Bun.sleep,
  ) {
    this.#clock = clock;
    this.#wait = wait;
    this.#waitedMs = waitedMs;
    this.#workSinceMs = clock.monotonicMs();
    this.#waitedBeforeMs = waitedMs();
  }

  /** Call it between two steps. Resolves when the next one may begin. */
  async afterStep(): Promise<void> {
    const workedMs = this.#clock.monotonicMs() - this.#workSinceMs;
    if (workedMs < WORK_MS) return;
    const waitedMs = this.#waitedMs();
    // The sum falls when one of the HTTP threads ends. Then no wait is counted.
    const forWaitsMs = Math.max(0, waitedMs - this.#waitedBeforeMs) * REST_PER_WAIT;
    this.#waitedBeforeMs = waitedMs;
    await this.#wait(workedMs + Math.min(forWaitsMs, FOR_WAITS_MS_MAX));
    this.#workSinceMs = this.#clock.monotonicMs();
  }
}
