// A scan: the caller's request and result, and the pool's state while it is under way.

import { areSame, isNoneEarlier, type SignalMoment } from '../domain/signal-gate.ts';
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
  /** The cache key of its scores; null for a scan of all hits, which are not cached. */
  readonly criteriaKey: string | null;
  readonly scores: (FixtureScore | null)[];
  readonly result: PromiseWithResolvers<readonly FixtureScore[]>;
  readonly deadline: ReturnType<typeof setTimeout>;
  tasksLeft: number;
  isEnded: boolean;
}

/** A part of a scan, for one worker. */
export interface ScanTask extends ScoreTask {
  readonly scan: Scan;
  /** The position of each fixture's score in the scan. */
  readonly positions: readonly number[];
  tries: number;
}

/**
 * Fixtures that must be scored. The same index in all three arrays means the same fixture: its position in
 * the scan, its slot, its event number.
 */
interface MovedFixtures {
  readonly positions: readonly number[];
  readonly slots: readonly number[];
  readonly eventNumbers: readonly number[];
}

/**
 * Divides a scan's fixtures by whether their cached score is still valid. It is valid while the fixture's
 * version is the same, the score's time has not run out, no heartbeat has become earlier, and no heartbeat
 * that the score awaits has arrived.
 * @param cached scores by event number under the scan's criteria
 * @returns a score or null per fixture, and the fixtures to score; one that has left the slate gets null and
 * is not scored
 */
export function splitMoved(
  reader: SlateReader,
  cached: ReadonlyMap<number, KeptScore>,
  { eventNumbers, moment }: Pick<ScanRequest, 'eventNumbers' | 'moment'>,
): { readonly scores: (FixtureScore | null)[]; readonly moved: MovedFixtures } {
  const scores: (FixtureScore | null)[] = [];
  const moved = { positions: [] as number[], slots: [] as number[], eventNumbers: [] as number[] };
  for (const [position, eventNumber] of eventNumbers.entries()) {
    const slot = reader.slotOf(eventNumber);
    const known = slot < 0 ? undefined : cached.get(eventNumber);
    const isUnmoved =
      known !== undefined &&
      known.score.version === reader.versionOf(slot) &&
      moment.nowMs < known.score.validUntilMs &&
      isNoneEarlier(moment.confirmedAtMs, known.confirmedAtMs) &&
      areSame(moment.confirmedAtMs, known.confirmedAtMs, known.score.awaitedMask);
    scores.push(isUnmoved ? known.score : null);
    if (slot < 0 || isUnmoved) continue;
    moved.positions.push(position);
    moved.slots.push(slot);
    moved.eventNumbers.push(eventNumber);
  }
  return { scores, moved };
}

/** The rest of a task, after its first fixtures were scored. */
export function restOf(task: ScanTask, scoredCount: number): ScanTask {
  return { ...task, ...partOf(task, scoredCount), tries: 0 };
}

/** Splits the fixtures of a scan into tasks of `share` fixtures. */
export function tasksOf(
  scan: Scan,
  { moment, eventNumbers: _, ...criteria }: ScanRequest,
  moved: MovedFixtures,
  share: number,
): ScanTask[] {
  const tasks: ScanTask[] = [];
  for (let from = 0; from < moved.positions.length; from += share) {
    tasks.push({
      scan,
      criteria,
      moment,
      ...partOf(moved, from, from + share),
      wantsHits: scan.criteriaKey === null,
      tries: 0,
    });
  }
  return tasks;
}

function partOf(fixtures: MovedFixtures, from: number, end?: number): MovedFixtures {
  return {
    positions: fixtures.positions.slice(from, end),
    slots: fixtures.slots.slice(from, end),
    eventNumbers: fixtures.eventNumbers.slice(from, end),
  };
}
