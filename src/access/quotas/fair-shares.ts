// Divides one scarce thing, such as bytes of memory, among callers. Callers without a key share one part of
// it: each address gets a small part of that, and each IPv6 /48 a larger one. Keys share the rest, and the
// keys of each account together get a part of it; a key without an account counts as an account. So no number
// of addresses, and no other customer, changes what a customer can get. Anybody can get keys of the free
// plan, so they together get only a part of what keys share, and the free keys of one account a part of that.
//
// The counts are in shared memory. Each thread has a region that only it writes, and a caller's total is the
// sum over all regions. A thread that dies leaves its region behind: the main thread clears it, and so does
// the next thread with the same number. A reservation is written first and checked afterwards. If two threads
// reserve the last of something at the same time, at least one sees the other and undoes its own reservation,
// so what is granted never exceeds a limit.
//
//   totals    2 words per thread and class (`CALLER_CLASSES`): how much it holds, how often it was refused
//   callers   CALLER_WORDS words per caller, in sets of WAYS, per thread and class

import {
  CALLER_CLASSES,
  type CallerClass,
  classOf,
  type SharingPrincipal,
  sharerOf,
} from '../../domain/tiers.ts';
import { assert } from '../../errors.ts';
import { attachSharedBuffer, createSharedBuffer, type SharedLayout } from '../../memory/shared-buffer.ts';
import { networkSubjectOf, type Subject, subjectOfAddress } from '../client-address.ts';
import { hashOf, subjectOfText } from './subject-table.ts';

/** Limits: whole numbers above 0 and below 2^31. */
export interface Shares {
  /** What all callers together may hold. */
  readonly total: number;
  /**
   * What all callers without a key together may hold. Beyond it, callers without a key are refused, keys are
   * not.
   */
  readonly strangers: number;
  /** What one client address without a key may hold. */
  readonly address: number;
  /** What one IPv6 /48 without a key may hold. */
  readonly network: number;
  /**
   * What the keys of one account with a paid plan may hold. All keys together may hold `total` minus
   * `strangers`.
   */
  readonly key: number;
  /** What all keys of the free plan together may hold: a part of what all keys together may hold. */
  readonly freeKeys: number;
  /** What the free keys of one account may hold. */
  readonly freeAccount: number;
}

/** What a reservation counts against: one caller, or only the class of the caller. */
export interface Holder extends CallerClass {
  /**
   * The subjects that the reservation counts against: the account of the key, or a key without an account; or
   * the address and, for IPv6, its /48. If there are none, the reservation counts only against the total of
   * its class.
   */
  readonly subjects: readonly Subject[];
}

/**
 * Holders of something that several callers of a class share, such as a copy of the slate. It counts against
 * the total of the class and against no single caller.
 */
export const ALL_STRANGERS: Holder = { hasKey: false, subjects: [] };
export const ALL_FREE_KEYS: Holder = { hasKey: true, isFree: true, subjects: [] };
export const ALL_KEYS: Holder = { hasKey: true, subjects: [] };

/** The holder for a caller: the account of its key, a key without an account, or its address. */
export function holderOf(principal: SharingPrincipal, clientAddress: string): Holder {
  const sharer = sharerOf(principal);
  if (sharer === null) return strangerAt(clientAddress);
  const { name, hasKey, isFree } = sharer;
  return { hasKey, isFree, subjects: [subjectOfText(name)] };
}

/**
 * All account requests without a key or session count against this holder, so together they may take as many
 * places as one account with a paid plan. Otherwise other requests without a key could take all places, and
 * customers could not log in.
 */
export const ACCOUNTS_HOLDER: Holder = { hasKey: true, subjects: [subjectOfText('accounts')] };

/** The holder for a caller without a key. */
export function strangerAt(clientAddress: string): Holder {
  const network = networkSubjectOf(clientAddress);
  const subject = subjectOfAddress(clientAddress);
  return { hasKey: false, subjects: network === null ? [subject] : [subject, network] };
}

/** The part of the shares that one holder may use. */
export interface HolderRoom extends CallerClass {
  /** @returns false, and reserves nothing, if there is no room for that much */
  reserve(count: number): boolean;
  release(count: number): void;
}

export function roomOf(shares: Pick<FairShares, 'reserve' | 'release'>, holder: Holder): HolderRoom {
  const { hasKey, isFree = false } = holder;
  return {
    hasKey,
    isFree,
    reserve: (count) => count === 0 || shares.reserve(holder, count),
    release: (count) => {
      if (count > 0) shares.release(holder, count);
    },
  };
}

/**
 * What one class of callers holds, and how many reservations it was refused since the memory was allocated.
 */
export interface ClassState {
  readonly held: number;
  readonly max: number;
  readonly refused: number;
}

