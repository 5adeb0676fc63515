// Every capacity and deadline of the scoring pool, and what happens when it is reached; and what it counts.

import { FIXTURES_MAX } from '../limits.ts';

export interface ScoringLimits {
  /** Most fixtures per task. A larger share of a scan becomes several tasks. */
  readonly fixturesPerTaskMax: number;
  /**
   * Fewest fixtures per task when a scan is split, because waking a worker costs more than scoring a handful
   * of fixtures.
   */
  readonly fixturesPerTaskMin: number;
  /**
   * Maximum number of tasks waiting for a worker. A scan whose tasks do not all fit is refused as a whole,
   * with 503 and a retry after 1 s.
   */
  readonly tasksWaitingMax: number;
  /**
   * A worker that does not answer a task for this long counts as stuck. It is replaced, and its task is tried
   * once more. `startDeadlineMs` is the limit for the start of a worker.
   */
  readonly taskDeadlineMs: number;
  readonly startDeadlineMs: number;
  /** A scan that takes longer is abandoned with 503. Shorter than the deadline of a request. */
  readonly scanDeadlineMs: number;
  /**
   * Maximum number of scores kept, over all criteria, at about 400 bytes each. Beyond it, those of the
   * criteria used longest ago are dropped.
   */
  readonly cachedScoresMax: number;
  /** Longest pause before a worker that keeps crashing is started again. The first restart is immediate. */
  readonly restartPauseMaxMs: number;
}

export const SCORING_LIMITS: ScoringLimits = {
  fixturesPerTaskMax: 128,
  fixturesPerTaskMin: 16,
  tasksWaitingMax: 256,
  taskDeadlineMs: 1_000,
  startDeadlineMs: 5_000,
  scanDeadlineMs: 5_000,
  cachedScoresMax: 4 * FIXTURES_MAX,
  restartPauseMaxMs: 5_000,
};

/** The counts that a pool keeps itself, when it starts. */
export const NO_COUNTS = {
  scans: 0,
  scansRefused: 0,
  scansFailed: 0,
  fixturesScored: 0,
  fixturesFromCache: 0,
  tasksRetried: 0,
};

/** The statistics of a pool that has not started. */
export const NO_SCORING = {
  threads: 0,
  freeThreads: 0,
  workersLost: 0,
  tasksWaiting: 0,
  cachedScores: 0,
  ...NO_COUNTS,
};

export type ScoringStats = Readonly<typeof NO_SCORING>;
