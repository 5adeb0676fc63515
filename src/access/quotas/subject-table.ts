// A bounded hash table in shared memory, from a 64-bit subject (a key's row, an address) to its slot. A
// subject may be in any of PROBE_SLOTS_MAX slots. They come in blocks of four, which is one cache line in the
// table of addresses, and the hash spreads the blocks.
//
// Finding a slot takes no lock. Claiming and releasing do: one thread at a time per table, so that no subject
// gets two slots. Only the keeper releases slots. It may do so between a caller's find and its charge, so
// callers check `holds` after charging and undo the charge if it fails.

import { mixText } from '../../domain/random.ts';
import { assert } from '../../errors.ts';
import type { Subject } from '../client-address.ts';
import { ALONE, type Sharing } from '../cluster/leases.ts';
import { PROBE_SLOTS_MAX } from '../limits.ts';
import { SLOT_SUBJECT_HIGH, SLOT_SUBJECT_LOW, SLOTS_PER_MARK, type SubjectSlots } from './memory.ts';

const BLOCK_SLOTS = 4;
/** Returned by `find` and `claim` if there is no slot. */
export const NO_SLOT = -1;
/** How many times to poll a held lock before sleeping. A lock is normally held for about a microsecond. */
const LOCK_CHECKS_MAX = 1_000;
/**
 * Maximum number of times to sleep for a millisecond at a held lock. Then its holder counts as dead, and this
 * thread takes the lock over.
 */
const LOCK_SLEEPS_MAX = 100;

/** The subject of a caller known by text, such as a key's id. */
export function subjectOfText(text: string): Subject {
  return { high: mixText(1, text) | 1, low: mixText(2, text) | 0 };
}

export class SubjectTable {
  readonly words: Int32Array<SharedArrayBuffer>;
  readonly stride: number;
  /** The number of slots without the spare ones. */
  readonly capacity: number;
  /** How the table's budgets take account of other nodes. */
  readonly sharing: Sharing;
  readonly #lockWord: number;
  readonly #marks: Int32Array<SharedArrayBuffer>;
  readonly #seed: number;
  readonly #probes: number;

  constructor(slots: SubjectSlots, seed: number, sharing: Sharing = ALONE) {
    const { words, stride, capacity, lock, marks } = slots;
    this.words = words;
    this.sharing = sharing;
    this.stride = stride;
    this.capacity = capacity;
    this.#lockWord = lock;
    this.#marks = marks;
    this.#seed = seed;
    this.#probes = Math.min(PROBE_SLOTS_MAX, capacity);
  }

  /** First word of a slot. The spare slots start at `capacity`. */
  wordOf(slot: number): number {
    return slot * this.stride;
  }

  /** Whether the slot belongs to the subject now. */
  holds(slot: number, subject: Subject): boolean {
    const word = this.wordOf(slot);
    return (
      Atomics.load(this.words, word + SLOT_SUBJECT_LOW) === subject.low &&
      Atomics.load(this.words, word + SLOT_SUBJECT_HIGH) === subject.high
    );
  }

