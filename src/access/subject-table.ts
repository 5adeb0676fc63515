// A bounded hash table in shared memory: from a 64-bit subject (a key's row, an address) to its slot. Any thread
// claims slots without locks; one thread, the keeper, releases them.
//
// A subject lies in one of PROBE_SLOTS_MAX slots: blocks of four, a cache line of addresses, spread by its hash. Two
// threads that claim one subject at once may choose different free slots, so a claim has two steps. It marks a slot as
// pending, which no look-up can find, and looks through the subject's slots once more: a copy that is there by then
// wins, a rival pending in a lower slot wins, one in a higher slot is waited for, since it withdraws or belongs to
// another subject. Only then is the slot the subject's, and from then on nobody but the keeper takes it away. A slot
// may be released between a caller's find and its charge; callers therefore check `holds` after charging, and undo
// when it fails.

import { assert } from '../errors.ts';
import type { Subject } from './client-address.ts';
import { PROBE_SLOTS_MAX } from './limits.ts';
import { type AccessMemory, SLOT_SUBJECT_HIGH, SLOT_SUBJECT_LOW, type TableRegion } from './memory.ts';

const BLOCK_SLOTS = 4;
/** Answer of `find` and `claim` when there is no slot. */
export const NO_SLOT = -1;
/** Withdrawals after which a claim gives up; each needs a rival claim at the same instant. */
const CLAIM_TRIES_MAX = 64;
/** Looks at a rival's pending slot before giving its thread the core: a claim takes 2 microseconds. */
const PENDING_LOOKS_MAX = 1_000;
/** Milliseconds given, one at a time, to a rival whose thread was put off its core in the middle of a claim. */
const PENDING_WAIT_MS_MAX = 100;
const FREE = 0n;
/** A slot being cleaned. No subject has this value: it would be an address inside ffff::/16, which is multicast. */
const RETIRED = -1n;
/** A slot that a thread is about to claim; no subject's value for the same reason. */
const PENDING = -2n;

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
      let rival = free;
      if (this.#swap(free, FREE, PENDING)) {
        rival = this.#rivalOf(subject, free);
        this.#swap(free, PENDING, rival === NO_SLOT ? value : FREE);
        if (rival === NO_SLOT) return free;
      }
      if (this.#settled(rival) === PENDING) return NO_SLOT;
    }
    return NO_SLOT;
  }

  /** The subject of a slot, null when it is free. */
  subjectOf(slot: number): Subject | null {
    const value = this.#load(slot);
    if (value === FREE || value === RETIRED || value === PENDING) return null;
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
      if (this.#load(slot) === FREE) return slot;
    }
    return NO_SLOT;
  }

  /** The slot for which a pending claim has to withdraw: a copy of the subject, or a rival that goes first; or NO_SLOT. */
  #rivalOf(subject: Subject, own: number): number {
    const value = toWide(subject);
    const hash = this.#hashOf(subject);
    for (let probe = 0; probe < this.#probes; probe++) {
      const slot = this.#slotAt(hash, probe);
      if (slot === own) continue;
      const held = slot < own ? this.#load(slot) : this.#settled(slot);
      if (held === value || held === PENDING) return slot;
    }
    return NO_SLOT;
  }

  /** What a slot holds once no claim on it is pending; PENDING when that takes too long, as when its thread died. */
  #settled(slot: number): bigint {
    for (let looks = 0; looks < PENDING_LOOKS_MAX; looks++) {
      const held = this.#load(slot);
      if (held !== PENDING) return held;
    }
    // Spinning on would keep the rival off this core. Nobody notifies: the wait is a sleep that ends by its bound.
    for (let waitedMs = 0; waitedMs < PENDING_WAIT_MS_MAX; waitedMs++) {
      Atomics.wait(this.#wide, this.wordOf(slot) >> 1, PENDING, 1);
      const held = this.#load(slot);
      if (held !== PENDING) return held;
    }
    return PENDING;
  }

  #load(slot: number): bigint {
    return Atomics.load(this.#wide, this.wordOf(slot) >> 1);
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
