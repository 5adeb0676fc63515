// A lock between processes: a file that one of them holds, and that the system lets go of with it.

import { Database } from 'bun:sqlite';
import { asOpenError, isErrorWithCode } from './storage-errors.ts';

/** Locked in DATA_DIR by the one server that runs on the folder. */
export const SERVER_LOCK_NAME = 'server.lock';

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
