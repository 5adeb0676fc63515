// Gives the reader access to the writer's ticks that are not in a file yet. Both run on the history thread,
// so these are plain function calls.

import type { TapeMark } from './mark.ts';
import type { FixtureSummary } from './past/fixture-summaries.ts';
import type { Sight } from './past/past-fixture.ts';
import type { FixtureIds, Gap, TapeRange, Tick, TickRows } from './tick.ts';

/**
 * The log gets a chunk at least once in each period of this length; periods begin at whole multiples of it.
 * Chunks in between come from changes. So callers who may not see every change learn only how many periods
 * are over.
 */
export const SETTLED_STEP_MS = 1_000;

/**
 * Read access to the live part: the ticks that are not in a file yet. Each call answers for the time of the
 * call.
 */
export interface LiveRows {
  /** When the segment that was written first begins. Infinity when nothing is in memory. */
  readonly beginMs: number;
  /** Whether the live part has the rows of a file that begins at this instant. */
  has(beginMs: number): boolean;
  /**
   * Summaries of each fixture that has a tick in the live part, limited to what callers may see. If the live
   * part has several segments, a fixture may have several summaries. The ticks of a summary are of one day.
   */
  summaries(sight: Sight): Iterable<FixtureSummary>;
  /** Event ids of all fixtures that have rows in the live part. */
  eventIds(): Iterable<string>;
  /**
   * The rows of one fixture in the live part, standing rows first, then ticks in the order of publishing. The
   * standing rows are the lines on the slate when the live part was begun, so the part alone can answer.
   */
  rowsOf(eventId: string): readonly Tick[];
  /** The ticks in a range, without standing rows: those of each segment, sorted as in a file. */
  changesIn(range: TapeRange): readonly TickRows[];
  /**
   * For each line of a fixture, the last row published by an instant, withdrawals included. Only the segment
   * that `at(atMs)` chooses is read.
   */
  lastRowsAt(eventId: string, atMs: number): readonly Tick[];
  /**
   * Only the segment that answers for an instant: of the segments that begin by then, the one that begins
   * last. Earlier segments are not needed, and the ends of their logs may be lost. The result stays readable
   * after the segment becomes a file. Empty when every segment begins later.
   */
  at(atMs: number): LiveRows;
  /**
   * The marks of one fixture in the live part, including the mark that repeats its state when the live part
   * was begun.
   */
  marksOf(eventId: string): readonly TapeMark[];
  /** Ids of the league and teams of a fixture in the live part; undefined when unknown. */
  idsOf(eventId: string): FixtureIds | undefined;
}

/** The part of the tape that is still in memory and in the log. Files hold everything before it. */
export interface TapeSource {
  /**
   * Records everything that was published until now. Call it before reading.
   * @returns the instant before which nothing more will be added, Unix ms. Answers for that instant or a
   * later one could still change.
   */
  catchUp(): Promise<number>;
  readonly live: LiveRows;
  /** Number of ticks, without standing rows, and bytes of the log. */
  size(): { readonly ticks: number; readonly bytes: number };
  /** Every gap on record, oldest first, including one that has not ended. */
  gaps(): readonly Gap[];
  /**
   * Calls `listener` whenever files were added, replaced or removed. @returns a function that unsubscribes
   */
  onFilesChanged(listener: () => void): () => void;
}
