// Notices that the wall clock was set back. Everything that ingest holds is stamped with it: stamps of a time to come would
// make every new quote look old, and a price stand still while heartbeats confirm it. So what is published is set back with
// the clock, and whoever holds more (sources, their requests, what they said) begins anew.

import type { Clock } from '../clock.ts';
import { FEED_AHEAD_MS_MAX } from '../limits.ts';
import type { ClockSetBack } from '../store/page-columns.ts';

export class ClockWatch {
  readonly #clock: Clock;
  #latestMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#latestMs = clock.wallMs();
  }

  /** Call it about once a second. @returns how the clock was set back, by more than clocks may differ; else null */
  look(): ClockSetBack | null {
    const nowMs = this.#clock.wallMs();
    const byMs = this.#latestMs - nowMs;
    if (byMs <= FEED_AHEAD_MS_MAX) {
      this.#latestMs = Math.max(this.#latestMs, nowMs);
      return null;
    }
    this.#latestMs = nowMs;
    return { nowMs, byMs };
  }
}
