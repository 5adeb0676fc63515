// The migrate command moves a data folder into Postgres and back, with rows in every table.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { AccountRepository } from '../../src/accounts/account-repository.ts';
import { Attempts } from '../../src/accounts/credentials/attempts.ts';
import { KeyRepository } from '../../src/accounts/keys/key-repository.ts';
import { createOperatorKey } from '../../src/accounts/keys/key-service.ts';
import { SessionUses } from '../../src/accounts/sessions/session-uses.ts';
import { SavedViews } from '../../src/accounts/views/saved-views.ts';
import type { AlertRule } from '../../src/alerts/rules/alert-rule.ts';
import { RuleRepository } from '../../src/alerts/rules/rule-repository.ts';
import { ArchiveWriter } from '../../src/archive/archive-writer.ts';
import { ClosingPrices } from '../../src/archive/closing-prices.ts';
import { IdentityStore, JoinedIdentities } from '../../src/archive/joined-identities.ts';
import { alignOpenings } from '../../src/archive/roster-alignment.ts';
import { SignalRecord, type WrittenSignal } from '../../src/archive/signal-record.ts';
import { clockOf } from '../../src/clock.ts';
import { POSTGRES_SCHEMA } from '../../src/start/data/postgres.ts';
import { SQLITE_SCHEMAS } from '../../src/start/data/service-database.ts';
import { fillRandom } from '../../src/start/threads/random.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { PostgresPool } from '../../src/storage/postgres.ts';
import { tableNames } from '../../src/storage/postgres-schema.ts';
import { postgresSql } from '../../src/storage/postgres-sql.ts';
import { isIntact, SEALED_TABLES } from '../../src/storage/row-checksums.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { openingOf, resultOf } from '../archive/archive-fixture.ts';
import { runCommand } from '../support/command-line.ts';
import { describePostgres } from '../support/postgres-tables.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NOW_MS = Date.UTC(2026, 2, 4, 10);
const CLOCK = clockOf(NOW_MS);
const TABLES = tableNames(POSTGRES_SCHEMA.tables);

const SIGNAL: WrittenSignal = {
  ...{ id: "value:o'signal", sees_sharp: 1, kind: 'value', event_number: 2 ** 51, league: 'Süper Lig' },
  ...{ sport: 0, market_type: 'totals', period: 'full_time', line_quarters: 10, outcome: 'over' },
  ...{ bookmaker: 'crown', price_e4: 20_800, fair_price_e4: 20_000, reference: 'sharp', edge_e2: 400 },
  ...{ ev_e2: null, in_play: 0, from_home: 0, from_away: 0, opened_at_ms: NOW_MS, closed_at_ms: null },
  longest_gap_ms: 0,
};

function openFolder(folder: string) {
  return openDatabase({ path: join(folder, DATABASE_NAME), schemas: SQLITE_SCHEMAS, create: true });
}

