// Keeps track of whether the folder accepts what the tape writes, and of the files in it that could not be
// read.

import { codeOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import {
  GAPS_COPY_PATH,
  GAPS_PATH,
  type HistoryFolder,
  isSystemError,
  LOG_PREFIX,
  SET_ASIDE_PREFIX,
} from '../files/folder.ts';
import { decodeGaps } from '../files/gap-file.ts';
import { readAll } from '../files/parquet-file.ts';
import { readLog } from './recover-logs.ts';

const RETRY_EVERY_MS = 1_000;

export type StopReason = 'disk_full' | 'read_only' | 'storage_failed';

export class FolderHealth {
  readonly #folder: HistoryFolder;
  readonly #log: Log;
  readonly #onChange: () => void;
  readonly #setAside = new Set<string>();
  /** Paths of the files that are being moved. */
  readonly #moving = new Set<string>();
  #stopped: StopReason | null = null;
  #retryAtMs = Number.NEGATIVE_INFINITY;
  #hasFailed = false;

  /** @param onChange called when the state of the folder has changed */
  constructor(folder: HistoryFolder, log: Log, onChange: () => void) {
    this.#folder = folder;
    this.#log = log;
    this.#onChange = onChange;
  }

  /** Why writes have stopped; null while they succeed. */
  get stopped(): StopReason | null {
    return this.#stopped;
  }

  /** When to write again after a failure, on the monotonic clock. */
  get retryAtMs(): number {
    return this.#retryAtMs;
  }

  /** The former paths of the files that could not be read and were moved away. */
  get setAside(): readonly string[] {
    return [...this.#setAside];
  }

  /**
   * Finds the files that earlier processes moved away. If a file is in its place again, it was written again
   * or restored, and nothing is missing.
   * @throws when the folder cannot be read
   */
  async findSetAside(): Promise<void> {
    for (const { path } of await this.#folder.list(SET_ASIDE_PREFIX)) {
      const former = path.slice(SET_ASIDE_PREFIX.length);
      const isBack = (await this.#folder.list(former)).some((file) => file.path === former);
      if (!isBack) this.#setAside.add(former);
    }
  }

  /** Call it when files were removed. */
  forgetSetAside(removed: readonly string[]): void {
    for (const path of removed) {
      if (path.startsWith(SET_ASIDE_PREFIX)) this.#setAside.delete(path.slice(SET_ASIDE_PREFIX.length));
    }
  }

  /** Whether a write failed since the last call. */
  takeFailed(): boolean {
    const hasFailed = this.#hasFailed;
    this.#hasFailed = false;
    return hasFailed;
  }

  fail(error: unknown, nowMs: number): void {
    const stopped = reasonOf(error);
    if (this.#stopped !== stopped) {
      this.#log.error('history_stopped', {
        folder: this.#folder.name,
        because: stopped,
        error: String(error),
      });
    }
    this.#stopped = stopped;
    this.#hasFailed = true;
    this.#retryAtMs = nowMs + RETRY_EVERY_MS;
    this.#onChange();
  }

  /** Call it after a pass in which no write failed. */
  succeed(): void {
    if (this.#stopped === null) return;
    this.#log.info('history_continues', { folder: this.#folder.name });
    this.#stopped = null;
    this.#onChange();
  }

  /** Stops all writing from now on. */
  stopForGood(): void {
    this.#retryAtMs = Number.POSITIVE_INFINITY;
  }

  /**
   * Moves an unreadable file away, so that it is reported once and the other files can answer. The file stays
   * if the disk or bucket failed rather than the file, or if a second reading succeeds.
   * @param beforeMove records what will be missing; if that fails, the file stays
   * @returns true when the file may be read differently from now on
   */
  async moveAside(path: string, error: unknown, beforeMove: () => Promise<void>): Promise<boolean> {
    if (this.#moving.has(path)) return false;
    if (isSystemError(error)) {
      this.#log.warn('history_file_unreadable', { file: path, error: String(error) });
      return false;
    }
    this.#moving.add(path);
    try {
      return await this.#moveAside(path, error, beforeMove);
    } catch (failure) {
      // The next attempt may succeed.
      this.#log.warn('history_file_unreadable', { file: path, error: String(failure) });
      return false;
    } finally {
      this.#moving.delete(path);
    }
  }

  async #moveAside(path: string, error: unknown, beforeMove: () => Promise<void>): Promise<boolean> {
    const isLog = path.startsWith(LOG_PREFIX);
    const bytes = isLog ? await this.#folder.readLog(path, 0) : await this.#folder.read(path);
    if (bytes === null && this.#setAside.has(path)) return false; // it was moved after it had been read
    const listed = (await this.#folder.list(path)).reduce((sum, file) => sum + file.bytes, 0);
    if (bytes?.length !== listed) throw new Error('Cannot set aside: only a part of the file was read');
    if (await isWhole(path, bytes)) {
      this.#log.warn('history_file_unreadable', { file: path, error: String(error) });
      return true;
    }
    this.#log.warn('history_file_set_aside', { file: path, error: String(error) });
    await beforeMove();
    await this.#folder.write(SET_ASIDE_PREFIX + path, bytes);
    if (isLog) await this.#folder.removeLog(path);
    else await this.#folder.remove(path);
    this.#setAside.add(path);
    this.#onChange();
    return true;
  }
}

/** Whether the bytes of a file can be read, to the last column. */
async function isWhole(path: string, bytes: Uint8Array): Promise<boolean> {
  try {
    if (path === GAPS_PATH || path === GAPS_COPY_PATH) await decodeGaps(bytes);
    else if (path.startsWith(LOG_PREFIX)) readLog(path, bytes);
    else await readAll(bytes);
    return true;
  } catch (error) {
    if (isSystemError(error)) throw error;
    return false;
  }
}

function reasonOf(error: unknown): StopReason {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'disk_full';
  return code === 'EROFS' || code === 'EACCES' || code === 'EPERM' ? 'read_only' : 'storage_failed';
}
