// What all threads that answer requests have in common: the HTTP threads, and the query thread behind them.

import { type Gate, SharedGate } from '../../access/gate.ts';
import { sharesState } from '../../access/quotas/fair-shares.ts';
import { FairTurns, SLICE_MS } from '../../access/quotas/fair-turns.ts';
import { StrangersTime } from '../../access/quotas/strangers-time.ts';
import { Tickets } from '../../access/tickets.ts';
import type { RemoteKeyDirectory } from '../../accounts/keys/key-directory.ts';
import { SqliteKeyDirectory } from '../../accounts/keys/sqlite-key-directory.ts';
import { KEYS_SCHEMA } from '../../accounts/schema.ts';
import { type Clock, systemClock } from '../../clock.ts';
import type { Route } from '../../http/kit/route.ts';
import type { HttpDeps } from '../../http/kit/server-parts.ts';
import { WithBody } from '../../http/remote/calls.ts';
import { ThreadCaller } from '../../http/remote/thread-caller.ts';
import { type HealthParts, healthRoutes } from '../../http/routes/operations.ts';
import type { Log } from '../../log.ts';
import { every } from '../../pause.ts';
import { SmallCollections } from '../../platform/small-collections.ts';
import { type HistoryCalls, NO_HISTORY } from '../../query/lists/history-calls.ts';
import type { Config } from '../../settings/config.ts';
import { readTapeReport } from '../../store/tape-ring.ts';
import { attachMetricsMemory, SharedValues } from '../../telemetry/metrics-memory.ts';
import type { MetricRoutes } from '../../telemetry/request-metrics.ts';
import { Telemetry, type TelemetryOptions } from '../../telemetry/thread-telemetry.ts';
import { openPreparedFile } from '../data/open-sql.ts';
import type { ServedConfig } from '../requirements.ts';
import { fillRandom } from './random.ts';

/** What every serving thread receives. It is passed to a worker unchanged. */
export interface SharedServing {
  readonly config: ServedConfig;
  readonly storeBuffer: SharedArrayBuffer;
  readonly accessMemory: SharedArrayBuffer;
  readonly metricsMemory: SharedArrayBuffer;
  readonly streamMemory: SharedArrayBuffer;
  readonly ticketMemory: SharedArrayBuffer;
  /** The memory budget (access/quotas/memory-budget.ts). */
  readonly budgetMemory: SharedArrayBuffer;
  /** Null on a machine that shares limits with no other. */
  readonly leaseMemory: SharedArrayBuffer | null;
  /** The ring of the price history with its report (store/tape-ring.ts); null when it is off. */
  readonly tapeMemory: SharedArrayBuffer | null;
  /** Why callers without a key see no price, for /ready; null if they see some. */
  readonly hiddenPrices: string | null;
}

/** The report of the price history, as /ready shows it. */
export type TapeReport = ReturnType<NonNullable<HealthParts['history']>>;

const STARTING_TAPE: TapeReport = { state: 'starting', reason: null, gap: null, set_aside: [] };

export interface ServingOptions extends SharedServing {
  /** The thread's number, from 0: the HTTP threads first, then the query thread. */
  readonly thread: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Call it as work makes progress; see heartbeat.ts. */
  readonly onWork: () => void;
}

export interface OpenGate {
  readonly gate: Gate;
  /** Reads keys that are in Postgres, through the worker of accounts, which does so for all threads. */
  readonly keys: ThreadCaller;
  close(): void;
}

/**
 * How many calls that read a key may wait, and for how long. The request with the key waits for the call.
 * Beyond either limit, the call fails with 503.
 */
const KEY_CALLS_LIMITS = { whom: 'the keys', pendingMax: 4_096, deadlineMs: 5_000 };

/** The access control of one thread. @throws Error if the database cannot be opened */
export function openGate(options: ServingOptions): OpenGate {
  const { config, accessMemory, leaseMemory, ticketMemory, thread } = options;
  const keys = new ThreadCaller({ clock: systemClock, ...KEY_CALLS_LIMITS });
  const database =
    config.databaseUrl !== null ? null : openPreparedFile(config.dataDir, { schemas: [KEYS_SCHEMA] });
  // The slate's clock may stand still (FEED_NOW). Limits, sessions, keys and logs use real time.
  const gate = new SharedGate({
    memory: accessMemory,
    leaseMemory,
    directory: database === null ? keys.functions<RemoteKeyDirectory>() : new SqliteKeyDirectory(database),
    clock: systemClock,
    tickets: new Tickets(ticketMemory, { thread, fillRandom }),
  });
  return {
    gate,
    keys,
    close: () => {
      keys.close();
      database?.close();
    },
  };
}

