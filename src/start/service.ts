// The whole service, wired: store, ingest worker, HTTP. Starts it and stops it in order. Tests and the stdio server
// start it in-process; main.ts is the command.

import { frozenClock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { startHttpThread } from './http-thread.ts';
import type { FromIngest, ToIngest } from './ingest/messages.ts';
import { createLog, type Log, writeStandardError } from './log.ts';
import { createStore } from './store/layout.ts';
import { Supervisor } from './supervisor.ts';

export interface Service {
  readonly url: string;
  readonly log: Log;
  /** Stops listening, finishes what is in flight, closes the feed, flushes. */
  stop(): Promise<void>;
}

const STOP_GRACE_MS = 5_000;

export async function startService(config: Config): Promise<Service> {
  const clock = config.feedNowMs === null ? systemClock : frozenClock(config.feedNowMs);
  const log = createLog({
    clock,
    json: config.production,
    level: config.logLevel,
    write: writeStandardError,
  });
  const startMs = clock.wallMs();
  const storeBuffer = createStore(systemClock.wallMs());
  const stopped = Promise.withResolvers<void>();
  const ingest = new Supervisor<ToIngest>({
    name: 'ingest',
    url: new URL('./ingest/worker.ts', import.meta.url),
    clock,
    log,
    startMessage: { type: 'start', storeBuffer, config, startMs },
    onMessage: (message) => {
      if ((message as FromIngest).type === 'stopped') stopped.resolve();
    },
  });
  ingest.start();
  const server = startHttpThread({
    config,
    clock,
    log,
    storeBuffer,
    gate: {
      admit: () => ({
        principal: { tier: 'enterprise', seesSharp: true, keyId: 'open' },
        refusal: null,
        limit: 60_000,
        remaining: 2_000,
        resetAtS: 0,
        daily: null,
      }),
      record: () => {},
    },
    nextRequestId: () => crypto.randomUUID(),
    observe: () => {},
  });
  const url = `http://${server.hostname.includes(':') ? `[${server.hostname}]` : server.hostname}:${server.port}`;
  log.info('listening', { url });
  if (config.feed.kind === 'simulator') log.warn('prices_are_simulated', { feed: 'simulator' });
  return {
    url,
    log,
    stop: async () => {
      await server.stop(STOP_GRACE_MS);
      ingest.expectStop();
      ingest.post({ type: 'stop' });
      await Promise.race([stopped.promise, Bun.sleep(STOP_GRACE_MS)]);
      ingest.terminate();
    },
  };
}
