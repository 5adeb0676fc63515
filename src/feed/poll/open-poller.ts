// A poller as a feed source: its timer, and its messages into the queue, which it waits for when it is full.

import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { FeedSink, FeedSource } from '../source.ts';
import type { WireMessage } from './epoch.ts';
import { Poller } from './poller.ts';
import type { PolledSource } from './source.ts';
import type { SourceState, SourceStatus } from './status.ts';

/** The clock is looked at least this often, so that one that was set forward is noticed. */
const WAIT_MS_MAX = 1_000;
const REPORT_MS = 1_000;

export interface OpenPollerOptions {
  readonly source: PolledSource;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  readonly forcedEveryMs: number | null;
  /** Told how the source is doing, about once a second and when that changes. */
  readonly report: (status: SourceStatus) => void;
}

/** Opens a pull source: asks at once, and goes on until it is closed. */
export function openPoller(options: OpenPollerOptions, sink: FeedSink): FeedSource {
  const loop = new PollLoop(options, sink);
  const done = loop.run();
  return {
    close: async () => {
      await loop.stop();
      await done;
    },
  };
}

class PollLoop {
  readonly #options: OpenPollerOptions;
  readonly #sink: FeedSink;
  readonly #poller: Poller;
  /** Bounded by the snapshot and the answers under way: nothing is asked while it waits for room. */
  readonly #waiting: WireMessage[] = [];
  #isStopped = false;
  #reportedAtMs = Number.NEGATIVE_INFINITY;
  #reported: SourceState | null = null;
  /** Ends the wait under way. */
  #wake: () => void = () => {};

  constructor(options: OpenPollerOptions, sink: FeedSink) {
    this.#options = options;
    this.#sink = sink;
    this.#poller = new Poller({
      ...options,
      emit: (message) => this.#waiting.push(message),
      connection: (isConnected) => sink.connection(isConnected),
      settled: () => this.#wake(),
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    await this.#poller.close();
  }

  async run(): Promise<void> {
    while (!this.#isStopped) {
      this.#poller.startDue();
      await this.#flush();
      this.#report();
      if (this.#waiting.length > 0) continue; // an answer came while the last were handed over
      const waitMs = this.#poller.wakeAtMs() - this.#options.clock.wallMs();
      await this.#sleep(Math.max(0, Math.min(WAIT_MS_MAX, waitMs)));
    }
  }

  /** Not after every one of many small answers: making and writing a report costs more than reading them. */
  #report(): void {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - this.#reportedAtMs < REPORT_MS && this.#poller.state === this.#reported) return;
    this.#reportedAtMs = nowMs;
    this.#reported = this.#poller.state;
    this.#options.report(this.#poller.status());
  }

  /** Hands over what waits, in order; a full queue is waited for. */
  async #flush(): Promise<void> {
    let taken = 0;
    while (taken < this.#waiting.length && !this.#isStopped) {
      if (this.#sink.offer(this.#waiting[taken])) taken++;
      else await this.#waitFor(this.#sink.room());
    }
    this.#waiting.splice(0, taken);
  }

  async #sleep(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const slept = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await this.#waitFor(slept);
    clearTimeout(timer);
  }

  /** Waits for a promise, `stop` or the end of a request. No race with one long-lived promise: it would keep every waiter. */
  #waitFor(awaited: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      awaited.then(resolve, reject);
    });
  }
}
