// Limits shared by several nodes, as the threads of one node see them: no request waits for Redis. A thread takes a token
// from the bucket in shared memory, as on a machine alone, and notes it as owed. A caller may owe one lot, an eighth of its
// burst; one thread of the node (lease-settler.ts) tells Redis what is owed, when half a lot is, and writes into the bucket
// what Redis says of all nodes together. A node whose bucket is out of date can thus admit one lot too many, and no more.
//
// While Redis does not answer, nothing can be settled: then each node gives its callers its share of their limits.

import { attachSharedBuffer, createSharedBuffer, type SharedLayout } from '../memory/shared-buffer.ts';
import type { Pace } from './bucket.ts';
import { LEASES_WAITING_MAX, NODES_ASSUMED, REDIS_SILENT_MS } from './limits.ts';
import type { AccessCapacity } from './memory.ts';

/** How the budgets of one table relate to what other nodes count of the same callers. */
export interface Sharing {
  /** The pace that holds now: the tier's own, or this node's share of it. */
  paceAt(own: Pace, sharedMs: number): Pace;
  /** How high a slot's daily count may rise now, of which `count` stands there. */
  dayMaxAt(
    perDay: number,
    spent: { readonly slot: number; readonly count: number; readonly sharedMs: number },
  ): number;
  /** Notes a token that was taken; false, and nothing noted, when no more may be owed. */
  owe(
    slot: number,
    token: { readonly pace: Pace; readonly tier: number; readonly sharedMs: number },
  ): boolean;
  /** Takes back what `owe` noted. */
  forgive(slot: number): void;
  /** Whether something of the slot is not settled yet, so that it may not be freed. */
  isOwing(slot: number): boolean;
}

/** Limits of a machine that shares them with no other: each tier's own, and nothing to settle. */
export const ALONE: Sharing = {
  paceAt: (own) => own,
  dayMaxAt: (perDay) => perDay,
  owe: () => true,
  forgive: () => undefined,
  isOwing: () => false,
};

const LOTS_PER_BURST = 8;

/** How many requests a node may admit before it has settled them: an eighth of the burst. */
export function lotOf(pace: Pace): number {
  return Math.max(1, Math.floor(pace.windowMs / pace.intervalMs / LOTS_PER_BURST));
}

/** Units that a caller may owe before they are settled with Redis: half of a lot. */
export function settledFrom(pace: Pace): number {
  return Math.ceil(lotOf(pace) / 2);
}

/** Where HEARD_AT counts: 0 until Redis has answered, and after it has failed to. */
const ANSWERS = 0;
/** Shared milliseconds of its last answer. */
const HEARD_AT = 1;
/** Nodes that it last counted. */
const NODES = 2;
/** Entries that were ever put into the ring, and taken from it. */
const PUT = 3;
const TAKEN = 4;
const CONTROL_WORDS = 5;
/** A slot that waits longer may be put into the ring again: the thread that put it there has died, or nobody takes. */
const WAITING_MS_MAX = 1_000;
/** A place of the ring that is without its entry for longer belongs to a thread that died. */
const UNWRITTEN_MS_MAX = 100;
/** Threads put entries at the same moment: room for one of each. */
const RING_SLACK = 256;
/** Clocks of two threads differ by less. */
const SLACK_MS = 60_000;

interface LeaseMemory {
  readonly control: Int32Array<SharedArrayBuffer>;
  /** Slots of keys, then those of addresses. */
  readonly owed: Int32Array<SharedArrayBuffer>;
  /** Shared milliseconds, odd, at which the slot was put into the ring; 0: it is not there. */
  readonly waitingSince: Int32Array<SharedArrayBuffer>;
  readonly tier: Int32Array<SharedArrayBuffer>;
  /** Slot numbers plus one. */
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

/** Allocates the memory, for an access memory of the same capacity: 2.8 MiB at the default one. */
export function createLeaseMemory(capacity: AccessCapacity): SharedArrayBuffer {
  const buffer = createSharedBuffer(LAYOUT, capacity);
  attachSharedBuffer(LAYOUT, buffer).control[NODES] = NODES_ASSUMED;
  return buffer;
}

/** The memory as one thread sees it. */
export class Leases {
  readonly keys: Sharing;
  readonly addresses: Sharing;
  readonly #memory: LeaseMemory;
  /** A place of the ring that was found without its entry, and since when. */
  #unwritten: { readonly place: number | null; readonly sinceMs: number } = { place: null, sinceMs: 0 };

