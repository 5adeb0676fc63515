// Every metric of GET /metrics, once, in the order of the page: its name, its type, its help, and where its value lies.
// A value that threads share is published by each thread, or counted by whoever notices the event, in the metrics
// memory; its place there is its place in this table. All other values are computed when the page is made.

import { COUNTER_NAMES, type CounterName } from '../store/counters.ts';
import type { SlateReader } from '../store/reader.ts';
import type { SourceReport } from '../store/source-reports.ts';
import { VERSION } from '../version.ts';
import { LOOP_DELAY_BOUNDS_S, type LoopDelays } from './loop-watch.ts';
import type { NodeNumbers } from './metrics-memory.ts';
import { nodeFamilies } from './node-metrics.ts';
import { LATENCY_BOUNDS_S, type RouteTotals } from './request-metrics.ts';

export type Labels = Readonly<Record<string, string | number>>;

export interface Sample {
  /** What follows the family's name, for the parts of a histogram. */
  readonly suffix?: '_bucket' | '_sum' | '_count';
  readonly labels?: Labels;
  readonly value: number;
}

export interface Family {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** A counter's ends in `_total`. */
  readonly name: string;
  readonly help: string;
}

/** The state that one serving thread (HTTP, or the query thread) publishes twice a second. Counts are since its start. */
export interface ThreadState {
  readonly pendingCount: number;
  readonly planCount: number;
  readonly streamCount: number;
  readonly accessLogDropped: number;
  readonly loopDelays: LoopDelays;
  readonly cache: {
    readonly hits: number;
    readonly misses: number;
    readonly bytes: number;
    readonly size: number;
  };
  readonly scoring: {
    readonly threads: number;
    readonly freeThreads: number;
    readonly tasksWaiting: number;
    readonly cachedScores: number;
    readonly scans: number;
    readonly scansRefused: number;
    readonly scansFailed: number;
    readonly fixturesScored: number;
    readonly fixturesFromCache: number;
    readonly tasksRetried: number;
    readonly workersLost: number;
  };
}

/** Events that are counted in the shared memory at the moment they happen. */
type Restarted = 'ingest' | 'http' | 'query' | 'accounts' | 'limits';
export type EventName = `${Restarted}_restart` | `${Restarted}_crash_loop` | 'exception' | 'rejection';

/** What main knows and says when it changes. */
export type MainGauge = 'damaged_rows' | 'damaged_indexes';

/** One number of the shared memory: read from a thread's state, counted at each event of a name, or set by main. */
export interface SharedValue {
  readonly suffix?: Sample['suffix'];
  readonly labels?: Labels;
  /** What one unit of the shared integer is worth; default 1. */
  readonly unit?: number;
  readonly from: EventName | MainGauge | ((state: ThreadState) => number);
}

interface SharedFamily extends Family {
  /** Summed over all threads, or one sample a thread. */
  readonly by?: 'thread';
  readonly values: readonly SharedValue[];
}

/** What the page is made from besides the shared values. */
export interface MetricSources {
  readonly reader: SlateReader;
  readonly nowMs: number;
  /** Of the machine, where `nowMs` may be a moment that a recording stands at. */
  readonly wallMs: number;
  readonly node: Pick<NodeNumbers, 'get'>;
  readonly certificateEndsAtMs: number | null;
  readonly routes: readonly RouteTotals[];
  /** Requests answered, by serving thread. */
  readonly threadRequests: readonly number[];
}

export interface ComputedFamily extends Family {
  readonly samples: (sources: MetricSources) => readonly Sample[];
}

const REJECTED = 'rejected_';
type FlowCounter = Exclude<CounterName, `rejected_${string}`>;

/** Name and help of the store's counters that are not rejections; null leaves one out. */
const STORE_COUNTERS: Readonly<Record<FlowCounter, readonly [string, string]>> = {
  messages_applied: ['feed_messages_applied', 'Feed messages applied.'],
  quotes_applied: ['feed_quotes_applied', 'Quotes applied.'],
  quotes_older: ['feed_quotes_older', 'Quotes ignored because a newer one was known.'],
  duplicates: ['feed_duplicates', 'Feed messages ignored because they had come before.'],
  gaps: ['feed_gaps', 'Gaps in the sequence of the feed.'],
  ignored_until_snapshot: ['feed_ignored', 'Feed messages ignored while a snapshot was awaited.'],
  pages_published: ['store_pages_published', 'Fixture pages published.'],
  batches: ['store_batches', 'Batches applied.'],
  snapshots: ['feed_snapshots', 'Snapshots completed.'],
  results: ['results_recorded', 'Results recorded.'],
  openings_recorded: ['openings_recorded', 'Openings recorded.'],
  openings_restored: ['openings_restored', 'Openings read back at start.'],
  archive_errors: ['archive_errors', 'Rows the archive lost, and writes that failed.'],
};

