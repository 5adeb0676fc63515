// Passes the messages of a source that can wait to its sink, in order, and waits: for room, for a time, or
// until the source is stopped. The loops of the poller, the simulator and the replay use it.

import { pause } from '../pause.ts';
import type { FeedSink } from './source.ts';

export class Handover {
  readonly #sink: FeedSink;
  /**
   * Messages that the sink has not accepted yet. The holder bounds them: nothing new is made while they wait
   * for room.
   */
  readonly #waiting: unknown[] = [];
  #isStopped = false;
  /** Ends the current wait. */
  #wake: () => void = () => {};

  constructor(sink: FeedSink) {
    this.#sink = sink;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  /** Adds a message, which the next `flush` passes on. */
  hold(message: unknown): void {
    this.#waiting.push(message);
  }

  /** Ends the current wait, if any. */
  wake(): void {
    this.#wake();
  }

  /** Ends the current wait and all later ones. */
  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  /** Passes on the waiting messages, in order; waits while the queue is full. */
  async flush(): Promise<void> {
    let taken = 0;
    while (taken < this.#waiting.length && !this.#isStopped) {
      if (this.#sink.offer(this.#waiting[taken])) taken++;
      else await this.#waitFor(this.#sink.room());
    }
    this.#waiting.splice(0, taken);
  }

  /** Waits for `ms`, or until it is woken; returns at once after a stop. */
  async sleep(ms: number): Promise<void> {
    if (this.#isStopped) return;
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await pause(ms, woken.signal);
  }

  /**
   * Waits for a promise or to be woken. It does not race one long-lived promise, which would keep every
   * waiter in memory.
   */
  #waitFor(awaited: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      awaited.then(resolve, reject);
    });
  }
}
