// Opens the service's one SQLite file: accounts, keys, daily counts, openings and results share it. Each thread and
// each process opens its own connection. This module alone decides pragmas, application_id and user_version; the rooms
// that own tables hand in their CREATE statements.

import { Database } from 'bun:sqlite';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ServiceError } from './errors.ts';
import { SEALED_TABLES, sealAllRows } from './row-checksums.ts';

/** Name of the file in DATA_DIR. */
export const DATABASE_NAME = 'overround.sqlite';
/** Locked beside it by the one server that runs on the folder. */
export const SERVER_LOCK_NAME = 'server.lock';

/** "OVRD", so that a database of another program is never written to. */
const APPLICATION_ID = 0x4f_56_52_44;
/** Raised by a release that changes a table that exists; that release adds a step to MIGRATIONS. Postgres has it too. */
export const SCHEMA_VERSION = 4;
/** From this version on a file that has tables has their checksum. */
const CHECKSUMS_SINCE = 4;
/**
 * By version: what makes a database of that version one of the next, of SQLite or (from version 4 on) of Postgres. A table
 * that a file has not is left out.
 */
export type Migrations = Readonly<
  Record<number, readonly { readonly table: string; readonly sql: string }[]>
>;
export const MIGRATIONS: Migrations = {
  // The bookmaker's part of a quote key grew from 4 to 5 bits. Through negative numbers, because a row may get the key
  // that another row of its event has until that one is changed too.
  1: [
    {
      table: 'openings',
      sql: 'UPDATE openings SET quote_key = -1 - (((quote_key >> 4) << 5) | (quote_key & 15))',
    },
    { table: 'openings', sql: 'UPDATE openings SET quote_key = -1 - quote_key' },
  ],
  // Keys may end by themselves and be bound to addresses.
  2: [
    { table: 'api_keys', sql: 'ALTER TABLE api_keys ADD COLUMN expires_at_ms INTEGER' },
    { table: 'api_keys', sql: 'ALTER TABLE api_keys ADD COLUMN allowed_addresses TEXT' },
  ],
  // Rows of keys, accounts and sessions have checksums; `migrate` writes them.
  3: SEALED_TABLES.map((table) => ({ table, sql: `ALTER TABLE ${table} ADD COLUMN checksum INTEGER` })),
};
/** What to do about a damaged file. The server never deletes one. */
const MEND =
  'move it and its -wal file away and put a backup in their place, or start without it: accounts and keys begin anew then';
/** What SQLite keeps beside a database: commits that are not in it yet, and their index. */
const COMPANIONS = ['-wal', '-shm'] as const;
/** More damaged files than this beside one database are somebody's to look at, not to add to. */
const SET_ASIDE_MAX = 100;
/** Accounts, sessions and keys are for the user alone whom the server runs as. */
const PRIVATE_MODE = 0o600;
/** How long a statement may wait for another connection's write. It blocks the thread, so servers keep it short. */
const BUSY_TIMEOUT_MS = 250;
/**
 * How long opening may wait. Nothing is served yet, and every thread and process that starts now wants the file too, on
 * a machine that is at its busiest: to give up would end the thread.
 */
const OPEN_BUSY_TIMEOUT_MS = 10_000;

export interface OpenDatabaseOptions {
  readonly path: string;
  /** CREATE TABLE and CREATE INDEX statements, each written with IF NOT EXISTS; run in one transaction. */
  readonly schemas: readonly string[];
  /** Whether a missing file is made. A file that exists but is empty is refused either way. */
  readonly create: boolean;
  /**
   * Renames a damaged file, and what SQLite keeps beside it, to `<path>.damaged-<number>` before it is refused; default
   * false. Only for who knows that no other process has the file open.
   */
  readonly setsAside?: boolean;
  /** Runs quick_check, which reads the whole file; default true. Threads that open it after main did say false. */
  readonly check?: boolean;
  /**
   * Longest wait for a writer in another connection once the database is open, in milliseconds; default 250. A command
   * line may wait longer. Opening itself always waits up to 10 s.
   */
  readonly busyTimeoutMs?: number;
  /**
   * `power`: a commit survives a power cut (one fsync each). `process`, the default: a commit survives kill -9, and a
   * power cut may take the last ones but never corrupts the file.
   */
  readonly durability?: 'process' | 'power';
}

