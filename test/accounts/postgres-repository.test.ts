import { PostgresAccountRepository } from '../../src/accounts/postgres-account-repository.ts';
import { PostgresAttempts } from '../../src/accounts/postgres-attempts.ts';
import { PostgresKeyRepository } from '../../src/accounts/postgres-key-repository.ts';
import { PostgresSessionUses } from '../../src/accounts/postgres-session-uses.ts';
import { describePostgres, emptyTables } from '../support/postgres-tables.ts';
import { defineRepositorySuite } from './repository-suite.ts';

describePostgres((postgres) => {
  defineRepositorySuite('Postgres', async () => {
    await emptyTables(postgres.pool);
    return {
      accounts: new PostgresAccountRepository(postgres.pool),
      attempts: new PostgresAttempts(postgres.pool),
      keys: new PostgresKeyRepository(postgres.pool),
      uses: new PostgresSessionUses(postgres.pool),
      [Symbol.asyncDispose]: async () => {},
    };
  });
});
