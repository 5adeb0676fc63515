// The workers that main starts, keeps alive and ends: the ingest worker, and the HTTP threads besides main's own.

import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { ToIngest } from '../ingest/worker.ts';
import type { Log } from '../log.ts';
import { HTTP_STOP_GRACE_MS, type SharedHttpOptions, type ToHttp } from './http-thread.ts';
import { Supervisor } from './supervisor.ts';

/** Time for the ingest worker to close its feed and flush its archive. */
const INGEST_STOP_GRACE_MS = 3_000;
/** After its last requests an HTTP thread still closes its pool and its connections. */
const HTTP_CLOSE_GRACE_MS = 1_000;

interface WorkerOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly onRestart: () => void;
}

export interface RunningWorkers {
  /** Lets each finish what it has and ends it. */
  stop(): Promise<void>;
}

export interface IngestWorkerOptions extends WorkerOptions {
  readonly config: Config;
  readonly storeBuffer: SharedArrayBuffer;
}

/** Starts the ingest worker and keeps it alive until `stop`, which lets it close the feed and flush. */
export function startIngestWorker({ config, storeBuffer, ...options }: IngestWorkerOptions): RunningWorkers {
  const worker = new Supervisor<ToIngest>({
    ...options,
    name: 'ingest',
    url: new URL('../ingest/worker.ts', import.meta.url),
    startMessage: { type: 'start', storeBuffer, config, startMs: options.clock.wallMs() },
  });
  worker.start();
  return { stop: () => worker.stop({ type: 'stop' }, INGEST_STOP_GRACE_MS) };
}

export interface HttpWorkersOptions extends WorkerOptions {
  readonly shared: SharedHttpOptions;
  /** Scoring workers of each HTTP worker: as many HTTP workers as entries. */
  readonly scoringThreads: readonly number[];
}

/** Starts HTTP workers on main's port and keeps them alive; main listens before the first and while one is restarted. */
export function startHttpWorkers({ shared, scoringThreads, ...options }: HttpWorkersOptions): RunningWorkers {
  const workers = scoringThreads.map((count, index) => {
    const thread = index + 1;
    return new Supervisor<ToHttp>({
      ...options,
      name: `http ${thread}`,
      url: new URL('./http.worker.ts', import.meta.url),
      startMessage: { type: 'start', shared, thread, scoringThreads: count },
      onMessage: ({ type }) => {
        if (type === 'listening') options.log.debug('http_thread_listening', { thread });
      },
    });
  });
  for (const worker of workers) worker.start();
  return {
    stop: async () => {
      const graceMs = HTTP_STOP_GRACE_MS + HTTP_CLOSE_GRACE_MS;
      await Promise.all(workers.map((worker) => worker.stop({ type: 'stop' }, graceMs)));
    },
  };
}
