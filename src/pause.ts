// Ways to wait: for other work of the thread, until a signal is aborted, or up to a deadline. For a plain
// wait use `Bun.sleep`.

import { setTimeout as wait } from 'node:timers/promises';

/**
 * Lets the thread do its other work: answer requests, send its heartbeat, read messages. Long work awaits it
 * between two steps.
 */
export function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Cuts long work into slices, between which the thread does its other work. */
export class Slices {
  readonly #monotonicMs: () => number;
  readonly #lengthMs: number;
  #endMs: number;

  /** Begins the first slice. */
  constructor(monotonicMs: () => number, lengthMs: number) {
    this.#monotonicMs = monotonicMs;
    this.#lengthMs = lengthMs;
    this.#endMs = monotonicMs() + lengthMs;
  }

  get isOver(): boolean {
    return this.#monotonicMs() >= this.#endMs;
  }

  /** Await it between two steps: pauses if the slice is over. */
  async afterStep(): Promise<void> {
    if (this.isOver) await this.pause();
  }

  /** Lets the thread do its other work, then begins the next slice. */
  async pause(): Promise<void> {
    await eventLoopTurn();
    this.#endMs = this.#monotonicMs() + this.#lengthMs;
  }
}

/** Spreads work over turns of the event loop, first come, first served. */
export class Turns {
  readonly #perTurn: number;
  #count = 0;
  /** What waits for a turn, oldest first. */
  #waiting: (() => void)[] = [];
  #isScheduled = false;

  constructor(perTurn: number) {
    this.#perTurn = perTurn;
  }

  /**
   * Null when the caller is urgent or may go on in this turn; otherwise a promise that resolves in a later
   * turn.
   */
  next(isUrgent = false): Promise<void> | null {
    this.#count += 1;
    this.#schedule();
    if (isUrgent || this.#count <= this.#perTurn) return null;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    const released = this.#waiting.splice(0, this.#perTurn);
    this.#count = released.length + this.#waiting.length;
    if (this.#count > 0) this.#schedule();
    for (const release of released) release();
  }
}

/**
 * Adds items to a shared collection, and pauses for the thread's other work after every `perStep`. Other code
 * may change the collection in the pauses, and just after the last one. So after a pause, the caller must add
 * all items once more before it reads the collection.
 * @param put adds an item unless it is there; returns whether it was added
 * @returns null if all items are there without a pause
 */
export function putInSteps<Item>(
  items: readonly Item[],
  put: (item: Item) => boolean,
  perStep: number,
): Promise<void> | null {
  let at = 0;
  /** Puts items. Returns whether it added as many as a step may, so that another step is needed. */
  const step = (): boolean => {
    for (let added = 0; at < items.length; ) if (put(items[at++]!) && ++added === perStep) return true;
    return false;
  };
  return step() ? pausing(step) : null;
}

async function pausing(step: () => boolean): Promise<void> {
  do await eventLoopTurn();
  while (step());
}

/** Repeats work, without keeping the process alive for it. @returns a function that ends it */
export function every(ms: number, run: () => unknown): () => void {
  const timer = setInterval(run, ms);
  timer.unref();
  return () => clearInterval(timer);
}

/** @returns a function that runs the job, unless its last run is not over yet */
export function oneAtATime(job: () => Promise<void>, onError: (error: unknown) => void): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= job()
      .catch(onError)
      .finally(() => {
        running = null;
      });
    return running;
  };
}

/** Runs work that yields between its steps, and pauses there for the thread's other work. */
export async function inSteps<Result>(work: Iterator<void, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    await eventLoopTurn();
  }
}

/** Resolves after `ms`, or as soon as `signal` is aborted. The caller must then check the signal. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/**
 * The result of `work`. The work itself cannot be stopped: after the deadline it continues, and its result or
 * error is dropped.
 * @throws what `late` makes, once `ms` have passed
 */
export async function withinDeadline<Result>(
  work: Promise<Result>,
  ms: number,
  late: () => Error,
): Promise<Result> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(late()), ms);
  try {
    return await Promise.race([work, deadline.promise]);
  } finally {
    clearTimeout(timer);
  }
}
