// What outlives the slate, as ingest needs it: open-archive.ts fills it with the archive, tests with memory.

import type { OpeningRow } from '../store/records.ts';
import type { FixtureRecord, RecordedResult } from './fixture-book.ts';

/** A finished match as the archive keeps it. */
export interface FinishedMatch extends RecordedResult {
  readonly fixture: FixtureRecord;
}

/** What outlives the slate, as ingest needs it. */
export interface ArchivePort {
  /** Openings recorded before this start, in the order they were first seen. */
  openingsOf(eventNumber: number): readonly OpeningRow[];
  recordOpening(eventNumber: number, opening: OpeningRow): void;
  recordResult(match: FinishedMatch): void;
}
