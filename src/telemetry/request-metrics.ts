// Counts requests by route, status and latency: the recorder of one thread, and the sums over all threads for
// GET /metrics. Recording costs three atomic additions and two look-ups.

import { assert } from '../errors.ts';
import { addWide, readWide } from '../memory/wide-counter.ts';

/**
 * Maximum number of path templates that are counted separately; the service has about 70. With more, an
 * assertion fails at the start.
 */
const METRIC_ROUTES_MAX = 256;

/** Statuses counted separately. Any other is counted under the last one, `0`. */
export const METRIC_STATUSES = [
  200, 201, 202, 204, 206, 302, 304, 400, 401, 402, 403, 404, 405, 406, 408, 409, 411, 413, 415, 422, 429,
  431, 500, 501, 503, 0,
] as const;

/** Upper bounds of the latency histogram in seconds; the last bucket is unbounded. */
export const LATENCY_BOUNDS_S = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

// The counters of one route on one thread: one for each status, one for each latency bucket, then the sum of
// latencies in us. Each has two words, of which the second counts how often the first one overflowed.
const BUCKET_COUNT = LATENCY_BOUNDS_S.length + 1;
const BUCKET_WORDS = 2 * METRIC_STATUSES.length;
const LATENCY_SUM_WORDS = BUCKET_WORDS + 2 * BUCKET_COUNT;
const ROUTE_WORDS = LATENCY_SUM_WORDS + 2;
/** Int32 words for the counters of one thread. */
export const THREAD_WORDS = METRIC_ROUTES_MAX * ROUTE_WORDS;

/** Requests whose path matches no route, and requests refused before routing. */
const UNMATCHED_ROUTE = 'unmatched';
const STATUS_CODES_MAX = 600;
const OTHER_STATUS = METRIC_STATUSES.length - 1;
const BOUNDS_MS = Float64Array.from(LATENCY_BOUNDS_S, (seconds) => seconds * 1000);
/** Longest latency counted, 30 minutes, because a single addition to the sum must fit an Int32. */
const LATENCY_US_MAX = 1_800_000_000;

/** The counters of all serving threads, in shared memory. */
export interface RequestCounters {
  readonly threadCount: number;
  readonly requests: Int32Array<SharedArrayBuffer>;
}

/** The route labels: the service's path templates in order, each once. The same on every thread. */
export class MetricRoutes {
  readonly names: readonly string[];
  readonly #indexes: ReadonlyMap<string, number>;
  /** The latest name and its index. Nearly all requests in a row are polls of one route. */
  #lastName = UNMATCHED_ROUTE;
  #lastIndex = 0;

  /** @param paths templates such as `/v1/events/:event_id`; duplicates are merged */
  constructor(paths: readonly string[]) {
    this.names = [UNMATCHED_ROUTE, ...new Set(paths)];
    assert(this.names.length <= METRIC_ROUTES_MAX, 'the metrics memory has room for every route');
    this.#indexes = new Map(this.names.map((name, index) => [name, index]));
  }

  /** The index of a route. An unknown route counts as unmatched, so that the label stays bounded. */
  indexOf(name: string): number {
    if (name === this.#lastName) return this.#lastIndex;
    this.#lastIndex = this.#indexes.get(name) ?? 0;
    this.#lastName = name;
    return this.#lastIndex;
  }
}

export interface RequestRecorderOptions {
  readonly memory: RequestCounters;
  readonly thread: number;
  readonly routes: MetricRoutes;
}

/** The counters of one serving thread. */
export class RequestRecorder {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #routes: MetricRoutes;
  readonly #thread: number;
  /** Word offset by status. */
  readonly #statusOffsets = new Uint8Array(STATUS_CODES_MAX).fill(2 * OTHER_STATUS);

  constructor({ memory, thread, routes }: RequestRecorderOptions) {
    this.#words = memory.requests;
    this.#routes = routes;
    this.#thread = thread;
    METRIC_STATUSES.forEach((status, index) => {
      this.#statusOffsets[status] = 2 * index;
    });
  }

  /** Counts one answer. @param latencyMs from when the request reached its handler until its answer */
  record(route: string, status: number, latencyMs: number): void {
    const words = this.#words;
    const word = routeWord(this.#thread, this.#routes.indexOf(route));
    const latencyUs = Math.min(Math.max(0, Math.round(latencyMs * 1000)), LATENCY_US_MAX);
    addWide(words, word + (this.#statusOffsets[status] ?? 2 * OTHER_STATUS), 1);
    addWide(words, word + BUCKET_WORDS + 2 * bucketOf(latencyMs), 1);
    addWide(words, word + LATENCY_SUM_WORDS, latencyUs);
  }
}

/** The first bucket whose bound is at or above the latency. */
function bucketOf(latencyMs: number): number {
  let bucket = 0;
  while (bucket < BOUNDS_MS.length && latencyMs > BOUNDS_MS[bucket]!) bucket += 1;
  return bucket;
}

/** One route summed over all threads. */
export interface RouteTotals {
  readonly route: string;
  /** Counts by status, only those above 0; status 0 stands for any that is not counted separately. */
  readonly statuses: readonly { readonly status: number; readonly count: number }[];
  /** One count per bucket, not cumulative. */
  readonly buckets: readonly number[];
  readonly latencySumS: number;
}

/** Sums every route that was answered at least once. */
export function requestTotals(memory: RequestCounters, routes: MetricRoutes): RouteTotals[] {
  const totals: RouteTotals[] = [];
  routes.names.forEach((route, index) => {
    function sumAt(offset: number): number {
      let sum = 0;
      for (let thread = 0; thread < memory.threadCount; thread += 1) {
        sum += readWide(memory.requests, routeWord(thread, index) + offset);
      }
      return sum;
    }
    const statuses = METRIC_STATUSES.map((status, place) => ({
      status,
      count: sumAt(2 * place),
    })).filter(({ count }) => count > 0);
    if (statuses.length === 0) return;
    const buckets = Array.from({ length: BUCKET_COUNT }, (_, place) => sumAt(BUCKET_WORDS + 2 * place));
    totals.push({ route, statuses, buckets, latencySumS: sumAt(LATENCY_SUM_WORDS) / 1e6 });
  });
  return totals;
}

/** Requests answered by one thread. */
export function threadRequestCount(memory: RequestCounters, thread: number, routes: MetricRoutes): number {
  let sum = 0;
  for (let route = 0; route < routes.names.length; route += 1) {
    const word = routeWord(thread, route);
    for (let place = 0; place < METRIC_STATUSES.length; place += 1) {
      sum += readWide(memory.requests, word + 2 * place);
    }
  }
  return sum;
}

/** First word of a route's counters on one thread. */
function routeWord(thread: number, route: number): number {
  return thread * THREAD_WORDS + route * ROUTE_WORDS;
}
