// The workers that answer requests: the HTTP threads, the query thread, and the workers of accounts, history
// and alerts. The main thread starts them, keeps them alive, connects them with each other and ends them. It
// serves no requests itself.

import { clearShares } from '../access/quotas/fair-shares.ts';
import { writeTapeReport } from '../store/tape-ring.ts';
import { Supervisor } from './supervisor.ts';
import type { ToAlerts } from './threads/alerts.worker.ts';
import { CALLEES, type ToAccounts } from './threads/callees.ts';
import { HUNG_AFTER_MS } from './threads/heartbeat.ts';
import type { ToHistory } from './threads/history.worker.ts';
import type { ToHttp } from './threads/http-thread.ts';
import type { ToQueryWorker } from './threads/query-thread.ts';
import type { SharedServing, TapeReport } from './threads/serving-thread.ts';
import type { RunningWorkers, WorkerOptions } from './workers.ts';

/** How long requests in flight may take when the service stops. */
export const HTTP_STOP_GRACE_MS = 5_000;
/** How long an HTTP thread has, after its last requests, to close its pool and its connections. */
const HTTP_CLOSE_GRACE_MS = 1_000;
/**
 * How long the query thread and the worker of accounts have to stop. Short, because they have no work left
 * once the HTTP threads have stopped.
 */
const QUERY_STOP_GRACE_MS = 1_000;
const ACCOUNTS_STOP_GRACE_MS = 1_000;
/** How long the thread of alerts has to store how its deliveries ended. */
const ALERTS_STOP_GRACE_MS = 2_000;
/** How long the history thread has to write what waits in the ring, and a file that it has begun. */
const HISTORY_STOP_GRACE_MS = 5_000;

/** What /ready shows of the price history after its thread was lost. */
const LOST_TAPE: TapeReport = { state: 'stopped', reason: 'thread_lost', gap: null, set_aside: [] };

export type ServingWorker = 'http' | 'query' | 'accounts' | 'history' | 'alerts';

/** The module that each of these workers runs. */
export type ServingWorkerUrls = Readonly<Record<ServingWorker, URL>>;

export const SERVING_WORKER_URLS: ServingWorkerUrls = {
  http: new URL('./threads/http.worker.ts', import.meta.url),
  query: new URL('./threads/query.worker.ts', import.meta.url),
  accounts: new URL('./threads/accounts.worker.ts', import.meta.url),
  history: new URL('./threads/history.worker.ts', import.meta.url),
  alerts: new URL('./threads/alerts.worker.ts', import.meta.url),
};

export interface ServingWorkersOptions extends Omit<WorkerOptions, 'onRestart' | 'onCrashLoop'> {
  readonly shared: SharedServing;
  readonly onRestart: (worker: ServingWorker) => void;
  readonly onCrashLoop: (worker: ServingWorker) => void;
  readonly urls: ServingWorkerUrls;
}

/**
 * The HTTP threads, all on one port; the query thread, to which they forward requests; the worker of
 * accounts, which the query thread and, for keys, the HTTP threads call; and the threads for history and
 * alerts.
 */
export class ServingWorkers implements RunningWorkers {
  readonly #options: ServingWorkersOptions;
  readonly #accounts: Supervisor<ToAccounts>;
  readonly #query: Supervisor<ToQueryWorker>;
  /** Null when the price history is off. */
  readonly #history: Supervisor<ToHistory> | null;
  /** Null on a node that only serves: the node with the feed watches the rules. */
  readonly #alerts: Supervisor<ToAlerts> | null;
  readonly #http: readonly Supervisor<ToHttp>[];
  /** Resolvers of the first start: one for each HTTP thread and one for the query thread. */
  readonly #started: PromiseWithResolvers<void>[];
  #isPaused = false;

  constructor(options: ServingWorkersOptions) {
    this.#options = options;
    const { httpThreads } = options.shared.config;
    this.#started = Array.from({ length: httpThreads + 1 }, () => Promise.withResolvers<void>());
    this.#accounts = this.#accountsWorker();
    this.#query = this.#queryThread(httpThreads);
    this.#history = this.#historyThread();
    this.#alerts = this.#alertsThread();
    this.#http = Array.from({ length: httpThreads }, (_, thread) => this.#httpThread(thread));
  }

