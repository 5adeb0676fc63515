// Allows one server per data folder and per folder of the price history. Two would each grant their own
// buckets and overwrite each other's counts and logs.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { s3PlaceOf } from '../../history/files/s3-folder.ts';
import type { Config } from '../../settings/config.ts';
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

/**
 * Locks the folder of the price history, if it is one of its own: two servers would write into one log. Nodes
 * of a cluster share a folder, and only their leader writes.
 * @returns a function that unlocks it
 * @throws Error for the operator when another server has the lock
 */
export function lockHistoryDir({
  role,
  historyDir,
  historyDays,
}: Pick<Config, 'role' | 'historyDir' | 'historyDays'>): () => void {
  const isOwn = historyDir !== null && s3PlaceOf(historyDir) === null;
  if (role !== 'all' || historyDays === 0 || !isOwn) return () => undefined;
  let unlock: (() => void) | null;
  try {
    mkdirSync(historyDir, { recursive: true });
    unlock = lockFile(join(historyDir, SERVER_LOCK_NAME));
  } catch {
    return () => undefined; // a disk that accepts no file stops only the history, which reports it
  }
  if (unlock !== null) return unlock;
  throw new Error(
    `Cannot start: another server writes to HISTORY_DIR ${resolve(historyDir)}; give this one a folder of its own`,
  );
}

function ownerIn(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return 'unknown'; // it has the lock and has not written its process id yet
  }
}
