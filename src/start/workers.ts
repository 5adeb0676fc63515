// The worker that fills the store and the worker that settles limits: the main thread starts them, keeps them
// alive and ends them.

import type { Clock } from '../clock.ts';
import type { ToIngest } from '../ingest/worker.ts';
import type { Log } from '../log.ts';
import type { Config } from '../settings/config.ts';
import { attachStore, noteFeedLost } from '../store/layout.ts';
import { FactsWriter } from '../store/writer/facts-writer.ts';
import { Supervisor } from './supervisor.ts';
import { HEARTBEAT_EVERY_MS, HUNG_AFTER_MS } from './threads/heartbeat.ts';
import type { ToLimits } from './threads/limits.worker.ts';

/** How long the ingest worker has to close its feed and flush its archive. */
const INGEST_STOP_GRACE_MS = 3_000;
/** How long the worker of limits has to settle with Redis one last time. */
const LIMITS_STOP_GRACE_MS = 2_000;

export interface WorkerOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly onRestart: () => void;
  readonly onCrashLoop: () => void;
}

export interface RunningWorkers {
  /** Lets each worker finish its work and then ends it. */
  stop(): Promise<void>;
}

/** The worker that fills the store. */
export interface RunningIngest extends RunningWorkers {
  /** Asks it to collect garbage. */
  collect(): void;
}

export interface IngestWorkerOptions extends WorkerOptions {
  readonly config: Config;
  readonly storeBuffer: SharedArrayBuffer;
  readonly metricsMemory: SharedArrayBuffer;
  /** The ring of the price history; null when the history is off. */
  readonly tapeMemory: SharedArrayBuffer | null;
  /** The content of FEED_MATCH, or null if it is not set. */
  readonly matchFile: unknown;
  readonly url: URL;
}

export const INGEST_WORKER_URL = new URL('../ingest/worker.ts', import.meta.url);
/**
 * The worker that fills the store of a node that serves another node's slate. It takes the same messages as
 * the ingest worker.
 */
export const FOLLOWER_WORKER_URL = new URL('../replication/worker.ts', import.meta.url);

/** Starts the ingest worker and keeps it alive until `stop`, which lets it close the feed and flush. */
export function startIngestWorker({
  config,
  storeBuffer,
  metricsMemory,
  tapeMemory,
  matchFile,
  url,
  ...options
}: IngestWorkerOptions): RunningIngest {
  const worker = new Supervisor<ToIngest>({
    ...options,
    name: config.role === 'serve' ? 'follower' : 'ingest',
    url,
    startMessage: {
      type: 'start',
      storeBuffer,
      metricsMemory,
      tapeMemory,
      config,
      matchFile,
      startMs: options.clock.wallMs(),
      heartbeatEveryMs: HEARTBEAT_EVERY_MS,
    },
    hungAfterMs: HUNG_AFTER_MS,
    withoutIt: 'no price changes: the slate ages, turns stale, and is refused once its window is over',
    // Record that the feed is disconnected: no other thread does until the next worker has opened the feed.
    onLost: () => {
      noteFeedLost(storeBuffer);
      noteNotJoined(storeBuffer, config.role);
    },
  });
  worker.start();
  return {
    stop: () => worker.stop({ type: 'stop' }, INGEST_STOP_GRACE_MS),
    collect: () => worker.post({ type: 'collect' }),
  };
}

/** Records that a node with a shared slate neither leads nor follows, until its worker reports otherwise. */
export function noteNotJoined(storeBuffer: SharedArrayBuffer, role: Config['role']): void {
  if (role === 'all') return;
  new FactsWriter(attachStore(storeBuffer)).setReplication(role === 'serve' ? 'leaderless' : 'waiting');
}

type LimitsWorkerOptions = WorkerOptions & Omit<Extract<ToLimits, { type: 'start' }>, 'type'>;

/**
 * Starts the worker that settles limits with Redis. Stop it after all serving threads have stopped admitting
 * requests.
 */
export function startLimitsWorker(options: LimitsWorkerOptions): RunningWorkers {
  const { clock, log, onRestart, onCrashLoop, ...start } = options;
  const worker = new Supervisor<ToLimits>({
    ...{ clock, log, onRestart, onCrashLoop },
    name: 'limits',
    url: new URL('./threads/limits.worker.ts', import.meta.url),
    startMessage: { type: 'start', ...start },
    hungAfterMs: HUNG_AFTER_MS,
    withoutIt: 'this node grants callers only its own share of their limits',
  });
  worker.start();
  return { stop: () => worker.stop({ type: 'stop' }, LIMITS_STOP_GRACE_MS) };
}
