// What all threads learn from the keeper's beat in shared memory: what time it is, and whether keys died or changed.

import type { KeyDirectory } from '../accounts/key-directory.ts';
import type { Clock } from '../clock.ts';
import { BEAT_OVERDUE_MS } from './limits.ts';
import {
  type AccessMemory,
  CONTROL_BEAT,
  CONTROL_DATABASE_EPOCH,
  CONTROL_KEY_EPOCH,
  CONTROL_KEYS_HEARD_S,
} from './memory.ts';

/**
 * Milliseconds that all threads agree on. Each thread's monotonic clock starts at its own zero, so a thread aligns its
 * own with the keeper's last beat: it may lag by up to one beat, is never ahead, and does not jump when somebody sets
 * the wall clock.
 */
export class SharedTime {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #clock: Clock;
  #offsetMs: number;

  constructor(memory: AccessMemory, clock: Clock) {
    this.#words = memory.control;
    this.#clock = clock;
    this.#offsetMs = (Atomics.load(memory.control, CONTROL_BEAT) - Math.floor(clock.monotonicMs())) | 0;
  }

  /**
   * Int32 milliseconds; compare two by their wrapped difference `(a - b) | 0`.
   * @param monotonicMs of this thread's clock, where it was read already
   */
  nowMs(monotonicMs = this.#clock.monotonicMs()): number {
    const heardMs = Atomics.load(this.#words, CONTROL_BEAT);
    const ownMs = (Math.floor(monotonicMs) + this.#offsetMs) | 0;
    const behindMs = (heardMs - ownMs) | 0;
    if (behindMs <= 0) return ownMs;
    this.#offsetMs = (this.#offsetMs + behindMs) | 0;
    return heardMs;
  }
}

/**
 * Finds out that keys died or changed, whichever process did it. The keeper looks at every beat; a gate that finds the
 * beat overdue looks itself, so a busy keeper delays no revocation. Where the keys are far away, one thread asks for
 * changes and tells the others here.
 */
export class EpochWatch {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #directory: KeyDirectory | null;

  /** @param directory where to look; null where another thread tells */
  constructor(memory: AccessMemory, directory: KeyDirectory | null) {
    this.#words = memory.control;
    this.#directory = directory;
  }

  /** The epoch that remembered keys are compared with. */
  current(): number {
    return Atomics.load(this.#words, CONTROL_KEY_EPOCH);
  }

  /** Looks once, and beats the shared clock. */
  beat(nowMs: number): void {
    this.look();
    Atomics.store(this.#words, CONTROL_BEAT, nowMs);
  }

  /** Looks if the last beat is overdue and no other thread is looking already. */
  beatIfOverdue(nowMs: number): void {
    const lastMs = Atomics.load(this.#words, CONTROL_BEAT);
    if (((nowMs - lastMs) | 0) < BEAT_OVERDUE_MS) return;
    if (Atomics.compareExchange(this.#words, CONTROL_BEAT, lastMs, nowMs) === lastMs) this.look();
  }

  /** Reads the epoch from the database. */
  look(): void {
    if (this.#directory !== null) this.#note(this.#directory.epoch());
  }

  /** Tells all threads the epoch that a far database has, and that it was heard at this time. */
  tell(epoch: number, nowMs: number): void {
    this.#note(epoch);
    Atomics.store(this.#words, CONTROL_KEYS_HEARD_S, Math.floor(nowMs / 1_000));
  }

  /** When `tell` was called last, Unix seconds; 0 before the first time. */
  heardAtS(): number {
    return Atomics.load(this.#words, CONTROL_KEYS_HEARD_S);
  }

  /** An unneeded rise costs each thread one read per key. */
  #note(databaseEpoch: number): void {
    const epoch = databaseEpoch | 0;
    if (Atomics.exchange(this.#words, CONTROL_DATABASE_EPOCH, epoch) !== epoch) {
      Atomics.add(this.#words, CONTROL_KEY_EPOCH, 1);
    }
  }
}
