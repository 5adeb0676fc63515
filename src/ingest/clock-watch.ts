// Detects that the wall clock was set back. Ingest stamps everything with this clock. Stamps in the future
// would make every new quote look old, and heartbeats would go on confirming an outdated price. So published
// stamps are set back too, and parts that hold more (sources, their requests and messages) start again.

import type { Clock } from '../clock.ts';
import type { ClockSetBack } from '../store/writer/page-columns.ts';

/**
 * A smaller step back is ignored. Until the clock has caught up, answers carry times in the future, and
 * prices of a source with the new clock look older than the stored ones.
 */
const SET_BACK_MS_MIN = 1_000;

export class ClockWatch {
  readonly #clock: Clock;
  /** The latest time that the wall clock has shown, and the monotonic clock then. */
  #latestMs: number;
  #latestMonotonicMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#latestMs = clock.wallMs();
    this.#latestMonotonicMs = clock.monotonicMs();
  }

  /**
   * Call it several times a second. The returned step includes the time since the last check. Otherwise
   * published stamps would be set back too little, and the first prices of the new clock would look older
   * than the published ones.
   * @returns how the clock was set back, otherwise null
   */
  check(): ClockSetBack | null {
    const nowMs = this.#clock.wallMs();
    const monotonicMs = this.#clock.monotonicMs();
    const expectedMs = this.#latestMs + (monotonicMs - this.#latestMonotonicMs);
    const isEarlier = nowMs < this.#latestMs;
    // A clock that stands still, as in a recording, falls behind without being set back.
    const isSetBack = isEarlier && expectedMs - nowMs > SET_BACK_MS_MIN;
    if (isEarlier && !isSetBack) return null;
    this.#latestMs = nowMs;
    this.#latestMonotonicMs = monotonicMs;
    return isSetBack ? { nowMs, byMs: Math.round(expectedMs - nowMs) } : null;
  }
}
