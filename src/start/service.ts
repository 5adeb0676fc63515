// Wires the whole service: database, store, ingest worker, access control, HTTP. Starts it and stops it in
// order. run-server.ts runs it in the foreground; tests and the stdio server start it in-process.

import { resolve } from 'node:path';
import { createSharesMemory } from '../access/quotas/fair-shares.ts';
import { memoryBudgetBytes, memoryShares } from '../access/quotas/memory-budget.ts';
import { createStreamMemory } from '../access/quotas/stream-places.ts';
import { createTicketMemory } from '../access/tickets.ts';
import { type Clock, clockOf, systemClock } from '../clock.ts';
import { BOOKMAKERS } from '../domain/catalogue.ts';
import { HIDDEN_PRICES_FIX, hiddenPricesText } from '../feed/bookmaker-owners.ts';
import { HISTORY_RING_RECORDS } from '../limits.ts';
import { BoundedLog, type Log, serviceLog } from '../log.ts';
import type { CrashCounters } from '../platform/crash-guards.ts';
import { freshMemory } from '../platform/fresh-memory.ts';
import { ThreadGarbage } from '../platform/thread-garbage.ts';
import type { Config } from '../settings/config.ts';
import { writeServerAddress } from '../storage/server-address.ts';
import { createStore, DEFAULT_CAPACITY } from '../store/layout.ts';
import { SlateReader } from '../store/reader.ts';
import { createTapeRing } from '../store/tape-ring.ts';
import { attachMetricsMemory, createMetricsMemory, SharedValues } from '../telemetry/metrics-memory.ts';
import { NodeNumbers } from '../telemetry/node-numbers.ts';
import { startAccess } from './access-control.ts';
import { readCertificate } from './certificate.ts';
import { lockDataDir, requireHistoryDir } from './data/server-lock.ts';
import { openServiceDatabase, type ServiceDatabase } from './data/service-database.ts';
import { keepSlate, keepsSlate } from './data/slate-file.ts';
import { type BoardLinkParts, boardLink, keyAtStart } from './keys-at-start.ts';
import {
  readMatchFile,
  requireDataDir,
  requireExchange,
  requireMappedBookmakers,
  requireRecordings,
  type ServedConfig,
  takeAddress,
  urlOf,
  warnOfOpenFolder,
} from './requirements.ts';
import { requireRoster } from './roster.ts';
import { watchServing } from './serving-watches.ts';
import { SERVING_WORKER_URLS, ServingWorkers, type ServingWorkerUrls } from './serving-workers.ts';
import { randomInt32 } from './threads/random.ts';
import type { SharedServing } from './threads/serving-thread.ts';
import type { Tooling } from './threads/tooling.ts';
import {
  FOLLOWER_WORKER_URL,
  INGEST_WORKER_URL,
  noteNotJoined,
  type RunningIngest,
  startIngestWorker,
} from './workers.ts';

/** How long a serving node waits for the slate before it listens. After that it listens without one. */
const FIRST_SLATE_WAIT_MS = 2_000;
const FIRST_SLATE_CHECK_MS = 10;

export interface Service {
  readonly url: string;
  readonly log: Log;
  readonly clock: Clock;
  /**
   * Queries and tools for a caller in this process; HTTP threads have their own. The caller closes them
   * before `stop`.
   */
  openTooling(): Promise<Tooling>;
  /** Set on a first development start: an enterprise key, shown once. */
  readonly developmentKey: string | null;
  /** Counts the late failures that the main thread survives. */
  readonly crashCounters: CrashCounters;
  /** Stops listening, finishes what is in flight, closes the feed, flushes. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /**
   * Whether a first development start creates a key and logs it; default true. Set it to false if nobody
   * reads the log.
   */
  readonly makesDevelopmentKey?: boolean;
  /** Entry modules that replace those of workers. Tests pass some whose threads die on request. */
  readonly workerUrls?: Partial<ServingWorkerUrls & { readonly ingest: URL }>;
}

/** @throws ConfigError, or an Error for the operator if the database cannot be used or the port is taken */
export async function startService(settings: Config, options: StartOptions = {}): Promise<Service> {
  requireRoster(settings.bookmakers);
  await requireRecordings(settings);
  requireMappedBookmakers(settings);
  requireExchange(settings);
  if (settings.tls !== null) readCertificate(settings.tls); // refuses an unusable one before anything runs
  const matchFile = readMatchFile(settings);
  requireDataDir(settings);
  const unlock = lockDataDir(settings.dataDir);
  try {
    requireHistoryDir(settings);
    return await startInFolder(settings, { ...options, matchFile, unlock });
  } catch (error) {
    unlock();
    throw error;
  }
}

interface FolderOptions extends StartOptions {
  readonly matchFile: unknown;
  /** Unlocks the data folder. */
  readonly unlock: () => void;
}

