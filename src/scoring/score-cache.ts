// Scores by criteria and event, so that a repeated sweep scores only what moved. A score is good for one version of its
// fixture, and until time alone may change it (a quote turns stale, a half ends); whoever takes it checks both. Versions
// only rise, so a score of an older version is simply not used. After a new snapshot the last heartbeat may be an earlier
// one than before: a score says which heartbeat confirmed its quotes, and is not used while an earlier one holds. Bounded: when it is full, the scores
// of the criteria used longest ago are dropped. Criteria without a score are not stored, since callers can send any number
// of different ones.

import type { FixtureScore } from './score-rows.ts';

export interface KeptScore {
  readonly score: FixtureScore;
  /** The heartbeat that confirmed its quotes, Unix ms: `SignalMoment.heartbeatAtMs` of its scan. */
  readonly heartbeatAtMs: number;
}

export class ScoreCache {
  readonly #scoresMax: number;
  /** Insertion order is order of use: the first entry is the one used longest ago. */
  readonly #scoresByCriteria = new Map<string, Map<number, KeptScore>>();
  #count = 0;

  constructor(scoresMax: number) {
    this.#scoresMax = scoresMax;
  }

  /** Scores held, over all criteria. */
  get count(): number {
    return this.#count;
  }

  /**
   * Scores by event number under these criteria; the caller checks version, time and heartbeat. Marks the criteria as just
   * used.
   */
  scoresOf(criteriaKey: string): ReadonlyMap<number, KeptScore> {
    return this.#scoresByCriteria.has(criteriaKey) ? this.#touch(criteriaKey) : NO_SCORES;
  }

  put(criteriaKey: string, kept: KeptScore): void {
    const { eventNumber, version } = kept.score;
    const held = this.#touch(criteriaKey).get(eventNumber);
    // Tasks may finish out of order; an older score would only be scored again.
    if (held !== undefined && held.score.version > version) return;
    if (held === undefined) {
      if (this.#count >= this.#scoresMax) this.#dropOldest();
      this.#count++;
    }
    this.#touch(criteriaKey).set(eventNumber, kept);
  }

  #touch(criteriaKey: string): Map<number, KeptScore> {
    const scores = this.#scoresByCriteria.get(criteriaKey) ?? new Map<number, KeptScore>();
    this.#scoresByCriteria.delete(criteriaKey);
    this.#scoresByCriteria.set(criteriaKey, scores);
    return scores;
  }

  #dropOldest(): void {
    const oldest = this.#scoresByCriteria.entries().next().value;
    if (oldest === undefined) return;
    this.#scoresByCriteria.delete(oldest[0]);
    this.#count -= oldest[1].size;
  }
}

const NO_SCORES: ReadonlyMap<number, KeptScore> = new Map();
