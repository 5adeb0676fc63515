// The SQLite file as the disk has it: who may read it, that its name survives a power cut, and what becomes of a damaged one.

import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** What SQLite keeps beside a database: commits that are not in it yet, and their index. */
const COMPANIONS = ['-wal', '-shm'] as const;
/** More damaged files than this beside one database are somebody's to look at, not to add to. */
const SET_ASIDE_MAX = 100;
/** Accounts, sessions and keys are for the user alone whom the server runs as. */
export const PRIVATE_MODE = 0o600;

/** Takes the file, and what SQLite keeps beside it, from other users. What SQLite makes later has the file's own mode. */
export function keepPrivate(path: string): void {
  for (const name of [path, ...COMPANIONS.map((suffix) => path + suffix)]) {
    const mode = statSync(name, { throwIfNoEntry: false })?.mode ?? PRIVATE_MODE;
    if ((mode & 0o077) !== 0) chmodSync(name, PRIVATE_MODE);
  }
}

/** Makes what a file holds, or the names in a folder, survive a power cut. */
export function syncToDisk(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Renames a damaged file, and what SQLite keeps beside it.
 * @returns the name that it has now, which is the first that was free
 * @throws Error for the operator when too many are there
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

/** A -wal file left behind would be taken for part of the backup that is put in the place of the database. */
function moveCompanions(path: string, asidePath: string): void {
  for (const suffix of COMPANIONS) {
    if (existsSync(path + suffix) && !existsSync(asidePath + suffix))
      renameSync(path + suffix, asidePath + suffix);
  }
}

/**
 * The newest file that was set aside says that accounts and keys were here.
 * @throws Error for the operator when there is one
 */
export function refuseAfterSetAside(path: string): void {
  const numbers = Array.from({ length: SET_ASIDE_MAX }, (_, index) => SET_ASIDE_MAX - index);
  const asidePath = numbers.map((number) => `${path}.damaged-${number}`).find((name) => existsSync(name));
  if (asidePath === undefined) return;
  // The server that renamed the database may have been killed before it came to these.
  moveCompanions(path, asidePath);
  throw new Error(
    `Cannot open database: '${path}' was damaged and renamed to '${asidePath}'; ${toDoAbout(path)}`,
  );
}

/** What an operator is told to do about a file that was set aside. */
export function toDoAbout(path: string): string {
  return `put a backup at '${path}', or move the damaged file to another folder to start with no accounts and keys`;
}

/** Says later whether a path still names the file that it names now. */
export function goneFrom(path: string): () => boolean {
  const opened = statSync(path);
  return () => {
    const now = statSync(path, { throwIfNoEntry: false });
    return now === undefined || now.ino !== opened.ino || now.dev !== opened.dev;
  };
}
