// Data folders that are kept, each opened by this release: accounts, keys and everything else in them still
// work. keep-folder.ts writes such a folder. `0.1.0-schema-4` was written between 0.1.0, whose schema had
// version 1, and 1.0.0.

import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../../src/accounts/schema.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { backUp } from '../../src/storage/database-copy.ts';
import { SCHEMA_VERSION } from '../../src/storage/database-schema.ts';
import { SEALED_TABLES } from '../../src/storage/row-checksums.ts';
import { AccountClient } from '../support/account-client.ts';
import { runService } from '../support/running-service.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FOLDERS = join(import.meta.dir, 'folders');

interface Facts {
  readonly schemaVersion: number;
  readonly email: string;
  readonly ownKey: string;
  readonly operatorKey: string;
  readonly rows: Readonly<Record<string, number>>;
}

const KEPT = readdirSync(FOLDERS).sort();

function copyOf(kept: string, target: string): Facts {
  for (const name of readdirSync(join(FOLDERS, kept)))
    copyFileSync(join(FOLDERS, kept, name), join(target, name));
  return JSON.parse(readFileSync(join(target, 'facts.json'), 'utf8')) as Facts;
}

test('one of the kept folders has this schema version', () => {
  expect(KEPT.some((name) => name.endsWith(`-schema-${SCHEMA_VERSION}`))).toBe(true);
});

describe.each([...KEPT])('%s', (kept) => {
  test(`a folder of ${kept} is opened with its account, its keys and its rows`, async () => {
    using folder = temporaryFolder();
    const facts = copyOf(kept, folder.path);
    // This check comes before a server starts, because a server deletes rows that are too old by now.
    openDatabase({ path: join(folder.path, DATABASE_NAME), schemas: [], create: false }).close();
    const { rows } = backUp(folder.path, join(folder.path, 'copy.sqlite'), []);
    for (const [table, count] of Object.entries(facts.rows))
      expect([table, rows[table]! >= count]).toEqual([table, true]);
    await using service = await runService({
      DATA_DIR: folder.path,
      NODE_ENV: 'development',
      TRUSTED_PROXIES: '127.0.0.1',
      SIMULATOR_FOOTBALL_FIXTURES: '2',
      SIMULATOR_BASKETBALL_FIXTURES: '0',
    });
    const ada = new AccountClient(service, { email: facts.email, address: '192.0.2.1' });
    expect((await ada.logIn()).status).toBe(200);
    const keys = await ada.send('GET', '/platform/keys');
    expect(JSON.stringify(keys.body)).toContain('"label":"kept"');
    for (const key of [facts.ownKey, facts.operatorKey]) {
      const usage = await fetch(`${service.url}/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
      expect(usage.status).toBe(200);
    }
  }, 120_000);
});

/**
 * Changes the database of schema version 4 back to an older version, by undoing the migrations since that
 * version. The programs that wrote these versions cannot be run any more.
 */
function takeBack(path: string, version: number): void {
  const database = new Database(path);
  for (const table of SEALED_TABLES) database.run(`ALTER TABLE ${table} DROP COLUMN checksum`);
  database.run('DROP TABLE schema_checksum');
  database.run('DROP TABLE made_tables');
  if (version < 3) {
    database.run('ALTER TABLE api_keys DROP COLUMN expires_at_ms');
    database.run('ALTER TABLE api_keys DROP COLUMN allowed_addresses');
  }
  // In version 1, the bookmaker had 4 bits of the key.
  if (version < 2) database.run('UPDATE openings SET quote_key = ((quote_key >> 5) << 4) | (quote_key & 15)');
  database.run(`PRAGMA user_version = ${version}`);
  database.close();
}

test.each([1, 2, 3])('a folder of schema version %i is migrated to the present schema', (version) => {
  using folder = temporaryFolder();
  copyOf('0.1.0-schema-4', folder.path);
  const path = join(folder.path, DATABASE_NAME);
  const schemas = [KEYS_SCHEMA];
  const contents = () => {
    const database = openDatabase({ path, schemas, create: false });
    const rowsOf = (table: string) => database.query(`SELECT * FROM ${table} ORDER BY 1, 2`).all();
    const rows = ['openings', 'api_keys', 'accounts', 'sessions'].map(rowsOf);
    database.close();
    return rows;
  };
  const before = contents();
  expect(before[0]!.length).toBeGreaterThan(10);
  takeBack(path, version);
  expect(contents()).toEqual(before);
});

test('opening a folder of schema 4 adds the indexes by which expired rows are found', () => {
  using folder = temporaryFolder();
  copyOf('0.1.0-schema-4', folder.path);
  const database = openDatabase({
    path: join(folder.path, DATABASE_NAME),
    schemas: [ACCOUNTS_SCHEMA, KEYS_SCHEMA],
    create: false,
  });
  const planOf = (select: string) =>
    JSON.stringify(database.query(`EXPLAIN QUERY PLAN SELECT * FROM ${select}`).all());
  for (const table of ['sessions', 'verification_codes', 'confirmations', 'known_clients', 'attempts'])
    expect(planOf(`${table} WHERE expires_at_ms <= 1`)).toContain('_by_expiry');
  expect(planOf('accounts WHERE verified_at_ms IS NULL AND created_at_ms < 1')).toContain(
    'accounts_unverified',
  );
  database.close();
});

test('a folder of a newer release is refused with advice, and is not changed', async () => {
  using folder = temporaryFolder();
  copyOf(KEPT.at(-1)!, folder.path);
  const path = join(folder.path, DATABASE_NAME);
  const database = new Database(path);
  database.run(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
  database.close();
  const before = readFileSync(path);
  await using server = new ServerProcess({ DATA_DIR: folder.path });
  expect(await server.exited()).toBe(1);
  expect(server.log).toContain(
    `has schema version ${SCHEMA_VERSION + 1}, this release reads ${SCHEMA_VERSION}`,
  );
  expect(server.log).toContain('run the overround release that wrote it');
  expect(readFileSync(path).equals(before)).toBe(true);
});