/** The file holds what it cannot have been left with: to serve from it would be to guess. */
class DamagedFileError extends Error {
  /** What is wrong with the file, after its name. */
  readonly finding: string;

  constructor(path: string, finding: string, cause?: unknown) {
    super(`Cannot open database: '${path}' ${finding}; ${MEND}`, { cause });
    this.finding = finding;
  }
}

/**
 * Opens the database in WAL mode, checked and with its tables made. A file is never made where one was set aside: its
 * accounts and keys would be lost without a word, at the second of two starts by a service manager.
 * @throws Error with a message for the operator when the file is missing (and `create` is false, or one was set aside),
 * empty, not SQLite, another program's, from a newer release, or damaged
 */
export function openDatabase(options: OpenDatabaseOptions): Database {
  const { path } = options;
  if (!existsSync(path)) {
    refuseAfterSetAside(path);
    if (!options.create) throw new Error(`Cannot open database: '${path}' does not exist`);
    createFile(path);
  }
  try {
    return openFile(options);
  } catch (error) {
    if (!(error instanceof DamagedFileError) || options.setsAside !== true) throw error;
    const asidePath = setAside(path);
    throw new Error(
      `Cannot open database: '${path}' ${error.finding}. It was renamed to '${asidePath}'; ${toDoAbout(path)}`,
      { cause: error },
    );
  }
}

function openFile(options: OpenDatabaseOptions): Database {
  const { path } = options;
  if (statSync(path).size === 0) {
    throw new DamagedFileError(path, 'is empty');
  }
  keepPrivate(path);
  const database = new Database(path, { readwrite: true, create: false, strict: true });
  try {
    database.run(`PRAGMA busy_timeout = ${OPEN_BUSY_TIMEOUT_MS}`);
    checkIdentity(database, path);
    if (options.check ?? true) checkPages(database, path);
    database.run('PRAGMA journal_mode = WAL');
    database.run(`PRAGMA synchronous = ${options.durability === 'power' ? 'FULL' : 'NORMAL'}`);
    database.run('PRAGMA foreign_keys = ON');
    bringUpToDate(database, options);
    database.run(`PRAGMA busy_timeout = ${options.busyTimeoutMs ?? BUSY_TIMEOUT_MS}`);
    return database;
  } catch (error) {
    database.close();
    throw asOpenError(path, error);
  }
}

/**
 * Opens it to read alone, changing nothing: also the file of an older release, which `openDatabase` would bring up to date.
 * @throws as openDatabase does
 */
export function openToRead(path: string): { readonly database: Database; readonly schemaVersion: number } {
  const database = new Database(path, { readonly: true, strict: true });
  try {
    database.run(`PRAGMA busy_timeout = ${OPEN_BUSY_TIMEOUT_MS}`);
    checkIdentity(database, path);
    return { database, schemaVersion: Number(readPragma(database, 'user_version')) };
  } catch (error) {
    database.close();
    throw asOpenError(path, error);
  }
}

/**
 * Runs `work` in one transaction that takes the write lock first, so that what it reads is what it changes.
 * @throws ServiceError upstream_unavailable when another connection keeps the lock longer than the busy timeout
 */
export function inTransaction<Result>(database: Database, work: () => Result): Result {
  try {
    return database.transaction(work).immediate();
  } catch (error) {
    throw storageErrorOf(error) ?? error;
  }
}

/** What callers are told of a disk that does not do what it should: it passes, or the operator mends it. */
const STORAGE_STATES: Readonly<Record<string, string>> = {
  SQLITE_BUSY: 'the database is busy',
  SQLITE_LOCKED: 'the database is busy',
  SQLITE_FULL: 'the disk of the server is full',
  SQLITE_IOERR: 'the disk of the server fails',
  SQLITE_READONLY: 'the disk of the server takes no writes',
  SQLITE_CANTOPEN: 'the disk of the server fails',
  SQLITE_CORRUPT: 'the database of the server is damaged',
};

/** What callers do of whom is known that nothing was changed, and where the answer of a change may have been lost. */
const SETTLED_FIX = 'Retry later: nothing was changed, and prices go on being served';
const UNSETTLED_FIX =
  'Retry later; if you sent a change, look first whether it was made, since only its answer may be lost. Prices go on being served';

