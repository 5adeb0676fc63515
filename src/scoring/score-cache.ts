// Cached scores by criteria and event, so that a repeated scan scores only what changed. A score is valid for
// one version of its fixture, and until time alone may change it (a quote becomes stale, a half ends); the
// caller checks both. Versions only increase, so a score of an older version is simply never used. After a
// new snapshot, a source's last heartbeat may be earlier than before. So a score records the last heartbeat
// of every bookmaker, and is not used while any of them is now earlier; nor after a heartbeat that may make
// one of its stale quotes fresh. When the cache is full, the scores of the criteria used longest ago are
// dropped. Criteria without any score are not stored, since callers can send any number of different
// criteria.

import type { Confirmations } from '../domain/signal-gate.ts';
import type { FixtureScore } from './score-rows.ts';

export interface KeptScore {
  readonly score: FixtureScore;
  /** The last heartbeat of every bookmaker: `SignalMoment.confirmedAtMs` of its scan. */
  readonly confirmedAtMs: Confirmations;
}

export class ScoreCache {
  readonly #scoresMax: number;
  /** In the order of their last use: the first entry is the one used longest ago. */
  readonly #scoresByCriteria = new Map<string, Map<number, KeptScore>>();
  #count = 0;

  constructor(scoresMax: number) {
    this.#scoresMax = scoresMax;
  }

  /** Number of scores held, over all criteria. */
  get count(): number {
    return this.#count;
  }

  /**
   * Scores by event number under these criteria. The caller checks version, time and heartbeats. Marks the
   * criteria as just used.
   */
  scoresOf(criteriaKey: string): ReadonlyMap<number, KeptScore> {
    return this.#scoresByCriteria.has(criteriaKey) ? this.#touch(criteriaKey) : NO_SCORES;
  }

  put(criteriaKey: string, kept: KeptScore): void {
    const { eventNumber, version } = kept.score;
    const held = this.#touch(criteriaKey).get(eventNumber);
    // Tasks may finish out of order. Do not replace a newer score with an older one.
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

export const NO_SCORES: ReadonlyMap<number, KeptScore> = new Map();