/** Maximum number of callers in one set, for one thread and class. A further caller is refused. */
const WAYS = 8;
/** Number of sets, each for WAYS callers: room for 4,096 callers per thread and class. */
const SETS = 512;
const CALLER_WORDS = 3;
const HIGH = 0;
const LOW = 1;
const HELD = 2;
const CLASS_WORDS = SETS * WAYS * CALLER_WORDS;
const CLASS_COUNT = CALLER_CLASSES.length;
const TOTAL_WORDS = 2 * CLASS_COUNT;
const REFUSED = CLASS_COUNT;

interface SharesMemory extends Shares {
  readonly threads: number;
  readonly seed: number;
  readonly totals: Int32Array<SharedArrayBuffer>;
  readonly callers: Int32Array<SharedArrayBuffer>;
}

const LAYOUT: SharedLayout<keyof Shares | 'threads' | 'seed', SharesMemory> = {
  name: 'shares',
  magic: 0x4f_56_53_48, // "OVSH"
  version: 2,
  sizeNames: [
    ...(['threads', 'seed', 'total', 'strangers'] as const),
    ...(['address', 'network', 'key', 'freeKeys', 'freeAccount'] as const),
  ],
  columns: (cursor, sizes) => ({
    ...sizes,
    totals: cursor.int32(sizes.threads * TOTAL_WORDS),
    callers: cursor.int32(sizes.threads * CLASS_COUNT * CLASS_WORDS),
  }),
};

/**
 * Allocates the counts: 144 KiB per thread.
 * @param seed unpredictable, so that an attacker cannot choose addresses that fall into one set
 */
export function createSharesMemory(shares: Shares, threads: number, seed: number): SharedArrayBuffer {
  return createSharedBuffer(LAYOUT, { ...shares, threads, seed: (seed & 0x3fff_ffff) + 1 });
}

/** Releases everything that a dead thread held. */
export function clearShares(buffer: SharedArrayBuffer, thread: number): void {
  const { totals, callers } = attachSharedBuffer(LAYOUT, buffer);
  // Only what the thread holds is cleared. Its counts of refusals are totals since the start, so they stay.
  for (let kind = 0; kind < CLASS_COUNT; kind++) Atomics.store(totals, thread * TOTAL_WORDS + kind, 0);
  const start = thread * CLASS_COUNT * CLASS_WORDS;
  for (let word = start; word < start + CLASS_COUNT * CLASS_WORDS; word++) {
    if (Atomics.load(callers, word) !== 0) Atomics.store(callers, word, 0);
  }
}

/** What all threads together hold, and how many reservations they refused. */
export function sharesState(buffer: SharedArrayBuffer): {
  readonly total: number;
  readonly strangers: ClassState;
  /**
   * What keys of paid plans hold. `max` is the limit of all keys together, so keys of paid plans can hold
   * only what free keys leave of it.
   */
  readonly keys: ClassState;
  readonly freeKeys: ClassState;
} {
  const memory = attachSharedBuffer(LAYOUT, buffer);
  const { total, strangers, freeKeys } = memory;
  const stateOf = (caller: CallerClass, max: number): ClassState => {
    const kind = kindOf(caller);
    return { held: sumOf(memory, kind), max, refused: sumOf(memory, REFUSED + kind) };
  };
  return {
    total,
    strangers: stateOf(ALL_STRANGERS, strangers),
    keys: stateOf(ALL_KEYS, total - strangers),
    freeKeys: stateOf(ALL_FREE_KEYS, freeKeys),
  };
}

/** The reservations of one thread. */
export class FairShares {
  readonly #memory: SharesMemory;
  readonly #thread: number;