  /**
   * Starts all workers. @throws Error if a serving thread is lost before it has started for the first time
   */
  async start(): Promise<void> {
    const all = [this.#accounts, this.#query, ...this.#http];
    this.#history?.start();
    this.#alerts?.start();
    for (const worker of all) worker.start();
    try {
      await Promise.all(this.#started.map(({ promise }) => promise));
    } catch (error) {
      for (const worker of all) worker.terminate();
      this.#history?.terminate();
      this.#alerts?.terminate();
      throw error;
    }
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Makes all threads stop accepting connections; open ones are still served. */
  pause(): void {
    this.#accept(false);
  }

  resume(): void {
    this.#accept(true);
  }

  /** Asks every thread to collect garbage. */
  collect(): void {
    for (const thread of [this.#query, ...this.#http]) thread.post({ type: 'collect' });
    for (const thread of [this.#accounts, this.#history, this.#alerts]) thread?.post({ type: 'collect' });
  }

  /** Notifies every HTTP thread of clients that read nothing. Each thread recognises its own. */
  stuck(peers: readonly string[]): void {
    for (const thread of this.#http) thread.post({ type: 'stuck', peers });
  }

  async stop(): Promise<void> {
    const { stopDrainMs } = this.#options.shared.config;
    const graceMs = stopDrainMs + HTTP_STOP_GRACE_MS + HTTP_CLOSE_GRACE_MS;
    const stop = { type: 'stop', graceMs: HTTP_STOP_GRACE_MS } as const;
    await Promise.all(this.#http.map((thread) => thread.stop(stop, graceMs)));
    await this.#alerts?.stop({ type: 'stop' }, ALERTS_STOP_GRACE_MS);
    await this.#query.stop({ type: 'stop' }, QUERY_STOP_GRACE_MS);
    await this.#accounts.stop({ type: 'stop' }, ACCOUNTS_STOP_GRACE_MS);
  }

  /** Lets the history thread write what waits. Call it after the feed has stopped. */
  async stopHistory(): Promise<void> {
    await this.#history?.stop({ type: 'stop' }, HISTORY_STOP_GRACE_MS);
  }

  #historyThread(): Supervisor<ToHistory> | null {
    const { config, storeBuffer, tapeMemory, metricsMemory } = this.#options.shared;
    if (tapeMemory === null) return null;
    return new Supervisor<ToHistory>({
      ...this.#watched('history'),
      name: 'history',
      startMessage: { type: 'start', config, storeBuffer, tapeMemory, metricsMemory },
      withoutIt: 'prices are not written to the history, and questions about the past are answered 503',
      // Report that the thread was lost. Otherwise /ready would show that the history is written until the
      // next thread has opened the folder.
      onLost: () => void writeTapeReport(tapeMemory, JSON.stringify(LOST_TAPE)),
      onStart: () => {
        this.#connectHistory(this.#query);
        for (const http of this.#http) this.#connectHistory(http);
      },
    });
  }

  #alertsThread(): Supervisor<ToAlerts> | null {
    const { config, storeBuffer, metricsMemory } = this.#options.shared;
    if (config.role === 'serve') return null;
    return new Supervisor<ToAlerts>({
      ...this.#watched('alerts'),
      name: 'alerts',
      startMessage: { type: 'start', config, storeBuffer, metricsMemory },
      withoutIt: 'no alert rule is watched and nothing is sent; what is in the outbox is sent later',
    });
  }

  #accountsWorker(): Supervisor<ToAccounts> {
    const { config, accessMemory, metricsMemory } = this.#options.shared;
    return new Supervisor<ToAccounts>({
      ...this.#watched('accounts'),
      name: 'accounts',
      startMessage: { type: 'start', config, accessMemory, metricsMemory },
      withoutIt: '/platform is answered 503; prices are served to keys that exist',
      onStart: () => {
        this.#connectAccounts();
        for (const http of this.#http) this.#connectKeys(http);
      },
    });
  }

  #queryThread(thread: number): Supervisor<ToQueryWorker> {
    const { shared } = this.#options;
    const { resolve, reject } = this.#started[thread]!;
    return new Supervisor<ToQueryWorker>({
      ...this.#watched('query'),
      name: 'query',
      startMessage: { type: 'start', shared, thread },
      withoutIt: 'odds and streams are served; everything else is answered 503',
      onStart: () => {
        this.#connectAccounts();
        this.#connectHistory(this.#query);
        for (const [index, http] of this.#http.entries()) this.#connectQuery(index, http);
      },
      onLost: (reason) => {
        clearShares(shared.budgetMemory, thread);
        for (const http of this.#http) http.post({ type: 'query_lost' });
        reject(new Error(`Cannot start the query thread: ${reason}`));
      },
      onMessage: ({ type }) => {
        if (type === 'started') resolve();
      },
    });
  }

  #httpThread(thread: number): Supervisor<ToHttp> {
    const { shared, log } = this.#options;
    const { resolve, reject } = this.#started[thread]!;
    const supervisor = new Supervisor<ToHttp>({
      ...this.#watched('http'),
      name: `http ${thread}`,
      startMessage: { type: 'start', shared, thread },
      withoutIt: 'the other HTTP threads serve; with one thread the port is closed between two tries',
      onStart: () => {
        this.#connectQuery(thread, supervisor);
        this.#connectKeys(supervisor);
        this.#connectHistory(supervisor);
      },
      onLost: (reason) => {
        clearShares(shared.budgetMemory, thread);
        reject(new Error(`Cannot start HTTP thread ${thread}: ${reason}`));
      },
      onMessage: ({ type }) => {
        if (type !== 'listening') return;
        log.debug('http_thread_listening', { thread });
        if (this.#isPaused) supervisor.post({ type: 'accept', isAccepting: false });
        resolve();
      },
    });
    return supervisor;
  }

  #watched(worker: ServingWorker) {
    const { urls, clock, log, onRestart, onCrashLoop } = this.#options;
    return {
      url: urls[worker],
      clock,
      log,
      hungAfterMs: HUNG_AFTER_MS,
      onRestart: () => onRestart(worker),
      onCrashLoop: () => onCrashLoop(worker),
    };
  }

  /** Connects the query thread and the worker of accounts by new channels, if both are running. */
  #connectAccounts(): void {
    if (!this.#accounts.isRunning || !this.#query.isRunning) return;
    for (const callee of CALLEES) {
      const { port1, port2 } = new MessageChannel();
      this.#accounts.post({ type: 'caller', callee, port: port1 }, [port1]);
      this.#query.post({ type: 'port', callee, port: port2 }, [port2]);
    }
  }

  /** Connects a serving thread and the history thread by a pair of ports, if both are running. */
  #connectHistory(serving: Supervisor<ToHttp> | Supervisor<ToQueryWorker>): void {
    if (this.#history === null || !this.#history.isRunning || !serving.isRunning) return;
    const { port1, port2 } = new MessageChannel();
    this.#history.post({ type: 'caller', port: port1 }, [port1]);
    serving.post({ type: 'history', port: port2 }, [port2]);
  }

  /**
   * Connects an HTTP thread and the worker of accounts, which it calls only for keys, if both are running.
   */
  #connectKeys(http: Supervisor<ToHttp>): void {
    if (!this.#accounts.isRunning || !http.isRunning) return;
    const { port1, port2 } = new MessageChannel();
    this.#accounts.post({ type: 'caller', callee: 'keys', port: port1 }, [port1]);
    http.post({ type: 'keys', port: port2 }, [port2]);
  }

  /** Connects an HTTP thread and the query thread, if both are running. */
  #connectQuery(thread: number, http: Supervisor<ToHttp>): void {
    if (!this.#query.isRunning || !http.isRunning) return;
    const requests = new MessageChannel();
    const names = new MessageChannel();
    const toQuery = [requests.port1, names.port1];
    this.#query.post({ type: 'caller', thread, requests: requests.port1, names: names.port1 }, toQuery);
    const toHttp = [requests.port2, names.port2];
    http.post({ type: 'query', requests: requests.port2, names: names.port2 }, toHttp);
  }

  #accept(isAccepting: boolean): void {
    this.#isPaused = !isAccepting;
    for (const thread of this.#http) thread.post({ type: 'accept', isAccepting });
  }
}
