// Bodies in chunks from callers without a key are read a few at a time. Bun reads half a megabyte in one go,
// and reading that as tiny chunks stops the thread for two milliseconds.
//
// A refused body keeps its place for a while. So clients that send such bodies again and again must wait, and
// cannot keep the thread busy. If they were refused immediately, they would come back immediately.

import type { Clock } from '../../../clock.ts';

/**
 * How many bodies are read at the same time; others wait. After a second some of those that wait are refused
 * at each check (body-intake.ts).
 */
const PLACES = 4;
/**
 * How long a refused body keeps its place. With four places that allows sixteen refused bodies a second,
 * which cost the thread 32 ms.
 */
const REFUSED_REST_MS = 250;

export class ChunkedBodies {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #readCount = 0;
  /** When the places of refused bodies become free. */
  #restsUntilMs: number[] = [];
  /** Oldest first. */
  readonly #waiting: (() => void)[] = [];

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Bodies that wait for a place. */
  get waitingCount(): number {
    return this.#waiting.length;
  }

  /** Reads a body at its turn. @returns null if the body is no longer wanted at its turn */
  async read<Body>(isWanted: () => boolean, read: () => Promise<Body>): Promise<Body | null> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.startWaiting();
    });
    let restMs = 0;
    try {
      return isWanted() ? await read() : null;
    } catch (error) {
      restMs = REFUSED_REST_MS;
      throw error;
    } finally {
      this.#leave(restMs);
    }
  }

  /** Starts waiting bodies for which there is a place. Call it regularly while bodies arrive. */
  startWaiting(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#restsUntilMs = this.#restsUntilMs.filter((untilMs) => untilMs > nowMs);
    while (this.#waiting.length > 0 && this.#readCount + this.#restsUntilMs.length < PLACES) {
      this.#readCount++;
      this.#waiting.shift()!();
    }
  }

  #leave(restMs: number): void {
    this.#readCount--;
    if (restMs > 0) this.#restsUntilMs.push(this.#clock.monotonicMs() + restMs);
    this.startWaiting();
  }
}
