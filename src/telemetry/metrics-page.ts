// The page of GET /metrics: every family, in order, summed over all threads.

import { COUNTER_NAMES, type CounterName } from '../store/counters.ts';
import type { SlateReader } from '../store/reader.ts';
import { VERSION } from '../version.ts';
import { type MetricsMemory, SharedValues, type ValueName } from './metrics-memory.ts';
import { MetricsText, type Sample } from './metrics-text.ts';
import { type MetricRoutes, requestTotals, threadRequestCount } from './request-metrics.ts';

export interface MetricsPageOptions {
  readonly memory: MetricsMemory;
  readonly routes: MetricRoutes;
  readonly reader: SlateReader;
  readonly nowMs: number;
}

const REJECTED = 'rejected_';

/** @returns the text of all metrics in the Prometheus format */
export function metricsPage(options: MetricsPageOptions): string {
  const text = new MetricsText();
  addProcess(text);
  addRequests(text, options);
  addFeed(text, options);
  addCache(text, options.memory);
  addScoring(text, options.memory);
  addFailures(text, options.memory);
  return text.toString();
}

function addProcess(text: MetricsText): void {
  const { user, system } = process.cpuUsage();
  text
    .family('gauge', 'overround_build_info', 'Version of the running server.', [
      { labels: { version: VERSION }, value: 1 },
    ])
    .single('gauge', 'process_resident_memory_bytes', 'Resident memory in bytes.', process.memoryUsage.rss())
    .single(
      'counter',
      'process_cpu_seconds_total',
      'User and system CPU time in seconds.',
      (user + system) / 1e6,
    )
    .single('gauge', 'process_uptime_seconds', 'Seconds since the process started.', process.uptime());
}

function addRequests(text: MetricsText, { memory, routes }: MetricsPageOptions): void {
  const totals = requestTotals(memory, routes);
  text
    .family(
      'counter',
      'overround_http_requests_total',
      'Requests answered, by route template and status.',
      totals.flatMap(({ route, statuses }) =>
        statuses.map(({ status, count }) => ({
          labels: { route, status: status === 0 ? 'other' : status },
          value: count,
        })),
      ),
    )
    .latencies(
      'overround_http_request_duration_seconds',
      'Time from a request in the handler to its answer, by route template.',
      totals,
    )
    .family(
      'counter',
      'overround_http_thread_requests_total',
      'Requests answered, by HTTP thread.',
      byThread(memory, (thread) => threadRequestCount(memory, thread, routes)),
    )
    .family(
      'gauge',
      'overround_http_requests_in_flight',
      'Requests whose answer has not been handed over in full, by HTTP thread.',
      byThread(memory, (thread) => new SharedValues(memory, thread).get('requests_pending')),
    )
    .single(
      'counter',
      'overround_access_log_lines_dropped_total',
      'Lines of the access log dropped because its reader did not keep up.',
      sumOf(memory, 'access_log_dropped'),
    );
}

function addFeed(text: MetricsText, { reader, nowMs }: MetricsPageOptions): void {
  const feed = reader.feed();
  const counters = reader.counters();
  const age = feed.heardAtMs > 0 ? Math.max(0, nowMs - feed.heardAtMs) / 1000 : Number.NaN;
  text
    .single('gauge', 'overround_feed_age_seconds', 'Seconds since the feed was last heard.', age)
    .single('gauge', 'overround_feed_connected', 'Whether the feed is connected.', feed.connected ? 1 : 0)
    .single(
      'gauge',
      'overround_snapshot_complete',
      'Whether the first snapshot is complete.',
      feed.snapshotComplete ? 1 : 0,
    )
    .single('gauge', 'overround_feed_queue_depth', 'Feed messages that wait.', feed.queueDepth)
    .family(
      'counter',
      'overround_feed_messages_rejected_total',
      'Feed messages refused, by reason.',
      COUNTER_NAMES.filter((name) => name.startsWith(REJECTED)).map((name) => ({
        labels: { reason: name.slice(REJECTED.length) },
        value: counters[name],
      })),
    );
  for (const name of COUNTER_NAMES) {
    const help = FLOW_HELP[name];
    if (help !== undefined) text.single('counter', `overround_${help[0]}_total`, help[1], counters[name]);
  }
}

