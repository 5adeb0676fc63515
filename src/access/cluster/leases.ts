// Limits that several nodes share, as the threads of one node see them. No request waits for Redis. A thread
// takes a token from the bucket in shared memory, as on a single machine, and notes it as owed. A caller may
// owe at most one lot, which is an eighth of its burst. When half a lot is owed, one thread of the node
// (lease-settler.ts) reports the debt to Redis, and writes the answer, which counts all nodes, into the
// bucket. So a node whose bucket is out of date can admit one lot too many, but not more.
//
// While Redis does not answer, nothing can be settled. Each node then gives its callers its share of their
// limits.

import { attachSharedBuffer, createSharedBuffer, type SharedLayout } from '../../memory/shared-buffer.ts';
import { LEASES_WAITING_MAX, NODES_ASSUMED, REDIS_SILENT_MS } from '../limits.ts';
import type { Pace } from '../quotas/bucket.ts';
import type { AccessCapacity } from '../quotas/memory.ts';

/** How one table of budgets takes account of what other nodes count for the same callers. */
export interface Sharing {
  /** The rate that applies now: the tier's own, or this node's share of it. */
  paceAt(own: Pace, sharedMs: number): Pace;
  /** The highest daily count that a slot may reach now, given its present `count`. */
  dayMaxAt(
    perDay: number,
    spent: { readonly slot: number; readonly count: number; readonly sharedMs: number },
  ): number;
  /** Notes that a token was taken. Returns false and notes nothing if the caller may not owe more. */
  owe(
    slot: number,
    token: { readonly pace: Pace; readonly tier: number; readonly sharedMs: number },
  ): boolean;
  /** Undoes one `owe`. */
  forgive(slot: number): void;
  /** Whether some of the slot's requests are not yet reported to Redis. Such a slot may not be freed. */
  isOwing(slot: number): boolean;
}

/**
 * The Sharing of a machine that shares limits with no other: each tier's own limits, and nothing to report to
 * Redis.
 */
export const ALONE: Sharing = {
  paceAt: (own) => own,
  dayMaxAt: (perDay) => perDay,
  owe: () => true,
  forgive: () => undefined,
  isOwing: () => false,
};

const LOTS_PER_BURST = 8;

/** How many requests of a caller a node may admit before it has settled them: an eighth of the burst. */
function lotOf(pace: Pace): number {
  return Math.max(1, Math.floor(pace.windowMs / pace.intervalMs / LOTS_PER_BURST));
}

/** How many requests a caller may owe before they are settled with Redis: half a lot. */
export function settledFrom(pace: Pace): number {
  return Math.ceil(lotOf(pace) / 2);
}

/**
 * How many times slower a node's share is than the whole rate. It is bounded, so that a share always allows
 * a burst of one request.
 */
export function shareDivisor(pace: Pace, nodes: number): number {
  return Math.min(nodes, pace.windowMs / pace.intervalMs);
}

/**
 * Indexes of the control words: this constant and those that follow. The word at ANSWERS is 1 while the time
 * at HEARD_AT is valid, and 0 before the first answer of Redis and after Redis failed to answer.
 */
const ANSWERS = 0;
/** Shared milliseconds of the last answer of Redis. */
const HEARD_AT = 1;
/** The number of nodes that Redis last counted. */
const NODES = 2;
/** How many entries have ever been put into the ring, and how many taken from it. */
const PUT = 3;
const TAKEN = 4;
const CONTROL_WORDS = 5;
/**
 * After this time in the ring a slot may be put there again: the thread that put it there has died, or no
 * thread takes entries.
 */
const WAITING_MS_MAX = 1_000;
/**
 * If a place in the ring is reserved but still empty after this time, the thread that reserved it has died.
 */
const UNWRITTEN_MS_MAX = 100;
/** Several threads may put an entry at the same moment, so this many places of the ring are kept free. */
const RING_SLACK = 256;
/** The clocks of two threads differ by less than this. */
const SLACK_MS = 60_000;

interface LeaseMemory {
  readonly control: Int32Array<SharedArrayBuffer>;
  /** Requests owed, by slot: first the slots of keys, then those of addresses. */
  readonly owed: Int32Array<SharedArrayBuffer>;
  /**
   * Shared milliseconds at which the entry was put into the ring, made odd so that they are never 0. 0 means
   * that the entry is not in the ring.
   */
  readonly waitingSince: Int32Array<SharedArrayBuffer>;
  readonly tier: Int32Array<SharedArrayBuffer>;
  /** Entry numbers plus one; 0: no entry. */
  readonly ring: Int32Array<SharedArrayBuffer>;
  readonly keyCount: number;
}

