// A scoring pool that starts with its first scan, for threads that may never need one.

import type { ScoringPool } from './pool.ts';

export const NO_SCORING = {
  threads: 0,
  freeThreads: 0,
  tasksWaiting: 0,
  cachedScores: 0,
  scans: 0,
  scansRefused: 0,
  scansFailed: 0,
  fixturesScored: 0,
  fixturesFromCache: 0,
  tasksRetried: 0,
  workersLost: 0,
};

export type ScoringStats = Readonly<typeof NO_SCORING>;

export class ScoringOnDemand {
  readonly #start: () => ScoringPool;
  #pool: ScoringPool | null = null;

  constructor(start: () => ScoringPool) {
    this.#start = start;
  }

  scan: ScoringPool['scan'] = (request) => this.#started().scan(request);

  scanHits: ScoringPool['scanHits'] = (request) => this.#started().scanHits(request);

  stats(): ScoringStats {
    return this.#pool?.stats() ?? NO_SCORING;
  }

  async close(): Promise<void> {
    await this.#pool?.stop();
  }

  #started(): ScoringPool {
    this.#pool ??= this.#start();
    return this.#pool;
  }
}