async function startInFolder(settings: Config, { unlock, ...options }: FolderOptions): Promise<Service> {
  const keeperLog = new BoundedLog(serviceLog(settings), systemClock, { countMax: 3, windowMs: 60_000 });
  const onError = (error: unknown): void => keeperLog.warn('access_keeper_failed', { error: String(error) });
  const metricsMemory = createMetricsMemory(settings.httpThreads + 1);
  const values = new SharedValues(attachMetricsMemory(metricsMemory), null);
  const database = await openWatchedDatabase(settings, { metricsMemory, values, onError });
  const address = takeAddress(settings);
  const { config } = address;
  const log = serviceLog(config);
  const parts: Parts = { config, log, clock: clockOf(config.feedNowMs), metricsMemory, values, database };
  const slate = startSlate(parts, options);
  const access = startAccess({ ...parts, onError });
  const developmentKey = await keyAtStart(database, log, makesKey(config, options));
  const shared = createSharedMemory(config);
  const { storeBuffer, tapeMemory } = slate;
  const { accessMemory, leaseMemory } = access;
  const memories = { metricsMemory, storeBuffer, tapeMemory, accessMemory, leaseMemory, ...shared };
  const hiddenPrices = hiddenPricesText(config, BOOKMAKERS);
  const workers = servingWorkers({ config, hiddenPrices, ...memories }, parts, options);
  try {
    if (config.role === 'serve') await firstSlate(storeBuffer);
    await workers.start();
  } catch (error) {
    await access.stopLimits();
    await slate.ingest.stop();
    access.stopKeeper();
    await database.close();
    throw error;
  } finally {
    address.release();
  }
  const garbage = ThreadGarbage.inBackground();
  const collect = (): void => {
    garbage.collect();
    workers.collect();
    slate.ingest.collect();
  };
  const { streamMemory } = shared;
  const endWatches = watchServing({ config, log, workers, collect, accessMemory, streamMemory });
  await reportStart(parts, makesKey(config, options) ? { accessMemory, ...shared } : null);
  return {
    url: urlOf(config),
    log,
    clock: parts.clock,
    openTooling: () => openTooling({ config, log, storeBuffer }),
    developmentKey,
    crashCounters: values,
    stop: async () => {
      endWatches();
      await workers.stop();
      await access.stopLimits();
      await slate.ingest.stop();
      await workers.stopHistory();
      await slate.keep();
      access.writeBuckets();
      access.stopKeeper();
      await database.close();
      unlock();
    },
  };
}

/** Opens the database; the metrics show the damage that its checks find. */
function openWatchedDatabase(
  config: Config,
  { metricsMemory, values, onError }: Pick<Parts, 'metricsMemory' | 'values'> & { onError: OnError },
) {
  return openServiceDatabase({
    config,
    numbers: new NodeNumbers(attachMetricsMemory(metricsMemory)),
    clock: systemClock,
    log: serviceLog(config),
    onError,
    onDamageCheck: ({ rows, indexes }) => {
      values.set('damaged_rows', rows);
      values.set('damaged_indexes', indexes);
    },
  });
}

type OnError = (error: unknown) => void;

/** What serving threads share among themselves. */
function createSharedMemory({ memoryBudgetMb, httpThreads }: ServedConfig) {
  const shares = memoryShares(memoryBudgetBytes(memoryBudgetMb));
  return {
    streamMemory: createStreamMemory(),
    ticketMemory: createTicketMemory(),
    budgetMemory: createSharesMemory(shares, httpThreads + 1, randomInt32()),
  };
}

/** What the steps of a start share. */
interface Parts {
  readonly config: ServedConfig;
  readonly log: Log;
  /** The clock that fixtures are timed by, which may stand still. */
  readonly clock: Clock;
  readonly metricsMemory: SharedArrayBuffer;
  readonly values: SharedValues;
  readonly database: ServiceDatabase;
}

interface RunningSlate {
  readonly storeBuffer: SharedArrayBuffer;
  readonly tapeMemory: SharedArrayBuffer | null;
  readonly ingest: RunningIngest;
  /** Writes the slate to its file one last time, if it is kept in one. */
  keep(): Promise<void>;
}

