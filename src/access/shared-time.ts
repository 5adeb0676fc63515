// Milliseconds that all threads agree on. Each thread's monotonic clock starts at its own zero, so a thread aligns
// its own with the keeper's last beat in shared memory: it may lag by up to one beat, is never ahead, and does not
// jump when somebody sets the wall clock.

import type { Clock } from '../clock.ts';
import { type AccessMemory, CONTROL_BEAT } from './memory.ts';

export class SharedTime {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #clock: Clock;
  #offsetMs: number;

  constructor(memory: AccessMemory, clock: Clock) {
    this.#words = memory.words;
    this.#clock = clock;
    this.#offsetMs = (Atomics.load(memory.words, CONTROL_BEAT) - Math.floor(clock.monotonicMs())) | 0;
  }

  /** Int32 milliseconds; compare two by their wrapped difference `(a - b) | 0`. */
  nowMs(): number {
    const heardMs = Atomics.load(this.#words, CONTROL_BEAT);
    const ownMs = (Math.floor(this.#clock.monotonicMs()) + this.#offsetMs) | 0;
    const behindMs = (heardMs - ownMs) | 0;
    if (behindMs <= 0) return ownMs;
    this.#offsetMs = (this.#offsetMs + behindMs) | 0;
    return heardMs;
  }
}
