// Every metric of GET /metrics, once, in the order of the page. A value that threads share has its place in the metrics
// memory by its place in this table. Those of the feed are in feed-metrics.ts, those of a node in node-metrics.ts.

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
} from './metric-family.ts';
import { nodeFamilies } from './node-metrics.ts';
import { LATENCY_BOUNDS_S, type RouteTotals } from './request-metrics.ts';
import { residentBytes } from './resident-set.ts';

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
    help: 'Time from a request in the handler to its answer, by route template.',
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
    help: 'How much later than asked a timer of a serving thread ran, every 10 ms: what it made others wait.',
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
    help: 'When the certificate that is served ends; no sample without HTTPS.',
    samples: ({ certificateEndsAtMs }) => instantSample(certificateEndsAtMs),
  },
  published('counter', 'answer_cache_hits_total', 'Odds answered from ready bytes.', (state) => {
    return state.cache.hits;
  }),
  published('counter', 'answer_cache_misses_total', 'Odds that were encoded.', ({ cache }) => cache.misses),
  published('gauge', 'answer_cache_bytes', 'Bytes of ready answers.', ({ cache }) => cache.bytes),
  published('gauge', 'answer_cache_entries', 'Ready answers.', ({ cache }) => cache.size),
  published('gauge', 'url_plans', 'URLs whose meaning is kept.', ({ planCount }) => planCount),
  published('gauge', 'streams_open', 'Streams that are open.', ({ streamCount }) => streamCount),
  ...scoring('gauge', {
    threads: ['threads', 'Scoring workers.'],
    threads_free: ['freeThreads', 'Scoring workers without a task.'],
    tasks_waiting: ['tasksWaiting', 'Tasks that wait for a scoring worker.'],
    scores_cached: ['cachedScores', 'Scores kept by fixture version.'],
  }),
  ...scoring('counter', {
    scans_total: ['scans', 'Scans asked for.'],
    scans_refused_total: ['scansRefused', 'Scans refused because the queue was full.'],
    scans_failed_total: ['scansFailed', 'Scans that failed or missed their deadline.'],
    fixtures_scored_total: ['fixturesScored', 'Fixtures scored by a worker.'],
    fixtures_from_cache_total: ['fixturesFromCache', 'Fixtures whose score was known.'],
    tasks_retried_total: ['tasksRetried', 'Tasks given to a second worker.'],
  }),
  {
    type: 'counter',
    name: 'overround_worker_restarts_total',
    help: 'Workers that died and were started again.',
    values: [
      { labels: { worker: 'ingest' }, from: 'ingest_restart' },
      { labels: { worker: 'http' }, from: 'http_restart' },
      { labels: { worker: 'query' }, from: 'query_restart' },
      { labels: { worker: 'accounts' }, from: 'accounts_restart' },
      { labels: { worker: 'limits' }, from: 'limits_restart' },
      { labels: { worker: 'scoring' }, from: (state) => state.scoring.workersLost },
    ],
  },
  {
    type: 'counter',
    name: 'overround_worker_crash_loops_total',
    help: 'How often a worker died again and again: the service did without it until it stayed alive.',
    values: [
      { labels: { worker: 'ingest' }, from: 'ingest_crash_loop' },
      { labels: { worker: 'http' }, from: 'http_crash_loop' },
      { labels: { worker: 'query' }, from: 'query_crash_loop' },
      { labels: { worker: 'accounts' }, from: 'accounts_crash_loop' },
      { labels: { worker: 'limits' }, from: 'limits_crash_loop' },
    ],
  },
  {
    type: 'gauge',
    name: 'overround_database_damaged',
    help: 'Rows of keys, accounts and sessions that are not as they were written, and findings about their indexes.',
    values: [
      { labels: { kind: 'row' }, from: 'damaged_rows' },
      { labels: { kind: 'index' }, from: 'damaged_indexes' },
    ],
  },
  {
    type: 'counter',
    name: 'overround_late_failures_total',
    help: 'Late throws and unhandled rejections that were survived; each is a bug.',
    values: [
      { labels: { kind: 'exception' }, from: 'exception' },
      { labels: { kind: 'rejection' }, from: 'rejection' },
    ],
  },
];

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** What the threads' scoring pools say of themselves: by metric name, the field of the state and the help. */
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
