// Opens the service's one SQLite file: accounts, keys, daily counts, openings and results share it. Each thread and
// each process opens its own connection. This module alone decides pragmas and application_id; the rooms that own tables
// hand in their CREATE statements, and database-schema.ts brings the tables of an older release up to this one's.

import { Database } from 'bun:sqlite';
import { chmodSync, existsSync, linkSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  goneFrom,
  keepPrivate,
  PRIVATE_MODE,
  refuseAfterSetAside,
  setAside,
  syncToDisk,
  toDoAbout,
} from './database-files.ts';
import { bringUpToDate, MIGRATIONS, readPragma, SCHEMA_VERSION } from './database-schema.ts';
import {
  asOpenError,
  DamagedFileError,
  isErrorWithCode,
  StorageError,
  storageErrorOf,
} from './storage-errors.ts';

/** Name of the file in DATA_DIR. */
export const DATABASE_NAME = 'overround.sqlite';

/** "OVRD", so that a database of another program is never written to. */
const APPLICATION_ID = 0x4f_56_52_44;
/** How long a statement may wait for another connection's write. It blocks the thread, so servers keep it short. */
const BUSY_TIMEOUT_MS = 250;
/**
 * How long opening may wait. Nothing is served yet, and every thread and process that starts now wants the file too, on
 * a machine that is at its busiest: to give up would end the thread.
 */
const OPEN_BUSY_TIMEOUT_MS = 10_000;

/** Of each open database, whether its path names another file by now, or none. */
const GONE_CHECKS = new WeakMap<Database, () => boolean>();

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
    GONE_CHECKS.set(database, goneFrom(path));
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

/** Whether the file that is open is no longer the one of its path: it was moved, deleted or replaced. */
export function isFileGone(database: Database): boolean {
  return GONE_CHECKS.get(database)?.() ?? false;
}

/**
 * Runs `work` in one transaction that takes the write lock first, so that what it reads is what it changes. Nothing is
 * written to a file that is gone from its path: the next start would not find it.
 * @throws StorageError when another connection keeps the lock longer than the busy timeout, the disk fails or the file is gone
 */
export function inTransaction<Result>(database: Database, work: () => Result): Result {
  const workOnFile = (): Result => {
    const result = work();
    if (isFileGone(database)) throw fileGone();
    return result;
  };
  try {
    return database.transaction(workOnFile).immediate();
  } catch (error) {
    throw storageErrorOf(error) ?? error;
  }
}

function fileGone(): StorageError {
  const cause = new Error('the path of the database names another file than the open one, or none');
  return new StorageError('the file of the database was moved, deleted or replaced', cause, {
    isBusy: false,
  });
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
    syncToDisk(dirname(path));
  } catch (error) {
    if (!isErrorWithCode(error, 'EEXIST')) throw asOpenError(path, error);
  } finally {
    rmSync(draftPath, { force: true });
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
