// Notices that the wall clock was set back. Everything that ingest holds is stamped with it: stamps of a time to come would
// make every new quote look old, and a price stand still while heartbeats confirm it. So what is published is set back with
// the clock, and whoever holds more (sources, their requests, what they said) begins anew.

import type { Clock } from '../clock.ts';
import type { ClockSetBack } from '../store/page-columns.ts';

/**
 * A clock that is set back by less is left alone: for so long the answers are from a time to come, and prices of a source
 * that has the new clock look older than those that are held.
 */
const SET_BACK_MS_MIN = 1_000;

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
   * Call it several times a second. The step is told exactly: were it short by the time since the last look, what is held would
   * be set back too little, and the first prices that are stamped by the new clock would look older.
   * @returns how the clock was set back, else null
   */
  look(): ClockSetBack | null {
    const nowMs = this.#clock.wallMs();
    const monotonicMs = this.#clock.monotonicMs();
    const expectedMs = this.#latestMs + (monotonicMs - this.#latestMonotonicMs);
    const isEarlier = nowMs < this.#latestMs;
    // One that stands still, for a recording, falls behind and is not set back.
    const isSetBack = isEarlier && expectedMs - nowMs > SET_BACK_MS_MIN;
    if (isEarlier && !isSetBack) return null;
    this.#latestMs = nowMs;
    this.#latestMonotonicMs = monotonicMs;
    return isSetBack ? { nowMs, byMs: Math.round(expectedMs - nowMs) } : null;
  }
}
