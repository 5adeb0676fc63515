// Allows one server per data folder and per folder of the price history. Two would each grant their own
// buckets and overwrite each other's counts and logs.

import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
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
    // The process id is only for the message above and for operators: the lock itself decides.
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

type HistoryPlace = Pick<Config, 'role' | 'dataDir' | 'historyDir' | 'historyDays'>;

/**
 * Whether a server must lock the folder of its price history. Nodes of a cluster share a folder, and only
 * their leader writes; an S3 bucket has no locks.
 */
function needsLock({ role, historyDir, historyDays }: HistoryPlace): boolean {
  const isBucket = historyDir !== null && s3PlaceOf(historyDir) !== null;
  return role === 'all' && historyDays > 0 && !isBucket;
}

/**
 * Refuses the start when another server writes its price history to the same folder. The history thread
 * takes the lock later (`HistoryLock`), because the folder may refuse it now and accept it later.
 * @throws Error for the operator
 */
export function requireHistoryDir(config: HistoryPlace): void {
  if (!needsLock(config)) return;
  let unlock: (() => void) | null;
  try {
    unlock = lockIn(historyFolder(config).name);
  } catch {
    return; // a disk that accepts no file stops only the history, which reports it
  }
  if (unlock === null) throw heldBy(config, 'Cannot start');
  unlock();
}

/**
 * The lock on the folder of the price history. Without it, two servers would write into one log. One folder
 * may be the default folder of one server and the HISTORY_DIR of another.
 */
export class HistoryLock {
  readonly #config: HistoryPlace;
  #unlock: (() => void) | null = null;
  #error: unknown = null;
  #mayWrite = false;

  constructor(config: HistoryPlace) {
    this.#config = config;
  }

  get isHeld(): boolean {
    return this.#unlock !== null || !needsLock(this.#config);
  }

  /** Takes the lock if it can. @returns whether it is held */
  take(): boolean {
    if (this.isHeld) return true;
    try {
      this.#unlock = lockIn(historyFolder(this.#config).name);
      if (this.#unlock === null) throw heldBy(this.#config, 'Cannot write the history');
    } catch (error) {
      this.#error = error;
    }
    return this.isHeld;
  }

  /**
   * Allows writes if the lock is held. Call it just before the folder is read: another server may have
   * changed what was read before the lock was taken.
   */
  allowWrites(): void {
    this.#mayWrite = this.isHeld;
  }

  /** @throws the reason why the lock is not held, if writes are not allowed */
  require(): void {
    if (!this.#mayWrite) throw this.#error;
  }

  release(): void {
    this.#unlock?.();
    this.#unlock = null;
  }
}

/** @returns null when another process holds the lock @throws when the disk refuses the file, with its code */
function lockIn(folder: string): (() => void) | null {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, SERVER_LOCK_NAME);
  try {
    return lockFile(path);
  } catch (error) {
    // SQLite does not say why it cannot open a file, so open it here to find out. Do so only after a failure:
    // closing a file ends the lock that another thread of this process may hold on it.
    closeSync(openSync(path, 'a'));
    throw error;
  }
}

function heldBy(config: HistoryPlace, what: string): Error {
  const folder = resolve(historyFolder(config).name);
  return new Error(
    `${what}: another server writes its price history to ${folder}; give this one a HISTORY_DIR of its own`,
  );
}

function ownerIn(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return 'unknown'; // the other server has the lock and has not written its process id yet
  }
}
