import { AccountRepository } from '../../src/accounts/account-repository.ts';
import { KeyRepository } from '../../src/accounts/key-repository.ts';
import { PostgresAttempts } from '../../src/accounts/postgres-attempts.ts';
import { SessionUses } from '../../src/accounts/session-uses.ts';
import { postgresSql } from '../../src/storage/postgres-sql.ts';
import { describePostgres, emptyTables } from '../support/postgres-tables.ts';
import { defineRepositorySuite } from './repository-suite.ts';

describePostgres((postgres) => {
  defineRepositorySuite('Postgres', async () => {
    await emptyTables(postgres.pool);
    return {
      accounts: new AccountRepository(postgresSql(postgres.pool)),
      attempts: new PostgresAttempts(postgres.pool),
      keys: new KeyRepository(postgresSql(postgres.pool)),
      uses: new SessionUses(postgresSql(postgres.pool)),
      [Symbol.asyncDispose]: async () => {},
    };
  });
});
