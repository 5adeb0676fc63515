// The workers that main starts, keeps alive and ends: the ingest worker, the worker of accounts, and the HTTP threads.
// Main itself serves nothing: it starts them, watches them and writes what access control counts.

import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { ToIngest } from '../ingest/worker.ts';
import type { Log } from '../log.ts';
import { noteFeedLost } from '../store/layout.ts';
import type { ToAccounts } from './accounts.worker.ts';
import { BEAT_EVERY_MS, HUNG_AFTER_MS } from './beat.ts';
import { HTTP_STOP_GRACE_MS, type SharedHttpOptions, type ToHttp } from './http-thread.ts';
import type { ToLimits } from './limits.worker.ts';
import type { ServedConfig } from './requirements.ts';
import { Supervisor } from './supervisor.ts';

/** Time for the ingest worker to close its feed and flush its archive. */
const INGEST_STOP_GRACE_MS = 3_000;
/** After its last requests an HTTP thread still closes its pool and its connections. */
const HTTP_CLOSE_GRACE_MS = 1_000;
/** What is owed is settled a last time. */
const LIMITS_STOP_GRACE_MS = 2_000;
/** The worker of accounts has nothing under way once the HTTP threads have stopped. */
const ACCOUNTS_STOP_GRACE_MS = 1_000;

export const HTTP_WORKER_URL = new URL('./http.worker.ts', import.meta.url);

interface WorkerOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly onRestart: () => void;
  readonly onCrashLoop: () => void;
}

export interface RunningWorkers {
  /** Lets each finish what it has and ends it. */
  stop(): Promise<void>;
}

export interface IngestWorkerOptions extends WorkerOptions {
  readonly config: Config;
  readonly storeBuffer: SharedArrayBuffer;
  /** What FEED_MATCH holds, null without it. */
  readonly matchFile: unknown;
  readonly url: URL;
}

export const INGEST_WORKER_URL = new URL('../ingest/worker.ts', import.meta.url);

/** Starts the ingest worker and keeps it alive until `stop`, which lets it close the feed and flush. */
export function startIngestWorker({
  config,
  storeBuffer,
  matchFile,
  url,
  ...options
}: IngestWorkerOptions): RunningWorkers {
  const worker = new Supervisor<ToIngest>({
    ...options,
    name: 'ingest',
    url,
    startMessage: {
      type: 'start',
      storeBuffer,
      config,
      matchFile,
      startMs: options.clock.wallMs(),
      beatEveryMs: BEAT_EVERY_MS,
    },
    hungAfterMs: HUNG_AFTER_MS,
    withoutIt: 'the slate stands still: it ages, turns stale, and is refused once its window is over',
    // Until the next worker has opened the feed again nobody else would say that it is not connected.
    onLost: () => noteFeedLost(storeBuffer),
  });
  worker.start();
  return { stop: () => worker.stop({ type: 'stop' }, INGEST_STOP_GRACE_MS) };
}

export interface LimitsWorkerOptions extends WorkerOptions {
  readonly config: ServedConfig;
  readonly redisUrl: string;
  readonly accessMemory: SharedArrayBuffer;
  readonly leaseMemory: SharedArrayBuffer;
  readonly metricsMemory: SharedArrayBuffer;
}

/** Starts the worker that settles limits with Redis. Stop it when no HTTP thread takes any more. */
export function startLimitsWorker(options: LimitsWorkerOptions): RunningWorkers {
  const { clock, log, onRestart, onCrashLoop, ...start } = options;
  const worker = new Supervisor<ToLimits>({
    ...{ clock, log, onRestart, onCrashLoop },
    name: 'limits',
    url: new URL('./limits.worker.ts', import.meta.url),
    startMessage: { type: 'start', ...start },
    hungAfterMs: HUNG_AFTER_MS,
    withoutIt: "callers are given the share of their limits that is this node's",
  });
  worker.start();
  return { stop: () => worker.stop({ type: 'stop' }, LIMITS_STOP_GRACE_MS) };
}

export interface ServingWorkersOptions extends Omit<WorkerOptions, 'onRestart' | 'onCrashLoop'> {
  readonly shared: SharedHttpOptions;
  /** Scoring workers of each HTTP thread: as many HTTP threads as entries. */
  readonly scoringThreads: readonly number[];
  readonly onRestart: (worker: 'http' | 'accounts') => void;
  readonly onCrashLoop: (worker: 'http' | 'accounts') => void;
  readonly httpWorkerUrl: URL;
}

