// Measures how long a thread's event loop is blocked: a timer fires late by as long as the work before it
// ran. Jobs other than requests run through here under a name, so a job that blocks the loop too long is
// logged by name.

import type { Clock } from '../clock.ts';
import { assert } from '../errors.ts';
import type { BoundedLog } from '../log.ts';

/** Upper bounds of the histogram in seconds; the last bucket is unbounded. */
export const LOOP_DELAY_BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1] as const;
const BOUNDS_MS = LOOP_DELAY_BOUNDS_S.map((seconds) => seconds * 1000);
/**
 * How often the delay is measured. Each thread that answers does it, and waking a thread for it a hundred
 * times a second would take half of what an idle server takes.
 */
const TICK_MS = 50;
/** A job that blocks the loop longer than this is logged. */
const JOB_MS_MAX = 5;

/** Delays of one thread since its start. */
export interface LoopDelays {
  /** One count per bucket, not cumulative. */
  readonly buckets: readonly number[];
  readonly sumUs: number;
}

export interface LoopWatchOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Pick<BoundedLog, 'warn'>;
  readonly thread: number;
}

export class LoopWatch {
  readonly #options: LoopWatchOptions;
  readonly #buckets: number[] = Array(BOUNDS_MS.length + 1).fill(0);
  #sumUs = 0;
  #dueAtMs = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(options: LoopWatchOptions) {
    this.#options = options;
  }

  get delays(): LoopDelays {
    return { buckets: this.#buckets, sumUs: this.#sumUs };
  }

  start(): void {
    assert(this.#timer === null, 'a loop is watched once');
    this.#dueAtMs = this.#options.clock.monotonicMs() + TICK_MS;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Runs a job that is not a request, synchronously, and logs it if it took too long. */
  run<Result>(job: string, work: () => Result): Result {
    const { clock, log, thread } = this.#options;
    const startMs = clock.monotonicMs();
    try {
      return work();
    } finally {
      const ms = clock.monotonicMs() - startMs;
      if (ms > JOB_MS_MAX) log.warn('event_loop_held', { job, thread, ms: Math.round(ms * 10) / 10 });
    }
  }

  #tick(): void {
    const nowMs = this.#options.clock.monotonicMs();
    const delayMs = Math.max(0, nowMs - this.#dueAtMs);
    this.#dueAtMs = nowMs + TICK_MS;
    let bucket = 0;
    while (bucket < BOUNDS_MS.length && delayMs > BOUNDS_MS[bucket]!) bucket += 1;
    this.#buckets[bucket]! += 1;
    this.#sumUs += Math.round(delayMs * 1000);
  }
}
