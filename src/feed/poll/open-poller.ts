// Runs a poller as a feed source: calls it when something is due, and offers its messages to the queue,
// waiting while the queue is full.

import { Handover, sourceOf } from '../handover.ts';
import type { FeedSink, FeedSource } from '../source.ts';
import { Poller, type PollerOptions } from './poller.ts';
import type { SourceState, SourceStatus } from './status.ts';

/** The clock is checked at least this often, so that a clock that was set forward is noticed. */
const WAIT_MS_MAX = 1_000;
const REPORT_MS = 1_000;

export interface OpenPollerOptions extends Omit<PollerOptions, 'emit' | 'connection' | 'settled'> {
  /** Receives the source's state, about once a second and when it changes. */
  readonly report: (status: SourceStatus) => void;
}

/** Opens a pull source. It sends its first requests immediately and continues until it is closed. */
export function openPoller(options: OpenPollerOptions, sink: FeedSink): FeedSource {
  const loop = new PollLoop(options, sink);
  return {
    ...sourceOf(loop.run(), () => loop.stop()),
    setScore: (event, score) => loop.setScore(event, score),
  };
}

class PollLoop {
  readonly #options: OpenPollerOptions;
  readonly #poller: Poller;
  readonly #handover: Handover;
  #reportedAtMs = Number.NEGATIVE_INFINITY;
  #reported: SourceState | null = null;

  constructor(options: OpenPollerOptions, sink: FeedSink) {
    this.#options = options;
    this.#handover = new Handover(sink);
    this.#poller = new Poller({
      ...options,
      emit: (message) => this.#handover.hold(message),
      connection: (isConnected) => sink.connection(isConnected),
      settled: () => this.#handover.wake(),
    });
  }

  setScore(event: string, score: readonly [number, number]): void {
    this.#poller.setScore(event, score);
  }

  async stop(): Promise<void> {
    this.#handover.stop();
    await this.#poller.close();
  }

  async run(): Promise<void> {
    while (!this.#handover.isStopped) {
      this.#poller.startDue();
      await this.#handover.flush();
      this.#report();
      if (this.#handover.waitingCount > 0) continue; // an answer came while the last messages were passed on
      const waitMs = this.#poller.wakeAtMs() - this.#options.clock.wallMs();
      await this.#handover.sleep(Math.max(0, Math.min(WAIT_MS_MAX, waitMs)));
    }
  }

  /**
   * Reports when the state has changed, otherwise at most once a second, because after each of many small
   * answers, a report would take longer than reading the answer.
   */
  #report(): void {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - this.#reportedAtMs < REPORT_MS && this.#poller.state === this.#reported) return;
    this.#reportedAtMs = nowMs;
    this.#reported = this.#poller.state;
    this.#options.report(this.#poller.status());
  }
}
