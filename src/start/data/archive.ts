// The archive, for the thread that reads it: the SQLite file over a read-only connection, or Postgres.

import { ArchiveReader } from '../../archive/archive-reader.ts';
import { ARCHIVE_SCHEMA } from '../../archive/tables.ts';
import { type ArchiveCalls, createArchiveCalls } from '../../query/lists/archive-calls.ts';
import type { Config } from '../../settings/config.ts';
import type { PostgresPool } from '../../storage/postgres.ts';
import { postgresSql } from '../../storage/postgres-sql.ts';
import { openSql } from './open-sql.ts';

const CONNECTIONS = 2;

export interface Archive {
  readonly calls: ArchiveCalls;
  close(): Promise<void>;
}

/** @param pool of the caller, if it has one; it stays open @throws Error if the file cannot be opened */
export function openArchive(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  pool: PostgresPool | null = null,
): Archive {
  const { sql, close } =
    pool === null
      ? openSql(config, { schemas: [ARCHIVE_SCHEMA], readsOnly: true, connections: CONNECTIONS })
      : { sql: postgresSql(pool), close: async () => {} };
  return { calls: createArchiveCalls(new ArchiveReader(sql)), close };
}
