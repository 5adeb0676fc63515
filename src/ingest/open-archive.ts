// The ingest worker's connection to the archive.

import { join } from 'node:path';
import { ArchiveWriter } from '../archive/archive-writer.ts';
import type { ArchivedResult } from '../archive/records.ts';
import { ARCHIVE_SCHEMA } from '../archive/schema.ts';
import type { Clock } from '../clock.ts';
import { DATABASE_NAME, openDatabase } from '../database.ts';
import type { BoundedLog } from '../log.ts';
import type { SlateWriter } from '../store/writer.ts';
import type { ArchivePort, FinishedMatch } from './archive-port.ts';

export interface OpenArchive {
  readonly port: ArchivePort;
  /** Writes what waits; call it several times a second. */
  flush(): void;
  /** Deletes what has been kept for long enough; call it now and then. */
  purge(): void;
  /** Writes what waits and closes the connection. */
  close(): void;
}

/** Opens it. What cannot be written is counted and logged, and never thrown into the feed. */
export function openArchive(options: {
  readonly dataDir: string;
  readonly writer: SlateWriter;
  readonly clock: Clock;
  readonly log: BoundedLog;
}): OpenArchive {
  const { writer, clock, log } = options;
  // Main has checked the file before it started this worker.
  const database = openDatabase({
    path: join(options.dataDir, DATABASE_NAME),
    schemas: [ARCHIVE_SCHEMA],
    create: true,
    check: false,
  });
  const archive = new ArchiveWriter({
    database,
    clock,
    onError: (error) => {
      writer.count('archive_errors');
      log.warn('archive_write_failed', { error: error instanceof Error ? error.message : String(error) });
    },
  });
  return {
    port: {
      openingsOf: (eventNumber) => archive.openingsOf(eventNumber),
      recordOpening: (eventNumber, opening) => archive.recordOpening(eventNumber, opening),
      recordResult: (match) => archive.recordResult(toArchivedResult(match)),
    },
    flush: () => void archive.flush(),
    purge: () => void archive.purge(clock.wallMs()),
    close: () => {
      archive.flush();
      database.close();
    },
  };
}

function toArchivedResult({
  fixture,
  score,
  redCards,
  finishedAtMs,
  isFinal,
}: FinishedMatch): ArchivedResult {
  return {
    eventNumber: fixture.eventNumber,
    sport: fixture.sport,
    league: fixture.league,
    home: fixture.home,
    away: fixture.away,
    scheduledAtMs: fixture.scheduledAtMs,
    score,
    redCards,
    finishedAtMs,
    source: isFinal ? 'final' : 'inferred',
  };
}
