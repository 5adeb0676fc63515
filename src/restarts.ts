// When a lost worker is started again: after a pause that doubles with every loss in a row, up to a bound, so that a
// worker that cannot start does not keep a core busy. Used for the workers of main and for those of a scoring pool.

export interface RestartsOptions {
  /** The first pause; each further one is twice as long. */
  readonly pauseFirstMs: number;
  readonly pauseMaxMs: number;
  /** Whether the first loss is made good at once, before the first pause; default false. */
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

  /** Counts a loss and calls `start` after the pause that it brings, unless `stop` comes first. @returns the pause */
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

  /** A worker has shown that it works: the next loss counts as the first. */
  reset(): void {
    this.#lossesInARow = 0;
  }

  /** Nothing is started any more. */
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
