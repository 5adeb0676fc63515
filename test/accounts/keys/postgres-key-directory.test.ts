import { expect, test } from 'bun:test';
import { KeyRepository } from '../../../src/accounts/keys/key-repository.ts';
import { PostgresKeyDirectory } from '../../../src/accounts/keys/postgres-key-directory.ts';
import { postgresSql } from '../../../src/storage/postgres-sql.ts';
import type { Sql } from '../../../src/storage/sql.ts';
import { describePostgres, emptyTables } from '../../support/postgres-tables.ts';
import { newKey } from '../repository/records.ts';

/** A statement that has run: its result waits until the test lets it arrive. */
interface Held {
  readonly hasRun: Promise<void>;
  readonly arrive: () => void;
}

/** A database whose results can be held back. */
class SlowSql implements Sql {
  readonly #sql: Sql;
  readonly #held = new Map<string, { readonly run: () => void; readonly arrives: Promise<void> }>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Holds back the result of the next statement that contains this text. */
  hold(text: string): Held {
    const [run, arrival] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    this.#held.set(text, { run: run.resolve, arrives: arrival.promise });
    return { hasRun: run.promise, arrive: arrival.resolve };
  }

  async rows<Row>(...[statement, parameters]: Parameters<Sql['rows']>): Promise<Row[]> {
    const rows = await this.#sql.rows<Row>(statement, parameters);
    await this.#arrival(statement);
    return rows;
  }

  async run(...[statement, parameters]: Parameters<Sql['run']>): Promise<number> {
    const count = await this.#sql.run(statement, parameters);
    await this.#arrival(statement);
    return count;
  }

  async #arrival(statement: string): Promise<void> {
    const text = this.#held.keys().find((one) => statement.includes(one));
    if (text === undefined) return;
    const { run, arrives } = this.#held.get(text)!;
    this.#held.delete(text);
    run();
    await arrives;
  }
}

describePostgres((postgres) => {
  test('a key that a query reads before it is revoked is not cached, even if the result arrives while old changes are deleted', async () => {
    await emptyTables(postgres.pool);
    const keys = new KeyRepository(postgresSql(postgres.pool));
    const { hash, ...key } = newKey({ accountId: null });
    await keys.createKey({ hash, ...key });
    const sql = new SlowSql(postgres.pool);
    const directory = new PostgresKeyDirectory(sql, () => true);
    await directory.check();
    const lookUp = sql.hold('WITH asked');
    const found = directory.fetchLive(hash);
    await lookUp.hasRun;
    await keys.revokeKey(key.keyId);
    const deletion = sql.hold('DELETE FROM key_changes');
    const checked = directory.check();
    await deletion.hasRun;
    lookUp.arrive();
    expect(await found).toMatchObject({ keyId: key.keyId });
    deletion.arrive();
    await checked;
    expect(await directory.fetchLive(hash)).toBeNull();
  });
});
