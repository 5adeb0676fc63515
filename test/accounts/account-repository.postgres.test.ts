import { AccountRepository } from '../../src/accounts/account-repository.ts';
import { Attempts } from '../../src/accounts/credentials/attempts.ts';
import { KeyRepository } from '../../src/accounts/keys/key-repository.ts';
import { SessionUses } from '../../src/accounts/sessions/session-uses.ts';
import { postgresSql } from '../../src/storage/postgres-sql.ts';
import { describePostgres, emptyTables } from '../support/postgres-tables.ts';
import { defineRepositorySuite } from './repository-suite.ts';

describePostgres((postgres) => {
  const open = async () => {
    await emptyTables(postgres.pool);
    const sql = postgresSql(postgres.pool);
    return {
      sql,
      accounts: new AccountRepository(sql),
      attempts: new Attempts(sql),
      keys: new KeyRepository(sql),
      uses: new SessionUses(sql),
      [Symbol.asyncDispose]: async () => {},
    };
  };
  defineRepositorySuite('Postgres', open, { isWhole: false });
});