/** The HTTP threads, all on one port, and the worker of accounts that they call. */
export class ServingWorkers implements RunningWorkers {
  readonly #options: ServingWorkersOptions;
  readonly #accounts: Supervisor<ToAccounts>;
  readonly #http: readonly Supervisor<ToHttp>[];
  readonly #listening: PromiseWithResolvers<void>[];
  #isPaused = false;

  constructor(options: ServingWorkersOptions) {
    this.#options = options;
    const { scoringThreads, shared, onRestart, onCrashLoop, clock, log } = options;
    this.#accounts = new Supervisor<ToAccounts>({
      clock,
      log,
      name: 'accounts',
      url: new URL('./accounts.worker.ts', import.meta.url),
      startMessage: {
        type: 'start',
        config: shared.config,
        accessMemory: shared.accessMemory,
        metricsMemory: shared.metricsMemory,
      },
      hungAfterMs: HUNG_AFTER_MS,
      withoutIt: '/platform is answered 503; prices are served to keys that exist',
      onCrashLoop: () => onCrashLoop('accounts'),
      onRestart: () => onRestart('accounts'),
      onStart: () => {
        for (const thread of this.#http) this.#connect(thread);
      },
    });
    this.#listening = scoringThreads.map(() => Promise.withResolvers<void>());
    this.#http = scoringThreads.map((count, thread) => this.#httpThread(thread, count));
  }

  /** Starts all. @throws Error when a thread is lost before it listens for the first time */
  async start(): Promise<void> {
    this.#accounts.start();
    for (const thread of this.#http) thread.start();
    try {
      await Promise.all(this.#listening.map(({ promise }) => promise));
    } catch (error) {
      this.#accounts.terminate();
      for (const thread of this.#http) thread.terminate();
      throw error;
    }
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** No thread accepts connections from now on; those that are open are served. */
  pause(): void {
    this.#accept(false);
  }

  resume(): void {
    this.#accept(true);
  }

  /** Asks every HTTP thread to collect its garbage. */
  collect(): void {
    for (const thread of this.#http) thread.post({ type: 'collect' });
  }

  /** Tells every HTTP thread of clients that read nothing: each knows its own. */
  stuck(peers: readonly string[]): void {
    for (const thread of this.#http) thread.post({ type: 'stuck', peers });
  }

  async stop(): Promise<void> {
    const { stopDrainMs } = this.#options.shared.config;
    const graceMs = stopDrainMs + HTTP_STOP_GRACE_MS + HTTP_CLOSE_GRACE_MS;
    await Promise.all(this.#http.map((thread) => thread.stop({ type: 'stop' }, graceMs)));
    await this.#accounts.stop({ type: 'stop' }, ACCOUNTS_STOP_GRACE_MS);
  }

  #httpThread(thread: number, scoringThreads: number): Supervisor<ToHttp> {
    const { shared, onRestart, onCrashLoop, clock, log, httpWorkerUrl } = this.#options;
    const { resolve, reject } = this.#listening[thread]!;
    const supervisor = new Supervisor<ToHttp>({
      clock,
      log,
      name: `http ${thread}`,
      url: httpWorkerUrl,
      startMessage: { type: 'start', shared, thread, scoringThreads },
      hungAfterMs: HUNG_AFTER_MS,
      withoutIt: 'the other HTTP threads serve; with one thread the port is closed between two tries',
      onCrashLoop: () => onCrashLoop('http'),
      onRestart: () => onRestart('http'),
      onStart: () => this.#connect(supervisor),
      onLost: (reason) => reject(new Error(`Cannot start HTTP thread ${thread}: ${reason}`)),
      onMessage: ({ type }) => {
        if (type !== 'listening') return;
        log.debug('http_thread_listening', { thread });
        if (this.#isPaused) supervisor.post({ type: 'accept', isAccepting: false });
        resolve();
      },
    });
    return supervisor;
  }

  /** Gives an HTTP thread and the worker of accounts the two ends of new channels, once both run. */
  #connect(thread: Supervisor<ToHttp>): void {
    if (!this.#accounts.isRunning || !thread.isRunning) return;
    for (const callee of ['accounts', 'archive'] as const) {
      const { port1, port2 } = new MessageChannel();
      this.#accounts.post({ type: 'caller', callee, port: port1 }, [port1]);
      thread.post({ type: 'port', callee, port: port2 }, [port2]);
    }
  }

  #accept(isAccepting: boolean): void {
    this.#isPaused = !isAccepting;
    for (const thread of this.#http) thread.post({ type: 'accept', isAccepting });
  }
}