  /** The subject's slot, or NO_SLOT. */
  find(subject: Subject): number {
    const hash = hashOf(subject, this.#seed);
    for (let probe = 0; probe < this.#probes; probe++) {
      const slot = this.#slotAt(hash, probe);
      if (this.holds(slot, subject)) return slot;
    }
    return NO_SLOT;
  }

  /**
   * The subject's slot, claimed if it has none; NO_SLOT if all its possible slots are taken. The other words
   * of a new slot are 0.
   */
  claim(subject: Subject): number {
    assert(subject.high !== 0, 'the high half of a subject is not zero, which marks a free slot');
    const found = this.find(subject);
    if (found !== NO_SLOT) return found;
    for (;;) {
      const turn = this.#lock();
      const claimed = this.find(subject);
      const slot = claimed === NO_SLOT ? this.#findFree(subject) : claimed;
      const isOurs = Atomics.load(this.words, this.#lockWord) === turn;
      if (isOurs && claimed === NO_SLOT && slot !== NO_SLOT) {
        const word = this.wordOf(slot);
        Atomics.store(this.#marks, Math.floor(slot / SLOTS_PER_MARK), 1);
        Atomics.store(this.words, word + SLOT_SUBJECT_LOW, subject.low);
        Atomics.store(this.words, word + SLOT_SUBJECT_HIGH, subject.high);
      }
      this.#unlock(turn);
      if (isOurs) return slot;
    }
  }

  /**
   * The first slot from this one on that may have been claimed; `capacity` if there is none. Slots that never
   * were are skipped in whole stretches.
   */
  nextClaimed(slot: number): number {
    let next = slot;
    while (next % SLOTS_PER_MARK === 0 && next < this.capacity) {
      if (Atomics.load(this.#marks, next / SLOTS_PER_MARK) !== 0) return next;
      next += SLOTS_PER_MARK;
    }
    return Math.min(next, this.capacity);
  }

  /** The subject of a slot, null if the slot is free. */
  subjectOf(slot: number): Subject | null {
    const word = this.wordOf(slot);
    const high = Atomics.load(this.words, word + SLOT_SUBJECT_HIGH);
    return high === 0 ? null : { high, low: Atomics.load(this.words, word + SLOT_SUBJECT_LOW) };
  }

  /** If the slot belongs to the subject, clears and frees it. Only the keeper may call this. */
  release(slot: number, subject: Subject): void {
    const turn = this.#lock();
    if (this.holds(slot, subject)) {
      const word = this.wordOf(slot);
      Atomics.store(this.words, word + SLOT_SUBJECT_HIGH, 0);
      for (let offset = 0; offset < this.stride; offset++) Atomics.store(this.words, word + offset, 0);
    }
    this.#unlock(turn);
  }

  #findFree(subject: Subject): number {
    const hash = hashOf(subject, this.#seed);
    for (let probe = 0; probe < this.#probes; probe++) {
      const slot = this.#slotAt(hash, probe);
      if (Atomics.load(this.words, this.wordOf(slot) + SLOT_SUBJECT_HIGH) === 0) return slot;
    }
    return NO_SLOT;
  }

  /**
   * Waits for the table's lock and takes it. The lock is a counter: even is free, odd is held, so every
   * holder has its own number. A thread that died while holding it would block all others. So a thread that
   * sees the same holder for a tenth of a second takes the lock over. If the holder was alive but not
   * scheduled, it notices the loss before it writes.
   * @returns the number to unlock with
   */
  #lock(): number {
    let checks = 0;
    let holder = 0;
    for (;;) {
      const seen = Atomics.load(this.words, this.#lockWord);
      const isFree = (seen & 1) === 0;
      if (seen !== holder) checks = 0;
      holder = seen;
      if (isFree || checks >= LOCK_CHECKS_MAX + LOCK_SLEEPS_MAX) {
        const turn = (seen + (isFree ? 1 : 2)) | 0;
        if (Atomics.compareExchange(this.words, this.#lockWord, seen, turn) === seen) return turn;
      } else if (checks++ >= LOCK_CHECKS_MAX) {
        // No thread notifies this word. The wait is a sleep that leaves the processor to the holder.
        Atomics.wait(this.words, this.#lockWord, seen, 1);
      }
    }
  }

  /** Does nothing if another thread has taken the lock over. */
  #unlock(turn: number): void {
    Atomics.compareExchange(this.words, this.#lockWord, turn, (turn + 1) | 0);
  }

  /** The slot of one probe. Blocks are an odd number of blocks apart, so no block is probed twice. */
  #slotAt(hash: number, probe: number): number {
    const step = ((hash >>> 16) | 1) * BLOCK_SLOTS;
    const block = (hash * BLOCK_SLOTS + Math.floor(probe / BLOCK_SLOTS) * step) >>> 0;
    return (block + (probe % BLOCK_SLOTS)) & (this.capacity - 1);
  }
}

/** The finaliser of MurmurHash3 over both halves: every bit of the subject affects every bit of the hash. */
export function hashOf({ high, low }: Subject, seed: number): number {
  let hash = Math.imul(high ^ seed, 0xcc9e2d51) ^ low;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