/** Creates a data folder like one that servers have used, with rows in every table. */
async function fill(folder: string): Promise<void> {
  const database = openFolder(folder);
  const accounts = new AccountRepository(sqliteSql(database));
  const keys = new KeyRepository(sqliteSql(database));
  const attempts = new Attempts(sqliteSql(database));
  const uses = new SessionUses(sqliteSql(database));
  for (let index = 1; index <= 50; index++) {
    const id = `acc_${index}`;
    await accounts.createAccount({
      ...{ id, email: `ä${index}@example.com`, passwordHash: `h"\\\n${index}`, plan: 'free' },
      ...{ verifiedAtMs: index % 2 ? NOW_MS : null, createdAtMs: NOW_MS },
    });
    await accounts.sessions.createSession({
      ...{ tokenHash: `t${index}`, accountId: id, createdAtMs: NOW_MS, expiresAtMs: NOW_MS + 1 },
    });
    await uses.note({ tokenHash: `t${index}`, client: index % 2 ? null : 'curl', atMs: NOW_MS + index });
    await accounts.codes.addCodes(id, [
      { scope: 'home', client: 'n', codeHash: 'c', passwordHash: 'p', expiresAtMs: NOW_MS },
    ]);
    await accounts.codes.addConfirmation({
      ...{ accountId: id, purpose: 'email', codeHash: `c${index}`, email: null, expiresAtMs: NOW_MS },
    });
    await attempts.rememberClient(id, 'client', NOW_MS);
    await attempts.take(`s${index}`, { max: 1, windowMs: 1_000 }, NOW_MS);
  }
  await accounts.deleteAccount('acc_3');
  await accounts.secret('name', 'value');
  const options = { keys, clock: CLOCK, fillRandom };
  for (let index = 0; index < 4; index++)
    await createOperatorKey(options, { tier: 'free', label: `n${index}` });
  database.run('DELETE FROM api_keys WHERE id = 4'); // the row's number is never used again
  await keys.revokeKey((await keys.listAllKeys())[0]!.keyId);
  database.run('INSERT INTO key_usage_days VALUES (1, 5, 6)');
  database.run('INSERT INTO daily_counts VALUES (2, -1, -7, 20000, 3)');
  const archive = new ArchiveWriter({ database, clock: CLOCK, onError: (error) => expect(error).toBeNull() });
  for (let index = 0; index < 5_000; index++) archive.recordOpening(2 ** 50 + (index % 99), openingOf(index));
  archive.recordResult(resultOf(1));
  archive.recordResult(resultOf(2, { league: null, scheduledAtMs: Number.NaN, source: 'inferred' }));
  await archive.flush();
  const price = { bookmaker: "o'book", market: 1, period: 0, lineQuarters: -3, pricesE4: [19_500, 19_700] };
  const closing = { ...price, closedAtMs: NOW_MS, confirmedAtMs: NOW_MS };
  const match = { eventNumber: 2 ** 51, sport: 0, kickoffMs: NOW_MS, prices: [closing] };
  await new ClosingPrices(sqliteSql(database)).freeze(match, NOW_MS);
  const identities = new JoinedIdentities(new IdentityStore(sqliteSql(database), () => true));
  const team = { key: 't', name: "O'Team" };
  const identity = { event: 'e', sport: 0, league: team, home: team, away: team };
  identities.set('feed|1', { teams: 'a|b', identity, isTurned: true });
  await identities.flush(NOW_MS);
  const rules = new RuleRepository(sqliteSql(database));
  const rule: AlertRule = {
    ...{ id: 'alr_1', accountId: 'acc_1', name: "O'Rule", when: { kind: 'match' }, where: {}, names: {} },
    ...{ to: { url: 'https://a.example/', format: 'raw' }, status: 'active', note: null },
    ...{ secretVersion: 1, rotatedAtMs: null, createdAtMs: NOW_MS },
  };
  await rules.create(rule, 1);
  await rules.addTest({ messageId: 'm', ruleId: 'alr_1', life: 'l', body: '{}', atMs: NOW_MS });
  const views = new SavedViews({ ...options, attempts, sql: sqliteSql(database) });
  const owner = await accounts.findAccount('acc_1');
  await views.save({ name: "O'View", query: 'sort=edge' }, { account: owner! });
  const signals = new SignalRecord(sqliteSql(database));
  await signals.begin('one');
  await signals.write('one', {
    signals: [SIGNAL],
    halfTimes: [{ event_number: 2 ** 51, score_home: 1, score_away: 0 }],
    seenAtMs: NOW_MS,
  });
  await alignOpenings(sqliteSql(database), { roster: ['one', 'two'], unnamed: [] });
  database.close();
}

