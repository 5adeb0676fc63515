// A Postgres database with the service's tables, for a group of tests.

import { afterAll, beforeAll, describe } from 'bun:test';
import { POSTGRES_SCHEMA } from '../../src/start/data/postgres.ts';
import { PostgresPool } from '../../src/storage/postgres.ts';
import { preparePostgres, tableNames } from '../../src/storage/postgres-schema.ts';
import { POSTGRES_MISSING, PostgresServer } from './postgres-server.ts';

/** The database of a group of tests. It exists only while they run. */
interface SuitePostgres {
  readonly server: PostgresServer;
  /**
   * A pool over the server's database that has all tables. A group of tests that shares it begins with
   * `emptyTables`.
   */
  readonly pool: PostgresPool;
}

/** A group of tests with its own server. It is skipped, with the reason, if there is no Postgres. */
export function describePostgres(define: (postgres: SuitePostgres) => void): void {
  const reason = POSTGRES_MISSING === null ? '' : `: ${POSTGRES_MISSING}`;
  describe.skipIf(POSTGRES_MISSING !== null)(`Postgres${reason}`, () => {
    let server: PostgresServer;
    let pool: PostgresPool;

    beforeAll(async () => {
      server = await PostgresServer.start();
      pool = await preparedPool(server.url());
    });

    afterAll(async () => {
      await pool.close();
      await server[Symbol.asyncDispose]();
    });

    define({
      get server() {
        return server;
      },
      get pool() {
        return pool;
      },
    });
  });
}

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
