// The whole service, wired: database, store, ingest worker, access control, HTTP. Starts it and stops it in order.
// main.ts is the command; tests and the stdio server start it in-process.

import { join } from 'node:path';
import { DAILY_COUNTS_SCHEMA } from '../access/daily-counts.ts';
import { AccessKeeper } from '../access/keeper.ts';
import { mintKey } from '../access/key-format.ts';
import { createAccessMemory } from '../access/memory.ts';
import { SqliteKeyDirectory } from '../accounts/key-directory.ts';
import { ensureDevelopmentKey } from '../accounts/operator-keys.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../accounts/schema.ts';
import { SqliteKeyRepository } from '../accounts/sqlite-key-repository.ts';
import { ARCHIVE_SCHEMA } from '../archive/schema.ts';
import { type Clock, frozenClock, systemClock } from '../clock.ts';
import { type Config, ConfigError } from '../config.ts';
import { DATABASE_NAME, openDatabase } from '../database.ts';
import { checkRecording } from '../feed/replay/client.ts';
import type { FromIngest, ToIngest } from '../ingest/messages.ts';
import { createLog, type Log, writeStandardError } from '../log.ts';
import { createStore } from '../store/layout.ts';
import { fillRandom } from './accounts.ts';
import { startHttpThread, type Tooling } from './http-thread.ts';
import { Supervisor } from './supervisor.ts';

export interface Service {
  readonly url: string;
  readonly log: Log;
  readonly clock: Clock;
  /** The use cases and tools of the first HTTP thread, for callers in this process. */
  readonly tooling: Tooling;
  /** Set on a first development start: an enterprise key, shown once. */
  readonly developmentKey: string | null;
  /** Stops listening, finishes what is in flight, closes the feed, flushes. */
  stop(): Promise<void>;
}

const STOP_GRACE_MS = 5_000;

/** @throws ConfigError, or an Error for the operator when the database cannot be used or the port is taken */
export async function startService(config: Config): Promise<Service> {
  await requireRecording(config);
  const clock = config.feedNowMs === null ? systemClock : frozenClock(config.feedNowMs);
  const log = createLog({
    clock,
    json: config.production,
    level: config.logLevel,
    write: writeStandardError,
  });
  const database = openDatabase({
    path: join(config.dataDir, DATABASE_NAME),
    schemas: [ACCOUNTS_SCHEMA, KEYS_SCHEMA, DAILY_COUNTS_SCHEMA, ARCHIVE_SCHEMA],
    create: true,
  });
  const storeBuffer = createStore(systemClock.wallMs());
  const ingest = startIngest({ config, clock, log, storeBuffer });
  const accessMemory = createAccessMemory({ seed: randomInt32(), startedAtMs: clock.wallMs() });
  const keeper = new AccessKeeper({
    memory: accessMemory,
    database,
    directory: new SqliteKeyDirectory(database),
    clock,
    onError: (error) => log.error('access_keeper_failed', { error: String(error) }),
  });
  keeper.start();
  const developmentKey = config.production ? null : await developmentKeyOf(database, clock, log);
  const http = startHttpThread({
    config,
    clock,
    log,
    storeBuffer,
    accessMemory,
    scoringThreads: config.scoringThreads,
  });
  const url = urlOf(http.server);
  log.info('listening', { url });
  if (config.feed.kind === 'simulator') log.warn('prices_are_simulated', { feed: 'simulator' });
  return {
    url,
    log,
    clock,
    tooling: http.tooling,
    developmentKey,
    stop: async () => {
      await http.server.stop(STOP_GRACE_MS);
      await http.close();
      await ingest.stop();
      keeper.stop();
      database.close();
    },
  };
}

/** What is no recording stops the start with the setting's name, rather than a worker again and again. */
async function requireRecording({ feed }: Config): Promise<void> {
  if (feed.kind !== 'replay') return;
  await checkRecording(feed.path).catch(() => {
    const allowed = 'replay:<file> with a recording, a file whose first line is a hello message';
    throw new ConfigError('FEED', `replay:${feed.path}`, allowed);
  });
}

function startIngest(options: {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly storeBuffer: SharedArrayBuffer;
}): { stop(): Promise<void> } {
  const { config, clock, log, storeBuffer } = options;
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

/** On a first development start: one enterprise key, so that the next curl sees the sharp book. */
async function developmentKeyOf(
  database: ReturnType<typeof openDatabase>,
  clock: Clock,
  log: Log,
): Promise<string | null> {
  const shown = await ensureDevelopmentKey({
    keys: new SqliteKeyRepository(database),
    clock,
    fillRandom,
    mintKey: () => mintKey(fillRandom),
  });
  if (shown === null) return null;
  log.info('development_key', { key: shown.text, tier: shown.record.tier });
  return shown.text;
}

function randomInt32(): number {
  return new Int32Array(fillRandom(new Uint8Array(4)).buffer)[0]!;
}

function urlOf({ hostname, port }: { readonly hostname: string; readonly port: number }): string {
  return `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
}
