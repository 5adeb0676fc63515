import type { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { SqliteKeyDirectory } from '../../src/accounts/keys/sqlite-key-directory.ts';
import { KEYS_SCHEMA } from '../../src/accounts/schema.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { SEALED_TABLES } from '../../src/storage/row-checksums.ts';
import { packQuoteKey } from '../../src/store/quote-key.ts';
import { newFile, open, openingsIn } from '../archive/archive-fixture.ts';

/** A quote key in the form of version 1 of the file: 4 bits of bookmaker below 14 bits of line. */
function versionOneKey(market: number, period: number, lineQuarters: number, bookmaker: number): number {
  return (market << 19) | (period << 18) | ((lineQuarters + 8_192) << 4) | bookmaker;
}

/** Sets the file's version and closes it. Versions before 4 had no schema checksum. */
function makeOld(database: Database, version: number): void {
  database.run(`PRAGMA user_version = ${version}`);
  if (database.query("SELECT 1 FROM sqlite_master WHERE name = 'schema_checksum'").get() !== null) {
    database.run("DELETE FROM made_tables WHERE name = 'schema_checksum'");
    database.run('DROP TABLE schema_checksum');
  }
  database.close();
}

test('a file of version 1 keeps its openings, with keys of the present form', async () => {
  using file = newFile();
  const { path } = file;
  const old = open(path);
  const insert = old.prepare('INSERT INTO openings VALUES (NULL, 5, ?, 19000, 20000, 0, 0, 0)');
  const keys: number[] = [];
  for (const market of [0, 1, 2]) {
    for (const period of [0, 1]) {
      for (let line = -40; line <= 40; line++) {
        for (let bookmaker = 0; bookmaker < 7; bookmaker++) {
          insert.run(versionOneKey(market, period, line, bookmaker));
          keys.push(packQuoteKey(market, period, line, bookmaker));
        }
      }
    }
  }
  makeOld(old, 1);
  for (let start = 0; start < 2; start++) {
    const database = open(path);
    expect(openingsIn(database, 5).map((opening) => opening.key)).toEqual(keys);
    database.close();
  }
});

test('a file of version 1 without openings is migrated too', async () => {
  using file = newFile();
  const { path } = file;
  const old = openDatabase({ path, schemas: [], create: true });
  makeOld(old, 1);
  const database = open(path);
  expect(openingsIn(database, 5)).toEqual([]);
  expect(database.query('PRAGMA user_version').get()).toEqual({ user_version: 4 });
  database.close();
});

test('a file of version 2 keeps its keys, without an expiry and without bound addresses', async () => {
  using file = newFile();
  const { path } = file;
  const schemas = [KEYS_SCHEMA];
  const old = openDatabase({ path, schemas, create: true });
  old.run('ALTER TABLE api_keys DROP COLUMN expires_at_ms');
  old.run('ALTER TABLE api_keys DROP COLUMN allowed_addresses');
  for (const table of SEALED_TABLES) old.run(`ALTER TABLE ${table} DROP COLUMN checksum`);
  old.run(
    "INSERT INTO api_keys VALUES (7, 'key_old', NULL, '', 'standard', 'a hash', 'abcd', 'active', 5, NULL)",
  );
  makeOld(old, 2);
  const database = openDatabase({ path, schemas, create: false });
  expect(new SqliteKeyDirectory(database).findLive('a hash')).toEqual({
    number: 7,
    keyId: 'key_old',
    ownerId: 'key_old',
    tier: 'standard',
    lastFour: 'abcd',
    expiresAtMs: null,
    allowedAddresses: [],
    isOfAccount: false,
  });
  database.close();
});
