// One server on one data folder: two would each hand out their own buckets and count over each other.

import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockFile, SERVER_LOCK_NAME } from '../file-lock.ts';
import { asOpenError } from '../storage-errors.ts';

const OWNER_NAME = 'server.pid';

/**
 * Takes the folder for this server.
 * @returns a function that gives it back
 * @throws Error for the operator that names the server which has it
 */
export function lockDataDir(dataDir: string): () => void {
  const unlock = lockFile(join(dataDir, SERVER_LOCK_NAME));
  const ownerPath = join(dataDir, OWNER_NAME);
  if (unlock === null) {
    throw new Error(
      `Cannot start: another server (process ${ownerIn(ownerPath)}) runs on DATA_DIR ${resolve(dataDir)}; stop it, or give this one a folder of its own`,
    );
  }
  try {
    // For the message above and for operators; who holds the lock is what counts.
    writeFileSync(ownerPath, `${process.pid}\n`, { mode: 0o600 });
    return unlock;
  } catch (error) {
    unlock();
    throw asOpenError(ownerPath, error);
  }
}

function ownerIn(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return 'unknown'; // it has the lock and has not said its number yet
  }
}
