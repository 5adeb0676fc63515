// The shared memory of access control, one buffer for all threads. Every word is an Int32 changed through
// Atomics.
//
//   control     the heartbeat, the key epoch, totals
//   keys        KEY_STRIDE words per slot: subject, full-at, daily count, last used, usage counters
//   addresses   ADDRESS_STRIDE words per slot: subject, full-at, daily count
//   sessions    one word per place (seen-sessions.ts)
//   paid        five words per place (paid-addresses.ts)
//
// After the slots of a table come its spare buckets (one per tier for keys, one for addresses), its lock word
// and its marks.

import { TIERS } from '../../domain/tiers.ts';
import { assert } from '../../errors.ts';
import { attachSharedBuffer, createSharedBuffer, type SharedLayout } from '../../memory/shared-buffer.ts';
import { ADDRESS_SLOTS_MAX, KEY_SLOTS_MAX } from '../limits.ts';
import { PAID_ADDRESSES_WORDS } from '../paid-addresses.ts';
import { SEEN_SESSIONS_WORDS } from '../seen-sessions.ts';

/** Shared milliseconds of the last heartbeat. They only rise, and wrap around as an Int32 after 49 days. */
export const CONTROL_HEARTBEAT = 0;
/** Rises when a key may have been revoked or changed. Threads then read their cached keys again. */
export const CONTROL_KEY_EPOCH = 1;
/** The key epoch last read from the database. */
export const CONTROL_DATABASE_EPOCH = 2;
/** Unix seconds when counting began. */
export const CONTROL_STARTED_AT_S = 3;
/** Totals: wide counters of two words each. */
export const TOTAL_REQUESTS = 4;
export const TOTAL_ERRORS = 6;
const CONTROL_SEED = 8;
/** Unix seconds when a remote database last answered; 0 if keys are in a local file. */
export const CONTROL_KEYS_HEARD_S = 9;
const CONTROL_WORDS = 10;

/** Word offsets inside a slot. A slot whose high half is 0 is free. */
export const SLOT_SUBJECT_LOW = 0;
export const SLOT_SUBJECT_HIGH = 1;
export const SLOT_FULL_AT = 2;
export const SLOT_DAILY = 3;
/**
 * These words exist only in slots of keys: the last use in Unix seconds, the longest latency, and three wide
 * counters of two words each. Latencies are in microseconds.
 */
export const SLOT_LAST_USED_S = 4;
export const SLOT_LATENCY_MAX = 5;
export const SLOT_REQUESTS = 6;
export const SLOT_ERRORS = 8;
export const SLOT_LATENCY_SUM = 10;

/**
 * The keeper visits all slots twice a second. A server with few callers has hardly any, and without marks
 * that visit would read 6 MB each time.
 */
export const SLOTS_PER_MARK = 1_024;

const KEY_STRIDE = 12;
const ADDRESS_STRIDE = 4;
const ADDRESS_SPARES = 1;

/** Capacities of one access memory, powers of two. Tests use small ones, the service the defaults. */
export interface AccessCapacity {
  readonly keys: number;
  readonly addresses: number;
}

/** One table of slots inside the memory. */
export interface SubjectSlots {
  readonly words: Int32Array<SharedArrayBuffer>;
  /** Words per slot. */
  readonly stride: number;
  /** The number of slots without the spare ones. */
  readonly capacity: number;
  /** Index of the lock word. */
  readonly lock: number;
  /** For each stretch of SLOTS_PER_MARK slots, 1 once any of them was claimed. */
  readonly marks: Int32Array<SharedArrayBuffer>;
}

/** The memory as one thread sees it. */
export interface AccessMemory {
  readonly control: Int32Array<SharedArrayBuffer>;
  readonly keys: SubjectSlots;
  readonly addresses: SubjectSlots;
  /** See SeenSessions. */
  readonly sessions: Int32Array<SharedArrayBuffer>;
  /** See PaidAddresses. */
  readonly paid: Int32Array<SharedArrayBuffer>;
  /** Seed of the hash that distributes subjects over slots. */
  readonly seed: number;
}

export interface AccessMemoryOptions {
  /** An unpredictable Int32, so that an attacker cannot choose addresses that collide. */
  readonly seed: number;
  /** Unix milliseconds, reported as the start of usage counting. */
  readonly startedAtMs: number;
  readonly capacity?: AccessCapacity;
}

const LAYOUT: SharedLayout<keyof AccessCapacity, Omit<AccessMemory, 'seed'>> = {
  name: 'access',
  magic: 0x4f_56_41_43, // "OVAC"
  version: 6,
  sizeNames: ['keys', 'addresses'],
  columns: (cursor, sizes) => {
    const toTable = (capacity: number, stride: number, spares: number): SubjectSlots => {
      const lock = (capacity + spares) * stride;
      const marks = Math.ceil(capacity / SLOTS_PER_MARK);
      return { words: cursor.int32(lock + 1), stride, capacity, lock, marks: cursor.int32(marks) };
    };
    return {
      control: cursor.int32(CONTROL_WORDS),
      keys: toTable(sizes.keys, KEY_STRIDE, TIERS.length),
      addresses: toTable(sizes.addresses, ADDRESS_STRIDE, ADDRESS_SPARES),
      sessions: cursor.int32(SEEN_SESSIONS_WORDS),
      paid: cursor.int32(PAID_ADDRESSES_WORDS),
    };
  },
};

/** Allocates the memory: 1.5 MiB for keys, 4 MiB for addresses at the default capacity, and 144 KiB. */
export function createAccessMemory(options: AccessMemoryOptions): SharedArrayBuffer {
  const capacity = options.capacity ?? { keys: KEY_SLOTS_MAX, addresses: ADDRESS_SLOTS_MAX };
  assert(isPowerOfTwo(capacity.keys) && isPowerOfTwo(capacity.addresses), 'capacities are powers of two');
  const buffer = createSharedBuffer(LAYOUT, capacity);
  const { control } = attachSharedBuffer(LAYOUT, buffer);
  control[CONTROL_SEED] = options.seed;
  control[CONTROL_STARTED_AT_S] = Math.floor(options.startedAtMs / 1000);
  return buffer;
}

/** Views an access memory allocated on this thread or another. */
export function attachAccessMemory(buffer: SharedArrayBuffer): AccessMemory {
  const memory = attachSharedBuffer(LAYOUT, buffer);
  return { ...memory, seed: memory.control[CONTROL_SEED] ?? 0 };
}

function isPowerOfTwo(value: number): boolean {
  return Number.isInteger(Math.log2(value)) && value > 0;
}
