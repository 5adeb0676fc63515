// Keeps one source open, and gets a snapshot when its messages were lost. The source asks its upstream for
// one, or is opened again when it cannot ask. A source that loses messages repeatedly is opened at growing
// intervals.

import type { Clock } from '../clock.ts';
import type { FeedSource } from '../feed/source.ts';
import type { Log } from '../log.ts';
import { Restarts } from '../restarts.ts';

export interface SourceKeeperOptions {
  readonly name: string;
  readonly open: () => Promise<FeedSource>;
  /** Whether opening the source again brings a snapshot. A recording would only bring the same gap again. */
  readonly canReopen: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** Is notified when the source could not be opened again. */
  readonly onError: (error: unknown) => void;
}

const PAUSES = { pauseFirstMs: 500, pauseMaxMs: 60_000 };
/** After this long without a loss, the next pause is the shortest again. */
const HEALTHY_AFTER_MS = 120_000;

export class SourceKeeper {
  readonly #options: SourceKeeperOptions;
  readonly #restarts = new Restarts(PAUSES);
  #source: FeedSource | null = null;
  #reopening: Promise<void> | null = null;
  #isScheduled = false;
  #isClosed = false;
  #openedAtMs = 0;

  constructor(options: SourceKeeperOptions) {
    this.#options = options;
  }

  /** @throws when the source cannot be opened */
  async open(): Promise<void> {
    this.#source = await this.#options.open();
    this.#openedAtMs = this.#options.clock.monotonicMs();
  }

  /**
   * Call it when messages were lost. The source then requests a snapshot, or is opened again after a pause.
   */
  lost(): void {
    const { canReopen, clock, log, name } = this.#options;
    if (this.#source?.resync !== undefined) {
      this.#source.resync();
      return;
    }
    if (!canReopen || this.#isScheduled || this.#isClosed) return;
    if (clock.monotonicMs() - this.#openedAtMs > HEALTHY_AFTER_MS) this.#restarts.reset();
    this.#isScheduled = true;
    const inMs = this.#restarts.schedule(() => {
      this.#reopening = this.#reopen();
    });
    log.warn('feed_source_reopening', { source: name, inMs });
  }

  /** See FeedSource. */
  setScore(event: string, score: readonly [number, number]): void {
    this.#source?.setScore?.(event, score);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#restarts.stop();
    await this.#reopening;
    await this.#source?.close();
  }

  async #reopen(): Promise<void> {
    try {
      await this.#source?.close();
      this.#source = null;
      this.#isScheduled = false;
      if (!this.#isClosed) await this.open();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
