// Errors when stored data cannot be opened, read or written: for the operator at the start, for callers
// later.

import { codeOf, messageOf, ServiceError } from '../errors.ts';

/** What the operator can do about a damaged file. The server never deletes one. */
const MEND =
  'move it and its -wal file away, then put a backup in their place, or start without one: accounts and keys are then gone';

/** The file is in a state that we never write, so we refuse to serve from it. */
export class DamagedFileError extends Error {
  /** What is wrong with the file: the part of the message that follows the file's name. */
  readonly finding: string;

  constructor(path: string, finding: string, cause?: unknown) {
    super(`Cannot open database: '${path}' ${finding}; ${MEND}`, { cause });
    this.finding = finding;
  }
}

/**
 * Turns a failure to open a SQLite file into an error for the operator; returns any other error unchanged.
 */
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
    const why = messageOf(error);
    return new Error(`Cannot open database: the disk of '${path}' takes no writes (${why})`, {
      cause: error,
    });
  }
  if (isErrorWithCode(error, 'SQLITE_')) {
    return new Error(`Cannot open database: '${path}': ${String(error)}`, { cause: error });
  }
  return error;
}

/**
 * Whether the error has this code. A prefix matches too: SQLITE_BUSY stands for SQLITE_BUSY_SNAPSHOT as well.
 */
export function isErrorWithCode(error: unknown, code: string): boolean {
  return String(codeOf(error) ?? '').startsWith(code);
}

/** The texts that callers get for failures of the disk. Some failures pass; others need the operator. */
const STORAGE_STATES: Readonly<Record<string, string>> = {
  SQLITE_BUSY: 'the database is busy',
  SQLITE_LOCKED: 'the database is busy',
  SQLITE_FULL: 'the disk of the server is full',
  SQLITE_IOERR: 'the disk of the server fails',
  SQLITE_READONLY: 'the disk of the server takes no writes',
  SQLITE_CANTOPEN: 'the disk of the server fails',
  SQLITE_CORRUPT: 'the database of the server is damaged',
};

/**
 * Advice for callers: nothing was changed, or (UNSETTLED_FIX) the change may have happened although its
 * answer was lost.
 */
const SETTLED_FIX = 'Retry later: nothing was changed, and prices are still served';
const UNSETTLED_FIX =
  'Retry later; if you sent a change, first check whether it was made, because only its answer may have been lost. Prices are still served';

interface StorageErrorOptions {
  readonly isBusy: boolean;
  /**
   * Whether the change may have been made although the call failed, as when a database does not answer in
   * time. Default false: nothing was changed.
   */
  readonly maybeDone?: boolean;
}

/** A failure of the disk, the file or Postgres. The same call succeeds once they work again. */
export class StorageError extends ServiceError {
  constructor(state: string, cause: Error, { isBusy, maybeDone = false }: StorageErrorOptions) {
    super('upstream_unavailable', `Cannot read or write what is stored: ${state}`, {
      fix: maybeDone ? UNSETTLED_FIX : SETTLED_FIX,
      retryAfterSeconds: isBusy ? 1 : 5,
    });
    this.cause = cause;
  }
}

/** Maps a SQLite error caused by the disk to a StorageError for callers; null for any other error. */
export function storageErrorOf(error: unknown): StorageError | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  const code = String(error.code);
  const [word, state] = Object.entries(STORAGE_STATES).find(([known]) => code.startsWith(known)) ?? [];
  return state === undefined ? null : new StorageError(state, error, { isBusy: word === 'SQLITE_BUSY' });
}