export interface HistoryCaller {
  /** Calls the history thread once it is connected. */
  readonly history: ThreadCaller;
  /** The calls; each is refused when the service keeps no history. */
  readonly calls: HistoryCalls;
}

/** How many calls about the past may wait, and for how long. Beyond either limit, a call fails with 503. */
const HISTORY_CALLS_LIMITS = { whom: 'the history', pendingMax: 256, deadlineMs: 9_000 };

/** Makes the calls from one serving thread to the history thread. */
export function historyCaller({ tapeMemory }: SharedServing): HistoryCaller {
  const history = new ThreadCaller({ clock: systemClock, ...HISTORY_CALLS_LIMITS });
  return {
    history,
    calls: tapeMemory === null ? NO_HISTORY : history.functions<HistoryCalls>(asReceived),
  };
}

/** Puts an answer about the past together with its bytes, which have arrived separately. */
function asReceived(answer: unknown): unknown {
  return answer instanceof WithBody ? { ...(answer.answer as object), bytes: answer.body } : answer;
}

/** The telemetry of this thread. @param read the thread's current state */
export function telemetryOf(
  { metricsMemory, thread, log, config }: ServingOptions,
  routes: MetricRoutes,
  read: TelemetryOptions['read'],
): Telemetry {
  return new Telemetry({ memory: metricsMemory, thread, routes, clock: systemClock, log, config, read });
}

/** @param telemetry called at the first response */
export function httpDeps(
  { config, clock, log }: ServingOptions,
  gate: Gate,
  telemetry: Pick<Telemetry, 'count' | 'reportsRequests' | 'observe'>,
): HttpDeps {
  return {
    clock,
    gate,
    publicUrl: config.publicUrl,
    log,
    nextRequestId: requestIds(),
    count: (route, status, latencyMs) => telemetry.count(route, status, latencyMs),
    reportsRequests: telemetry.reportsRequests,
    observe: (finished) => telemetry.observe(finished),
  };
}

/** Ids that no other thread and no other run generates: 48 random bits of this thread, and a counter. */
function requestIds(): () => string {
  const prefix = Buffer.from(fillRandom(new Uint8Array(6))).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count}`;
  };
}

const INGEST_PATHS = ['/health', '/ready', '/metrics'];

/** What /health and /ready answer. */
export function healthOf(
  { config, metricsMemory, budgetMemory, tapeMemory, hiddenPrices }: SharedServing,
  parts: Pick<HealthParts, 'slate' | 'whenQueried'>,
): Route[] {
  const main = new SharedValues(attachMetricsMemory(metricsMemory), null);
  return healthRoutes({
    ...parts,
    damage: () => ({
      damaged_rows: main.gauge('damaged_rows'),
      damaged_indexes: main.gauge('damaged_indexes'),
    }),
    // How many bytes are held depends on answers that some callers may not see, so only the metrics show it.
    memory: () => ({ budget_bytes: sharesState(budgetMemory).total }),
    history: tapeMemory === null ? null : () => tapeReportOf(tapeMemory),
    note: hiddenPrices,
    role: config.role === 'all' ? null : config.role,
  });
}

function tapeReportOf(tapeMemory: SharedArrayBuffer): TapeReport {
  const text = readTapeReport(tapeMemory);
  return text === null ? STARTING_TAPE : (JSON.parse(text) as TapeReport);
}

/** The routes that a node answers. A node that only runs feeds answers only health and metrics. */
export function servedBy({ role }: Config, routes: readonly Route[]): readonly Route[] {
  return role === 'ingest' ? routes.filter(({ path }) => INGEST_PATHS.includes(path)) : routes;
}

/** How often caches of answers are swept. */
const SWEEP_MS = 60_000;

/** Evicts cached answers that are no longer used, until the returned function is called. */
export function keepSwept(caches: readonly { readonly sweep: () => void }[]): () => void {
  return every(SWEEP_MS, () => {
    for (const cache of caches) cache.sweep();
  });
}

/**
 * Turns that also collect garbage after some slices. Short jobs make little, so slices count by their length.
 */
export function collectingTurns({ onWork }: ServingOptions): FairTurns {
  const collections = SmallCollections.ofSlices();
  return new FairTurns({
    monotonicMs: systemClock.monotonicMs,
    strangersTime: new StrangersTime(systemClock.monotonicMs),
    onWork: (spentMs) => {
      onWork();
      collections.count(spentMs / SLICE_MS);
    },
  });
}
