// The parts of a metric of GET /metrics: name, type, help and the source of its samples. A shared family
// lives in the metrics memory: serving threads publish its values, or events are counted there. A computed
// family is computed when the page is made.

import type { ScoringStats } from '../scoring/pool-limits.ts';
import type { SlateReader } from '../store/reader.ts';
import type { LoopDelays } from './loop-watch.ts';
import type { RouteTotals } from './request-metrics.ts';

export type Labels = Readonly<Record<string, string | number>>;

export interface Sample {
  /** Suffix to the family's name, for the parts of a histogram. */
  readonly suffix?: '_bucket' | '_sum' | '_count';
  readonly labels?: Labels;
  readonly value: number;
}

export interface Family {
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** The name of a counter ends in `_total`. */
  readonly name: string;
  readonly help: string;
}

/**
 * The state that each serving thread (an HTTP thread or the query thread) publishes twice a second. Counts
 * are since the thread's start.
 */
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
  readonly scoring: ScoringStats;
}

/** The workers whose restarts are counted. */
export const WORKERS = ['ingest', 'http', 'query', 'accounts', 'history', 'alerts', 'limits'] as const;
type WorkerEvent = `${(typeof WORKERS)[number]}_${'restart' | 'crash_loop'}`;

/** Events that are counted in the shared memory when they happen. */
export type EventName = WorkerEvent | 'exception' | 'rejection';

/** Gauges that main sets when they change. */
export type MainGauge = 'damaged_rows' | 'damaged_indexes';

/**
 * One number in the shared memory: read from a thread's state, counted at each event of a name, or set by
 * main.
 */
export interface SharedValue {
  readonly suffix?: Sample['suffix'];
  readonly labels?: Labels;
  /** The sample's value is the shared integer times this; default 1. */
  readonly unit?: number;
  readonly from: EventName | MainGauge | ((state: ThreadState) => number);
}

export interface SharedFamily extends Family {
  /** `thread`: one sample per thread. If it is absent, one sample with the sum over all threads. */
  readonly by?: 'thread';
  readonly values: readonly SharedValue[];
}

/** The memory budget: for each class of callers, the bytes held and how many reservations were refused. */
export interface MemoryBudgetState {
  readonly total: number;
  readonly strangers: { readonly held: number; readonly refused: number };
  /** Keys of paid plans. */
  readonly keys: { readonly held: number; readonly refused: number };
  readonly freeKeys: { readonly held: number; readonly refused: number };
}

/** What computed families are made from. */
export interface MetricSources {
  readonly reader: SlateReader;
  readonly nowMs: number;
  /** The machine's clock. `nowMs` differs from it while a recording is replayed. */
  readonly wallMs: number;
  /** A source that sends nothing for this long counts as silent. */
  readonly silentAfterMs: number;
  /** Numbers of node-metrics.ts by name; null for a number that was never set. */
  readonly node: { get(name: string): number | null };
  /** When the served certificate expires; null without HTTPS. */
  readonly certificateEndsAtMs: number | null;
  readonly budget: MemoryBudgetState;
  readonly routes: readonly RouteTotals[];
  /** Requests answered, by serving thread. */
  readonly threadRequests: readonly number[];
}

export interface ComputedFamily extends Family {
  readonly samples: (sources: MetricSources) => readonly Sample[];
}

/** A family with one sample that is computed when the page is made. */
export function single(
  type: Family['type'],
  name: string,
  help: string,
  value: (sources: MetricSources) => number,
): ComputedFamily {
  return { type, name, help, samples: (sources) => [{ value: value(sources) }] };
}

/** A family with one sample: the sum of what all threads publish. */
export function published(
  type: Family['type'],
  name: string,
  help: string,
  from: (state: ThreadState) => number,
): SharedFamily {
  return { type, name: `overround_${name}`, help, values: [{ from }] };
}

/** A sample in Unix seconds; no sample when the time is unknown. */
export function instantSample(ms: number | null): Sample[] {
  return ms === null ? [] : [{ value: ms / 1000 }];
}
