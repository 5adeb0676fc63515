// Main's hold on the ingest worker: starts it, keeps it alive, and ends it with its feed closed and its archive flushed.

import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { FromIngest, ToIngest } from '../ingest/messages.ts';
import type { Log } from '../log.ts';
import { Supervisor } from './supervisor.ts';

const STOP_GRACE_MS = 3_000;

export interface IngestOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly storeBuffer: SharedArrayBuffer;
  readonly onRestart: () => void;
}

/** Starts the worker and keeps it alive until `stop`, which lets it close the feed and flush. */
export function startIngest(options: IngestOptions): { stop(): Promise<void> } {
  const { config, clock, log, storeBuffer, onRestart } = options;
  const stopped = Promise.withResolvers<void>();
  const worker = new Supervisor<ToIngest>({
    name: 'ingest',
    url: new URL('../ingest/worker.ts', import.meta.url),
    clock,
    log,
    startMessage: { type: 'start', storeBuffer, config, startMs: clock.wallMs() },
    onMessage: (message) => {
      if ((message as FromIngest).type === 'stopped') stopped.resolve();
    },
    onRestart,
  });
  worker.start();
  return {
    stop: async () => {
      const gone = worker.expectStop();
      worker.post({ type: 'stop' });
      const grace = setTimeout(stopped.resolve, STOP_GRACE_MS);
      await Promise.race([stopped.promise, gone]);
      clearTimeout(grace);
      worker.terminate();
    },
  };
}