  constructor(buffer: SharedArrayBuffer) {
    this.#memory = attachSharedBuffer(LAYOUT, buffer);
    this.keys = new LeasedTable(this, this.#memory, 0);
    this.addresses = new LeasedTable(this, this.#memory, this.#memory.keyCount);
  }

  /** Nodes whose limits are divided now; 0 while Redis answers and nothing is. */
  dividedBy(sharedMs: number): number {
    const { control } = this.#memory;
    const silentMs = (sharedMs - Atomics.load(control, HEARD_AT)) | 0;
    const isHeard =
      Atomics.load(control, ANSWERS) === 1 && silentMs < REDIS_SILENT_MS && silentMs > -SLACK_MS;
    return isHeard ? 0 : Atomics.load(control, NODES);
  }

  /** Redis has answered. */
  heard(sharedMs: number): void {
    Atomics.store(this.#memory.control, HEARD_AT, sharedMs);
    Atomics.store(this.#memory.control, ANSWERS, 1);
  }

  /** Redis has counted the nodes. */
  counted(nodes: number): void {
    Atomics.store(this.#memory.control, NODES, Math.max(1, nodes));
  }

  /** Nodes that were last counted. */
  get nodes(): number {
    return Atomics.load(this.#memory.control, NODES);
  }

  /** Redis has failed to answer. */
  lost(): void {
    Atomics.store(this.#memory.control, ANSWERS, 0);
  }

  /** Where a slot of the ring is: its table and its number there. */
  placeOf(entry: number): { readonly isKey: boolean; readonly slot: number; readonly tier: number } {
    const { keyCount, tier } = this.#memory;
    if (entry < keyCount) return { isKey: true, slot: entry, tier: Atomics.load(tier, entry) };
    return { isKey: false, slot: entry - keyCount, tier: 0 };
  }

  owedAt(entry: number): number {
    return Atomics.load(this.#memory.owed, entry);
  }

  /** Takes off what was settled. */
  settled(entry: number, count: number): void {
    Atomics.sub(this.#memory.owed, entry, count);
  }

  /** Every entry that owes something: for a settler that begins. */
  owing(): number[] {
    const entries: number[] = [];
    this.#memory.owed.forEach((count, entry) => {
      if (count > 0) entries.push(entry);
    });
    return entries;
  }

  /** The entries that asked to be settled since the last call. One thread only. */
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
        break; // its thread is about to write it
      } else if (((sharedMs - this.#unwritten.sinceMs) | 0) < UNWRITTEN_MS_MAX) break;
    }
    Atomics.store(control, TAKEN, taken);
    return entries;
  }

  /** Resolves when an entry asks to be settled, or after `ms`. One thread only. */
  async whenAsked(ms: number): Promise<void> {
    const { control } = this.#memory;
    const waited = Atomics.waitAsync(control, PUT, Atomics.load(control, TAKEN), ms);
    // Also when some ask already, so that the thread gets to its other events.
    await (waited.async ? waited.value : new Promise(setImmediate));
  }

  /** Puts an entry into the ring, unless it is there. */
  ask(entry: number, sharedMs: number): void {
    const { control, ring, waitingSince } = this.#memory;
    const since = Atomics.load(waitingSince, entry);
    if (since !== 0 && ((sharedMs - since) | 0) < WAITING_MS_MAX) return;
    if (Atomics.compareExchange(waitingSince, entry, since, sharedMs | 1) !== since) return;
    const inRing = (Atomics.load(control, PUT) - Atomics.load(control, TAKEN)) | 0;
    if (inRing >= ring.length - RING_SLACK) return; // full: it asks again a second later
    const place = Atomics.add(control, PUT, 1) & (ring.length - 1);
    Atomics.store(ring, place, entry + 1);
    Atomics.notify(control, PUT);
  }
}

class LeasedTable implements Sharing {
  readonly #leases: Leases;
  readonly #memory: LeaseMemory;
  /** Entry of the table's first slot. */
  readonly #first: number;
  /** Shares that were asked for, by pace; of one count of nodes at a time. */
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

  /** A bucket of as many milliseconds that fills more slowly holds fewer tokens: rate and burst are both divided. */
  #shareOf(own: Pace, nodes: number): Pace {
    if (nodes !== this.#sharesOf) this.#shares.clear();
    this.#sharesOf = nodes;
    const known = this.#shares.get(own);
    if (known !== undefined) return known;
    const divisor = Math.min(nodes, own.windowMs / own.intervalMs);
    const share = { intervalMs: own.intervalMs * divisor, windowMs: own.windowMs };
    this.#shares.set(own, share);
    return share;
  }
}