const LAYOUT: SharedLayout<keyof AccessCapacity, LeaseMemory> = {
  name: 'leases',
  magic: 0x4f_56_4c_45, // "OVLE"
  version: 1,
  sizeNames: ['keys', 'addresses'],
  columns: (cursor, { keys, addresses }) => ({
    control: cursor.int32(CONTROL_WORDS),
    owed: cursor.int32(keys + addresses),
    waitingSince: cursor.int32(keys + addresses),
    tier: cursor.int32(keys),
    ring: cursor.int32(LEASES_WAITING_MAX),
    keyCount: keys,
  }),
};

/** Allocates the memory for an access memory of the same capacity: 2.6 MiB by default. */
export function createLeaseMemory(capacity: AccessCapacity): SharedArrayBuffer {
  const buffer = createSharedBuffer(LAYOUT, capacity);
  attachSharedBuffer(LAYOUT, buffer).control[NODES] = NODES_ASSUMED;
  return buffer;
}

/**
 * One thread's view of the lease memory. An entry is a slot of a key or of an address; the entries of
 * addresses come after those of keys.
 */
export class Leases {
  readonly keys: Sharing;
  readonly addresses: Sharing;
  readonly #memory: LeaseMemory;
  /** A place in the ring that was found reserved but empty, and since when. */
  #unwritten: { readonly place: number | null; readonly sinceMs: number } = { place: null, sinceMs: 0 };

