// The shared memory of access control, one buffer for all threads. Every word is Int32 and changed through Atomics.
//
//   header      magic, layout version, capacities, hash seed
//   control     the beat, the key epoch, totals
//   keys        KEY_STRIDE words per slot: subject, full-at, daily count, last used, usage counters
//   addresses   ADDRESS_STRIDE words per slot: subject, full-at, daily count
//
// The slots after a table's capacity are its spare buckets: one per tier for keys, one for addresses.

import { assert } from '../errors.ts';
import { ADDRESS_SLOTS_MAX, KEY_SLOTS_MAX } from './limits.ts';

const MAGIC = 0x4f_56_41_43; // "OVAC"
const LAYOUT_VERSION = 1;

const HEADER_MAGIC = 0;
const HEADER_VERSION = 1;
const HEADER_KEYS = 2;
const HEADER_ADDRESSES = 3;
const HEADER_SEED = 4;

/** Shared milliseconds of the keeper's last beat; never goes back, wraps after 49 days. */
export const CONTROL_BEAT = 8;
/** Rises whenever a key may have died or changed: what threads remember about keys is then read again. */
export const CONTROL_KEY_EPOCH = 9;
/** The key epoch last read from the database. */
export const CONTROL_DATABASE_EPOCH = 10;
/** Totals: wide counters of two words each. */
export const TOTAL_REQUESTS = 12;
export const TOTAL_ERRORS = 14;
/** Unix seconds at which counting began. */
export const CONTROL_STARTED_AT_S = 16;
const HEADER_WORDS = 18;

/** Word offsets inside a slot. The subject is also read as one BigInt64, so slots are 8-byte aligned. */
export const SLOT_SUBJECT_LOW = 0;
export const SLOT_SUBJECT_HIGH = 1;
export const SLOT_FULL_AT = 2;
export const SLOT_DAILY = 3;
/** Key slots only. Seconds since the epoch, and wide counters; latencies in microseconds. */
export const SLOT_LAST_USED_S = 4;
export const SLOT_LATENCY_MAX = 5;
export const SLOT_REQUESTS = 6;
export const SLOT_ERRORS = 8;
export const SLOT_LATENCY_SUM = 10;

const KEY_STRIDE = 12;
const ADDRESS_STRIDE = 4;
const KEY_SPARES = 4;
const ADDRESS_SPARES = 1;

/** Sizes of one access memory, powers of two. Tests make small ones; the service uses the defaults. */
export interface AccessCapacity {
  readonly keys: number;
  readonly addresses: number;
}

const DEFAULT_ACCESS_CAPACITY: AccessCapacity = { keys: KEY_SLOTS_MAX, addresses: ADDRESS_SLOTS_MAX };

/** One table inside the memory. */
export interface TableRegion {
  /** First word. */
  readonly start: number;
  readonly stride: number;
  /** Slots, the spare ones not counted. */
  readonly capacity: number;
}

/** The memory as one thread sees it. */
export interface AccessMemory {
  readonly buffer: SharedArrayBuffer;
  readonly words: Int32Array<SharedArrayBuffer>;
  readonly wide: BigInt64Array<SharedArrayBuffer>;
  readonly keys: TableRegion;
  readonly addresses: TableRegion;
  readonly seed: number;
}

export interface AccessMemoryOptions {
  /** An unpredictable Int32, so that nobody can choose addresses that collide. */
  readonly seed: number;
  /** Unix milliseconds, reported as the start of usage counting. */
  readonly startedAtMs: number;
  readonly capacity?: AccessCapacity;
}

/** Allocates the memory: 1.5 MiB for keys and 4 MiB for addresses at the default capacity. */
export function createAccessMemory(options: AccessMemoryOptions): SharedArrayBuffer {
  const capacity = options.capacity ?? DEFAULT_ACCESS_CAPACITY;
  assert(isPowerOfTwo(capacity.keys) && isPowerOfTwo(capacity.addresses), 'capacities are powers of two');
  const keyWords = (capacity.keys + KEY_SPARES) * KEY_STRIDE;
  const addressWords = (capacity.addresses + ADDRESS_SPARES) * ADDRESS_STRIDE;
  const buffer = new SharedArrayBuffer((HEADER_WORDS + keyWords + addressWords) * 4);
  const words = new Int32Array(buffer);
  words[HEADER_VERSION] = LAYOUT_VERSION;
  words[HEADER_KEYS] = capacity.keys;
  words[HEADER_ADDRESSES] = capacity.addresses;
  words[HEADER_SEED] = options.seed;
  words[CONTROL_STARTED_AT_S] = Math.floor(options.startedAtMs / 1000);
  Atomics.store(words, HEADER_MAGIC, MAGIC);
  return buffer;
}

/** Views an access memory made on this thread or another. */
export function attachAccessMemory(buffer: SharedArrayBuffer): AccessMemory {
  const words = new Int32Array(buffer);
  assert(Atomics.load(words, HEADER_MAGIC) === MAGIC, 'the buffer is an access memory');
  assert(words[HEADER_VERSION] === LAYOUT_VERSION, `the access memory has layout ${LAYOUT_VERSION}`);
  const keys: TableRegion = { start: HEADER_WORDS, stride: KEY_STRIDE, capacity: words[HEADER_KEYS] ?? 0 };
  const addresses: TableRegion = {
    start: keys.start + (keys.capacity + KEY_SPARES) * KEY_STRIDE,
    stride: ADDRESS_STRIDE,
    capacity: words[HEADER_ADDRESSES] ?? 0,
  };
  const end = addresses.start + (addresses.capacity + ADDRESS_SPARES) * ADDRESS_STRIDE;
  assert(end === words.length, 'the access memory is as long as its header says');
  return { buffer, words, wide: new BigInt64Array(buffer), keys, addresses, seed: words[HEADER_SEED] ?? 0 };
}

function isPowerOfTwo(value: number): boolean {
  return Number.isInteger(Math.log2(value)) && value > 0;
}
