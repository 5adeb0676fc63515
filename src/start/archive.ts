// The archive, for the thread that reads it: on a connection of its own, which cannot write.

import { join } from 'node:path';
import { ArchiveReader } from '../archive/archive-reader.ts';
import { ARCHIVE_SCHEMA } from '../archive/tables.ts';
import type { Config } from '../config.ts';
import { DATABASE_NAME, openDatabase } from '../database.ts';
import { type ArchiveCalls, createArchiveCalls } from '../query/archive-calls.ts';

export interface Archive {
  readonly calls: ArchiveCalls;
  close(): void;
}

/** @throws when the database cannot be opened */
export function openArchive(config: Pick<Config, 'dataDir'>): Archive {
  const database = openDatabase({
    path: join(config.dataDir, DATABASE_NAME),
    schemas: [ARCHIVE_SCHEMA],
    create: false,
    check: false,
  });
  return { calls: createArchiveCalls(new ArchiveReader(database)), close: () => database.close() };
}