function dumpOf(folder: string): Record<string, unknown> {
  const database = openFolder(folder);
  const numbered = new Set(['accounts', 'sessions', 'attempts']);
  const tables = TABLES.map((table) => {
    const rows = database
      .query<Record<string, unknown>, []>(`SELECT ${numbered.has(table) ? 'rowid, ' : ''}* FROM ${table}`)
      .all();
    expect([table, rows.length > 0]).toEqual([table, true]);
    return [table, rows.map((row) => JSON.stringify(row)).toSorted()] as const;
  });
  for (const table of SEALED_TABLES) {
    const rows = database.query<Record<string, unknown>, []>(`SELECT * FROM ${table}`).all();
    expect(rows.every((row) => isIntact(table, row))).toBe(true);
  }
  database.close();
  return Object.fromEntries(tables);
}

describePostgres((postgres) => {
  /** Runs the command. @returns its exit code and output */
  async function migrate(to: string, dataDir: string, databaseUrl: string): Promise<[number, string]> {
    const environment = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
    const { code, lines } = await runCommand(['migrate', '--to', to], environment, CLOCK);
    return [code, lines.join('\n')];
  }

  test('migrate moves a folder into Postgres and back: every value of every row, and the next free numbers', async () => {
    using folder = temporaryFolder();
    using back = temporaryFolder();
    await fill(folder.path);
    const url = await postgres.server.createDatabase();
    const [code, output] = await migrate('postgres', folder.path, url);
    expect([code, output]).toEqual([0, expect.stringMatching(/^openings +5000 rows {2}[0-9a-f]{16}$/m)]);
    expect(await migrate('postgres', folder.path, url)).toEqual([
      1,
      expect.stringMatching(/target has \d+ rows in accounts/),
    ]);
    expect(await migrate('sqlite', back.path, url)).toEqual([0, expect.stringContaining('Moved')]);
    expect(dumpOf(back.path)).toEqual(dumpOf(folder.path));
    expect(await migrate('sqlite', back.path, url)).toEqual([1, expect.stringContaining('the target has')]);

    const pool = new PostgresPool({ url, connections: 1 });
    const database = openFolder(back.path);
    const numbers = await Promise.all(
      [new KeyRepository(postgresSql(pool)), new KeyRepository(sqliteSql(database))].map(async (keys) => {
        const options = { keys, clock: CLOCK, fillRandom };
        return (await createOperatorKey(options, { tier: 'free', label: '' })).record.number;
      }),
    );
    expect(numbers).toEqual([5, 5]);
    database.close();
    await pool.close();
  }, 120_000);

  test('migrate refuses a damaged row and running servers; an interrupted move can be started again', async () => {
    using folder = temporaryFolder();
    await fill(folder.path);
    const url = await postgres.server.createDatabase();
    const file = openFolder(folder.path);
    file.run(`UPDATE accounts SET plan = 'enterprise' WHERE id = 'acc_9'`);
    expect(await migrate('postgres', folder.path, url)).toEqual([1, expect.stringContaining('acc_9')]);
    file.run(`UPDATE accounts SET plan = 'free' WHERE id = 'acc_9'`);
    file.close();
    const pool = new PostgresPool({ url, connections: 1 });
    await pool.rows('SELECT 1');
    expect(await migrate('postgres', folder.path, url)).toEqual([
      1,
      expect.stringContaining('stop them first'),
    ]);
    await pool.run(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''no room''; END'`,
    );
    await pool.run('CREATE TRIGGER fails BEFORE INSERT ON results EXECUTE FUNCTION fail()');
    await pool.close();
    expect(await migrate('postgres', folder.path, url)).toEqual([1, expect.stringContaining('no room')]);
    const mended = new PostgresPool({ url, connections: 1 });
    expect(await mended.rows('SELECT * FROM accounts')).toEqual([]);
    await mended.run('DROP FUNCTION fail CASCADE');
    await mended.close();
    expect((await migrate('postgres', folder.path, url))[0]).toBe(0);
    expect(await migrate('other', folder.path, url)).toEqual([2, expect.stringContaining("'other'")]);
  }, 120_000);
});
