// A database in its own folder, and records to store in it, for the tests of this folder.

import type { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { ArchiveWriter } from '../../src/archive/archive-writer.ts';
import type { ArchivedResult } from '../../src/archive/tables.ts';
import { ARCHIVE_SCHEMA } from '../../src/archive/tables.ts';
import { clockOf } from '../../src/clock.ts';
import { openDatabase } from '../../src/storage/database.ts';
import type { OpeningRow } from '../../src/store/records.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export const NOW_MS = Date.UTC(2024, 4, 19, 18);

/** The path of a database that does not exist yet; its folder is removed with `using`. */
export function newFile(): Disposable & { readonly path: string } {
  const folder = temporaryFolder();
  return { path: join(folder.path, 'archive.sqlite'), [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

export function open(path: string): Database {
  return openDatabase({ path, schemas: [ARCHIVE_SCHEMA], create: true });
}

interface TestWriter {
  readonly writer: ArchiveWriter;
  readonly errors: unknown[];
}

/** A writer that collects its errors in `errors`. */
export function writerOf(database: Database, nowMs = NOW_MS): TestWriter {
  const errors: unknown[] = [];
  const writer = new ArchiveWriter({
    database,
    clock: clockOf(nowMs),
    onError: (error) => {
      errors.push(error);
    },
  });
  return { writer, errors };
}

export function openingOf(key: number, a = 19_000): OpeningRow {
  return { key, a, b: 20_000, c: 0, openedAtMs: NOW_MS - key, upstream: key % 2 === 0 };
}

export function resultOf(eventNumber: number, changes: Partial<ArchivedResult> = {}): ArchivedResult {
  return {
    eventNumber,
    sport: 0,
    league: { number: 1, name: 'Brasileirão Série A' },
    home: { number: 2, name: 'Atlético Mineiro' },
    away: { number: 3, name: 'Grêmio' },
    scheduledAtMs: NOW_MS - 2 * 3_600_000 - eventNumber,
    score: [2, 1],
    redCards: null,
    finishedAtMs: NOW_MS - eventNumber,
    source: 'final',
    ...changes,
  };
}

/** The stored openings of an event, as a restarted writer reads them. */
export function openingsIn(database: Database, eventNumber: number): OpeningRow[] {
  return writerOf(database).writer.openingsOf(eventNumber);
}
