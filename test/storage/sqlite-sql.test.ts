// Transactions over one connection, while another connection writes.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { openDatabase } from '../../src/storage/database.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a write waits while another connection holds the lock, and is refused if that lasts too long', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'database');
  const schemas = ['CREATE TABLE IF NOT EXISTS notes (text TEXT)'];
  using other = openDatabase({ path, schemas, create: true });
  using own = openDatabase({ path, schemas, create: false, busyTimeoutMs: 0 });
  const sql = sqliteSql(own);
  const insert = () => sql.run("INSERT INTO notes VALUES ('a')");
  other.run('BEGIN IMMEDIATE');
  setImmediate(() => other.run('COMMIT'));
  expect(await insert()).toBe(1);
  other.run('BEGIN IMMEDIATE');
  await expect(insert()).rejects.toThrow('Cannot read or write what is stored: the database is busy');
  other.run('ROLLBACK');
  expect(await insert()).toBe(1);
  expect(await sql.rows('SELECT text FROM notes')).toHaveLength(2);
});
