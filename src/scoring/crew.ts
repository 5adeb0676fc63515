// The crew of the pool: a fixed number of seats, each refilled when its worker is lost. The first loss is made good at
// once, further ones in a row after growing pauses, so that a worker that cannot start does not spin a core.

import type { DeskTask } from './desk.ts';
import type { FixtureScore } from './fixture-score.ts';
import type { ScoringLimits } from './pool-limits.ts';
import { Seat } from './seat.ts';

/** Makes worker number `spawnIndex`, replacements counted on. */
export type SpawnWorker = (spawnIndex: number) => Worker;

export interface CrewOptions<Task extends DeskTask> {
  readonly storeBuffer: SharedArrayBuffer;
  readonly size: number;
  readonly limits: ScoringLimits;
  readonly spawnWorker: SpawnWorker;
  readonly onFree: () => void;
  readonly onDone: (task: Task, scores: readonly (FixtureScore | null)[]) => void;
  /** A worker was lost over this task. */
  readonly onUndone: (task: Task) => void;
  readonly onWorkerLost: (reason: string) => void;
}

const RESTART_PAUSE_FIRST_MS = 50;

export class Crew<Task extends DeskTask> {
  readonly size: number;
  readonly #options: CrewOptions<Task>;
  readonly #seats = new Set<Seat<Task>>();
  /** Lost seats whose threads have not closed yet. */
  readonly #leaving = new Set<Seat<Task>>();
  readonly #restarts = new Set<ReturnType<typeof setTimeout>>();
  #spawnCount = 0;
  #lostCount = 0;
  #lossesInARow = 0;
  #stopped = false;

  constructor(options: CrewOptions<Task>) {
    this.#options = options;
    this.size = options.size;
  }

  /** Workers lost since the start. */
  get lostCount(): number {
    return this.#lostCount;
  }

  get freeCount(): number {
    let count = 0;
    for (const seat of this.#seats) if (seat.free) count++;
    return count;
  }

  start(): void {
    for (let index = 0; index < this.size; index++) this.#spawn();
  }

  freeSeat(): Seat<Task> | undefined {
    for (const seat of this.#seats) if (seat.free) return seat;
    return undefined;
  }

  /** Ends every worker, lost ones included; resolves when their threads have closed or were given up. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const restart of this.#restarts) clearTimeout(restart);
    this.#restarts.clear();
    const seats = [...this.#seats, ...this.#leaving];
    this.#seats.clear();
    await Promise.all(seats.map((seat) => seat.end()));
  }

  #spawn(): void {
    const { storeBuffer, limits, spawnWorker, onFree } = this.#options;
    const seat = new Seat<Task>({
      worker: spawnWorker(this.#spawnCount++),
      storeBuffer,
      limits,
      onFree,
      onDone: (task, scores) => {
        this.#lossesInARow = 0;
        this.#options.onDone(task, scores);
      },
      onLost: (lost, reason, task) => this.#replace(lost, reason, task),
    });
    this.#seats.add(seat);
  }

  #replace(seat: Seat<Task>, reason: string, task: Task | null): void {
    if (this.#stopped) return;
    this.#seats.delete(seat);
    this.#leaving.add(seat);
    void seat.closed().then(() => this.#leaving.delete(seat));
    this.#lostCount++;
    const restart = setTimeout(() => {
      this.#restarts.delete(restart);
      this.#spawn();
    }, this.#restartPauseMs());
    this.#restarts.add(restart);
    this.#lossesInARow++;
    this.#options.onWorkerLost(reason);
    if (task !== null) this.#options.onUndone(task);
  }

  #restartPauseMs(): number {
    if (this.#lossesInARow === 0) return 0;
    const pauseMs = RESTART_PAUSE_FIRST_MS * 2 ** (this.#lossesInARow - 1);
    return Math.min(pauseMs, this.#options.limits.restartPauseMaxMs);
  }
}

/** The service's own worker. */
export function spawnScoringWorker(spawnIndex: number): Worker {
  return new Worker(new URL('./worker.ts', import.meta.url).href, { name: `scoring-${spawnIndex}` });
}
