// What a scan is: the caller's question and answer, and what the pool keeps while it is under way.

import type { SignalMoment } from '../domain/signal-gate.ts';
import type { SlateReader } from '../store/reader.ts';
import type { ScoreCriteria } from './criteria.ts';
import type { KeptScore } from './score-cache.ts';
import type { FixtureScore } from './score-rows.ts';
import type { ScoreTask } from './task-buffer.ts';

export interface ScanRequest extends ScoreCriteria {
  readonly eventNumbers: readonly number[];
  readonly moment: SignalMoment;
}

/** A scan under way. */
export interface Scan {
  /** Under which its scores are kept; null for one whose caller keeps them. */
  readonly criteriaKey: string | null;
  readonly scores: (FixtureScore | null)[];
  readonly settle: PromiseWithResolvers<readonly FixtureScore[]>;
  readonly deadline: ReturnType<typeof setTimeout>;
  tasksLeft: number;
  settled: boolean;
}

/** A share of a scan, for one worker. */
export interface ScanTask extends ScoreTask {
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

/**
 * Parts a scan's fixtures by whether their last score still stands: of the same version, not outlived by time, and
 * leaning on no heartbeat that was taken back.
 * @param cached scores by event number under the scan's criteria
 * @returns a score or null per fixture, and those to be scored; a fixture that has left the slate is neither
 */
export function splitMoved(
  reader: SlateReader,
  cached: ReadonlyMap<number, KeptScore>,
  { eventNumbers, moment }: Pick<ScanRequest, 'eventNumbers' | 'moment'>,
): { readonly scores: (FixtureScore | null)[]; readonly moved: MovedFixtures } {
  const scores: (FixtureScore | null)[] = [];
  const moved: MovedFixtures = { positions: [], slots: [], eventNumbers: [] };
  for (const [position, eventNumber] of eventNumbers.entries()) {
    const slot = reader.slotOf(eventNumber);
    const known = slot < 0 ? undefined : cached.get(eventNumber);
    const isUnmoved =
      known !== undefined &&
      known.score.version === reader.versionOf(slot) &&
      moment.nowMs < known.score.validUntilMs &&
      known.heartbeatAtMs <= moment.heartbeatAtMs;
    scores.push(isUnmoved ? known.score : null);
    if (slot < 0 || isUnmoved) continue;
    moved.positions.push(position);
    moved.slots.push(slot);
    moved.eventNumbers.push(eventNumber);
  }
  return { scores, moved };
}

/** What of a task is left when its first fixtures are scored. */
export function restOf(task: ScanTask, scoredCount: number): ScanTask {
  return {
    ...task,
    positions: task.positions.slice(scoredCount),
    slots: task.slots.slice(scoredCount),
    eventNumbers: task.eventNumbers.slice(scoredCount),
    tries: 0,
  };
}

/** Cuts the fixtures of a scan into tasks of `share` each. */
export function tasksOf(
  scan: Scan,
  { moment, wantsHits, ...criteria }: Omit<ScanRequest, 'eventNumbers'> & { readonly wantsHits: boolean },
  moved: MovedFixtures,
  share: number,
): ScanTask[] {
  const tasks: ScanTask[] = [];
  for (let from = 0; from < moved.positions.length; from += share) {
    tasks.push({
      scan,
      criteria,
      moment,
      positions: moved.positions.slice(from, from + share),
      slots: moved.slots.slice(from, from + share),
      eventNumbers: moved.eventNumbers.slice(from, from + share),
      wantsHits,
      tries: 0,
    });
  }
  return tasks;
}
