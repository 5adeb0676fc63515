// Access of the reader to the writer's ticks that are not in a file yet. Both run on the history thread, so
// the calls are plain function calls on that thread's memory.

import type { TapeMark } from './mark.ts';
import type { FixtureSummary } from './past/fixture-summaries.ts';
import type { Sight } from './past/past-fixture.ts';
import type { FixtureIds, Gap, Tick } from './tick.ts';

/** The rows of the live part, as they are at each call. */
export interface LiveRows {
  /** The live part answers for what was received at or after this. Infinity when nothing is in memory. */
  readonly beginMs: number;
  /**
   * Summaries of each fixture that has a tick in the live part, as far as callers may see it; several of one
   * fixture if the live part has several segments. The ticks of a summary are of one day.
   */
  summaries(sight: Sight): Iterable<FixtureSummary>;
  /** Event ids of all fixtures that have rows in the live part. */
  eventIds(): Iterable<string>;
  /**
   * The rows of one fixture in the live part, standing rows first, then ticks in the order of publishing. The
   * standing rows are the lines that stood when the live part was begun, so the part alone can answer.
   */
  rowsOf(eventId: string): readonly Tick[];
  /**
   * The last row of each line of a fixture that was published by an instant, withdrawn ones included. A line
   * has one for each segment in which it changed.
   */
  lastRowsAt(eventId: string, atMs: number): readonly Tick[];
  /** The live part as it is now, also when its segments become files later. New rows are added to it. */
  now(): LiveRows;
  /** The marks of one fixture in the live part, with the one that held when the live part was begun. */
  marksOf(eventId: string): readonly TapeMark[];
  /** Ids of the league and teams of a fixture in the live part; undefined when unknown. */
  idsOf(eventId: string): FixtureIds | undefined;
}

/** The part of the tape that is still in memory and in the log. Files hold everything before it. */
export interface TapeSource {
  /**
   * Takes over everything that has been published by now. Call it before reading.
   * @returns the instant before which nothing more will be added, Unix ms. Answers for an instant at or after
   *   it could still change.
   */
  catchUp(): Promise<number>;
  readonly live: LiveRows;
  /** Number of ticks, without standing rows, and bytes of the log. */
  size(): { readonly ticks: number; readonly bytes: number };
  /** Every gap on record, oldest first, with the one that lasts now. */
  gaps(): readonly Gap[];
  /** Called whenever files were added, replaced or removed. @returns a function that unsubscribes */
  onFilesChanged(listener: () => void): () => void;
}