interface StorageErrorOptions {
  readonly isBusy: boolean;
  /** Whether it may have been done all the same, as when a database does not answer: by default nothing was changed. */
  readonly maybeDone?: boolean;
}

/** A failure of the disk, of the file or of Postgres. The same call works again once they do. */
export class StorageError extends ServiceError {
  constructor(state: string, cause: Error, { isBusy, maybeDone = false }: StorageErrorOptions) {
    super('upstream_unavailable', `Cannot read or write what is stored: ${state}`, {
      fix: maybeDone ? UNSETTLED_FIX : SETTLED_FIX,
      retryAfterSeconds: isBusy ? 1 : 5,
    });
    this.cause = cause;
  }
}

/** An error of SQLite that is the disk's fault as what callers are told, else null. */
export function storageErrorOf(error: unknown): StorageError | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  const code = String(error.code);
  const [word, state] = Object.entries(STORAGE_STATES).find(([known]) => code.startsWith(known)) ?? [];
  return state === undefined ? null : new StorageError(state, error, { isBusy: word === 'SQLITE_BUSY' });
}

/**
 * Makes the file under a private name and links it into place, so that a process killed half-way never leaves an
 * empty database behind, and of two processes that start together one makes it and both use it.
 */
function createFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draftPath = `${path}.${process.pid}.${Bun.nanoseconds()}.draft`;
  try {
    const draft = new Database(draftPath, { readwrite: true, create: true });
    draft.run(`PRAGMA application_id = ${APPLICATION_ID}`);
    draft.run(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    // Kept in the file. To change over later takes the file for oneself, and SQLite refuses at once when it cannot.
    draft.run('PRAGMA journal_mode = WAL');
    draft.close();
    chmodSync(draftPath, PRIVATE_MODE);
    linkSync(draftPath, path);
    syncFolder(dirname(path));
  } catch (error) {
    if (!isErrorWithCode(error, 'EEXIST')) throw asOpenError(path, error);
  } finally {
    rmSync(draftPath, { force: true });
  }
}

/** @returns the name that a damaged file has beside this one, which is the first that is free */
function setAside(path: string): string {
  for (let number = 1; number <= SET_ASIDE_MAX; number++) {
    const asidePath = `${path}.damaged-${number}`;
    if (existsSync(asidePath)) continue;
    renameSync(path, asidePath);
    moveCompanions(path, asidePath);
    syncFolder(dirname(path));
    return asidePath;
  }
  throw new Error(
    `Cannot open database: '${path}' is damaged, and ${SET_ASIDE_MAX} files '${path}.damaged-*' are beside it; move them away`,
  );
}

/** A -wal file left behind would be taken for part of the backup that is put in the place of the database. */
function moveCompanions(path: string, asidePath: string): void {
  for (const suffix of COMPANIONS) {
    if (existsSync(path + suffix) && !existsSync(asidePath + suffix))
      renameSync(path + suffix, asidePath + suffix);
  }
}

/** The newest file that was set aside says that accounts and keys were here. */
function refuseAfterSetAside(path: string): void {
  const numbers = Array.from({ length: SET_ASIDE_MAX }, (_, index) => SET_ASIDE_MAX - index);
  const asidePath = numbers.map((number) => `${path}.damaged-${number}`).find((name) => existsSync(name));
  if (asidePath === undefined) return;
  // The server that renamed the database may have been killed before it came to these.
  moveCompanions(path, asidePath);
  throw new Error(
    `Cannot open database: '${path}' was damaged and renamed to '${asidePath}'; ${toDoAbout(path)}`,
  );
}

function toDoAbout(path: string): string {
  return `put a backup at '${path}', or move the damaged file to another folder to start with no accounts and keys`;
}

/** Takes the file, and what SQLite keeps beside it, from other users. What SQLite makes later has the file's own mode. */
function keepPrivate(path: string): void {
  for (const name of [path, ...COMPANIONS.map((suffix) => path + suffix)]) {
    const mode = statSync(name, { throwIfNoEntry: false })?.mode ?? PRIVATE_MODE;
    if ((mode & 0o077) !== 0) chmodSync(name, PRIVATE_MODE);
  }
}

