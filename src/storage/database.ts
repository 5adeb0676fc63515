// Opens the service's one SQLite file. Accounts, keys, daily counts, openings and results share it. Each
// thread and each process opens its own connection. This module sets the pragmas of a connection and the
// application_id. The code that owns a table passes in its CREATE statement; database-schema.ts migrates the
// tables of older releases.

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

/** "OVRD" in ASCII. A file with another application_id belongs to another program and is never written to. */
const APPLICATION_ID = 0x4f_56_52_44;
/**
 * How long a statement may wait for another connection's write. The wait blocks the thread, so it is short.
 */
const BUSY_TIMEOUT_MS = 250;
/**
 * How long opening may wait. Nothing is served yet, and all threads and processes that start now use the file
 * at the same time, so a long wait is better than a thread that ends.
 */
const OPEN_BUSY_TIMEOUT_MS = 10_000;

/** For each open database: the check whether its path still names the same file. */
const GONE_CHECKS = new WeakMap<Database, () => boolean>();

export interface OpenDatabaseOptions {
  readonly path: string;
  /** CREATE TABLE and CREATE INDEX statements, each with IF NOT EXISTS; all run in one transaction. */
  readonly schemas: readonly string[];
  /** Whether to create a missing file. An existing but empty file is always refused. */
  readonly create: boolean;
  /**
   * If true, a damaged file (and the files SQLite keeps beside it) is renamed to `<path>.damaged-<number>`
   * before the error is thrown. Safe only when no other process has the file open. Default false.
   */
  readonly setsAside?: boolean;
  /** If true, this connection refuses writes once it is open. Default false. */
  readonly readsOnly?: boolean;
  /**
   * Whether to run quick_check, which reads the whole file. Default true. Threads that open the file after
   * the main thread pass false, because main has checked it.
   */
  readonly check?: boolean;
  /**
   * Longest wait for another connection's write once the database is open, in milliseconds. Default 250;
   * commands of the CLI may wait longer. Opening always waits up to 10 s.
   */
  readonly busyTimeoutMs?: number;
  /**
   * `process` (the default): a commit survives kill -9; a power cut may lose the last commits but never
   * corrupts the file. `power`: a commit survives a power cut too, at one fsync per commit.
   */
  readonly durability?: 'process' | 'power';
}

/**
 * Opens the database in WAL mode, checks it and creates its tables. If a damaged file was set aside at this
 * path, no new file is created. So a server that a service manager starts again does not silently run without
 * its accounts and keys.
 * @throws Error with a message for the operator when the file is missing (and `create` is false, or one was
 * set aside), empty, not SQLite, another program's, from a newer release, or damaged
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
    if (options.readsOnly === true) database.run('PRAGMA query_only = ON');
    return database;
  } catch (error) {
    database.close();
    throw asOpenError(path, error);
  }
}

/**
 * Opens a file read-only and changes nothing. This also works for a file of an older release, which
 * `openDatabase` would migrate.
 * @throws Error for the operator when the file cannot be opened, is another program's or is from a newer
 * release
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

/** Whether the path of an open database no longer names the open file: it was moved, deleted or replaced. */
export function isFileGone(database: Database): boolean {
  return GONE_CHECKS.get(database)?.() ?? false;
}

/**
 * Runs `work` in one transaction that takes the write lock first, so nothing it has read can change before it
 * writes. If the file is gone from its path, nothing is committed: the next start would not find it.
 * @throws StorageError when another connection holds the lock longer than the busy timeout, the disk fails or
 * the file is gone
 */
export function inTransaction<Result>(database: Database, work: () => Result): Result {
  const workOnFile = (): Result => {
    const result = work();
    refuseIfGone(database);
    return result;
  };
  try {
    return database.transaction(workOnFile).immediate();
  } catch (error) {
    throw storageErrorOf(error) ?? error;
  }
}

/**
 * Call this before a commit: if the file is gone from its path, the next start would not find what was
 * written.
 * @throws StorageError
 */
export function refuseIfGone(database: Database): void {
  if (!isFileGone(database)) return;
  const cause = new Error('the path of the database names another file than the open one, or none');
  throw new StorageError('the file of the database was moved, deleted or replaced', cause, {
    isBusy: false,
  });
}

/**
 * Creates the file under a private name and then links it into place. A process that is killed half-way
 * therefore leaves no empty database behind. If two processes start together, one creates the file and both
 * use it.
 */
function createFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draftPath = `${path}.${process.pid}.${Bun.nanoseconds()}.draft`;
  try {
    const draft = new Database(draftPath, { readwrite: true, create: true });
    draft.run(`PRAGMA application_id = ${APPLICATION_ID}`);
    draft.run(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    // WAL mode is stored in the file. Switching later needs exclusive access, and SQLite fails at once
    // without it.
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
      `Cannot open database: '${path}' has schema version ${version}, this release reads ${SCHEMA_VERSION}; run the overround release that wrote it, or restore an older backup`,
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