export const METRICS: readonly (SharedFamily | ComputedFamily)[] = [
  {
    type: 'gauge',
    name: 'overround_build_info',
    help: 'Version of the running server.',
    samples: () => [{ labels: { version: VERSION }, value: 1 }],
  },
  single('gauge', 'process_resident_memory_bytes', 'Resident memory in bytes.', () =>
    process.memoryUsage.rss(),
  ),
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
  single(
    'gauge',
    'overround_feed_age_seconds',
    'Seconds since a message of the feed was last applied.',
    feedAgeS,
  ),
  single('gauge', 'overround_feed_connected', 'Whether the feed is connected.', ({ reader }) =>
    Number(reader.feed().connected),
  ),
  single('gauge', 'overround_snapshot_complete', 'Whether the first snapshot is complete.', ({ reader }) =>
    Number(reader.feed().snapshotComplete),
  ),
  single(
    'gauge',
    'overround_feed_queue_depth',
    'Feed messages that wait.',
    ({ reader }) => reader.feed().queueDepth,
  ),
  {
    type: 'counter',
    name: 'overround_feed_messages_rejected_total',
    help: 'Feed messages refused, by reason.',
    samples: ({ reader }) => {
      const counters = reader.counters();
      return COUNTER_NAMES.filter((name) => name.startsWith(REJECTED)).map((name) => ({
        labels: { reason: name.slice(REJECTED.length) },
        value: counters[name],
      }));
    },
  },
  ...Object.entries(STORE_COUNTERS).map(([counter, [name, help]]) =>
    single('counter', `overround_${name}_total`, help, ({ reader }) => {
      return reader.counters()[counter as FlowCounter];
    }),
  ),
  ...sourceFamilies(),
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

/** A family of one sample that is computed when the page is made. */
function single(
  type: Family['type'],
  name: string,
  help: string,
  value: (sources: MetricSources) => number,
): ComputedFamily {
  return { type, name, help, samples: (sources) => [{ value: value(sources) }] };
}

/** A family of one sample: what every thread publishes, summed. */
function published(
  type: Family['type'],
  name: string,
  help: string,
  from: (state: ThreadState) => number,
): SharedFamily {
  return { type, name: `overround_${name}`, help, values: [{ from }] };
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

/** How each source of the feed stands. */
function sourceFamilies(): ComputedFamily[] {
  return [
    sourceFamily('gauge', 'source_connected', 'Whether the connection of a source stands.', (report) => [
      { value: Number(report.isConnected) },
    ]),
    sourceFamily('gauge', 'source_heard_timestamp_seconds', 'When a source was last heard.', (report) =>
      instantSample(report.heardAtMs),
    ),
    sourceFamily(
      'gauge',
      'source_applied_timestamp_seconds',
      'When a message of a source was last applied.',
      (report) => instantSample(report.appliedAtMs),
    ),
    sourceFamily(
      'gauge',
      'source_lost_since_timestamp_seconds',
      'Since when what is served of a source may be wrong; no sample while it is whole.',
      (report) => instantSample(report.lostSinceMs),
    ),
    sourceFamily('gauge', 'source_ok', 'Whether a source is well.', ({ state, reason }) => [
      { labels: { state, reason: reason ?? '' }, value: Number(state === 'ok') },
    ]),
    sourceFamily('counter', 'source_requests_total', 'Requests to a polled source.', (report) => [
      { value: report.requestsAsked },
    ]),
    sourceFamily('counter', 'source_answers_total', 'Answers of a polled source.', (report) => [
      { value: report.requestsAnswered },
    ]),
    sourceFamily('counter', 'source_failures_total', 'Requests to a polled source that failed.', (report) =>
      byLabel('reason', report.failures),
    ),
    sourceFamily(
      'counter',
      'source_refused_total',
      'Parts of answers that were refused or noted.',
      (report) => byLabel('reason', report.counts),
    ),
    sourceFamily('counter', 'source_unmapped_total', 'Quoting bookmakers that the roster lacks.', (report) =>
      byLabel('bookmaker', report.unmapped),
    ),
    sourceFamily('counter', 'source_epochs_total', 'Snapshots made of a polled source.', ({ epochs }) => [
      { value: epochs },
    ]),
    sourceFamily('counter', 'source_credits_spent_total', 'Credits that requests have cost.', (report) => [
      { value: report.creditsSpent },
    ]),
    sourceFamily('gauge', 'source_credits_left', 'Credits left in the period.', ({ creditsLeft }) =>
      creditsLeft === null ? [] : [{ value: creditsLeft }],
    ),
  ];
}

function sourceFamily(
  type: Family['type'],
  name: string,
  help: string,
  of: (report: SourceReport) => readonly Sample[],
): ComputedFamily {
  return {
    type,
    name: `overround_${name}`,
    help,
    samples: ({ reader }) =>
      reader
        .sourceReports()
        .flatMap((report) =>
          of(report).map((sample) => ({ ...sample, labels: { source: report.name, ...sample.labels } })),
        ),
  };
}

/** Unix seconds; none for what has not been. */
function instantSample(ms: number | null): Sample[] {
  return ms === null ? [] : [{ value: ms / 1000 }];
}

function byLabel(label: string, values: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(values).map(([text, value]) => ({ labels: { [label]: text }, value }));
}

/** Not a number before the feed was heard at all. */
function feedAgeS({ reader, nowMs }: MetricSources): number {
  const { appliedAtMs } = reader.feed();
  return appliedAtMs > 0 ? Math.max(0, nowMs - appliedAtMs) / 1000 : Number.NaN;
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
