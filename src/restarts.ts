// Schedules the restart of a lost worker. The pause doubles with each consecutive loss, up to a bound, so
// that a worker that cannot start does not keep a core busy. Used for main's workers and for those of a
// scoring pool.

export interface RestartsOptions {
  /** The first pause; each further one is twice as long. */
  readonly pauseFirstMs: number;
  readonly pauseMaxMs: number;
  /** Whether the first loss is followed by a restart at once, before the first pause; default false. */
  readonly startsAtOnce?: boolean;
}

export class Restarts {
  readonly #options: RestartsOptions;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #lossesInARow = 0;
  #stopped = false;

  constructor(options: RestartsOptions) {
    this.#options = options;
  }

  /**
   * Counts a loss and calls `start` after the resulting pause, unless `stop` is called first.
   * @returns the pause in milliseconds; 0 after `stop`, when nothing is restarted
   */
  schedule(start: () => void): number {
    if (this.#stopped) return 0;
    const pauseMs = this.#pauseMs();
    this.#lossesInARow++;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      start();
    }, pauseMs);
    this.#timers.add(timer);
    return pauseMs;
  }

  /** A worker has proved that it works, so the next loss counts as the first. */
  reset(): void {
    this.#lossesInARow = 0;
  }

  /** Cancels all pending restarts and ignores later losses. */
  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #pauseMs(): number {
    const { pauseFirstMs, pauseMaxMs, startsAtOnce = false } = this.#options;
    const doublings = startsAtOnce ? this.#lossesInARow - 1 : this.#lossesInARow;
    return doublings < 0 ? 0 : Math.min(pauseFirstMs * 2 ** doublings, pauseMaxMs);
  }
}
