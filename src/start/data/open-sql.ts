// Opens the service's tables in a thread or a command. The main thread has prepared them at its start.

import { join } from 'node:path';
import type { Config } from '../../settings/config.ts';
import { DATABASE_NAME, type OpenDatabaseOptions, openDatabase } from '../../storage/database.ts';
import { PostgresPool } from '../../storage/postgres.ts';
import { postgresSql } from '../../storage/postgres-sql.ts';
import type { SqlDatabase } from '../../storage/sql.ts';
import { sqliteSql } from '../../storage/sqlite-sql.ts';

type FileOptions = Pick<OpenDatabaseOptions, 'schemas' | 'readsOnly' | 'durability'>;

export interface OpenSql {
  readonly sql: SqlDatabase;
  close(): Promise<void>;
}

/**
 * Opens the SQLite file of the data folder, or Postgres if DATABASE_URL is set.
 * @param connections to Postgres
 * @throws Error if the file cannot be opened
 */
export function openSql(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  { connections, ...options }: FileOptions & { readonly connections: number },
): OpenSql {
  if (databaseUrl !== null) {
    const pool = new PostgresPool({ url: databaseUrl, connections });
    return { sql: postgresSql(pool), close: () => pool.close() };
  }
  const database = openPreparedFile(dataDir, options);
  return { sql: sqliteSql(database), close: async () => database.close() };
}

/** Opens the SQLite file of the data folder, without the checks of the start. */
export function openPreparedFile(dataDir: string, options: FileOptions): ReturnType<typeof openDatabase> {
  return openDatabase({ path: join(dataDir, DATABASE_NAME), create: false, check: false, ...options });
}
