// Every capacity and deadline of the scoring pool, with what happens at it.

import { FIXTURES_MAX } from '../limits.ts';

export interface ScoringLimits {
  /** Fixtures of one task; a larger share of a scan becomes more tasks. */
  readonly fixturesPerTaskMax: number;
  /** A scan is split no finer than this: waking a worker costs more than scoring a handful of fixtures. */
  readonly fixturesPerTaskMin: number;
  /** Tasks waiting for a worker. A scan whose tasks don't all fit is refused whole: 503, retry after 1 s. */
  readonly tasksWaitingMax: number;
  /** A worker silent this long over a task, or over its start, is stuck: replaced, its task tried once more. */
  readonly taskDeadlineMs: number;
  readonly startDeadlineMs: number;
  /** A scan not answered by then is given up: 503. Below the deadline of a request. */
  readonly scanDeadlineMs: number;
  /** Scores kept, over all criteria. Full: those of the criteria used longest ago are dropped. About 400 bytes each. */
  readonly cachedScoresMax: number;
  /** Longest pause before a worker that keeps dying is started again; the first restart is immediate. */
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
