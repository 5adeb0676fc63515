// How much of a thread's time the work of all callers without a key may take. Turns alone leave them whatever
// keys do not use, and a thread that is always busy delays the other threads of the machine, polls included.

/** The part of the time that they may take in the long run. */
const SHARE = 1 / 3;
/** The work that is done at once after a quiet time, in milliseconds. One visitor's questions need less. */
const AT_ONCE_MS = 200;

export class StrangersTime {
  readonly #monotonicMs: () => number;
  /** The work that may be done now, as of `#countedAtMs`. Below zero: they have to wait. */
  #leftMs = AT_ONCE_MS;
  #countedAtMs: number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
    this.#countedAtMs = monotonicMs();
  }

  /** Milliseconds until their next job may start; 0 if it may start now. */
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
