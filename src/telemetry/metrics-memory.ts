// The shared memory of the metrics: written by every HTTP thread in a region of its own, read by whichever answers
// GET /metrics. Nothing in it belongs to a request longer than the time of its count.
//
//   header      magic, layout version, threads                            Int32
//   values      (1 + threads) x VALUE_NAMES: the process's, each thread's  BigInt64
//   requests    threads x routes x ROUTE_WORDS: wide counters of two words Int32
//
// A wide counter is that of access/wide-counter.ts: low word, high word.

import { assert } from '../errors.ts';

const MAGIC = 0x4f_56_4d_54; // "OVMT"
const LAYOUT_VERSION = 1;

const HEADER_MAGIC = 0;
const HEADER_VERSION = 1;
const HEADER_THREADS = 2;
const HEADER_WORDS = 4;

/** Path templates that are told apart; the service has about 70. More is a defect, found at start. */
export const METRIC_ROUTES_MAX = 256;

/** Statuses that are told apart; any other is counted under the last, `0`. */
export const METRIC_STATUSES = [
  200, 201, 202, 204, 206, 302, 304, 400, 401, 402, 403, 404, 405, 406, 408, 409, 411, 413, 415, 422, 429,
  431, 500, 501, 503, 0,
] as const;

/** Upper bounds of the latency histogram in seconds; the last bucket has none. */
export const LATENCY_BOUNDS_S = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

export const LATENCY_BUCKET_COUNT = LATENCY_BOUNDS_S.length + 1;

/** Word offsets inside a route's counters. */
export const STATUS_WORDS = 0;
export const BUCKET_WORDS = STATUS_WORDS + 2 * METRIC_STATUSES.length;
/** Microseconds. */
export const LATENCY_SUM_WORDS = BUCKET_WORDS + 2 * LATENCY_BUCKET_COUNT;
export const ROUTE_WORDS = LATENCY_SUM_WORDS + 2;

/** What a thread, or the process, says about itself: counts since its start, and gauges. */
export const VALUE_NAMES = [
  'ingest_restarts',
  'http_restarts',
  'late_exceptions',
  'late_rejections',
  'access_log_dropped',
  'requests_pending',
  'cache_hits',
  'cache_misses',
  'cache_bytes',
  'cache_entries',
  'scoring_threads',
  'scoring_threads_free',
  'scoring_tasks_waiting',
  'scoring_scores_cached',
  'scoring_scans',
  'scoring_scans_refused',
  'scoring_scans_failed',
  'scoring_fixtures_scored',
  'scoring_fixtures_from_cache',
  'scoring_tasks_retried',
  'scoring_workers_lost',
] as const;
export type ValueName = (typeof VALUE_NAMES)[number];

const VALUE_INDEX: ReadonlyMap<ValueName, number> = new Map(VALUE_NAMES.map((name, index) => [name, index]));

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
  const valueCount = (1 + threadCount) * VALUE_NAMES.length;
  const values = new BigInt64Array(buffer, HEADER_WORDS * 4, valueCount);
  return { threadCount, values, requests: new Int32Array(buffer, HEADER_WORDS * 4 + valueCount * 8) };
}

/** First word of a route's counters on one thread. */
export function routeWord(thread: number, route: number): number {
  return (thread * METRIC_ROUTES_MAX + route) * ROUTE_WORDS;
}

/** The values of one thread, or of the process when `thread` is null. One writer each, any reader. */
export class SharedValues {
  readonly #values: BigInt64Array<SharedArrayBuffer>;
  readonly #start: number;

  constructor(memory: MetricsMemory, thread: number | null) {
    assert(thread === null || (thread >= 0 && thread < memory.threadCount), 'the memory has that thread');
    this.#values = memory.values;
    this.#start = (thread === null ? 0 : 1 + thread) * VALUE_NAMES.length;
  }

  set(name: ValueName, value: number): void {
    Atomics.store(this.#values, this.#indexOf(name), BigInt(Math.trunc(value)));
  }

  add(name: ValueName, amount: number): void {
    Atomics.add(this.#values, this.#indexOf(name), BigInt(amount));
  }

  get(name: ValueName): number {
    return Number(Atomics.load(this.#values, this.#indexOf(name)));
  }

  #indexOf(name: ValueName): number {
    return this.#start + VALUE_INDEX.get(name)!;
  }
}

function byteCountOf(threadCount: number): number {
  const valueBytes = (1 + threadCount) * VALUE_NAMES.length * 8;
  return HEADER_WORDS * 4 + valueBytes + threadCount * METRIC_ROUTES_MAX * ROUTE_WORDS * 4;
}
