// The workers of the scoring pool, a fixed number of them. Each has its own task buffer and does one task at
// a time. However a worker ends (a crash, a silent exit, a missed deadline, the pool's stop), its
// ScoringWorker ends once, with the reason. ScoringWorkers then starts another: immediately after the first
// loss, after growing pauses when losses follow one another, so that a worker that cannot start does not keep
// a core busy.

import { Restarts } from '../restarts.ts';
import type { ScoringLimits } from './pool-limits.ts';
import type { ScanTask } from './scan.ts';
import type { FixtureScore } from './score-rows.ts';
import {
  attachTaskBuffer,
  createTaskBuffer,
  isDone,
  postTask,
  type TaskBuffer,
  takeScores,
  WORKER_READY,
  type WorkerInit,
} from './task-buffer.ts';

/** Creates worker number `spawnIndex`; replacements continue the count. */
export type SpawnWorker = (spawnIndex: number) => Worker;

interface ScoringWorkersOptions {
  readonly storeBuffer: SharedArrayBuffer;
  readonly size: number;
  readonly limits: ScoringLimits;
  readonly spawnWorker: SpawnWorker;
  /** Called when a worker can take a task: it has started, or has finished the last one. */
  readonly onFree: () => void;
  readonly onDone: (task: ScanTask, scores: readonly (FixtureScore | null)[]) => void;
  /** Called when a worker was lost; `task` is the task that it did not finish. */
  readonly onLost: (reason: string, task: ScanTask | null) => void;
}

const RESTART_PAUSE_FIRST_MS = 50;
/** A worker that ignores terminate() for this long is no longer waited for. */
const CLOSE_WAIT_MS = 2_000;

export class ScoringWorkers {
  readonly #options: ScoringWorkersOptions;
  readonly #workers = new Set<ScoringWorker>();
  /** Lost workers whose threads have not ended yet. */
  readonly #leaving = new Set<ScoringWorker>();
  readonly #restarts: Restarts;
  #spawnCount = 0;
  #lostCount = 0;

  constructor(options: ScoringWorkersOptions) {
    this.#options = options;
    this.#restarts = new Restarts({
      pauseFirstMs: RESTART_PAUSE_FIRST_MS,
      pauseMaxMs: options.limits.restartPauseMaxMs,
      startsAtOnce: true,
    });
    for (let index = 0; index < options.size; index++) this.#spawn();
  }

  get size(): number {
    return this.#options.size;
  }

  get lostCount(): number {
    return this.#lostCount;
  }

  get freeCount(): number {
    let count = 0;
    for (const worker of this.#workers) if (worker.free) count++;
    return count;
  }

  /** A worker that can take a task, or undefined while all are busy or starting. */
  free(): ScoringWorker | undefined {
    for (const worker of this.#workers) if (worker.free) return worker;
    return undefined;
  }

  /**
   * Ends every worker, including lost ones. Resolves when their threads have ended, or are no longer waited
   * for.
   */
  async stop(): Promise<void> {
    this.#restarts.stop();
    const workers = [...this.#workers, ...this.#leaving];
    this.#workers.clear();
    await Promise.all(workers.map((worker) => worker.end()));
  }

  #spawn(): void {
    const { onDone, onFree } = this.#options;
    const worker = new ScoringWorker(this.#options, this.#options.spawnWorker(this.#spawnCount++), {
      onFree,
      onDone: (task, scores) => {
        this.#restarts.reset();
        onDone(task, scores);
      },
      onLost: (reason, task) => this.#replace(worker, reason, task),
    });
    this.#workers.add(worker);
  }

  #replace(worker: ScoringWorker, reason: string, task: ScanTask | null): void {
    this.#workers.delete(worker);
    this.#leaving.add(worker);
    void worker.closed().then(() => this.#leaving.delete(worker));
    this.#lostCount++;
    this.#restarts.schedule(() => this.#spawn());
    this.#options.onLost(reason, task);
  }
}

/** One worker, its task buffer and its current task. `onLost` comes last, and at most once. */
class ScoringWorker {
  readonly #limits: ScoringLimits;
  readonly #worker: Worker;
  readonly #listener: Pick<ScoringWorkersOptions, 'onFree' | 'onDone' | 'onLost'>;
  readonly #buffer: TaskBuffer;
  readonly #closed = Promise.withResolvers<void>();
  #task: ScanTask | null = null;
  #taskNumber = 0;
  #started = false;
  #lost = false;
  #deadline: ReturnType<typeof setTimeout> | undefined;

  constructor(
    { storeBuffer, limits }: Pick<ScoringWorkersOptions, 'storeBuffer' | 'limits'>,
    worker: Worker,
    listener: Pick<ScoringWorkersOptions, 'onFree' | 'onDone' | 'onLost'>,
  ) {
    this.#limits = limits;
    this.#worker = worker;
    this.#listener = listener;
    const taskBuffer = createTaskBuffer(limits.fixturesPerTaskMax);
    this.#buffer = attachTaskBuffer(taskBuffer);
    worker.addEventListener('message', (event: MessageEvent<unknown>) => this.#receive(event.data));
    worker.addEventListener('error', (event) => this.#lose(event.message || 'it threw'));
    // An unhandled rejection also exits with code 0, so every close that the pool did not request is a crash.
    worker.addEventListener('close', () => {
      this.#closed.resolve();
      this.#lose('it closed');
    });
    const init: WorkerInit = { storeBuffer, taskBuffer };
    worker.postMessage(init);
    this.#setDeadline(limits.startDeadlineMs, 'it did not start');
  }

  get free(): boolean {
    return this.#started && !this.#lost && this.#task === null;
  }

  /** Gives a task to a free worker. */
  give(task: ScanTask): void {
    this.#task = task;
    this.#taskNumber = postTask(this.#buffer, task);
    this.#setDeadline(this.#limits.taskDeadlineMs, 'it missed its deadline');
    this.#worker.postMessage(this.#taskNumber);
  }

  /**
   * Ends the worker; `onLost` is not called after this. Resolves when its thread has ended, or is no longer
   * waited for.
   */
  async end(): Promise<void> {
    this.#lost = true;
    clearTimeout(this.#deadline);
    this.#worker.terminate();
    await this.closed();
  }

  /** Resolves when the worker's thread has ended, at most CLOSE_WAIT_MS from now. */
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
      this.#listener.onFree();
      return;
    }
    const task = this.#task;
    if (task === null || message !== this.#taskNumber || !isDone(this.#buffer, this.#taskNumber)) {
      this.#lose(`it sent ${JSON.stringify(message)} out of turn`);
      return;
    }
    clearTimeout(this.#deadline);
    const scores = takeScores(this.#buffer);
    this.#task = null;
    // Hand out the next task first, so that the worker can start on it while this thread stores the scores of
    // the last one.
    this.#listener.onFree();
    this.#listener.onDone(task, scores);
  }

  #setDeadline(delayMs: number, state: string): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#lose(state), delayMs);
  }

  #lose(state: string): void {
    if (this.#lost) return;
    this.#lost = true;
    clearTimeout(this.#deadline);
    this.#worker.terminate();
    const task = this.#task;
    this.#task = null;
    this.#listener.onLost(`Cannot use scoring worker any longer: ${state}`, task);
  }
}

/** Starts the real scoring worker of the service. */
export function spawnScoringWorker(spawnIndex: number): Worker {
  return new Worker(new URL('./scoring.worker.ts', import.meta.url).href, { name: `scoring-${spawnIndex}` });
}
