// Metrics of the feed: its state, the outcome of its messages, and each of its sources.

import { COUNTER_NAMES, type CounterName } from '../store/counters.ts';
import { reportsAt, type SourceReport } from '../store/source-reports.ts';
import {
  type ComputedFamily,
  type Family,
  instantSample,
  type MetricSources,
  type Sample,
  single,
} from './metric-family.ts';

const REJECTED = 'rejected_';
type FlowCounter = Exclude<CounterName, `rejected_${string}`>;

/** Name and help of each store counter except the rejections. */
const STORE_COUNTERS: Readonly<Record<FlowCounter, readonly [string, string]>> = {
  messages_applied: ['feed_messages_applied', 'Feed messages applied.'],
  quotes_applied: ['feed_quotes_applied', 'Quotes applied.'],
  quotes_older: ['feed_quotes_older', 'Quotes ignored because a newer one was known.'],
  duplicates: ['feed_duplicates', 'Feed messages ignored because they were duplicates.'],
  gaps: ['feed_gaps', 'Gaps in the sequence of the feed.'],
  ignored_until_snapshot: ['feed_ignored', 'Feed messages ignored while waiting for a snapshot.'],
  pages_published: ['store_pages_published', 'Fixture pages published.'],
  batches: ['store_batches', 'Batches applied.'],
  snapshots: ['feed_snapshots', 'Snapshots completed.'],
  results: ['results_recorded', 'Results recorded.'],
  openings_recorded: ['openings_recorded', 'Openings recorded.'],
  openings_restored: ['openings_restored', 'Openings loaded at the start.'],
  archive_errors: ['archive_errors', 'Rows that the archive dropped, and writes that failed.'],
};

/** All families of the feed, in the order of the page. */
export function feedFamilies(): ComputedFamily[] {
  return [
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
      'Feed messages waiting to be applied.',
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
  ];
}

/** The state of each source of the feed. */
function sourceFamilies(): ComputedFamily[] {
  return [
    sourceFamily('gauge', 'source_connected', 'Whether a source is connected.', (report) => [
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
      'The time from which on data served from a source may be wrong; no sample while it is complete.',
      (report) => instantSample(report.lostSinceMs),
    ),
    sourceFamily(
      'gauge',
      'source_clock_ahead_seconds',
      'How far the clock of a source is ahead of ours; negative when it is behind.',
      (report) => [{ value: report.clockAheadMs / 1_000 }],
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
      'Parts of answers that were refused or counted as unusual.',
      (report) => byLabel('reason', report.counts),
    ),
    sourceFamily('counter', 'source_unmapped_total', 'Quoting bookmakers that the roster lacks.', (report) =>
      byLabel('bookmaker', report.unmapped),
    ),
    sourceFamily('counter', 'source_epochs_total', 'Snapshots made from a polled source.', ({ epochs }) => [
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
    // Computed at this instant, as /ready does, because a source that has fallen silent cannot report that
    // itself.
    samples: ({ reader, ...moment }) =>
      reportsAt(reader.sourceReports(), moment).flatMap((report) =>
        of(report).map((sample) => ({ ...sample, labels: { source: report.name, ...sample.labels } })),
      ),
  };
}

function byLabel(label: string, values: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(values).map(([text, value]) => ({ labels: { [label]: text }, value }));
}

/** NaN before the first message of the feed. */
function feedAgeS({ reader, nowMs }: MetricSources): number {
  const { appliedAtMs } = reader.feed();
  return appliedAtMs > 0 ? Math.max(0, nowMs - appliedAtMs) / 1000 : Number.NaN;
}
