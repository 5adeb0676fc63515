// The shared memory of the metrics: written by every serving thread in a region of its own, read by the query
// thread for GET /metrics. It holds sums and gauges alone, nothing of a single request.
//
//   header    memory/shared-buffer.ts; its one size is the number of HTTP threads and one for the query thread
//   BigInt64  shared values of metrics.ts      x (1 + threads): main's, then each thread's
//   BigInt64  numbers of node-metrics.ts       each plus one, 0 where the node has none
//   Int32     counters of request-metrics.ts   x threads

import { assert } from '../errors.ts';
import { attachSharedBuffer, createSharedBuffer, type SharedLayout } from '../memory/shared-buffer.ts';
import type { CrashCounters } from './crash-guards.ts';
import type { EventName, MainGauge, SharedValue, ThreadState } from './metric-family.ts';
import { METRICS } from './metrics.ts';
import { NODE_NUMBERS, type NodeNumber } from './node-metrics.ts';
import { THREAD_WORDS } from './request-metrics.ts';

/** Every shared value of the table. Its place in this list is its place in the memory. */
const SHARED_VALUES: readonly SharedValue[] = METRICS.flatMap((metric) =>
  'values' in metric ? metric.values : [],
);

/** The memory as one thread sees it. */
export interface MetricsMemory {
  readonly threadCount: number;
  readonly values: BigInt64Array<SharedArrayBuffer>;
  readonly node: BigInt64Array<SharedArrayBuffer>;
  readonly requests: Int32Array<SharedArrayBuffer>;
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

/** Allocates the memory: about 90 KiB of address space a thread, of which the routes in use are resident. */
export function createMetricsMemory(threads: number): SharedArrayBuffer {
  return createSharedBuffer(LAYOUT, { threads });
}

/** Views a memory made on this thread or another. */
export function attachMetricsMemory(buffer: SharedArrayBuffer): MetricsMemory {
  return attachSharedBuffer(LAYOUT, buffer);
}

/** The shared values of one HTTP thread, or of the process when `thread` is null. State has one writer, events any. */
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

  /** What was set. */
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

/** The numbers of what a node shares with others. One that nobody has set is none, and has no sample. */
export class NodeNumbers {
  readonly #node: BigInt64Array<SharedArrayBuffer>;

  constructor({ node }: MetricsMemory) {
    this.#node = node;
  }

  /** Numbers that count from 0; what a worker before this one counted stays. */
  begin(...names: readonly NodeNumber[]): void {
    for (const name of names) Atomics.compareExchange(this.#node, NODE_NUMBERS.indexOf(name), 0n, 1n);
  }

  /** @param value not negative; what follows the point is cut off */
  set(name: NodeNumber, value: number): void {
    Atomics.store(this.#node, NODE_NUMBERS.indexOf(name), BigInt(Math.trunc(value)) + 1n);
  }

  /** Adds to a number that has begun. */
  add(name: NodeNumber, count: number): void {
    Atomics.add(this.#node, NODE_NUMBERS.indexOf(name), BigInt(count));
  }

  get(name: NodeNumber): number | null {
    const stored = Atomics.load(this.#node, NODE_NUMBERS.indexOf(name));
    return stored === 0n ? null : Number(stored - 1n);
  }
}
