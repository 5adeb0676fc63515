// The shared memory of the metrics: written by every HTTP thread in a region of its own, read by whichever answers
// GET /metrics. Nothing in it belongs to a request longer than the time of its count.
//
//   header      magic, layout version, threads                                           Int32
//   values      (1 + threads) x the shared values of metrics.ts: main's, each thread's    BigInt64
//   requests    threads x the counters of request-metrics.ts                              Int32

import { assert } from '../errors.ts';
import { type EventName, METRICS, type SharedValue, type ThreadState } from './metrics.ts';
import { THREAD_WORDS } from './request-metrics.ts';

const MAGIC = 0x4f_56_4d_54; // "OVMT"
const LAYOUT_VERSION = 2;

const HEADER_MAGIC = 0;
const HEADER_VERSION = 1;
const HEADER_THREADS = 2;
const HEADER_WORDS = 4;

/** Every shared value of the table. Its place in this list is its place in the memory. */
const SHARED_VALUES: readonly SharedValue[] = METRICS.flatMap((metric) =>
  'values' in metric ? metric.values : [],
);

/** The memory as one thread sees it. */
export interface MetricsMemory {
  readonly threadCount: number;
  readonly values: BigInt64Array<SharedArrayBuffer>;
  readonly requests: Int32Array<SharedArrayBuffer>;
}

/** Allocates the memory: about 90 KiB of address space a thread, of which the routes in use are resident. */
export function createMetricsMemory(threadCount: number): SharedArrayBuffer {
  assert(Number.isInteger(threadCount) && threadCount > 0, 'there is an HTTP thread or more');
  const buffer = new SharedArrayBuffer(byteCountOf(threadCount));
  const header = new Int32Array(buffer, 0, HEADER_WORDS);
  header[HEADER_VERSION] = LAYOUT_VERSION;
  header[HEADER_THREADS] = threadCount;
  Atomics.store(header, HEADER_MAGIC, MAGIC);
  return buffer;
}

/** Views a memory made on this thread or another. */
export function attachMetricsMemory(buffer: SharedArrayBuffer): MetricsMemory {
  const header = new Int32Array(buffer, 0, HEADER_WORDS);
  assert(Atomics.load(header, HEADER_MAGIC) === MAGIC, 'the buffer is a metrics memory');
  assert(header[HEADER_VERSION] === LAYOUT_VERSION, `the metrics memory has layout ${LAYOUT_VERSION}`);
  const threadCount = header[HEADER_THREADS]!;
  assert(buffer.byteLength === byteCountOf(threadCount), 'the metrics memory is as long as its header says');
  const valueCount = (1 + threadCount) * SHARED_VALUES.length;
  const values = new BigInt64Array(buffer, HEADER_WORDS * 4, valueCount);
  return { threadCount, values, requests: new Int32Array(buffer, HEADER_WORDS * 4 + valueCount * 8) };
}

function byteCountOf(threadCount: number): number {
  const valueBytes = (1 + threadCount) * SHARED_VALUES.length * 8;
  return HEADER_WORDS * 4 + valueBytes + threadCount * THREAD_WORDS * 4;
}

/** The shared values of one HTTP thread, or of main when `thread` is null. One writer each, any reader. */
export class SharedValues {
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
    const index = SHARED_VALUES.findIndex(({ from }) => from === event);
    Atomics.add(this.#values, this.#start + index, 1n);
  }

  get(value: SharedValue): number {
    return Number(Atomics.load(this.#values, this.#start + SHARED_VALUES.indexOf(value)));
  }
}
