// Keeps one worker alive: starts it, hears it die, starts another after a backoff that doubles up to a bound and starts
// over once a worker has lived for a while. In Bun an unhandled rejection ends a worker silently with code 0, so any
// close that was not asked for counts as a crash.

import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';

const BACKOFF_FIRST_MS = 100;
const BACKOFF_MAX_MS = 10_000;
/** A worker that lived this long was healthy: the next death starts from the first backoff again. */
const HEALTHY_AFTER_MS = 60_000;

export interface SupervisorOptions<Message> {
  readonly name: string;
  readonly url: URL;
  readonly clock: Clock;
  readonly log: Log;
  /** The first message of every worker. */
  readonly startMessage: Message;
  readonly onMessage: (message: unknown) => void;
  /** Told each time the worker is started again. */
  readonly onRestart?: () => void;
}

export class Supervisor<Message> {
  readonly #options: SupervisorOptions<Message>;
  #worker: Worker | null = null;
  #backoffMs = BACKOFF_FIRST_MS;
  #startedAtMs = 0;
  #restartTimer: ReturnType<typeof setTimeout> | null = null;
  #stopping = false;
  readonly #gone = Promise.withResolvers<void>();
  #restartCount = 0;

  constructor(options: SupervisorOptions<Message>) {
    this.#options = options;
  }

  /** How often the worker was started again. */
  get restartCount(): number {
    return this.#restartCount;
  }

  start(): void {
    const { url, name, log, onMessage, startMessage, clock } = this.#options;
    const worker = new Worker(url.href);
    this.#worker = worker;
    this.#startedAtMs = clock.monotonicMs();
    worker.onmessage = (event: MessageEvent<unknown>) => onMessage(event.data);
    worker.addEventListener('error', (event) => {
      log.error('worker_failed', { worker: name, error: event.message });
      this.#died(worker);
    });
    worker.addEventListener('close', () => this.#died(worker));
    worker.postMessage(startMessage);
  }

  post(message: Message): void {
    this.#worker?.postMessage(message);
  }

  /** Ends the worker for good. */
  terminate(): void {
    this.#stopping = true;
    if (this.#restartTimer !== null) clearTimeout(this.#restartTimer);
    this.#worker?.terminate();
    this.#worker = null;
    this.#gone.resolve();
  }

  /** From now on a close is not a crash. @returns when there is no worker any more, which may be at once */
  expectStop(): Promise<void> {
    this.#stopping = true;
    if (this.#restartTimer !== null) clearTimeout(this.#restartTimer);
    if (this.#worker === null) this.#gone.resolve();
    return this.#gone.promise;
  }

  #died(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    worker.terminate();
    if (this.#stopping) {
      this.#gone.resolve();
      return;
    }
    const { clock, log, name } = this.#options;
    if (clock.monotonicMs() - this.#startedAtMs > HEALTHY_AFTER_MS) this.#backoffMs = BACKOFF_FIRST_MS;
    log.error('worker_restarting', { worker: name, inMs: this.#backoffMs });
    this.#restartTimer = setTimeout(() => {
      this.#restartCount++;
      this.#options.onRestart?.();
      this.start();
    }, this.#backoffMs);
    this.#backoffMs = Math.min(this.#backoffMs * 2, BACKOFF_MAX_MS);
  }
}
