// Where the history is kept: a folder on disk, or a bucket's prefix behind the S3 protocol. Paths are
// relative, with slashes: `prices/day=2026-06-19/000001.parquet`, `gaps.parquet`.

import type { AsyncBuffer } from 'hyparquet';

export interface FolderEntry {
  readonly path: string;
  readonly bytes: number;
}

export interface HistoryFolder {
  /** For log lines and errors: the path or the address. */
  readonly name: string;
  /** Whether a write that failed may still be applied later, even if its process has ended. */
  readonly mayApplyLate: boolean;
  /** Every file whose path begins with `prefix`, sorted by path. A missing folder has no files. */
  list(prefix: string): Promise<readonly FolderEntry[]>;
  /** Opens a file for reading parts of it. @throws when it is not there */
  open(path: string): Promise<AsyncBuffer>;
  /** A whole file, or null when it is not there. */
  read(path: string): Promise<Uint8Array | null>;
  /** Writes a whole file. A reader sees the old file or the new one and never a part of it. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file; a file that is not there is fine. */
  remove(path: string): Promise<void>;
  /**
   * Removes drafts of files of prices that a killed process left. Only one process at a time may write the
   * files for which `isOurs` is true.
   * @param isOurs whether to remove the draft of the file at a path
   * @throws when one cannot be removed
   */
  removeDrafts(isOurs: (path: string) => boolean): Promise<void>;
  /**
   * Writes the end of a log: `bytes` at `offset`, and removes what was behind it. A process that is killed
   * meanwhile may leave a part of `bytes`.
   * @param path below LOG_PREFIX
   * @throws ShortLogError, on a disk only
   */
  append(path: string, offset: number, bytes: Uint8Array): Promise<void>;
  /** The log from `offset` on, or null when it is not there. */
  readLog(path: string, offset: number): Promise<Uint8Array | null>;
  /** Paths of all logs, sorted. */
  logs(): Promise<readonly string[]>;
  removeLog(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Where the files of prices are; below it is one folder per day. */
export const PRICES_PREFIX = 'prices/';
export const GAPS_PATH = 'gaps.parquet';
/** A second copy of the list of gaps, because no other file says where the gaps are. */
export const GAPS_COPY_PATH = 'gaps-copy.parquet';
/** Logs of ticks that are not in a file yet (log-chunk.ts). */
export const LOG_PREFIX = 'log/';
/** Files that could not be read are moved into this folder and keep their paths below it. */
export const SET_ASIDE_PREFIX = 'set-aside/';

/** A log has fewer bytes than were written, because the disk failed, lost some and was mounted again. */
export class ShortLogError extends Error {
  override name = 'ShortLogError';
}

/**
 * The error codes of damaged bytes: of zstd, and of a text decoder to which damaged metadata give a number.
 */
const DAMAGED_CODES: readonly unknown[] = ['ERR_ZSTD', 'ERR_INVALID_ARG_TYPE'];

/** Whether an error comes from the disk, the bucket or the process, and not from the bytes of a file. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && !DAMAGED_CODES.includes(error.code);
}

/** The folder of a day. @param day "2026-06-19" */
export function dayPrefix(day: string): string {
  return `${PRICES_PREFIX}day=${day}/`;
}

/** The day of a file of prices, or null for another file. */
export function dayOfPath(path: string): string | null {
  return /^prices\/day=(\d{4}-\d\d-\d\d)\/[^/]+\.parquet$/.exec(path)?.[1] ?? null;
}

/**
 * The instant that a log's name begins with. From this instant until the next log begins, only this log has
 * the ticks.
 */
export function beginOfLog(path: string): number {
  return Number(path.slice(LOG_PREFIX.length).split('-')[0]);
}

/** The name of a file that an import wrote: its number, which earlier versions did not write, and a hash. */
const IMPORT_NAME = /\/import-(?:(\d+)-)?[0-9a-f]{12}\.parquet$/;

/** Whether an import writes the file of prices at this path. */
export function isImport(path: string): boolean {
  return dayOfPath(path) !== null && IMPORT_NAME.test(path);
}

/** The number in the name of an import's file; 0 without one. */
export function importNumberOf(path: string): number {
  return Number(IMPORT_NAME.exec(path)?.[1] ?? 0);
}

/**
 * The instant in the name of one of our files of prices. From this instant until the next file begins, only
 * this file has the prices. Null for an import, which has the prices of its day.
 */
export function beginOfFile(path: string): number | null {
  const begin = /^(\d+)[-.]/.exec(path.slice(path.lastIndexOf('/') + 1))?.[1];
  return begin === undefined ? null : Number(begin);
}

/**
 * The files of a day without those that an import has replaced, but not removed, because it was killed or the
 * folder refused. Each file of an import has a higher number in its name than the one that it replaces; those
 * of earlier versions have none.
 */
export function withoutReplaced<File extends { readonly path: string }>(ofDay: readonly File[]): File[] {
  const numbers = ofDay.map(({ path }) => importNumberOf(path));
  const newest = Math.max(...numbers);
  return ofDay.filter((file, index) => numbers[index] === newest || !isImport(file.path));
}
