// The last hour of the service, one point every ten seconds in memory, and its current state, for the
// operator's page. Both are computed from the metrics, so the page and the metrics agree.

import type { HistoryPoint, ServiceState } from '../contract/operator.ts';
import type { SampledFamily } from './metrics-page.ts';

/** Number of points kept: one hour. For a new one, the oldest is dropped. */
const POINTS_MAX = 360;

interface Totals {
  readonly atMs: number;
  readonly messages: number;
  readonly requests: number;
  readonly refused: number;
  readonly limited: number;
  readonly delayS: number;
  readonly delays: number;
}

export class MetricsHistory {
  readonly #points: HistoryPoint[] = [];
  #last: Totals | null = null;

  /** Adds a point: rates per second since the last call. The first call only stores the totals. */
  sample(families: readonly SampledFamily[], nowMs: number): void {
    const metrics = new MetricReader(families);
    const now: Totals = {
      atMs: nowMs,
      messages: metrics.sum('overround_feed_messages_applied_total'),
      requests: metrics.sum('overround_http_requests_total'),
      refused: metrics.sum('overround_feed_messages_rejected_total'),
      limited: metrics.sum('overround_http_requests_total', LIMITED),
      delayS: metrics.sum(LOOP_DELAY, { suffix: '_sum' }),
      delays: metrics.sum(LOOP_DELAY, { suffix: '_count' }),
    };
    const last = this.#last;
    this.#last = now;
    const seconds = last === null ? 0 : (now.atMs - last.atMs) / 1_000;
    if (last === null || seconds <= 0) return;
    const rate = (name: 'messages' | 'requests' | 'refused' | 'limited'): number =>
      Math.max(0, now[name] - last[name]) / seconds;
    if (this.#points.length >= POINTS_MAX) this.#points.shift();
    this.#points.push({
      atMs: nowMs,
      messagesPerS: rate('messages'),
      requestsPerS: rate('requests'),
      refusedPerS: rate('refused'),
      limitedPerS: rate('limited'),
      loopDelayMs: meanMs(now.delayS - last.delayS, now.delays - last.delays),
      streams: metrics.sum('overround_streams_open'),
    });
  }

  state(families: readonly SampledFamily[]): ServiceState {
    const metrics = new MetricReader(families);
    return {
      feed: {
        connected: metrics.sum('overround_feed_connected') > 0,
        ageS: metrics.sum('overround_feed_age_seconds'),
        refused: metrics
          .samples('overround_feed_messages_rejected_total')
          .filter(({ value }) => value > 0)
          .map(({ labels = {}, value }) => ({ reason: String(labels.reason), count: value })),
      },
      threads: metrics.samples('overround_http_thread_requests_total').map(({ labels = {}, value }) => {
        const of = { labels: { thread: labels.thread ?? 0 } };
        return {
          thread: String(labels.thread),
          requests: value,
          loopDelayMs: meanMs(
            metrics.sum(LOOP_DELAY, { ...of, suffix: '_sum' }),
            metrics.sum(LOOP_DELAY, { ...of, suffix: '_count' }),
          ),
        };
      }),
      streams: metrics.sum('overround_streams_open'),
      limited: metrics.sum('overround_http_requests_total', LIMITED),
      hour: this.#points,
    };
  }
}

const LOOP_DELAY = 'overround_event_loop_delay_seconds';
const LIMITED = { labels: { status: 429 } };

function meanMs(seconds: number, count: number): number {
  return count <= 0 ? 0 : (1_000 * seconds) / count;
}

interface SampleFilter {
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string | number>>;
}

/** Finds samples by name and labels. */
class MetricReader {
  readonly #families: ReadonlyMap<string, SampledFamily>;

  constructor(families: readonly SampledFamily[]) {
    this.#families = new Map(families.map((family) => [family.name, family]));
  }

  samples(name: string, { suffix, labels = {} }: SampleFilter = {}): SampledFamily['samples'] {
    const samples = this.#families.get(name)?.samples ?? [];
    return samples.filter(
      (sample) =>
        (suffix === undefined || sample.suffix === suffix) &&
        Object.entries(labels).every(([label, value]) => String(sample.labels?.[label]) === String(value)),
    );
  }

  sum(name: string, filter: SampleFilter = {}): number {
    return this.samples(name, filter).reduce((sum, { value }) => sum + value, 0);
  }
}
