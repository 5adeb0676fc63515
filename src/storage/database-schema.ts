// The schema of the SQLite file across releases: its version, the migrations (used for Postgres too), and
// checks that no table was lost and no stored CREATE statement has changed.

import type { Database } from 'bun:sqlite';
import { SEALED_TABLES, sealAllRows } from './row-checksums.ts';
import { DamagedFileError } from './storage-errors.ts';

/**
 * The current schema version. A release that changes an existing table raises it and adds a step to
 * MIGRATIONS.
 */
export const SCHEMA_VERSION = 4;
/** From this version on, files have checksums of their rows and of their schema. */
const CHECKSUMS_SINCE = 4;
/**
 * For each version, the statements that bring a database of that version to the next one. They run on SQLite
 * and, from version 4 on, on Postgres. Statements for a table that the file does not have are skipped.
 */
export type Migrations = Readonly<
  Record<number, readonly { readonly table: string; readonly sql: string }[]>
>;
export const MIGRATIONS: Migrations = {
  // The bookmaker's part of a quote key grew from 4 to 5 bits. New keys are first stored as negative numbers,
  // because a new key may equal the old key of another row of the same event.
  1: [
    {
      table: 'openings',
      sql: 'UPDATE openings SET quote_key = -1 - (((quote_key >> 4) << 5) | (quote_key & 15))',
    },
    { table: 'openings', sql: 'UPDATE openings SET quote_key = -1 - quote_key' },
  ],
  // Keys can expire and can be bound to addresses.
  2: [
    { table: 'api_keys', sql: 'ALTER TABLE api_keys ADD COLUMN expires_at_ms INTEGER' },
    { table: 'api_keys', sql: 'ALTER TABLE api_keys ADD COLUMN allowed_addresses TEXT' },
  ],
  // Rows of keys, accounts and sessions get checksums; `migrate` computes them.
  3: SEALED_TABLES.map((table) => ({ table, sql: `ALTER TABLE ${table} ADD COLUMN checksum INTEGER` })),
};

/**
 * Migrates the file and creates missing tables, in one transaction. IMMEDIATE takes the write lock at once,
 * so two processes that start together wait for each other instead of failing during an upgrade.
 */
export function bringUpToDate(
  database: Database,
  { path, schemas }: { readonly path: string; readonly schemas: readonly string[] },
): void {
  const run = database.transaction(() => {
    // Check this first: if a table was created before and is missing now, its rows are lost, and creating it
    // again would hide the loss.
    refuseLostTables(database, path);
    refuseChangedSchema(database, path);
    migrate(database);
    if (schemas.length === 0) return;
    database.run('CREATE TABLE IF NOT EXISTS made_tables (name TEXT PRIMARY KEY) WITHOUT ROWID');
    database.run('CREATE TABLE IF NOT EXISTS schema_checksum (value INTEGER NOT NULL)');
    for (const schema of schemas) database.run(schema);
    database.run(
      'INSERT OR IGNORE INTO made_tables SELECT name FROM sqlite_master WHERE type = ?1 AND name NOT LIKE ?2',
      ['table', 'sqlite_%'],
    );
    keepSchemaChecksum(database);
  });
  run.immediate();
}

/** Migrates a file of an older release to the current version. */
function migrate(database: Database): void {
  const fromVersion = Number(readPragma(database, 'user_version'));
  if (fromVersion === SCHEMA_VERSION) return;
  for (let version = fromVersion; version < SCHEMA_VERSION; version++) {
    for (const { table, sql } of MIGRATIONS[version]!) {
      if (hasTable(database, table)) database.run(sql);
    }
  }
  if (fromVersion < CHECKSUMS_SINCE) {
    for (const table of SEALED_TABLES) if (hasTable(database, table)) sealAllRows(database, table);
  }
  database.run(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}

function refuseLostTables(database: Database, path: string): void {
  if (!hasTable(database, 'made_tables')) return;
  const lost = database
    .query<{ name: string }, []>('SELECT name FROM made_tables EXCEPT SELECT name FROM sqlite_master')
    .all()
    .map(({ name }) => name);
  if (lost.length === 0) return;
  throw new Error(
    `Cannot open database: '${path}' has lost the table ${lost.join(', ')}; restore the file from a backup, or move it away to start with an empty one`,
  );
}

/**
 * SQLite works by the stored CREATE statements. A changed byte in one may leave it valid but wrong, such as a
 * trigger that no longer notices a revoked key.
 */
function refuseChangedSchema(database: Database, path: string): void {
  const version = Number(readPragma(database, 'user_version'));
  const isNew = database.query('SELECT 1 FROM sqlite_master').get() === null;
  const kept = keptSchemaChecksum(database);
  if (isNew || (kept === null && version < CHECKSUMS_SINCE) || kept === schemaChecksum(database)) return;
  throw new DamagedFileError(
    path,
    'is damaged: the statements of its tables or its version are not as they were written',
  );
}

function keepSchemaChecksum(database: Database): void {
  const checksum = schemaChecksum(database);
  if (keptSchemaChecksum(database) === checksum) return;
  database.run('DELETE FROM schema_checksum');
  database.run('INSERT INTO schema_checksum (value) VALUES (?)', [checksum]);
}

function keptSchemaChecksum(database: Database): number | null {
  if (!hasTable(database, 'schema_checksum')) return null;
  return database.query<{ value: number }, []>('SELECT value FROM schema_checksum').get()?.value ?? null;
}

function schemaChecksum(database: Database): number {
  const rows = database
    .query('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name')
    .values();
  return Bun.hash.crc32(JSON.stringify([rows, readPragma(database, 'user_version')]));
}

function hasTable(database: Database, table: string): boolean {
  const row = database.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table);
  return row !== null;
}

export function readPragma(database: Database, name: string): unknown {
  const row = database.query<Record<string, unknown>, []>(`PRAGMA ${name}`).get();
  return row === null ? null : row[name];
}
