// What a scan is: the caller's question and answer, and what the pool keeps while it is under way.

import type { ScoreCriteria } from './criteria.ts';
import type { DeskTask } from './desk.ts';
import type { FixtureScore } from './fixture-score.ts';

export interface ScanRequest extends ScoreCriteria {
  readonly eventNumbers: readonly number[];
}

export interface ScanResult {
  /** In the order of the request, without the fixtures that have left the slate. */
  readonly scores: readonly FixtureScore[];
  /** How many of them had to be scored; the others had not moved since they last were. */
  readonly scoredCount: number;
}

/** A scan under way. */
export interface Scan {
  readonly criteriaKey: string;
  readonly scores: (FixtureScore | null)[];
  readonly scoredCount: number;
  readonly settle: PromiseWithResolvers<ScanResult>;
  readonly deadline: ReturnType<typeof setTimeout>;
  tasksLeft: number;
  settled: boolean;
}

/** A share of a scan, for one worker. */
export interface ScanTask extends DeskTask {
  readonly scan: Scan;
  /** Where each fixture's score belongs in the scan. */
  readonly positions: readonly number[];
  tries: number;
}

/** Fixtures to score: positions in the scan, slots and event numbers, index by index the same fixture. */
export interface MovedFixtures {
  readonly positions: number[];
  readonly slots: number[];
  readonly eventNumbers: number[];
}

/** Cuts the fixtures of a scan into tasks of `share` each. */
export function tasksOf(
  scan: Scan,
  criteria: ScoreCriteria,
  moved: MovedFixtures,
  share: number,
): ScanTask[] {
  const tasks: ScanTask[] = [];
  for (let from = 0; from < moved.positions.length; from += share) {
    tasks.push({
      scan,
      criteria,
      positions: moved.positions.slice(from, from + share),
      slots: moved.slots.slice(from, from + share),
      eventNumbers: moved.eventNumbers.slice(from, from + share),
      tries: 0,
    });
  }
  return tasks;
}
