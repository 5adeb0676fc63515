// One seat of the pool: a worker, its desk and the task it is at. A seat lives as long as its worker; whatever ends the
// worker (a crash, a silent death, a missed deadline, the pool's stop) ends the seat, once, with its reason.

import {
  attachDesk,
  createDesk,
  type DeskTask,
  type DeskViews,
  isDone,
  postTask,
  takeScores,
  WORKER_READY,
  type WorkerInit,
} from './desk.ts';
import type { FixtureScore } from './fixture-score.ts';
import type { ScoringLimits } from './pool-limits.ts';

export interface SeatOptions<Task extends DeskTask> {
  readonly worker: Worker;
  readonly storeBuffer: SharedArrayBuffer;
  readonly limits: Pick<ScoringLimits, 'fixturesPerTaskMax' | 'taskDeadlineMs' | 'startDeadlineMs'>;
  /** The worker can take a task: it has started, or finished the last one. */
  readonly onFree: () => void;
  readonly onDone: (task: Task, scores: readonly (FixtureScore | null)[]) => void;
  /** The worker is gone or given up; `task` is what it leaves undone. Called once, last. */
  readonly onLost: (seat: Seat<Task>, reason: string, task: Task | null) => void;
}

/** A worker that ignores terminate() for this long is left behind. */
const CLOSE_WAIT_MS = 2_000;

export class Seat<Task extends DeskTask> {
  readonly #options: SeatOptions<Task>;
  readonly #desk: DeskViews;
  readonly #closed = Promise.withResolvers<void>();
  #task: Task | null = null;
  #taskNumber = 0;
  #started = false;
  #lost = false;
  #errorText = '';
  #deadline: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SeatOptions<Task>) {
    this.#options = options;
    const deskBuffer = createDesk(options.limits.fixturesPerTaskMax);
    this.#desk = attachDesk(deskBuffer);
    const { worker } = options;
    worker.addEventListener('message', (event: MessageEvent<unknown>) => this.#receive(event.data));
    worker.addEventListener('error', (event) => this.#noteError(event));
    // An unhandled rejection closes with code 0, so every close that was not asked for is a crash.
    worker.addEventListener('close', () => this.#close());
    const init: WorkerInit = { storeBuffer: options.storeBuffer, deskBuffer };
    worker.postMessage(init);
    this.#setDeadline(options.limits.startDeadlineMs, 'did not start');
  }

  get free(): boolean {
    return this.#started && !this.#lost && this.#task === null;
  }

  /** Hands a task to a free seat. */
  give(task: Task): void {
    this.#task = task;
    this.#taskNumber = postTask(this.#desk, task);
    this.#setDeadline(this.#options.limits.taskDeadlineMs, 'missed its deadline');
    this.#options.worker.postMessage(this.#taskNumber);
  }

  /** Ends the worker; `onLost` is not called any more. Resolves when its thread has closed, or was given up. */
  async end(): Promise<void> {
    this.#lost = true;
    clearTimeout(this.#deadline);
    this.#options.worker.terminate();
    await this.closed();
  }

  /** Resolves when the worker's thread has closed, at most CLOSE_WAIT_MS from now. */
  async closed(): Promise<void> {
    const givenUp = setTimeout(() => this.#closed.resolve(), CLOSE_WAIT_MS);
    await this.#closed.promise;
    clearTimeout(givenUp);
  }

  #receive(message: unknown): void {
    if (this.#lost) return;
    if (message === WORKER_READY) {
      this.#started = true;
      clearTimeout(this.#deadline);
      this.#options.onFree();
      return;
    }
    const task = this.#task;
    if (task === null || message !== this.#taskNumber || !isDone(this.#desk, this.#taskNumber)) {
      this.#lose(`Cannot go on with scoring worker: it sent ${JSON.stringify(message)} out of turn`);
      return;
    }
    clearTimeout(this.#deadline);
    const scores = takeScores(this.#desk);
    this.#task = null;
    // The worker first: it can be at its next task while this thread shows the last one's scores.
    this.#options.onFree();
    this.#options.onDone(task, scores);
  }

  #noteError(event: Event): void {
    if (event instanceof ErrorEvent) this.#errorText = event.message;
    this.#lose(`Cannot go on with scoring worker: ${this.#errorText || 'it threw'}`);
  }

  #close(): void {
    this.#closed.resolve();
    this.#lose('Cannot go on with scoring worker: it closed');
  }

  #setDeadline(delayMs: number, what: string): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#lose(`Cannot go on with scoring worker: it ${what}`), delayMs);
  }

  #lose(reason: string): void {
    if (this.#lost) return;
    this.#lost = true;
    clearTimeout(this.#deadline);
    this.#options.worker.terminate();
    const task = this.#task;
    this.#task = null;
    this.#options.onLost(this, reason, task);
  }
}
