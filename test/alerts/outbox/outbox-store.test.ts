// The outbox in the database, while other calls change the same rows.

import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { AccountRepository } from '../../../src/accounts/account-repository.ts';
import { type NewDelivery, OutboxStore } from '../../../src/alerts/outbox/outbox-store.ts';
import type { AlertRule } from '../../../src/alerts/rules/alert-rule.ts';
import { RuleRepository } from '../../../src/alerts/rules/rule-repository.ts';
import { SQLITE_SCHEMAS } from '../../../src/start/data/service-database.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { PostgresPool } from '../../../src/storage/postgres.ts';
import { postgresSql } from '../../../src/storage/postgres-sql.ts';
import type { SqlDatabase } from '../../../src/storage/sql.ts';
import { sqliteSql } from '../../../src/storage/sqlite-sql.ts';
import { until } from '../../support/condition.ts';
import { describePostgres, emptyTables } from '../../support/postgres-tables.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ACCOUNT = 'acc_1';

/** An outbox with these rules of one account. */
async function opened(sql: SqlDatabase, ...ids: readonly string[]) {
  const rules = new RuleRepository(sql);
  await new AccountRepository(sql).createAccount({
    ...{ id: ACCOUNT, email: 'ada@example.com', passwordHash: 'h', plan: 'standard' },
    ...{ verifiedAtMs: 0, createdAtMs: 0 },
  });
  for (const [createdAtMs, id] of ids.entries()) {
    const rule: AlertRule = {
      ...{ id, accountId: ACCOUNT, name: id, when: { kind: 'match' }, where: {}, names: {} },
      ...{ to: { url: 'https://one.example/', format: 'raw' }, status: 'active', note: null },
      ...{ secretVersion: 1, rotatedAtMs: null, createdAtMs },
    };
    expect(await rules.create(rule, 50)).toBe(true);
  }
  const store = new OutboxStore(sql);
  const waiting = async () => (await store.waiting()).map(({ message_id }) => message_id);
  return { rules, store, waiting };
}

function delivery(messageId: string, ruleId: string): NewDelivery {
  return { messageId, ruleId, life: messageId, body: '{}', atMs: 0 };
}

function defineStoreSuite(name: string, openSql: () => Promise<{ sql: SqlDatabase } & AsyncDisposable>) {
  describe(`OutboxStore over ${name}`, () => {
    test('deliveries that were written by a call whose answer was lost can be written again', async () => {
      await using open = await openSql();
      const { store, waiting } = await opened(open.sql, 'a', 'b');
      const first = [delivery('3', 'b'), delivery('1', 'a')];
      await store.add(first);
      await store.add([...first, delivery('2', 'b')]);
      expect(await waiting()).toEqual(['3', '1', '2']);
    });

    test('deliveries of rules that are gone are left out, and the others keep their order', async () => {
      await using open = await openSql();
      const { store, rules, waiting } = await opened(open.sql, 'a', 'b');
      await rules.delete(ACCOUNT, 'a');
      await store.add([delivery('9', 'b'), delivery('8', 'a'), delivery('7', 'b'), delivery('6', 'c')]);
      expect(await waiting()).toEqual(['9', '7']);
    });
  });
}

defineStoreSuite('SQLite', async () => {
  const folder = temporaryFolder();
  const path = join(folder.path, 'a.sqlite');
  const database = openDatabase({ path, schemas: SQLITE_SCHEMAS, create: true });
  return {
    sql: sqliteSql(database),
    [Symbol.asyncDispose]: async () => {
      database.close();
      folder[Symbol.dispose]();
    },
  };
});

describePostgres((postgres) => {
  defineStoreSuite('Postgres', async () => {
    await emptyTables(postgres.pool);
    return { sql: postgresSql(postgres.pool), [Symbol.asyncDispose]: async () => {} };
  });

  for (const [what, table] of [
    ['a rule', 'alert_rules'],
    ['an account', 'accounts'],
  ] as const) {
    test(`alerts and test alerts of ${what} that is being deleted wait for the deletion and are dropped; those of other rules are kept`, async () => {
      await emptyTables(postgres.pool);
      // Calls of this pool may wait as long as a busy machine needs.
      const pool = new PostgresPool({ url: postgres.server.url(), deadlineMs: 60_000 });
      await using _closed = { [Symbol.asyncDispose]: () => pool.close() };
      const sql = postgresSql(pool);
      const { store, rules, waiting } = await opened(sql, 'a');
      const other = { id: 'acc_2', email: 'bob@example.com', passwordHash: 'h', plan: 'standard' } as const;
      await new AccountRepository(sql).createAccount({ ...other, verifiedAtMs: 0, createdAtMs: 0 });
      const own = (await rules.find(ACCOUNT, 'a'))!;
      expect(await rules.create({ ...own, id: 'b', accountId: other.id }, 50)).toBe(true);
      let added: Promise<unknown> = Promise.resolve();
      await pool.transaction(async (open) => {
        await open.run(`DELETE FROM ${table} WHERE id = $1`, [table === 'accounts' ? ACCOUNT : 'a']);
        added = Promise.all([
          rules.addTest(delivery('test', 'a')),
          store.add([delivery('1', 'a'), delivery('2', 'b')]),
        ]);
        added.catch(() => {}); // awaited below
        await until('both wait for the deletion', async () => {
          const waits = await postgres.server.psql(
            `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`,
          );
          return waits === '2';
        });
      });
      expect(await added).toEqual([false, undefined]);
      expect(await waiting()).toEqual(['2']);
    });
  }
});
