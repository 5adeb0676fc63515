import { expect, test } from 'bun:test';
import { POSTGRES_SCHEMA } from '../../src/start/data/postgres.ts';
import { PostgresPool } from '../../src/storage/postgres.ts';
import { preparePostgres } from '../../src/storage/postgres-schema.ts';
import { StorageError } from '../../src/storage/storage-errors.ts';
import { until } from '../support/condition.ts';
import { describePostgres } from '../support/postgres-tables.ts';

describePostgres((postgres) => {
  /** A pool over the server's database without the table `one`, closed at the end. */
  async function openPool(deadlineMs = 2_000): Promise<PostgresPool & AsyncDisposable> {
    await postgres.server.psql('DROP TABLE IF EXISTS one');
    return poolOver(postgres.server.url(), deadlineMs);
  }

  /** A pool over a new database, closed at the end. */
  async function openNewDatabase(): Promise<PostgresPool & AsyncDisposable> {
    return poolOver(await postgres.server.createDatabase(), 2_000);
  }

  function poolOver(url: string, deadlineMs: number): PostgresPool & AsyncDisposable {
    const pool = new PostgresPool({ url, connections: 2, deadlineMs });
    return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.close() });
  }

  test('pool: numbers stay numbers, changes are counted, and the error of a statement is passed on unchanged', async () => {
    await using pool = await openPool();
    await pool.run('CREATE TABLE one (a BIGINT, b TEXT)');
    expect(await pool.run('INSERT INTO one VALUES ($1, $2), (NULL, NULL)', [1_800_000_000_000, 'ä'])).toBe(2);
    expect(await pool.rows<unknown>('SELECT * FROM one ORDER BY a')).toEqual([
      { a: 1_800_000_000_000, b: 'ä' },
      { a: null, b: null },
    ]);
    expect(await failureOf(pool.rows('SELECT 1 / 0'))).toMatch(/division by zero/);
    expect(await failureOf(pool.rows('SELECT 9007199254740993::bigint'))).toMatch(/exact/);
  });

  test('pool: changes of a transaction are undone when its work fails', async () => {
    await using pool = await openPool();
    await pool.run('CREATE TABLE one (a BIGINT)');
    const failed = pool.transaction(async (sql) => {
      await sql.run('INSERT INTO one VALUES (1)');
      throw new Error('mine');
    });
    expect(await failureOf(failed)).toMatch(/mine/);
    expect(await pool.rows('SELECT * FROM one')).toEqual([]);
  });

  test('pool: if transactions block each other, one of them is run again', async () => {
    await using pool = await openPool(20_000);
    await pool.run('CREATE TABLE one (id BIGINT PRIMARY KEY, a BIGINT)');
    await pool.run('INSERT INTO one VALUES (1, 0), (2, 0)');
    const bothHoldOne = Promise.withResolvers<void>();
    let holding = 0;
    const raise = (ids: readonly number[]) =>
      pool.transaction(async (sql) => {
        await sql.run('UPDATE one SET a = a + 1 WHERE id = $1', [ids[0]!]);
        holding += 1;
        if (holding >= 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await sql.run('UPDATE one SET a = a + 1 WHERE id = $1', [ids[1]!]);
      });
    await Promise.all([raise([1, 2]), raise([2, 1])]);
    expect(await pool.rows<{ a: number }>('SELECT a FROM one')).toEqual([{ a: 2 }, { a: 2 }]);
  });

  test('pool: if the connection is cut between two statements of a transaction, neither of them is committed', async () => {
    await using pool = await openPool();
    await pool.run('CREATE TABLE one (a BIGINT)');
    const failed = pool.transaction(async (sql) => {
      await sql.run('INSERT INTO one VALUES (1)');
      const [row] = await sql.rows<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await postgres.server.psql(`SELECT pg_terminate_backend(${row!.pid})`);
      await until('the connection is gone', async () => {
        const left = await postgres.server.psql(
          `SELECT count(*) FROM pg_stat_activity WHERE pid = ${row!.pid}`,
        );
        return left === '0';
      });
      await sql.run('INSERT INTO one VALUES (2)');
    });
    expect(await failureOf(failed)).toBe('unavailable');
    expect(await pool.rows('SELECT * FROM one')).toEqual([]);
  });

  test('pool: refuses calls while Postgres is down, and recovers with it', async () => {
    await using pool = await openPool();
    await pool.rows('SELECT 1');
    await postgres.server.kill();
    expect(await failureOf(pool.rows('SELECT 1'))).toBe('unavailable');
    expect(await failureOf(pool.transaction((sql) => sql.run('SELECT 1')))).toBe('unavailable');
    await postgres.server.resume();
    await until('a call is answered', async () => (await failureOf(pool.rows('SELECT 1'))) === 'none');
  });

  test('pool: a frozen server costs each call its deadline, even a queued call, and the pool recovers', async () => {
    await using pool = await openPool(300);
    const bothAnswer = () => areDone([pool.rows('SELECT 1'), pool.rows('SELECT 1')]);
    await until('both connections answer', bothAnswer);
    postgres.server.freeze();
    try {
      const failures = await Promise.all(Array.from({ length: 6 }, () => failureOf(pool.rows('SELECT 1'))));
      expect(new Set(failures)).toEqual(new Set(['unavailable']));
      const flood = Array.from({ length: 1_000 }, () => failureOf(pool.rows('SELECT 1')));
      expect(new Set(await Promise.all(flood))).toEqual(new Set(['unavailable']));
    } finally {
      postgres.server.thaw();
    }
    await until('both connections answer again', bothAnswer);
    // The last calls wait for a connection. On a busy machine, not all of them finish within the short
    // deadline at first.
    await until('twenty calls are answered', () =>
      areDone(Array.from({ length: 20 }, () => pool.rows('SELECT 1'))),
    );
  });

  test('pool: if the answer to a change was lost, the error states that the change may have been made', async () => {
    await using pool = await openPool(300);
    await until('there is a table', () => areDone([pool.run('CREATE TABLE IF NOT EXISTS one (a BIGINT)')]));
    // Runs the statement once on each of the two connections, because only a known statement is sent in one
    // packet.
    const insert = (a: number) => pool.run('INSERT INTO one VALUES ($1)', [a]);
    await until('both connections know the statement', () => areDone([insert(1), insert(2)]));
    postgres.server.freeze();
    const errors: unknown[] = [];
    try {
      const changes = [insert(3), insert(4)];
      for (const { reason } of (await Promise.allSettled(changes)) as PromiseRejectedResult[])
        errors.push(reason);
    } finally {
      postgres.server.thaw();
    }
    expect(errors.map((error) => (error instanceof StorageError ? error.fix : null))).toEqual([
      expect.stringContaining('first check'),
      expect.stringContaining('first check'),
    ]);
    await until('the change was made', async () => {
      const rows = await pool.rows('SELECT a FROM one WHERE a > 2').catch(() => []);
      return rows.length > 0;
    });
  });

  test('pool: once closed every call is refused', async () => {
    const pool = await openPool();
    const [underWay] = await Promise.allSettled([pool.rows('SELECT 1'), pool.close()]);
    expect(['fulfilled', 'rejected']).toContain(underWay!.status);
    expect(await failureOf(pool.rows('SELECT 1'))).toBe('unavailable');
  });

  test('schema: if nodes start together, one of them creates the tables and all find the same tables', async () => {
    const url = await postgres.server.createDatabase();
    const pools = Array.from({ length: 4 }, () => new PostgresPool({ url }));
    const before = await Promise.all(pools.map((pool) => preparePostgres(pool, POSTGRES_SCHEMA)));
    expect(before.filter((version) => version === null)).toHaveLength(1);
    expect(await pools[0]!.rows('SELECT version FROM overround_schema')).toHaveLength(1);
    await Promise.all(pools.map((pool) => pool.close()));
  });

  test('schema: migrations run in order, once, and are recorded; a newer schema is refused by its number', async () => {
    await using pool = await openNewDatabase();
    await preparePostgres(pool, { ...POSTGRES_SCHEMA, version: 4 });
    const migrations = {
      4: [{ table: 'api_keys', sql: 'ALTER TABLE api_keys ADD COLUMN note TEXT' }],
      5: [{ table: 'api_keys', sql: "UPDATE api_keys SET note = 'moved'" }],
    };
    const newer = { ...POSTGRES_SCHEMA, version: 6, migrations };
    expect(await preparePostgres(pool, newer)).toBe(4);
    expect(await preparePostgres(pool, newer)).toBe(6);
    const versions = await pool.rows<{ version: number }>(
      'SELECT version FROM overround_schema ORDER BY version',
    );
    expect(versions.map(({ version }) => version)).toEqual([4, 5, 6]);
    expect(await failureOf(preparePostgres(pool, { ...POSTGRES_SCHEMA, version: 5, migrations }))).toMatch(
      /has schema version 6, this release reads 5/,
    );
  });

  test('schema: a migration that fails leaves the database as it was', async () => {
    await using pool = await openNewDatabase();
    await preparePostgres(pool, { ...POSTGRES_SCHEMA, version: 4 });
    const migrations = {
      4: [
        { table: 'api_keys', sql: 'ALTER TABLE api_keys ADD COLUMN note TEXT' },
        { table: 'api_keys', sql: 'ALTER TABLE nothing ADD COLUMN note TEXT' },
      ],
    };
    expect(await failureOf(preparePostgres(pool, { ...POSTGRES_SCHEMA, version: 5, migrations }))).toMatch(
      /nothing/,
    );
    expect(await preparePostgres(pool, { ...POSTGRES_SCHEMA, version: 4 })).toBe(4);
    expect(await failureOf(pool.rows('SELECT note FROM api_keys'))).toMatch(/note/);
  });

  test('schema: a database with tables of another program is refused', async () => {
    await using pool = await openNewDatabase();
    await pool.run('CREATE TABLE accounts (id TEXT)');
    expect(await failureOf(preparePostgres(pool, POSTGRES_SCHEMA))).toMatch(/accounts belongs to another/);
  });
});

/**
 * Whether all calls succeeded. The deadline is short, so a call may be late on a machine that stalls for a
 * moment.
 */
async function areDone(calls: readonly Promise<unknown>[]): Promise<boolean> {
  return (await Promise.all(calls.map(failureOf))).every((failure) => failure === 'none');
}

/** Returns `none` if the promise does not fail, `unavailable` for a StorageError, otherwise the message. */
async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'none';
  } catch (error) {
    return error instanceof StorageError ? 'unavailable' : String(error);
  }
}
