// Allows one server per data folder. Two would each grant their own buckets and overwrite each other's
// counts.

import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockFile, SERVER_LOCK_NAME } from '../../storage/file-lock.ts';
import { removeServerAddress, SERVER_OWNER_NAME } from '../../storage/server-address.ts';
import { asOpenError } from '../../storage/storage-errors.ts';

/**
 * Locks the folder for this server. @returns a function that unlocks it @throws Error for the operator that
 * names the server which holds the lock
 */
export function lockDataDir(dataDir: string): () => void {
  const unlock = lockFile(join(dataDir, SERVER_LOCK_NAME));
  const ownerPath = join(dataDir, SERVER_OWNER_NAME);
  if (unlock === null) {
    throw new Error(
      `Cannot start: another server (process ${ownerIn(ownerPath)}) runs on DATA_DIR ${resolve(dataDir)}; stop it, or give this one a folder of its own`,
    );
  }
  try {
    // Only for the message above and for operators: the lock itself decides.
    writeFileSync(ownerPath, `${process.pid}\n`, { mode: 0o600 });
    return () => {
      removeServerAddress(dataDir);
      unlock();
    };
  } catch (error) {
    unlock();
    throw asOpenError(ownerPath, error);
  }
}

function ownerIn(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return 'unknown'; // it has the lock and has not written its process id yet
  }
}
