// Finds out that keys died or changed, whichever process did it, and tells every thread through shared memory. The
// keeper looks at every beat; a gate that finds the beat overdue looks itself, so a busy keeper delays no revocation.

import type { KeyDirectory } from '../accounts/key-directory.ts';
import { BEAT_OVERDUE_MS } from './limits.ts';
import { type AccessMemory, CONTROL_BEAT, CONTROL_DATABASE_EPOCH, CONTROL_KEY_EPOCH } from './memory.ts';

export class EpochWatch {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #directory: KeyDirectory;

  constructor(memory: AccessMemory, directory: KeyDirectory) {
    this.#words = memory.words;
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

  /** Reads the epoch from the database; an unneeded rise costs each thread one read per key. */
  look(): void {
    const epoch = this.#directory.epoch() | 0;
    if (Atomics.exchange(this.#words, CONTROL_DATABASE_EPOCH, epoch) !== epoch) {
      Atomics.add(this.#words, CONTROL_KEY_EPOCH, 1);
    }
  }
}
