// Main's hold on the HTTP threads besides its own: starts them, keeps them alive, and ends them when what they had in
// flight is answered. Main listens before the first of them and holds the port while one is restarted.

import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { type FromHttp, HTTP_STOP_GRACE_MS, type SharedHttpOptions, type ToHttp } from './http-messages.ts';
import { Supervisor } from './supervisor.ts';

/** After its requests a thread still closes its pool and its connections. */
const CLOSE_GRACE_MS = 1_000;

export interface HttpWorkersOptions {
  readonly shared: SharedHttpOptions;
  readonly clock: Clock;
  readonly log: Log;
  /** Scoring workers of each HTTP worker: as many HTTP workers as entries. */
  readonly scoringThreads: readonly number[];
  readonly onRestart: () => void;
}

/** Starts the workers and keeps them alive until `stop`. */
export function startHttpWorkers(options: HttpWorkersOptions): { stop(): Promise<void> } {
  const workers = options.scoringThreads.map((scoringThreads, index) =>
    startOne(options, index + 1, scoringThreads),
  );
  return {
    stop: async () => {
      await Promise.all(workers.map((stop) => stop()));
    },
  };
}

/** @returns the function that ends it */
function startOne(options: HttpWorkersOptions, thread: number, scoringThreads: number): () => Promise<void> {
  const { shared, clock, log, onRestart } = options;
  const stopped = Promise.withResolvers<void>();
  const worker = new Supervisor<ToHttp>({
    name: `http ${thread}`,
    url: new URL('./http-worker.ts', import.meta.url),
    clock,
    log,
    startMessage: { type: 'start', shared, thread, scoringThreads },
    onMessage: (message) => {
      const { type } = message as FromHttp;
      if (type === 'stopped') stopped.resolve();
      else log.debug('http_thread_listening', { thread });
    },
    onRestart,
  });
  worker.start();
  return async () => {
    const gone = worker.expectStop();
    worker.post({ type: 'stop' });
    const late = setTimeout(stopped.resolve, HTTP_STOP_GRACE_MS + CLOSE_GRACE_MS);
    await Promise.race([stopped.promise, gone]);
    clearTimeout(late);
    worker.terminate();
  };
}
