// A Postgres database with the service's tables, empty at every test of a suite.

import { PostgresPool } from '../../src/postgres.ts';
import { preparePostgres, tableNames } from '../../src/postgres-schema.ts';
import { POSTGRES_SCHEMA } from '../../src/start/postgres.ts';

/** A pool over a database that has all tables. */
export async function preparedPool(url: string): Promise<PostgresPool> {
  const pool = new PostgresPool({ url });
  await preparePostgres(pool, POSTGRES_SCHEMA);
  return pool;
}

/** Empties all tables. */
export async function emptyTables(pool: PostgresPool): Promise<void> {
  const names = tableNames(POSTGRES_SCHEMA.tables).filter((name) => name !== 'key_epoch');
  await pool.run(`TRUNCATE ${names.join(', ')}, key_changes RESTART IDENTITY`);
}
