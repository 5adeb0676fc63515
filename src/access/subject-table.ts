// A bounded hash table in shared memory: from a 64-bit subject (a key's row, an address) to its slot. Any thread
// claims slots without locks; one thread, the keeper, releases them.
//
// A subject lies in one of PROBE_SLOTS_MAX slots: blocks of four, a cache line of addresses, spread by its hash. Claiming swaps the subject into a free slot and then looks
// through them once more: with a release going on nearby, two threads may have chosen two different free slots,
// and whoever sees the other's copy withdraws and starts again, so two copies never both stay. A slot may be released
// between a caller's find and its charge; callers therefore check `holds` after charging, and undo when it fails.

import { assert } from '../errors.ts';
import type { Subject } from './client-address.ts';
import { PROBE_SLOTS_MAX } from './limits.ts';
import { type AccessMemory, SLOT_SUBJECT_HIGH, SLOT_SUBJECT_LOW, type TableRegion } from './memory.ts';

const BLOCK_SLOTS = 4;
/** Answer of `find` and `claim` when there is no slot. */
export const NO_SLOT = -1;
/** Withdrawals after which a claim gives up; each needs a release and a rival claim at the same instant. */
const CLAIM_TRIES_MAX = 16;
const FREE = 0n;
/** A slot being cleaned. No subject has this value: it would be an address inside ffff::/16, which is multicast. */
const RETIRED = -1n;

export class SubjectTable {
  readonly capacity: number;
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #wide: BigInt64Array<SharedArrayBuffer>;
  readonly #region: TableRegion;
  readonly #seed: number;
  readonly #probes: number;

  constructor(memory: AccessMemory, region: TableRegion) {
    this.capacity = region.capacity;
    this.#words = memory.words;
    this.#wide = memory.wide;
    this.#region = region;
    this.#seed = memory.seed;
    this.#probes = Math.min(PROBE_SLOTS_MAX, region.capacity);
  }

  /** First word of a slot. Slots from `capacity` on are the spare ones. */
  wordOf(slot: number): number {
    return this.#region.start + slot * this.#region.stride;
  }

  /** Whether the slot is the subject's, now. */
  holds(slot: number, subject: Subject): boolean {
    const word = this.wordOf(slot);
    return (
      Atomics.load(this.#words, word + SLOT_SUBJECT_LOW) === subject.low &&
      Atomics.load(this.#words, word + SLOT_SUBJECT_HIGH) === subject.high
    );
  }

  /** The subject's slot, or NO_SLOT. */
  find(subject: Subject): number {
    const hash = this.#hashOf(subject);
    for (let probe = 0; probe < this.#probes; probe++) {
      const slot = this.#slotAt(hash, probe);
      if (this.holds(slot, subject)) return slot;
    }
    return NO_SLOT;
  }

  /** The subject's slot, claimed if it has none; NO_SLOT when all it may lie in are taken. A new slot's other words are 0. */
  claim(subject: Subject): number {
    assert(subject.high !== 0 || subject.low !== 0, 'a subject is not zero, which marks a free slot');
    const value = toWide(subject);
    for (let tries = 0; tries < CLAIM_TRIES_MAX; tries++) {
      const found = this.find(subject);
      if (found !== NO_SLOT) return found;
      const free = this.#findFree(subject);
      if (free === NO_SLOT) return NO_SLOT;
      if (!this.#swap(free, FREE, value)) continue;
      if (this.#isOnlyCopy(subject, free)) return free;
      this.#swap(free, value, FREE);
    }
    return NO_SLOT;
  }

  /** The subject of a slot, null when it is free. */
  subjectOf(slot: number): Subject | null {
    const value = Atomics.load(this.#wide, this.wordOf(slot) >> 1);
    if (value === FREE || value === RETIRED) return null;
    return { low: Number(BigInt.asIntN(32, value)), high: Number(value >> 32n) };
  }

  /** Cleans and frees a slot. The keeper only. */
  release(slot: number, subject: Subject): void {
    if (!this.#swap(slot, toWide(subject), RETIRED)) return;
    const word = this.wordOf(slot);
    for (let offset = 2; offset < this.#region.stride; offset++) {
      Atomics.store(this.#words, word + offset, 0);
    }
    this.#swap(slot, RETIRED, FREE);
  }

  #findFree(subject: Subject): number {
    const hash = this.#hashOf(subject);
    for (let probe = 0; probe < this.#probes; probe++) {
      const slot = this.#slotAt(hash, probe);
      if (Atomics.load(this.#wide, this.wordOf(slot) >> 1) === FREE) return slot;
    }
    return NO_SLOT;
  }

  #isOnlyCopy(subject: Subject, own: number): boolean {
    const hash = this.#hashOf(subject);
    for (let probe = 0; probe < this.#probes; probe++) {
      const slot = this.#slotAt(hash, probe);
      if (slot !== own && this.holds(slot, subject)) return false;
    }
    return true;
  }

  #swap(slot: number, from: bigint, to: bigint): boolean {
    return Atomics.compareExchange(this.#wide, this.wordOf(slot) >> 1, from, to) === from;
  }

  /** The probe-th slot: blocks lie an odd number of blocks apart, so no block comes twice. */
  #slotAt(hash: number, probe: number): number {
    const step = ((hash >>> 16) | 1) * BLOCK_SLOTS;
    const block = (hash * BLOCK_SLOTS + Math.floor(probe / BLOCK_SLOTS) * step) >>> 0;
    return (block + (probe % BLOCK_SLOTS)) & (this.#region.capacity - 1);
  }

  /** The finaliser of MurmurHash3 over both halves: every bit of the subject moves every bit of the slot. */
  #hashOf(subject: Subject): number {
    let hash = Math.imul(subject.high ^ this.#seed, 0xcc9e2d51) ^ subject.low;
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return (hash ^ (hash >>> 16)) >>> 0;
  }
}

function toWide(subject: Subject): bigint {
  return (BigInt(subject.high) << 32n) | BigInt(subject.low >>> 0);
}
