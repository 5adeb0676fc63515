// Hands the messages of a source that can wait to its sink, in order, and waits: for room, for a while, or
// until it is stopped. The loops of the poller, the simulator and the replay are built on it.

import { pause } from '../pause.ts';
import type { FeedSink } from './source.ts';

export class Handover {
  readonly #sink: FeedSink;
  /**
   * Messages that have not been taken. The holder bounds them: nothing new is made while they wait for
   * room.
   */
  readonly #waiting: unknown[] = [];
  #isStopped = false;
  /** Ends the wait under way. */
  #wake: () => void = () => {};

  constructor(sink: FeedSink) {
    this.#sink = sink;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** One more message, handed over with the next `flush`. */
  hold(message: unknown): void {
    this.#waiting.push(message);
  }

  /** Ends the wait under way, if any. */
  wake(): void {
    this.#wake();
  }

  /** Ends every wait, this one and those to come. */
  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  /** Hands over what waits, in order; a full queue is waited for. */
  async flush(): Promise<void> {
    let taken = 0;
    while (taken < this.#waiting.length && !this.#isStopped) {
      if (this.#sink.offer(this.#waiting[taken])) taken++;
      else await this.#waitFor(this.#sink.room());
    }
    this.#waiting.splice(0, taken);
  }

  /** Waits that long, or until it is woken; not at all once it is stopped. */
  async sleep(ms: number): Promise<void> {
    if (this.#isStopped) return;
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await pause(ms, woken.signal);
  }

  /**
   * Waits for a promise or to be woken. No race with one long-lived promise: that would keep every waiter.
   */
  #waitFor(awaited: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      awaited.then(resolve, reject);
    });
  }
}
