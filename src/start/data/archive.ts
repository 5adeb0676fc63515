// The archive, for the thread that reads it: the SQLite file over a read-only connection, or Postgres.

import { join } from 'node:path';
import { ArchiveReader } from '../../archive/archive-reader.ts';
import { ARCHIVE_SCHEMA } from '../../archive/tables.ts';
import { type ArchiveCalls, createArchiveCalls } from '../../query/lists/archive-calls.ts';
import type { Config } from '../../settings/config.ts';
import { DATABASE_NAME, openDatabase } from '../../storage/database.ts';
import type { PostgresPool } from '../../storage/postgres.ts';
import { postgresSql } from '../../storage/postgres-sql.ts';
import { sqliteSql } from '../../storage/sqlite-sql.ts';

export interface Archive {
  readonly calls: ArchiveCalls;
  close(): void;
}

/**
 * @param pool the Postgres pool, or null for the file in the data folder
 * @throws Error if the file cannot be opened
 */
export function openArchive(config: Pick<Config, 'dataDir'>, pool: PostgresPool | null): Archive {
  if (pool !== null)
    return { calls: createArchiveCalls(new ArchiveReader(postgresSql(pool))), close: () => {} };
  const database = openDatabase({
    path: join(config.dataDir, DATABASE_NAME),
    schemas: [ARCHIVE_SCHEMA],
    create: false,
    check: false,
    readsOnly: true,
  });
  return {
    calls: createArchiveCalls(new ArchiveReader(sqliteSql(database))),
    close: () => database.close(),
  };
}
