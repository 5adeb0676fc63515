// The shared memory of the metrics. Each serving thread writes a region of its own; the query thread reads
// all regions for GET /metrics. It holds only sums and gauges, nothing about a single request.
//
//   header    memory/shared-buffer.ts; its one size: the number of HTTP threads plus 1 (query thread)
//   BigInt64  shared values of metrics.ts      x (1 + threads): main's, then each thread's
//   BigInt64  numbers of node-metrics.ts       each stored plus 1; 0 means that the node has no such number
//   Int32     counters of request-metrics.ts   x threads

import { assert } from '../errors.ts';
import { attachSharedBuffer, createSharedBuffer, type SharedLayout } from '../memory/shared-buffer.ts';
import type { CrashCounters } from '../platform/crash-guards.ts';
import type { EventName, MainGauge, SharedValue, ThreadState } from './metric-family.ts';
import { METRICS } from './metrics.ts';
import { NODE_NUMBERS } from './node-metrics.ts';
import { type RequestCounters, THREAD_WORDS } from './request-metrics.ts';

/** Every shared value of the table. Its index here is its index in the memory. */
const SHARED_VALUES: readonly SharedValue[] = METRICS.flatMap((metric) =>
  'values' in metric ? metric.values : [],
);

/** The memory as one thread sees it. */
export interface MetricsMemory extends RequestCounters {
  readonly values: BigInt64Array<SharedArrayBuffer>;
  readonly node: BigInt64Array<SharedArrayBuffer>;
}

const LAYOUT: SharedLayout<'threads', MetricsMemory> = {
  name: 'metrics',
  magic: 0x4f_56_4d_54, // "OVMT"
  version: 5,
  sizeNames: ['threads'],
  columns: (cursor, { threads }) => ({
    threadCount: threads,
    values: cursor.bigInt64((1 + threads) * SHARED_VALUES.length),
    node: cursor.bigInt64(NODE_NUMBERS.length),
    requests: cursor.int32(threads * THREAD_WORDS),
  }),
};

/**
 * Allocates the memory: about 90 KiB of address space per thread, of which only the routes in use become
 * resident.
 */
export function createMetricsMemory(threads: number): SharedArrayBuffer {
  return createSharedBuffer(LAYOUT, { threads });
}

/** Attaches to a memory created on this or another thread. */
export function attachMetricsMemory(buffer: SharedArrayBuffer): MetricsMemory {
  return attachSharedBuffer(LAYOUT, buffer);
}

/**
 * The shared values of one serving thread, or of main when `thread` is null. State has one writer; any thread
 * may count events.
 */
export class SharedValues implements CrashCounters {
  readonly #values: BigInt64Array<SharedArrayBuffer>;
  readonly #start: number;

  constructor(memory: MetricsMemory, thread: number | null) {
    assert(thread === null || (thread >= 0 && thread < memory.threadCount), 'the memory has that thread');
    this.#values = memory.values;
    this.#start = (thread === null ? 0 : 1 + thread) * SHARED_VALUES.length;
  }

  /** Writes every value that is read from a thread's state. */
  publish(state: ThreadState): void {
    SHARED_VALUES.forEach(({ from }, index) => {
      if (typeof from === 'string') return;
      Atomics.store(this.#values, this.#start + index, BigInt(Math.trunc(from(state))));
    });
  }

  /** Counts an event. */
  count(event: EventName): void {
    Atomics.add(this.#values, this.#placeOf(event), 1n);
  }

  set(gauge: MainGauge, value: number): void {
    Atomics.store(this.#values, this.#placeOf(gauge), BigInt(value));
  }

  /** The value of a gauge. */
  gauge(name: MainGauge): number {
    return Number(Atomics.load(this.#values, this.#placeOf(name)));
  }

  countLateFailure(kind: 'exception' | 'rejection'): void {
    this.count(kind);
  }

  #placeOf(name: EventName | MainGauge): number {
    return this.#start + SHARED_VALUES.findIndex(({ from }) => from === name);
  }

  get(value: SharedValue): number {
    return Number(Atomics.load(this.#values, this.#start + SHARED_VALUES.indexOf(value)));
  }
}
