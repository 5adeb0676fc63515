// A scoring pool that starts with its first scan, for threads that may never need one.

import type { ScoringPool } from './pool.ts';
import { NO_SCORING, type ScoringStats } from './pool-limits.ts';

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
