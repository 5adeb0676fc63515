import { afterAll, beforeAll, describe } from 'bun:test';
import { PostgresAccountRepository } from '../../src/accounts/postgres-account-repository.ts';
import { PostgresKeyRepository } from '../../src/accounts/postgres-key-repository.ts';
import type { PostgresPool } from '../../src/postgres.ts';
import { POSTGRES_MISSING, PostgresServer } from '../support/postgres-server.ts';
import { emptyTables, preparedPool } from '../support/postgres-tables.ts';
import { defineRepositorySuite } from './repository-suite.ts';

describe.skipIf(POSTGRES_MISSING !== null)(
  `Postgres${POSTGRES_MISSING ? `: ${POSTGRES_MISSING}` : ''}`,
  () => {
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

    defineRepositorySuite('Postgres', async () => {
      await emptyTables(pool);
      return {
        accounts: new PostgresAccountRepository(pool),
        keys: new PostgresKeyRepository(pool),
        [Symbol.asyncDispose]: async () => {},
      };
    });
  },
);
