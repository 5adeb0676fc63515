// One server on one data folder: two would each hand out their own buckets and count over each other. The lock is that
// of SQLite on a file of its own, so the system lets go of it with the process, however that ends.

import { Database } from 'bun:sqlite';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { asOpenError } from '../database.ts';

const LOCK_NAME = 'server.lock';
const OWNER_NAME = 'server.pid';

/**
 * Takes the folder for this server.
 * @returns a function that gives it back
 * @throws Error for the operator that names the server which has it
 */
export function lockDataDir(dataDir: string): () => void {
  const path = join(dataDir, LOCK_NAME);
  let lock: Database | null = null;
  try {
    lock = new Database(path, { readwrite: true, create: true });
    const held = lock;
    // Never committed: nothing is ever written to the file.
    held.run('BEGIN IMMEDIATE');
    // For the message below and for operators; who holds the lock is what counts.
    writeFileSync(join(dataDir, OWNER_NAME), `${process.pid}\n`, { mode: 0o600 });
    return () => held.close();
  } catch (error) {
    lock?.close();
    const isHeld = error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
    if (!isHeld) throw asOpenError(path, error);
    throw new Error(
      `Cannot start: another server (process ${ownerOf(dataDir)}) runs on DATA_DIR ${resolve(dataDir)}; stop it, or give this one a folder of its own`,
    );
  }
}

function ownerOf(dataDir: string): string {
  try {
    return readFileSync(join(dataDir, OWNER_NAME), 'utf8').trim();
  } catch {
    return 'unknown'; // it has the lock and has not said its number yet
  }
}
