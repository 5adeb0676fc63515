// What the threads that answer requests have in common: HTTP threads, and the query thread behind them.

import { join } from 'node:path';
import { createGate, type Gate } from '../access/gate.ts';
import { Tickets } from '../access/tickets.ts';
import { type FarKeyDirectory, KEY_CALLS } from '../accounts/key-directory.ts';
import { KEYS_SCHEMA } from '../accounts/schema.ts';
import { SqliteKeyDirectory } from '../accounts/sqlite-key-repository.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { DATABASE_NAME, openDatabase } from '../database.ts';
import type { FreshnessWindows } from '../domain/signal-gate.ts';
import type { RouteGroup } from '../http/kit/route.ts';
import type { HttpDeps } from '../http/kit/server-parts.ts';
import type { Log } from '../log.ts';
import { attachMetricsMemory, SharedValues } from '../telemetry/metrics-memory.ts';
import type { Telemetry } from '../telemetry/thread-telemetry.ts';
import { fillRandom } from './random.ts';
import type { ServedConfig } from './requirements.ts';
import { ThreadCaller } from './thread-calls.ts';

/** What all serving threads are given alike; it crosses to a worker as it is. */
export interface SharedServing {
  readonly config: ServedConfig;
  readonly storeBuffer: SharedArrayBuffer;
  readonly accessMemory: SharedArrayBuffer;
  readonly metricsMemory: SharedArrayBuffer;
  readonly streamMemory: SharedArrayBuffer;
  readonly ticketMemory: SharedArrayBuffer;
  /** Null on a machine alone. */
  readonly leaseMemory: SharedArrayBuffer | null;
}

export interface ServingOptions extends SharedServing {
  /** From 0: HTTP threads, then the query thread. */
  readonly thread: number;
  readonly clock: Clock;
  readonly log: Log;
}

export interface OpenGate {
  readonly gate: Gate;
  /** Where keys are looked up that are in Postgres: by the worker of accounts, for all threads. */
  readonly keys: ThreadCaller;
  close(): void;
}

/** Look-ups of keys, of which a request needs one before anything else. Full, or not answered by then: 503. */
const KEY_CALLS_LIMITS = { whom: 'the keys', pendingMax: 1_024, deadlineMs: 5_000 };

/** Access control of one thread. @throws when the database cannot be opened */
export function openGate(options: ServingOptions): OpenGate {
  const { config, accessMemory, leaseMemory, ticketMemory, thread } = options;
  const keys = new ThreadCaller({ clock: systemClock, ...KEY_CALLS_LIMITS });
  const database =
    config.databaseUrl !== null
      ? null
      : openDatabase({
          path: join(config.dataDir, DATABASE_NAME),
          schemas: [KEYS_SCHEMA],
          create: false,
          check: false,
        });
  // The slate's clock may stand still (FEED_NOW). Limits, sessions, keys and logs live in real time.
  const gate = createGate({
    memory: accessMemory,
    leaseMemory,
    directory:
      database === null ? keys.functions<FarKeyDirectory>(KEY_CALLS) : new SqliteKeyDirectory(database),
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

/** @param telemetry asked for with the first answer */
export function httpDeps(
  { config, clock, log }: ServingOptions,
  gate: Gate,
  telemetry: Pick<Telemetry, 'count' | 'tellsRequests' | 'observe'>,
): HttpDeps {
  return {
    clock,
    gate,
    publicUrl: config.publicUrl,
    log,
    nextRequestId: requestIds(),
    count: (route, status, latencyMs) => telemetry.count(route, status, latencyMs),
    tellsRequests: telemetry.tellsRequests,
    observe: (finished) => telemetry.observe(finished),
  };
}

/** Ids that no other thread and no other run makes: 48 random bits of this thread, and a count. */
function requestIds(): () => string {
  const prefix = Buffer.from(fillRandom(new Uint8Array(6))).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count}`;
  };
}

/** What /health says of a node of a cluster; null of a server that is alone. */
export function nodeRoleOf({ role }: Config): 'ingest' | 'serve' | null {
  return role === 'all' ? null : role;
}

/** What main has found damaged in the database, for /health. */
export function damageOf({ metricsMemory }: SharedServing) {
  const main = new SharedValues(attachMetricsMemory(metricsMemory), null);
  return () => ({
    damaged_rows: main.gauge('damaged_rows'),
    damaged_indexes: main.gauge('damaged_indexes'),
  });
}

/** The route groups that a node answers: a node that only runs feeds answers health and metrics alone. */
export function servedBy({ role }: Config, groups: readonly RouteGroup[]): readonly RouteGroup[] {
  return role === 'ingest' ? groups.filter(({ name }) => name === 'health' || name === 'metrics') : groups;
}

export function windowsOf(config: Config): FreshnessWindows {
  return { liveMs: config.liveFreshnessMs, prematchMs: config.prematchFreshnessMs };
}

/** What counts as implausible, as fractions. */
export function plausibleLimitsOf(config: Config): { readonly maxEdge: number; readonly maxMargin: number } {
  return { maxEdge: config.valueEdgeMaxPct / 100, maxMargin: config.arbitrageMarginMaxPct / 100 };
}

/** Repeats a job of the thread, without keeping the process alive for it. */
export function every(ms: number, run: () => unknown): () => void {
  const timer = setInterval(run, ms);
  timer.unref();
  return () => clearInterval(timer);
}