/** Name and help of the counters that are not rejections; one without an entry is not shown. */
const FLOW_HELP: Readonly<Partial<Record<CounterName, readonly [string, string]>>> = {
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

function addCache(text: MetricsText, memory: MetricsMemory): void {
  text
    .single(
      'counter',
      'overround_answer_cache_hits_total',
      'Odds answered from ready bytes.',
      sumOf(memory, 'cache_hits'),
    )
    .single(
      'counter',
      'overround_answer_cache_misses_total',
      'Odds that were encoded.',
      sumOf(memory, 'cache_misses'),
    )
    .single('gauge', 'overround_answer_cache_bytes', 'Bytes of ready answers.', sumOf(memory, 'cache_bytes'))
    .single('gauge', 'overround_answer_cache_entries', 'Ready answers.', sumOf(memory, 'cache_entries'));
}

function addScoring(text: MetricsText, memory: MetricsMemory): void {
  for (const [kind, value, name, help] of SCORING_FAMILIES) {
    text.single(kind, `overround_scoring_${name}`, help, sumOf(memory, value));
  }
}

const SCORING_FAMILIES: readonly (readonly ['counter' | 'gauge', ValueName, string, string])[] = [
  ['gauge', 'scoring_threads', 'threads', 'Scoring workers.'],
  ['gauge', 'scoring_threads_free', 'threads_free', 'Scoring workers without a task.'],
  ['gauge', 'scoring_tasks_waiting', 'tasks_waiting', 'Tasks that wait for a scoring worker.'],
  ['gauge', 'scoring_scores_cached', 'scores_cached', 'Scores kept by fixture version.'],
  ['counter', 'scoring_scans', 'scans_total', 'Scans asked for.'],
  ['counter', 'scoring_scans_refused', 'scans_refused_total', 'Scans refused because the queue was full.'],
  ['counter', 'scoring_scans_failed', 'scans_failed_total', 'Scans that failed or missed their deadline.'],
  ['counter', 'scoring_fixtures_scored', 'fixtures_scored_total', 'Fixtures scored by a worker.'],
  ['counter', 'scoring_fixtures_from_cache', 'fixtures_from_cache_total', 'Fixtures whose score was known.'],
  ['counter', 'scoring_tasks_retried', 'tasks_retried_total', 'Tasks given to a second worker.'],
];

function addFailures(text: MetricsText, memory: MetricsMemory): void {
  const own = new SharedValues(memory, null);
  text
    .family('counter', 'overround_worker_restarts_total', 'Workers that died and were started again.', [
      { labels: { worker: 'ingest' }, value: own.get('ingest_restarts') },
      { labels: { worker: 'http' }, value: own.get('http_restarts') },
      { labels: { worker: 'scoring' }, value: sumOf(memory, 'scoring_workers_lost') },
    ])
    .family(
      'counter',
      'overround_late_failures_total',
      'Late throws and unhandled rejections that were survived; each is a bug.',
      [
        { labels: { kind: 'exception' }, value: sumOf(memory, 'late_exceptions') },
        { labels: { kind: 'rejection' }, value: sumOf(memory, 'late_rejections') },
      ],
    );
}

function byThread(memory: MetricsMemory, read: (thread: number) => number): Sample[] {
  return Array.from({ length: memory.threadCount }, (_, thread) => ({
    labels: { thread },
    value: read(thread),
  }));
}

function sumOf(memory: MetricsMemory, name: ValueName): number {
  return byThread(memory, (thread) => new SharedValues(memory, thread).get(name)).reduce(
    (sum, { value }) => sum + value,
    0,
  );
}
