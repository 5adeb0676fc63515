// A lock between processes. It is held on a file, and the system releases it when the holder ends.

import { Database } from 'bun:sqlite';
import { asOpenError, isErrorWithCode } from './storage-errors.ts';

/** A file in DATA_DIR, locked by the one server that runs on the folder. */
export const SERVER_LOCK_NAME = 'server.lock';

/**
 * Takes a lock on a file that has no other use. It is SQLite's file lock, so the system releases it when the
 * process ends, no matter how.
 * @returns a function that releases the lock, or null when another process holds it
 * @throws Error for the operator when the file cannot be created
 */
export function lockFile(path: string): (() => void) | null {
  let lock: Database | null = null;
  try {
    lock = new Database(path, { readwrite: true, create: true });
    // The transaction is never committed, so nothing is ever written to the file.
    lock.run('BEGIN IMMEDIATE');
    const held = lock;
    return () => held.close();
  } catch (error) {
    lock?.close();
    if (isErrorWithCode(error, 'SQLITE_BUSY')) return null;
    throw asOpenError(path, error);
  }
}
