// Passes the messages of a source to its sink in order, and waits while the sink has no room. `sleep` is for
// the source's own pauses; `wake` and `stop` end any wait early. The loops of the poller, the simulator and
// the replay use it.

import { pause } from '../pause.ts';
import type { FeedSink, FeedSource } from './source.ts';

/** A source that runs until it is closed. @param done resolves when the source has ended after `stop` */
export function sourceOf(done: Promise<void>, stop: () => void | Promise<void>): FeedSource {
  return {
    close: async () => {
      await stop();
      await done;
    },
  };
}

export class Handover {
  readonly #sink: FeedSink;
  /**
   * Messages that the sink has not accepted yet. Their number is bounded by the callers, which make no new
   * messages while `flush` waits for room.
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

  /**
   * Passes on the waiting messages, in order; waits while the sink is full, and returns early after a stop.
   */
  async flush(): Promise<void> {
    let taken = 0;
    while (taken < this.#waiting.length && !this.#isStopped) {
      if (this.#sink.offer(this.#waiting[taken])) taken++;
      else await this.#waitFor(this.#sink.room());
    }
    this.#waiting.splice(0, taken);
  }

  /** Waits for `ms`, or until it is woken; returns immediately after a stop. */
  async sleep(ms: number): Promise<void> {
    if (this.#isStopped) return;
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await pause(ms, woken.signal);
  }

  /**
   * Waits until the promise settles, or until `wake` or `stop` is called. There is no `Promise.race` with one
   * long-lived promise for the stop, because that promise would keep every waiter in memory.
   */
  #waitFor(awaited: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      awaited.then(resolve, reject);
    });
  }
}
