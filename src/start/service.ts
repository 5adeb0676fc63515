// The whole service, wired: database, store, ingest worker, access control, HTTP. Starts it and stops it in order.
// run-server.ts runs it in the foreground; tests and the stdio server start it in-process.

import { resolve } from 'node:path';
import { SharedTime } from '../access/beat.ts';
import { AccessKeeper } from '../access/keeper.ts';
import { createLeaseMemory } from '../access/leases.ts';
import { ADDRESS_SLOTS_MAX, KEY_SLOTS_MAX } from '../access/limits.ts';
import { attachAccessMemory, createAccessMemory } from '../access/memory.ts';
import { createStreamMemory, streamCountOf } from '../access/stream-places.ts';
import { createTicketMemory, Tickets } from '../access/tickets.ts';
import { DEVELOPMENT_KEY_LABEL, ensureDevelopmentKey } from '../accounts/key-service.ts';
import type { KeyRepository } from '../accounts/repository.ts';
import { type Clock, clockOf, systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { isInRanges, parseAddress, parseAddressRange } from '../ip-address.ts';
import { BoundedLog, type Log, serviceLog } from '../log.ts';
import { PostgresPool } from '../postgres.ts';
import { PROGRAM_COMMAND } from '../program-files.ts';
import { createStore } from '../store/layout.ts';
import type { CrashCounters } from '../telemetry/crash-guards.ts';
import {
  attachMetricsMemory,
  createMetricsMemory,
  NodeNumbers,
  SharedValues,
} from '../telemetry/metrics-memory.ts';

import { keepBuckets } from './bucket-file.ts';
import { requireCertificate } from './certificate.ts';
import { descriptorLimit, openDescriptorCount, watchConnections } from './connection-watch.ts';
import { watchMemory } from './memory-watch.ts';
import { connectionTableOf } from './open-connections.ts';
import { fillRandom } from './random.ts';
import {
  readMatchFile,
  requireDataDir,
  requireExchange,
  requireMappedBookmakers,
  requireRecordings,
  takeAddress,
  urlOf,
  warnOfOpenFolder,
} from './requirements.ts';
import { requireRoster } from './roster.ts';
import { lockDataDir } from './server-lock.ts';
import { openServiceDatabase } from './service-database.ts';
import { keepSlate, keepsSlate } from './slate-file.ts';
import type { Tooling } from './tooling.ts';
import { addressOf, watchUnread } from './unread-watch.ts';
import {
  FOLLOWER_WORKER_URL,
  HTTP_WORKER_URL,
  INGEST_WORKER_URL,
  noteNotJoined,
  QUERY_WORKER_URL,
  ServingWorkers,
  startIngestWorker,
  startLimitsWorker,
} from './workers.ts';

export interface Service {
  readonly url: string;
  readonly log: Log;
  readonly clock: Clock;
  /** Queries and tools for a caller in this process; HTTP threads have their own. Closed by the caller, before `stop`. */
  openTooling(): Promise<Tooling>;
  /** Set on a first development start: an enterprise key, shown once. */
  readonly developmentKey: string | null;
  /** Where main counts the late failures it survives. */
  readonly crashCounters: CrashCounters;
  /** Stops listening, finishes what is in flight, closes the feed, flushes. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Whether a first development start makes its key and logs it; default true. Off where nobody reads the log. */
  readonly makesDevelopmentKey?: boolean;
  /** Whether another server may run on the same data folder, as beside a server on stdio; default false. */
  readonly sharesDataDir?: boolean;
  /** The entry of HTTP threads; tests have one whose thread dies as it is told. */
  readonly httpWorkerUrl?: URL;
  /** The same of the query thread. */
  readonly queryWorkerUrl?: URL;
  /** The same of the ingest worker. */
  readonly ingestWorkerUrl?: URL;
}

/** @throws ConfigError, or an Error for the operator when the database cannot be used or the port is taken */
export async function startService(settings: Config, options: StartOptions = {}): Promise<Service> {
  requireRoster(settings.bookmakers);
  await requireRecordings(settings);
  requireMappedBookmakers(settings);
  requireExchange(settings);
  requireCertificate(settings.tls);
  const matchFile = readMatchFile(settings);
  requireDataDir(settings);
  const unlock = options.sharesDataDir === true ? () => {} : lockDataDir(settings.dataDir);
  try {
    return await startInFolder(settings, { ...options, matchFile, unlock });
  } catch (error) {
    unlock();
    throw error;
  }
}

interface FolderOptions extends StartOptions {
  readonly matchFile: unknown;
  /** Gives the data folder back. */
  readonly unlock: () => void;
}

async function startInFolder(
  settings: Config,
  { matchFile, unlock, ...options }: FolderOptions,
): Promise<Service> {
  const keeperLog = new BoundedLog(serviceLog(settings), systemClock, { countMax: 3, windowMs: 60_000 });
  const onKeeperError = (error: unknown): void =>
    keeperLog.warn('access_keeper_failed', { error: String(error) });
  const metricsMemory = createMetricsMemory(settings.httpThreads + 1);
  const values = new SharedValues(attachMetricsMemory(metricsMemory), null);
  const numbers = new NodeNumbers(attachMetricsMemory(metricsMemory));
  const database = await openServiceDatabase({
    config: settings,
    numbers,
    clock: systemClock,
    log: serviceLog(settings),
    setsAside: options.sharesDataDir !== true,
    onError: onKeeperError,
    onDamageLook: ({ rows, indexes }) => {
      values.set('damaged_rows', rows);
      values.set('damaged_indexes', indexes);
    },
  });
  const address = takeAddress(settings);
  const { config } = address;
  const clock = clockOf(config.feedNowMs);
  const log = serviceLog(config);
  // A follower's epoch is its leader's.
  const storeBuffer = createStore(config.role === 'serve' ? 0 : systemClock.wallMs());
  noteNotJoined(storeBuffer, config.role);
  const endKeeping =
    keepsSlate(config) && options.sharesDataDir !== true ? keepSlate({ storeBuffer, config, log }) : null;
  const ingest = startIngestWorker({
    config,
    clock,
    log,
    storeBuffer,
    metricsMemory,
    matchFile,
    onRestart: () => values.count('ingest_restart'),
    onCrashLoop: () => values.count('ingest_crash_loop'),
    url: options.ingestWorkerUrl ?? (config.role === 'serve' ? FOLLOWER_WORKER_URL : INGEST_WORKER_URL),
  });
  const accessMemory = createAccessMemory({ seed: randomInt32(), startedAtMs: systemClock.wallMs() });
  // A node that runs feeds lets nobody in.
  const limitsUrl = config.role === 'ingest' ? null : config.redisUrl;
  const leaseMemory =
    limitsUrl === null ? null : createLeaseMemory({ keys: KEY_SLOTS_MAX, addresses: ADDRESS_SLOTS_MAX });
  const keeper = new AccessKeeper({
    memory: accessMemory,
    leaseMemory,
    store: database.counts,
    directory: database.directory,
    clock: systemClock,
    onError: onKeeperError,
  });
  const endBuckets = options.sharesDataDir === true ? null : keepBuckets(keeper, config.dataDir, log);
  keeper.start();
  const limits =
    limitsUrl === null || leaseMemory === null
      ? null
      : startLimitsWorker({
          ...{ config, redisUrl: limitsUrl, accessMemory, leaseMemory, metricsMemory, log },
          clock: systemClock,
          onRestart: () => values.count('limits_restart'),
          onCrashLoop: () => values.count('limits_crash_loop'),
        });
  const makesKey = config.role !== 'ingest' && !config.production && (options.makesDevelopmentKey ?? true);
  const { keys } = database;
  const developmentKey = makesKey ? await database.atStart(() => developmentKeyOf(keys, log)) : null;
  if (developmentKey === null) await database.atStart(() => logKeys(keys, log));
  const streamMemory = createStreamMemory();
  const ticketMemory = createTicketMemory();
  const workers = new ServingWorkers({
    shared: {
      config,
      storeBuffer,
      accessMemory,
      metricsMemory,
      streamMemory,
      ticketMemory,
      leaseMemory,
    },
    clock: systemClock,
    log,
    onRestart: (worker) => values.count(`${worker}_restart`),
    onCrashLoop: (worker) => values.count(`${worker}_crash_loop`),
    httpWorkerUrl: options.httpWorkerUrl ?? HTTP_WORKER_URL,
    queryWorkerUrl: options.queryWorkerUrl ?? QUERY_WORKER_URL,
  });
  try {
    await workers.start();
  } catch (error) {
    await limits?.stop();
    await ingest.stop();
    keeper.stop();
    await database.close();
    throw error;
  } finally {
    address.release();
  }
  const endMemoryWatch = watchMemory(() => workers.collect());
  const endedLog = new BoundedLog(log, systemClock, { countMax: 10, windowMs: 60_000 });
  const endWatch = watchConnections({
    acceptor: workers,
    openCount: openDescriptorCount,
    limit: descriptorLimit(),
    table: connectionTableOf(config.port),
    perAddressMax: config.connectionsPerAddress ?? Math.max(256, Math.floor(descriptorLimit() / 8)),
    isProxy: proxies(config.trustedProxies),
    onEnded: (count) => endedLog.warn('connections_ended', { count }),
    onChange: (isPaused, openCount) =>
      log.error(isPaused ? 'accepting_paused' : 'accepting_resumed', { openCount }),
    onError: (error) => log.error('connection_watch_failed', { error: String(error) }),
  });
  const endUnreadWatch = watchUnread({
    port: config.port,
    streamCount: () => streamCountOf(streamMemory),
    monotonicMs: systemClock.monotonicMs,
    onStuck: (peers) => workers.stuck(peers),
    onError: (error) => log.error('unread_watch_failed', { error: String(error) }),
  });
  const url = urlOf(config);
  log.info('listening', {
    url,
    mode: config.production ? 'production' : 'development',
    threads: config.httpThreads,
    data_dir: resolve(config.dataDir),
  });
  if (makesKey) {
    const thread = config.httpThreads + 1;
    const link = await database.atStart(() => boardLink({ url, keys, accessMemory, ticketMemory, thread }));
    if (link !== null) log.info('board', { open: link, good_for: '30 s, once' });
  }
  warnOfOpenFolder(config, log);
  if (config.feeds.some(({ kind }) => kind === 'simulator')) {
    log.warn('prices_are_simulated', { feed: 'simulator' });
  }
  if (config.role !== 'all' && config.databaseUrl === null) {
    log.warn('node_stores_alone', {
      role: config.role,
      fix: 'Set DATABASE_URL: else this node knows no account, key, opening or result of the others',
    });
  }
  return {
    url,
    log,
    clock,
    // Imported here, so that a main that only starts workers does not load what they are made of.
    openTooling: async () => {
      const [{ createTooling }, { openArchive }] = await Promise.all([
        import('./tooling.ts'),
        import('./archive.ts'),
      ]);
      const { databaseUrl } = config;
      const pool = databaseUrl === null ? null : new PostgresPool({ url: databaseUrl, connections: 2 });
      const archive = openArchive(config, pool);
      const tooling = createTooling({ config, log, storeBuffer, scoringThreads: 1 }, archive.calls);
      return {
        ...tooling,
        close: async () => {
          await tooling.close();
          archive.close();
          await pool?.close();
        },
      };
    },
    developmentKey,
    crashCounters: values,
    stop: async () => {
      endMemoryWatch();
      endWatch();
      endUnreadWatch();
      await workers.stop();
      await limits?.stop();
      await ingest.stop();
      await endKeeping?.();
      endBuckets?.();
      keeper.stop();
      await database.close();
      unlock();
    },
  };
}

/** On a first development start: makes one enterprise key, so that whoever tries the API sees the sharp book too. */
async function developmentKeyOf(keys: KeyRepository, log: Log): Promise<string | null> {
  const shown = await ensureDevelopmentKey({
    keys,
    clock: systemClock,
    fillRandom,
  });
  if (shown === null) return null;
  log.info('development_key', {
    key: shown.text,
    tier: shown.record.tier,
    another: `${PROGRAM_COMMAND} keys create --tier standard`,
  });
  return shown.text;
}

interface BoardLinkParts {
  readonly url: string;
  readonly keys: KeyRepository;
  readonly accessMemory: SharedArrayBuffer;
  readonly ticketMemory: SharedArrayBuffer;
  /** A number that no serving thread has. */
  readonly thread: number;
}

/** The board with a ticket of the development key, so that the first look is a live one; null when that key is gone. */
async function boardLink({
  url,
  keys,
  accessMemory,
  ticketMemory,
  thread,
}: BoardLinkParts): Promise<string | null> {
  const hash = await keys.findOperatorHash(DEVELOPMENT_KEY_LABEL);
  if (hash === null) return null;
  const time = new SharedTime(attachAccessMemory(accessMemory), systemClock);
  const ticket = new Tickets(ticketMemory, { thread, fillRandom }).issue(hash, time.nowMs());
  return `${url}/?ticket=${ticket}`;
}

/** Which key there is, without its text, and how to make another. */
async function logKeys(keys: KeyRepository, log: Log): Promise<void> {
  const active = (await keys.listAllKeys()).filter((key) => key.status === 'active');
  const newest = active.at(-1);
  log.info('keys', {
    active: active.length,
    ...(newest === undefined ? {} : { newest: `isk_…${newest.lastFour}`, tier: newest.tier }),
    another: `${PROGRAM_COMMAND} keys create --tier standard`,
  });
}

/** Whether an address, as /proc/net/tcp writes it, is a trusted proxy's. */
function proxies(trusted: readonly string[]): (address: string) => boolean {
  const ranges = trusted.map(parseAddressRange).filter((range) => range !== null);
  return (hex) => {
    const address = parseAddress(addressOf(hex));
    return address !== null && isInRanges(address, ranges);
  };
}

function randomInt32(): number {
  return new Int32Array(fillRandom(new Uint8Array(4)).buffer)[0]!;
}
