// Notices that the wall clock was set back. Everything that ingest holds is stamped with it: stamps of a time to come would
// make every new quote look old, and a price stand still while heartbeats confirm it. So what is published is set back with
// the clock, and whoever holds more (sources, their requests, what they said) begins anew.

import type { Clock } from '../clock.ts';
import { FEED_AHEAD_MS_MAX } from '../limits.ts';
import type { ClockSetBack } from '../store/page-columns.ts';

export class ClockWatch {
  readonly #clock: Clock;
  /** The latest that the clock has said, and when that was. */
  #latestMs: number;
  #latestMonotonicMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#latestMs = clock.wallMs();
    this.#latestMonotonicMs = clock.monotonicMs();
  }

  /**
   * Call it about once a second. The step is told exactly: were it short by the time since the last look, what is held would
   * be set back too little, and the first prices that are stamped by the new clock would look older.
   * @returns how the clock was set back, by more than clocks may differ; else null
   */
  look(): ClockSetBack | null {
    const nowMs = this.#clock.wallMs();
    const monotonicMs = this.#clock.monotonicMs();
    const isSetBack = this.#latestMs - nowMs > FEED_AHEAD_MS_MAX;
    const expectedMs = this.#latestMs + (monotonicMs - this.#latestMonotonicMs);
    if (!isSetBack && nowMs < this.#latestMs) return null;
    this.#latestMs = nowMs;
    this.#latestMonotonicMs = monotonicMs;
    return isSetBack ? { nowMs, byMs: Math.round(expectedMs - nowMs) } : null;
  }
}
