// The SQLite file on disk: its permissions, fsync of its content and name, and moving a damaged file aside.

import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Files that SQLite keeps beside a database: the write-ahead log and its index. */
const COMPANIONS = ['-wal', '-shm'] as const;
/**
 * Maximum number of damaged files kept beside one database. When it is reached, opening fails until the
 * operator moves them away.
 */
const SET_ASIDE_MAX = 100;
/** Accounts, sessions and keys may be read only by the user that the server runs as. */
export const PRIVATE_MODE = 0o600;

/**
 * Removes access for other users from the database and the files SQLite keeps beside it. SQLite gives files
 * that it creates later the mode of the database.
 */
export function keepPrivate(path: string): void {
  for (const name of [path, ...COMPANIONS.map((suffix) => path + suffix)]) {
    const mode = statSync(name, { throwIfNoEntry: false })?.mode ?? PRIVATE_MODE;
    if ((mode & 0o077) !== 0) chmodSync(name, PRIVATE_MODE);
  }
}

/** Runs fsync on a file or folder, so that its content (or the names in it) survives a power cut. */
export function syncToDisk(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Renames a damaged database and the files SQLite keeps beside it.
 * @returns the new name: `<path>.damaged-<number>` with the lowest free number
 * @throws Error for the operator when SET_ASIDE_MAX such files exist already
 */
export function setAside(path: string): string {
  for (let number = 1; number <= SET_ASIDE_MAX; number++) {
    const asidePath = `${path}.damaged-${number}`;
    if (existsSync(asidePath)) continue;
    renameSync(path, asidePath);
    moveCompanions(path, asidePath);
    syncToDisk(dirname(path));
    return asidePath;
  }
  throw new Error(
    `Cannot open database: '${path}' is damaged, and ${SET_ASIDE_MAX} files '${path}.damaged-*' are beside it; move them away`,
  );
}

/**
 * Moves the -wal and -shm files of a database that was renamed. Otherwise SQLite would apply the old -wal
 * file to a backup that is later put in the database's place.
 */
function moveCompanions(path: string, asidePath: string): void {
  for (const suffix of COMPANIONS) {
    if (existsSync(path + suffix) && !existsSync(asidePath + suffix))
      renameSync(path + suffix, asidePath + suffix);
  }
}

/**
 * Refuses to create a new database while a damaged one lies beside it, because accounts and keys were stored
 * here.
 * @throws Error for the operator when a damaged file was set aside
 */
export function refuseAfterSetAside(path: string): void {
  const numbers = Array.from({ length: SET_ASIDE_MAX }, (_, index) => SET_ASIDE_MAX - index);
  const asidePath = numbers.map((number) => `${path}.damaged-${number}`).find((name) => existsSync(name));
  if (asidePath === undefined) return;
  // Move -wal and -shm too: the server that renamed the database may have been killed before it did so.
  moveCompanions(path, asidePath);
  throw new Error(
    `Cannot open database: '${path}' was damaged and renamed to '${asidePath}'; ${toDoAbout(path)}`,
  );
}

/** What the operator can do about a damaged file that was set aside. */
export function toDoAbout(path: string): string {
  return `put a backup at '${path}', or move the damaged file to another folder to start with no accounts and keys`;
}

/** @returns a function that reports whether `path` no longer names the file that it names now */
export function goneFrom(path: string): () => boolean {
  const opened = statSync(path);
  return () => {
    const now = statSync(path, { throwIfNoEntry: false });
    return now === undefined || now.ino !== opened.ino || now.dev !== opened.dev;
  };
}
