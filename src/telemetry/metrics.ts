// The table of every metric of GET /metrics, in the order of the page. The index of a shared value in this
// table is its index in the metrics memory. Metrics of the feed are in feed-metrics.ts, those of a node in
// node-metrics.ts.

import { residentBytes } from '../platform/memory-watch.ts';
import { VERSION } from '../version.ts';
import { feedFamilies } from './feed-metrics.ts';
import { LOOP_DELAY_BOUNDS_S } from './loop-watch.ts';
import {
  type ComputedFamily,
  type Family,
  instantSample,
  published,
  type Sample,
  type SharedFamily,
  type SharedValue,
  single,
  type ThreadState,
  WORKERS,
} from './metric-family.ts';
import { nodeFamilies } from './node-metrics.ts';
import { LATENCY_BOUNDS_S, type RouteTotals } from './request-metrics.ts';

export const METRICS: readonly (SharedFamily | ComputedFamily)[] = [
  {
    type: 'gauge',
    name: 'overround_build_info',
    help: 'Version of the running server.',
    samples: () => [{ labels: { version: VERSION }, value: 1 }],
  },
  single('gauge', 'process_resident_memory_bytes', 'Resident memory in bytes.', () => residentBytes()),
  single('counter', 'process_cpu_seconds_total', 'User and system CPU time in seconds.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }),
  single('gauge', 'process_uptime_seconds', 'Seconds since the process started.', () => process.uptime()),
  {
    type: 'counter',
    name: 'overround_http_requests_total',
    help: 'Requests answered, by route template and status.',
    samples: ({ routes }) =>
      routes.flatMap(({ route, statuses }) =>
        statuses.map(({ status, count }) => ({
          labels: { route, status: status === 0 ? 'other' : status },
          value: count,
        })),
      ),
  },
  {
    type: 'histogram',
    name: 'overround_http_request_duration_seconds',
    help: 'Time from when a request reaches its handler until its answer, by route template.',
    samples: ({ routes }) => routes.flatMap(latencySamples),
  },
  {
    type: 'counter',
    name: 'overround_http_thread_requests_total',
    help: 'Requests answered, by serving thread: the HTTP threads from 0 on, then the query thread.',
    samples: ({ threadRequests }) => threadRequests.map((value, thread) => ({ labels: { thread }, value })),
  },
  {
    type: 'gauge',
    name: 'overround_http_requests_in_flight',
    help: 'Requests whose answer has not been handed over in full, by serving thread.',
    by: 'thread',
    values: [{ from: ({ pendingCount }) => pendingCount }],
  },
  {
    type: 'histogram',
    name: 'overround_event_loop_delay_seconds',
    help: 'How late a 50 ms timer of a serving thread ran: how long the event loop made others wait.',
    by: 'thread',
    values: [
      ...[...LOOP_DELAY_BOUNDS_S, '+Inf'].map(
        (le, index): SharedValue => ({
          suffix: '_bucket',
          labels: { le },
          from: ({ loopDelays }) => sumOf(loopDelays.buckets.slice(0, index + 1)),
        }),
      ),
      { suffix: '_sum', unit: 1e-6, from: ({ loopDelays }) => loopDelays.sumUs },
      { suffix: '_count', from: ({ loopDelays }) => sumOf(loopDelays.buckets) },
    ],
  },
  published(
    'counter',
    'access_log_lines_dropped_total',
    'Lines of the access log dropped because its reader did not keep up.',
    ({ accessLogDropped }) => accessLogDropped,
  ),
  ...feedFamilies(),
  ...nodeFamilies(),
  {
    type: 'gauge',
    name: 'overround_certificate_ends_timestamp_seconds',
    help: 'When the served certificate expires; no sample without HTTPS.',
    samples: ({ certificateEndsAtMs }) => instantSample(certificateEndsAtMs),
  },
  published(
    'counter',
    'answer_cache_hits_total',
    'Odds requests answered from the answer cache.',
    (state) => {
      return state.cache.hits;
    },
  ),
  published(
    'counter',
    'answer_cache_misses_total',
    'Odds requests whose answer had to be encoded.',
    ({ cache }) => cache.misses,
  ),
  published('gauge', 'answer_cache_bytes', 'Bytes of cached answers.', ({ cache }) => cache.bytes),
  published('gauge', 'answer_cache_entries', 'Cached answers.', ({ cache }) => cache.size),
  published('gauge', 'url_plans', 'URLs whose parsed form is cached.', ({ planCount }) => planCount),
  published('gauge', 'streams_open', 'Open streams.', ({ streamCount }) => streamCount),
  ...scoring('gauge', {
    threads: ['threads', 'Scoring workers.'],
    threads_free: ['freeThreads', 'Scoring workers without a task.'],
    tasks_waiting: ['tasksWaiting', 'Tasks waiting for a scoring worker.'],
    scores_cached: ['cachedScores', 'Cached scores, by fixture version.'],
  }),
  ...scoring('counter', {
    scans_total: ['scans', 'Scans requested.'],
    scans_refused_total: ['scansRefused', 'Scans refused because the queue was full.'],
    scans_failed_total: ['scansFailed', 'Scans that failed or missed their deadline.'],
    fixtures_scored_total: ['fixturesScored', 'Fixtures scored by a worker.'],
    fixtures_from_cache_total: ['fixturesFromCache', 'Fixtures whose score was in the cache.'],
    tasks_retried_total: ['tasksRetried', 'Tasks given to a second worker.'],
  }),
  single(
    'gauge',
    'overround_memory_budget_bytes',
    'Bytes that may be held for clients: request bodies being received, answers not yet read, backlogs of streams.',
    ({ budget }) => budget.total,
  ),
  {
    type: 'gauge',
    name: 'overround_memory_held_bytes',
    help: 'Bytes held for clients without a key (`stranger`), with a key of the free plan, and with another key.',
    samples: ({ budget }) => [
      { labels: { caller: 'stranger' }, value: budget.strangers.held },
      { labels: { caller: 'free_key' }, value: budget.freeKeys.held },
      { labels: { caller: 'key' }, value: budget.keys.held },
    ],
  },
  {
    type: 'counter',
    name: 'overround_memory_refused_total',
    help: 'Requests refused because the caller, or callers of its kind, held their share of the memory budget.',
    samples: ({ budget }) => [
      { labels: { caller: 'stranger' }, value: budget.strangers.refused },
      { labels: { caller: 'free_key' }, value: budget.freeKeys.refused },
      { labels: { caller: 'key' }, value: budget.keys.refused },
    ],
  },
  {
    type: 'counter',
    name: 'overround_worker_restarts_total',
    help: 'Workers that died and were started again.',
    values: [
      ...WORKERS.map((worker): SharedValue => ({ labels: { worker }, from: `${worker}_restart` })),
      { labels: { worker: 'scoring' }, from: (state) => state.scoring.workersLost },
    ],
  },
  {
    type: 'counter',
    name: 'overround_worker_crash_loops_total',
    help: 'How often a worker kept dying; the service ran without it until it stayed alive.',
    values: WORKERS.map((worker): SharedValue => ({ labels: { worker }, from: `${worker}_crash_loop` })),
  },
  {
    type: 'gauge',
    name: 'overround_database_damaged',
    help: 'Damaged rows of keys, accounts and sessions, and findings about their indexes.',
    values: [
      { labels: { kind: 'row' }, from: 'damaged_rows' },
      { labels: { kind: 'index' }, from: 'damaged_indexes' },
    ],
  },
  {
    type: 'counter',
    name: 'overround_late_failures_total',
    help: 'Errors thrown after the answer and unhandled rejections that were caught; each is a bug.',
    values: [
      { labels: { kind: 'exception' }, from: 'exception' },
      { labels: { kind: 'rejection' }, from: 'rejection' },
    ],
  },
];

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Metrics of the threads' scoring pools: by metric name, the field of the state and the help. */
function scoring(
  type: Family['type'],
  families: Readonly<Record<string, readonly [keyof ThreadState['scoring'], string]>>,
): SharedFamily[] {
  return Object.entries(families).map(([name, [field, help]]) =>
    published(type, `scoring_${name}`, help, (state) => state.scoring[field]),
  );
}

/** The histogram of one route: each bucket counts all latencies up to its bound. */
function latencySamples({ route, buckets, latencySumS }: RouteTotals): Sample[] {
  let count = 0;
  const samples = buckets.map((inBucket, index): Sample => {
    count += inBucket;
    return { suffix: '_bucket', labels: { route, le: LATENCY_BOUNDS_S[index] ?? '+Inf' }, value: count };
  });
  return [
    ...samples,
    { suffix: '_sum', labels: { route }, value: latencySumS },
    { suffix: '_count', labels: { route }, value: count },
  ];
}
