import { AccountRepository } from '../../src/accounts/account-repository.ts';
import { Attempts } from '../../src/accounts/credentials/attempts.ts';
import { KeyRepository } from '../../src/accounts/keys/key-repository.ts';
import { SessionUses } from '../../src/accounts/sessions/session-uses.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Repositories } from './repository/records.ts';
import { defineRepositorySuite } from './repository-suite.ts';
import { openAccounts } from './support.ts';

defineRepositorySuite('SQLite', openSqlite, { isWhole: true });

async function openSqlite(): Promise<Repositories> {
  const folder = temporaryFolder();
  const database = openAccounts(folder.path);
  const sql = sqliteSql(database);
  return {
    sql,
    accounts: new AccountRepository(sql),
    attempts: new Attempts(sql),
    keys: new KeyRepository(sql),
    uses: new SessionUses(sql),
    async [Symbol.asyncDispose]() {
      database.close();
      folder[Symbol.dispose]();
    },
  };
}