  constructor(buffer: SharedArrayBuffer) {
    this.#memory = attachSharedBuffer(LAYOUT, buffer);
    this.keys = new LeasedTable(this, this.#memory, 0);
    this.addresses = new LeasedTable(this, this.#memory, this.#memory.keyCount);
  }

  /** The number of nodes among which limits are divided now; 0 while Redis answers and limits are shared. */
  dividedBy(sharedMs: number): number {
    const { control } = this.#memory;
    const silentMs = (sharedMs - Atomics.load(control, HEARD_AT)) | 0;
    const isHeard =
      Atomics.load(control, ANSWERS) === 1 && silentMs < REDIS_SILENT_MS && silentMs > -SLACK_MS;
    return isHeard ? 0 : Atomics.load(control, NODES);
  }

  /** Records that Redis has answered. */
  heard(sharedMs: number): void {
    Atomics.store(this.#memory.control, HEARD_AT, sharedMs);
    Atomics.store(this.#memory.control, ANSWERS, 1);
  }

  /** Records how many nodes Redis counted. */
  counted(nodes: number): void {
    Atomics.store(this.#memory.control, NODES, Math.max(1, nodes));
  }

  /** How many nodes Redis last counted. */
  get nodes(): number {
    return Atomics.load(this.#memory.control, NODES);
  }

  /** Records that Redis failed to answer. */
  lost(): void {
    Atomics.store(this.#memory.control, ANSWERS, 0);
  }

  /** Which table an entry belongs to, its slot there, and its tier (0 for addresses). */
  placeOf(entry: number): { readonly isKey: boolean; readonly slot: number; readonly tier: number } {
    const { keyCount, tier } = this.#memory;
    if (entry < keyCount) return { isKey: true, slot: entry, tier: Atomics.load(tier, entry) };
    return { isKey: false, slot: entry - keyCount, tier: 0 };
  }

  owedAt(entry: number): number {
    return Atomics.load(this.#memory.owed, entry);
  }

  /** Subtracts the requests that Redis has counted. */
  settled(entry: number, count: number): void {
    Atomics.sub(this.#memory.owed, entry, count);
  }

  /** The entries with requests that are not yet reported to Redis. */
  owing(): number[] {
    const entries: number[] = [];
    this.#memory.owed.forEach((count, entry) => {
      if (count > 0) entries.push(entry);
    });
    return entries;
  }

  /** The entries that asked to be settled since the last call. Only one thread may call this. */
  takeWaiting(sharedMs: number): number[] {
    const { control, ring, waitingSince } = this.#memory;
    const entries: number[] = [];
    let taken = Atomics.load(control, TAKEN);
    for (; taken !== Atomics.load(control, PUT); taken = (taken + 1) | 0) {
      const found = Atomics.exchange(ring, taken & (ring.length - 1), 0);
      if (found !== 0) {
        Atomics.store(waitingSince, found - 1, 0);
        entries.push(found - 1);
      } else if (this.#unwritten.place !== taken) {
        this.#unwritten = { place: taken, sinceMs: sharedMs };
        break; // the thread that reserved this place is about to write it
      } else if (((sharedMs - this.#unwritten.sinceMs) | 0) < UNWRITTEN_MS_MAX) break;
    }
    Atomics.store(control, TAKEN, taken);
    return entries;
  }

  /** Resolves when an entry asks to be settled, or after `ms`. Only one thread may call this. */
  async whenAsked(ms: number): Promise<void> {
    const { control } = this.#memory;
    const waited = Atomics.waitAsync(control, PUT, Atomics.load(control, TAKEN), ms);
    // If entries are waiting already, let the thread handle its other events first.
    await (waited.async ? waited.value : new Promise(setImmediate));
  }

  /** Puts an entry into the ring unless it is there already. */
  ask(entry: number, sharedMs: number): void {
    const { control, ring, waitingSince } = this.#memory;
    const since = Atomics.load(waitingSince, entry);
    if (since !== 0 && ((sharedMs - since) | 0) < WAITING_MS_MAX) return;
    if (Atomics.compareExchange(waitingSince, entry, since, sharedMs | 1) !== since) return;
    const inRing = (Atomics.load(control, PUT) - Atomics.load(control, TAKEN)) | 0;
    if (inRing >= ring.length - RING_SLACK) return; // ring full: the entry asks again a second later
    const place = Atomics.add(control, PUT, 1) & (ring.length - 1);
    Atomics.store(ring, place, entry + 1);
    Atomics.notify(control, PUT);
  }
}

class LeasedTable implements Sharing {
  readonly #leases: Leases;
  readonly #memory: LeaseMemory;
  /** The entry number of the table's first slot. */
  readonly #first: number;
  /** Maps the pace of a whole limit to the pace of one node's share among `#sharesOf` nodes. */
  readonly #shares = new Map<Pace, Pace>();
  #sharesOf = 0;

  constructor(leases: Leases, memory: LeaseMemory, first: number) {
    this.#leases = leases;
    this.#memory = memory;
    this.#first = first;
  }

  paceAt(own: Pace, sharedMs: number): Pace {
    const nodes = this.#leases.dividedBy(sharedMs);
    return nodes === 0 ? own : this.#shareOf(own, nodes);
  }

  dayMaxAt(
    perDay: number,
    { slot, count, sharedMs }: { readonly slot: number; readonly count: number; readonly sharedMs: number },
  ): number {
    const nodes = this.#leases.dividedBy(sharedMs);
    if (nodes === 0) return perDay;
    const known = Math.max(0, count - Atomics.load(this.#memory.owed, this.#first + slot));
    return known + Math.floor(Math.max(0, perDay - known) / nodes);
  }

  owe(
    slot: number,
    { pace, tier, sharedMs }: { readonly pace: Pace; readonly tier: number; readonly sharedMs: number },
  ): boolean {
    const entry = this.#first + slot;
    const before = Atomics.add(this.#memory.owed, entry, 1);
    const isFull = before >= lotOf(pace) && this.#leases.dividedBy(sharedMs) === 0;
    if (isFull) Atomics.sub(this.#memory.owed, entry, 1);
    if (before > 0 && before + 1 < settledFrom(pace)) return true;
    if (entry < this.#memory.keyCount) Atomics.store(this.#memory.tier, entry, tier);
    this.#leases.ask(entry, sharedMs);
    return !isFull;
  }

  forgive(slot: number): void {
    Atomics.sub(this.#memory.owed, this.#first + slot, 1);
  }

  isOwing(slot: number): boolean {
    return Atomics.load(this.#memory.owed, this.#first + slot) > 0;
  }

  /**
   * The window stays the same and the interval grows, so the bucket holds fewer tokens: rate and burst are
   * both divided.
   */
  #shareOf(own: Pace, nodes: number): Pace {
    if (nodes !== this.#sharesOf) this.#shares.clear();
    this.#sharesOf = nodes;
    const known = this.#shares.get(own);
    if (known !== undefined) return known;
    const share = { intervalMs: own.intervalMs * shareDivisor(own, nodes), windowMs: own.windowMs };
    this.#shares.set(own, share);
    return share;
  }
}
