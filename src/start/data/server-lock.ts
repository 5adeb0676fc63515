// Allows one server per data folder and per folder of the price history. Two would each grant their own
// buckets and overwrite each other's counts and logs.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { s3PlaceOf } from '../../history/files/s3-folder.ts';
import type { Config } from '../../settings/config.ts';
import { lockFile, SERVER_LOCK_NAME } from '../../storage/file-lock.ts';
import { removeServerAddress, SERVER_OWNER_NAME } from '../../storage/server-address.ts';
import { asOpenError } from '../../storage/storage-errors.ts';
import { historyFolder } from '../history/history-folder.ts';

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
 * Locks the folder of the price history, because two servers would write into one log. It may be the default
 * folder of one server and the HISTORY_DIR of another. Nodes of a cluster share a folder, and only their
 * leader writes.
 * @returns a function that unlocks it
 * @throws Error for the operator when another server has the lock
 */
export function lockHistoryDir(
  config: Pick<Config, 'role' | 'dataDir' | 'historyDir' | 'historyDays'>,
): () => void {
  const { role, historyDir, historyDays } = config;
  const isBucket = historyDir !== null && s3PlaceOf(historyDir) !== null;
  if (role !== 'all' || historyDays === 0 || isBucket) return () => undefined;
  const { name } = historyFolder(config);
  let unlock: (() => void) | null;
  try {
    mkdirSync(name, { recursive: true });
    unlock = lockFile(join(name, SERVER_LOCK_NAME));
  } catch {
    return () => undefined; // a disk that accepts no file stops only the history, which reports it
  }
  if (unlock !== null) return unlock;
  throw new Error(
    `Cannot start: another server writes its price history to ${resolve(name)}; give this one a HISTORY_DIR of its own`,
  );
}

function ownerIn(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return 'unknown'; // it has the lock and has not written its process id yet
  }
}
