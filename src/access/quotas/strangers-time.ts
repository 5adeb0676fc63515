// How much of a thread's time the work of all callers without a key may take. Taking turns (fair-turns.ts)
// alone would leave these callers all the time that keys do not use. But a thread that is always busy delays
// the other threads of the machine, and so also polls.

/** The part of a thread's time that callers without a key may take in the long run. */
const SHARE = 1 / 3;
/** Milliseconds of work for callers without a key that are done without a wait after a quiet time. */
const AT_ONCE_MS = 200;

export class StrangersTime {
  readonly #monotonicMs: () => number;
  /** Milliseconds of work that may be done now, as of `#countedAtMs`. Zero or below: the work has to wait. */
  #leftMs = AT_ONCE_MS;
  #countedAtMs: number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
    this.#countedAtMs = monotonicMs();
  }

  /** Milliseconds until the next job of a caller without a key may start; 0 if it may start now. */
  waitMs(): number {
    const nowMs = this.#monotonicMs();
    this.#leftMs = Math.min(AT_ONCE_MS, this.#leftMs + (nowMs - this.#countedAtMs) * SHARE);
    this.#countedAtMs = nowMs;
    return this.#leftMs > 0 ? 0 : Math.ceil((1 - this.#leftMs) / SHARE);
  }

  /** Counts work that was done. */
  spend(ms: number): void {
    this.#leftMs -= ms;
  }
}
