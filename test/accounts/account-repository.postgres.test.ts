import { AccountRepository } from '../../src/accounts/account-repository.ts';
import { Attempts } from '../../src/accounts/credentials/attempts.ts';
import { KeyRepository } from '../../src/accounts/keys/key-repository.ts';
import { SessionUses } from '../../src/accounts/sessions/session-uses.ts';
import { postgresSql } from '../../src/storage/postgres-sql.ts';
import { describePostgres, emptyTables } from '../support/postgres-tables.ts';
import { defineRepositorySuite } from './repository-suite.ts';

describePostgres((postgres) => {
  defineRepositorySuite('Postgres', async () => {
    await emptyTables(postgres.pool);
    return {
      accounts: new AccountRepository(postgresSql(postgres.pool)),
      attempts: new Attempts(postgresSql(postgres.pool)),
      keys: new KeyRepository(postgresSql(postgres.pool)),
      uses: new SessionUses(postgresSql(postgres.pool)),
      [Symbol.asyncDispose]: async () => {},
    };
  });
});