/** Creates the store, restores the saved slate into it, and starts the worker that fills it. */
function startSlate(
  { config, log, clock, metricsMemory, values }: Parts,
  options: Pick<FolderOptions, 'matchFile' | 'workerUrls'>,
): RunningSlate {
  // A serving node takes its leader's epoch when it follows one; until then its epoch is 0.
  const epochMs = config.role === 'serve' ? 0 : systemClock.wallMs();
  const storeBuffer = createStore(epochMs, DEFAULT_CAPACITY, null, freshMemory);
  noteNotJoined(storeBuffer, config.role);
  const keepLast = keepsSlate(config) ? keepSlate({ storeBuffer, config, log }) : null;
  const tapeMemory = tapeMemoryOf(config);
  const ingest = startIngestWorker({
    ...{ config, clock, log, storeBuffer, metricsMemory, tapeMemory },
    matchFile: options.matchFile,
    onRestart: () => values.count('ingest_restart'),
    onCrashLoop: () => values.count('ingest_crash_loop'),
    url: options.workerUrls?.ingest ?? (config.role === 'serve' ? FOLLOWER_WORKER_URL : INGEST_WORKER_URL),
  });
  return {
    storeBuffer,
    tapeMemory,
    ingest,
    keep: async () => {
      await keepLast?.();
    },
  };
}

/**
 * The ring of the price history; null when it is off. A serving node reads the history and records nothing,
 * so its ring is as small as can be. With FEED_NOW the clock stands still, so there is no history.
 */
function tapeMemoryOf({ historyDays, feedNowMs, role }: Config): SharedArrayBuffer | null {
  if (historyDays === 0 || feedNowMs !== null) return null;
  const id = randomInt32() >>> 1 || 1;
  return createTapeRing(role === 'serve' ? 1 : HISTORY_RING_RECORDS, id);
}

/** Whether to create a development key if there is no key, with a link that opens the board. */
function makesKey({ role, production }: Config, { makesDevelopmentKey = true }: StartOptions): boolean {
  return role !== 'ingest' && !production && makesDevelopmentKey;
}

function servingWorkers(
  shared: SharedServing,
  { log, values }: Parts,
  { workerUrls }: StartOptions,
): ServingWorkers {
  return new ServingWorkers({
    shared,
    clock: systemClock,
    log,
    onRestart: (worker) => values.count(`${worker}_restart`),
    onCrashLoop: (worker) => values.count(`${worker}_crash_loop`),
    urls: { ...SERVING_WORKER_URLS, ...workerUrls },
  });
}

/**
 * Logs where the server listens, how to open the board, and what the operator should know about these
 * settings.
 */
async function reportStart(
  { config, log, database }: Parts,
  memory: Pick<BoardLinkParts, 'accessMemory' | 'ticketMemory'> | null,
): Promise<void> {
  const url = urlOf(config);
  writeServerAddress(config.dataDir, url);
  log.info('listening', {
    url,
    mode: config.production ? 'production' : 'development',
    threads: config.httpThreads,
    data_dir: resolve(config.dataDir),
  });
  if (memory !== null) {
    const parts = { ...memory, url, keys: database.keys, thread: config.httpThreads + 1 };
    const link = await database.atStart(() => boardLink(parts));
    if (link !== null) log.info('board', { open: link, good_for: '10 minutes, once' });
  }
  warnOfOpenFolder(config, log);
  if (config.feeds.some(({ kind }) => kind === 'simulator')) {
    log.warn('prices_are_simulated', { feed: 'simulator' });
  }
  const hidden = hiddenPricesText(config, BOOKMAKERS);
  if (hidden !== null) log.warn('prices_are_hidden', { why: hidden, fix: HIDDEN_PRICES_FIX });
  if (config.role !== 'all' && config.databaseUrl === null) {
    log.warn('node_stores_alone', {
      role: config.role,
      fix: 'Set DATABASE_URL: otherwise this node knows no account, key, opening or result of the others',
    });
  }
}

/**
 * Opens queries and tools in this process. Imports its modules only when called, so that a main thread that
 * only starts workers does not load them.
 */
async function openTooling(parts: {
  readonly config: Config;
  readonly log: Log;
  readonly storeBuffer: SharedArrayBuffer;
}): Promise<Tooling> {
  const [{ createTooling }, { openArchive }] = await Promise.all([
    import('./threads/tooling.ts'),
    import('./data/archive.ts'),
  ]);
  const archive = openArchive(parts.config);
  const tooling = createTooling({ ...parts, scoringThreads: 1 }, { archive: archive.calls });
  return {
    ...tooling,
    close: async () => {
      await tooling.close();
      await archive.close();
    },
  };
}

/**
 * Waits until a serving node has the slate, or for FIRST_SLATE_WAIT_MS. A proxy that only notices that the
 * port is open would otherwise send it polls that it has to refuse.
 */
async function firstSlate(storeBuffer: SharedArrayBuffer): Promise<void> {
  const reader = new SlateReader(storeBuffer);
  const giveUpAtMs = systemClock.monotonicMs() + FIRST_SLATE_WAIT_MS;
  while (!reader.feed().snapshotComplete && systemClock.monotonicMs() < giveUpAtMs) {
    await Bun.sleep(FIRST_SLATE_CHECK_MS);
  }
}
