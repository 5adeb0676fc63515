// What every thread reads from the keeper's heartbeat in shared memory: the common time, and whether any key
// was revoked or changed.

import type { KeyDirectory } from '../accounts/keys/key-directory.ts';
import type { Clock } from '../clock.ts';
import { HEARTBEAT_OVERDUE_MS } from './limits.ts';
import {
  type AccessMemory,
  CONTROL_DATABASE_EPOCH,
  CONTROL_HEARTBEAT,
  CONTROL_KEY_EPOCH,
  CONTROL_KEYS_HEARD_S,
} from './quotas/memory.ts';

/**
 * A millisecond clock that all threads agree on. Each thread's monotonic clock starts at its own zero, so a
 * thread aligns its clock with the keeper's last heartbeat. The result may lag by up to one heartbeat, is
 * never ahead, and does not jump when the wall clock is set.
 */
export class SharedTime {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #clock: Clock;
  #offsetMs: number;

  constructor(memory: AccessMemory, clock: Clock) {
    this.#words = memory.control;
    this.#clock = clock;
    this.#offsetMs = (Atomics.load(memory.control, CONTROL_HEARTBEAT) - Math.floor(clock.monotonicMs())) | 0;
  }

  /**
   * The time in Int32 milliseconds. Compare two times by their wrapped difference `(a - b) | 0`.
   * @param monotonicMs this thread's monotonic clock, if the caller has read it already
   */
  nowMs(monotonicMs = this.#clock.monotonicMs()): number {
    const heardMs = Atomics.load(this.#words, CONTROL_HEARTBEAT);
    const ownMs = (Math.floor(monotonicMs) + this.#offsetMs) | 0;
    const behindMs = (heardMs - ownMs) | 0;
    if (behindMs <= 0) return ownMs;
    this.#offsetMs = (this.#offsetMs + behindMs) | 0;
    return heardMs;
  }
}

/**
 * Detects that a key was revoked or changed, in whichever process that happened. The keeper checks at every
 * heartbeat. A gate that finds the heartbeat overdue checks too, so a busy keeper delays no revocation. If
 * the keys are in a remote database, one thread asks it for changes and notifies the other threads through
 * this class.
 */
export class EpochWatch {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #directory: KeyDirectory | null;

  /** @param directory the keys to check; null if another thread checks and reports through this class */
  constructor(memory: AccessMemory, directory: KeyDirectory | null) {
    this.#words = memory.control;
    this.#directory = directory;
  }

  /** The key epoch. A thread compares it with the epoch of each key it has cached. */
  current(): number {
    return Atomics.load(this.#words, CONTROL_KEY_EPOCH);
  }

  /** Checks for changed keys and advances the shared clock. */
  heartbeat(nowMs: number): void {
    this.check();
    Atomics.store(this.#words, CONTROL_HEARTBEAT, nowMs);
  }

  /** If the last heartbeat is overdue and no other thread is checking, checks for changed keys. */
  heartbeatIfOverdue(nowMs: number): void {
    const lastMs = Atomics.load(this.#words, CONTROL_HEARTBEAT);
    if (((nowMs - lastMs) | 0) < HEARTBEAT_OVERDUE_MS) return;
    if (Atomics.compareExchange(this.#words, CONTROL_HEARTBEAT, lastMs, nowMs) === lastMs) this.check();
  }

  /** Reads the epoch from a local database and publishes it. Does nothing if the keys are remote. */
  check(): void {
    if (this.#directory !== null) this.#note(this.#directory.epoch());
  }

  /** Notifies all threads of the epoch that a remote database reported, and records when it did. */
  publish(epoch: number, nowMs: number): void {
    this.#note(epoch);
    Atomics.store(this.#words, CONTROL_KEYS_HEARD_S, Math.floor(nowMs / 1_000));
  }

  /** When the remote database last reported its epoch, in Unix seconds; 0 before the first report. */
  heardAtS(): number {
    return Atomics.load(this.#words, CONTROL_KEYS_HEARD_S);
  }

  /**
   * Raises the key epoch if the database's epoch has changed. A needless rise does no harm: each thread only
   * reads each key once more.
   */
  #note(databaseEpoch: number): void {
    const epoch = databaseEpoch | 0;
    if (Atomics.exchange(this.#words, CONTROL_DATABASE_EPOCH, epoch) !== epoch) {
      Atomics.add(this.#words, CONTROL_KEY_EPOCH, 1);
    }
  }
}
