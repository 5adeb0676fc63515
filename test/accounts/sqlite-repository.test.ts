import { SqliteAccountRepository } from '../../src/accounts/sqlite-account-repository.ts';
import { SqliteAttempts } from '../../src/accounts/sqlite-attempts.ts';
import { SqliteKeyRepository } from '../../src/accounts/sqlite-key-repository.ts';
import { SqliteSessionUses } from '../../src/accounts/sqlite-session-uses.ts';
import type { Repositories } from './repository/records.ts';
import { defineRepositorySuite } from './repository-suite.ts';
import { Folder, openAccounts } from './support.ts';

defineRepositorySuite('SQLite', openSqlite);

async function openSqlite(): Promise<Repositories> {
  const folder = new Folder();
  const database = openAccounts(folder.path);
  return {
    accounts: new SqliteAccountRepository(database),
    attempts: new SqliteAttempts(database),
    keys: new SqliteKeyRepository(database),
    uses: new SqliteSessionUses(database),
    async [Symbol.asyncDispose]() {
      database.close();
      folder[Symbol.dispose]();
    },
  };
}