  /** @param thread from 0; whatever an earlier thread with this number held is released */
  constructor(buffer: SharedArrayBuffer, thread: number) {
    this.#memory = attachSharedBuffer(LAYOUT, buffer);
    assert(thread >= 0 && thread < this.#memory.threads, 'the shares have a region for that thread');
    this.#thread = thread;
    clearShares(buffer, thread);
  }

  /**
   * Reserves `amount` for the holder until `release`.
   * @returns false, with nothing reserved, if the holder or its class would hold more than its share
   */
  reserve(holder: Holder, amount: number): boolean {
    if (this.reserveUncounted(holder, amount)) return true;
    const { totals } = this.#memory;
    Atomics.add(totals, this.#thread * TOTAL_WORDS + REFUSED + kindOf(holder), 1);
    return false;
  }

  /** Like `reserve`, but a failure is not counted as a refusal, because no caller requested this amount. */
  reserveUncounted(holder: Holder, amount: number): boolean {
    const { subjects } = holder;
    for (const [index, subject] of subjects.entries()) {
      if (this.#add(holder, subject, amount)) continue;
      for (const claimed of subjects.slice(0, index)) this.#add(holder, claimed, -amount);
      return false;
    }
    this.#addTotal(holder, amount);
    if (this.#isWithin(holder)) return true;
    this.release(holder, amount);
    return false;
  }

  /** Releases a reservation, or a part of it. */
  release(holder: Holder, amount: number): void {
    this.#addTotal(holder, -amount);
    for (const subject of holder.subjects) this.#add(holder, subject, -amount);
  }

  /**
   * The most that the caller's account may hold if it has a paid plan; for any other caller, the most that
   * all callers of its class may hold together.
   */
  maxOf(holder: Holder): number {
    const { key, freeKeys, strangers } = this.#memory;
    return { keyless: strangers, paid: key, free: freeKeys }[classOf(holder)];
  }

  /** What this caller holds on all threads. */
  heldBy(holder: Holder, subject: Subject): number {
    const { callers, threads } = this.#memory;
    let held = 0;
    for (let thread = 0; thread < threads; thread++) {
      const word = this.#find(thread, kindOf(holder), subject);
      if (word >= 0) held += Atomics.load(callers, word + HELD);
    }
    return held;
  }

  #isWithin(holder: Holder): boolean {
    if (!this.#isClassWithin(holder)) return false;
    const { address, network, key, freeAccount } = this.#memory;
    return holder.subjects.every((subject, index) => {
      const max = { keyless: index === 0 ? address : network, paid: key, free: freeAccount };
      return this.heldBy(holder, subject) <= max[classOf(holder)];
    });
  }

  #isClassWithin(holder: Holder): boolean {
    const { total, strangers, freeKeys } = this.#memory;
    const heldBy = (caller: CallerClass): number => sumOf(this.#memory, kindOf(caller));
    if (!holder.hasKey) return heldBy(ALL_STRANGERS) <= strangers;
    const held = heldBy(ALL_FREE_KEYS);
    if (holder.isFree === true && held > freeKeys) return false;
    return held + heldBy(ALL_KEYS) <= total - strangers;
  }

  #addTotal(holder: Holder, amount: number): void {
    const word = this.#thread * TOTAL_WORDS + kindOf(holder);
    const held = Atomics.add(this.#memory.totals, word, amount) + amount;
    assert(held >= 0, 'no more is released than was reserved');
  }

  /**
   * Adds to what this thread holds for a caller.
   * @returns false if the caller has no entry yet and its set is full
   */
  #add(holder: Holder, subject: Subject, amount: number): boolean {
    const { callers } = this.#memory;
    const kind = kindOf(holder);
    const found = this.#find(this.#thread, kind, subject);
    const word = found >= 0 ? found : this.#claim(kind, subject);
    if (word < 0) return false;
    const held = Atomics.add(callers, word + HELD, amount) + amount;
    assert(held >= 0, 'no more is released than was reserved');
    if (held === 0) Atomics.store(callers, word + HIGH, 0);
    return true;
  }

  #claim(kind: number, subject: Subject): number {
    const { high, low } = subject;
    const { callers } = this.#memory;
    const start = this.#setOf(this.#thread, kind, subject);
    for (let word = start; word < start + WAYS * CALLER_WORDS; word += CALLER_WORDS) {
      if (Atomics.load(callers, word + HIGH) !== 0) continue;
      Atomics.store(callers, word + LOW, low);
      Atomics.store(callers, word + HELD, 0);
      Atomics.store(callers, word + HIGH, high);
      return word;
    }
    return -1;
  }

  /** First word of a caller's entry in a thread's region, or -1. */
  #find(thread: number, kind: number, subject: Subject): number {
    const { callers } = this.#memory;
    const start = this.#setOf(thread, kind, subject);
    for (let word = start; word < start + WAYS * CALLER_WORDS; word += CALLER_WORDS) {
      if (Atomics.load(callers, word + HIGH) !== subject.high) continue;
      if (Atomics.load(callers, word + LOW) === subject.low) return word;
    }
    return -1;
  }

  #setOf(thread: number, kind: number, subject: Subject): number {
    const set = hashOf(subject, this.#memory.seed) % SETS;
    return (thread * CLASS_COUNT + kind) * CLASS_WORDS + set * WAYS * CALLER_WORDS;
  }
}

/** The number of a caller's class, in the layout. */
function kindOf(caller: CallerClass): number {
  return CALLER_CLASSES.indexOf(classOf(caller));
}

function sumOf({ totals, threads }: SharesMemory, word: number): number {
  let sum = 0;
  for (let thread = 0; thread < threads; thread++) sum += Atomics.load(totals, thread * TOTAL_WORDS + word);
  return sum;
}
