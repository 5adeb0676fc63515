// The archive, for the thread that reads it: a file on a connection of its own, which cannot write, or Postgres.

import { join } from 'node:path';
import { ArchiveReader } from '../archive/archive-reader.ts';
import { PostgresArchiveReader } from '../archive/postgres-archive-reader.ts';
import { ARCHIVE_SCHEMA } from '../archive/tables.ts';
import type { Config } from '../config.ts';
import { DATABASE_NAME, openDatabase } from '../database.ts';
import type { PostgresPool } from '../postgres.ts';
import { type ArchiveCalls, createArchiveCalls } from '../query/archive-calls.ts';

export interface Archive {
  readonly calls: ArchiveCalls;
  close(): void;
}

/** @param pool where it is; null: in the file of the data folder. @throws when that cannot be opened */
export function openArchive(config: Pick<Config, 'dataDir'>, pool: PostgresPool | null): Archive {
  if (pool !== null) return { calls: createArchiveCalls(new PostgresArchiveReader(pool)), close: () => {} };
  const database = openDatabase({
    path: join(config.dataDir, DATABASE_NAME),
    schemas: [ARCHIVE_SCHEMA],
    create: false,
    check: false,
  });
  return { calls: createArchiveCalls(new ArchiveReader(database)), close: () => database.close() };
}