/** Makes the new name survive a power cut. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function checkIdentity(database: Database, path: string): void {
  const applicationId = readPragma(database, 'application_id');
  if (applicationId !== APPLICATION_ID) {
    throw new Error(
      `Cannot open database: '${path}' belongs to another program (application_id ${applicationId}, expected ${APPLICATION_ID})`,
    );
  }
  const version = readPragma(database, 'user_version');
  if (version !== SCHEMA_VERSION && MIGRATIONS[Number(version)] === undefined) {
    throw new Error(
      `Cannot open database: '${path}' has schema version ${version}, this release reads ${SCHEMA_VERSION}; run the overround that wrote it, or restore a backup of before`,
    );
  }
}

function checkPages(database: Database, path: string): void {
  const rows = database.query<{ quick_check: string }, []>('PRAGMA quick_check(5)').all();
  const findings = rows.map((row) => row.quick_check);
  if (findings.length !== 1 || findings[0] !== 'ok') {
    throw new DamagedFileError(path, `is damaged: ${findings.join('; ')}`);
  }
}

/**
 * Migrates the file and makes what tables it lacks, in one transaction. IMMEDIATE, so that two processes that start
 * together wait for each other instead of failing on an upgrade.
 */
function bringUpToDate(database: Database, { path, schemas }: OpenDatabaseOptions): void {
  const run = database.transaction(() => {
    // Before anything is made: a table that was made and is gone took its rows along, and to make it again would hide that.
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

/** Brings a file of an older release up to this one's version. */
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
    `Cannot open database: '${path}' has lost the table ${lost.join(', ')}; restore the file from a backup, or move it away to start anew`,
  );
}

/**
 * The statements that tables, indexes and triggers were made by are what SQLite goes by. A byte that changed in one of
 * them may leave it well formed, such as a trigger that no longer sees when a key is revoked.
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

function readPragma(database: Database, name: string): unknown {
  const row = database.query<Record<string, unknown>, []>(`PRAGMA ${name}`).get();
  return row === null ? null : row[name];
}

/**
 * Locks a file of its own for as long as this process holds it: the lock is SQLite's, so the system lets go of it with
 * the process, however that ends.
 * @returns a function that lets go of it, or null while another process holds it
 * @throws Error for the operator when the file cannot be made
 */
export function lockFile(path: string): (() => void) | null {
  let lock: Database | null = null;
  try {
    lock = new Database(path, { readwrite: true, create: true });
    // Never committed: nothing is ever written to the file.
    lock.run('BEGIN IMMEDIATE');
    const held = lock;
    return () => held.close();
  } catch (error) {
    lock?.close();
    if (isErrorWithCode(error, 'SQLITE_BUSY')) return null;
    throw asOpenError(path, error);
  }
}

/** A failure to open a file of SQLite, in words for the operator; any other error as it is. */
export function asOpenError(path: string, error: unknown): unknown {
  if (isErrorWithCode(error, 'SQLITE_NOTADB')) {
    return new DamagedFileError(path, 'is not a SQLite file', error);
  }
  if (isErrorWithCode(error, 'SQLITE_CORRUPT')) {
    return new DamagedFileError(path, 'is damaged', error);
  }
  if (isErrorWithCode(error, 'SQLITE_FULL') || isErrorWithCode(error, 'ENOSPC')) {
    return new Error(`Cannot open database: the disk of '${path}' is full; make room and start again`, {
      cause: error,
    });
  }
  if (
    isErrorWithCode(error, 'SQLITE_READONLY') ||
    isErrorWithCode(error, 'SQLITE_IOERR') ||
    isErrorWithCode(error, 'EROFS')
  ) {
    const why = error instanceof Error ? error.message : String(error);
    return new Error(`Cannot open database: the disk of '${path}' takes no writes (${why})`, {
      cause: error,
    });
  }
  if (isErrorWithCode(error, 'SQLITE_')) {
    return new Error(`Cannot open database: '${path}': ${String(error)}`, { cause: error });
  }
  return error;
}

/** `code` stands for its extended codes too: SQLITE_BUSY for SQLITE_BUSY_SNAPSHOT. */
function isErrorWithCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith(code);
}
