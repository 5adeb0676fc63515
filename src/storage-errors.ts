// What is said when what is stored cannot be opened, read or written: to the operator at the start, and to callers later.

import { ServiceError } from './errors.ts';

/** What to do about a damaged file. The server never deletes one. */
const MEND =
  'move it and its -wal file away and put a backup in their place, or start without it: accounts and keys begin anew then';

/** The file holds what it cannot have been left with: to serve from it would be to guess. */
export class DamagedFileError extends Error {
  /** What is wrong with the file, after its name. */
  readonly finding: string;

  constructor(path: string, finding: string, cause?: unknown) {
    super(`Cannot open database: '${path}' ${finding}; ${MEND}`, { cause });
    this.finding = finding;
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
export function isErrorWithCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith(code);
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
