// What a metric of GET /metrics is: a name, a type and a help, and where its samples come from. A shared one is published by
// every serving thread, or counted by whoever notices an event, in the metrics memory; a computed one is made with the page.

import type { SlateReader } from '../store/reader.ts';
import type { LoopDelays } from './loop-watch.ts';
import type { NodeNumbers } from './metrics-memory.ts';
import type { RouteTotals } from './request-metrics.ts';

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

export interface SharedFamily extends Family {
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
  readonly silentAfterMs: number;
  readonly node: Pick<NodeNumbers, 'get'>;
  readonly certificateEndsAtMs: number | null;
  readonly routes: readonly RouteTotals[];
  /** Requests answered, by serving thread. */
  readonly threadRequests: readonly number[];
}

export interface ComputedFamily extends Family {
  readonly samples: (sources: MetricSources) => readonly Sample[];
}

/** A family of one sample that is computed when the page is made. */
export function single(
  type: Family['type'],
  name: string,
  help: string,
  value: (sources: MetricSources) => number,
): ComputedFamily {
  return { type, name, help, samples: (sources) => [{ value: value(sources) }] };
}

/** A family of one sample: what every thread publishes, summed. */
export function published(
  type: Family['type'],
  name: string,
  help: string,
  from: (state: ThreadState) => number,
): SharedFamily {
  return { type, name: `overround_${name}`, help, values: [{ from }] };
}

/** Unix seconds; none for what has not been. */
export function instantSample(ms: number | null): Sample[] {
  return ms === null ? [] : [{ value: ms / 1000 }];
}
