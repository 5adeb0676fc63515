// Removes the oldest files of prices once they are older, or together larger, than the settings allow.

import { DAY_MS } from '../../clock.ts';
import { dayOf } from '../tick.ts';
import { dayOfPath, type FolderEntry, type HistoryFolder, isSystemError, PRICES_PREFIX } from './folder.ts';

export interface RetentionLimits {
  readonly days: number;
  readonly bytes: number;
}

export interface Retention {
  readonly removed: readonly string[];
  /** The files that could not be removed, oldest first. */
  readonly refused: readonly { readonly path: string; readonly error: unknown }[];
  /** Bytes of the files that are left. */
  readonly fileBytes: number;
  /** The oldest day that is left; null without files. */
  readonly oldestDay: string | null;
}

export interface RetentionTime {
  /** `days` count back from here; -Infinity while the time is not known: then no file is too old. */
  readonly nowMs: number;
  /** After a file could not be removed: whether there is time to try the next one. */
  readonly mayGoOn: () => boolean;
}

/**
 * Removes files until both limits are kept. A file that cannot be removed stays.
 * @throws when the folder cannot be read, or may not be changed now
 */
export async function applyRetention(
  folder: HistoryFolder,
  { days, bytes }: RetentionLimits,
  { nowMs, mayGoOn }: RetentionTime,
): Promise<Retention> {
  const files = (await folder.list(PRICES_PREFIX)).filter(({ path }) => dayOfPath(path) !== null);
  const oldestKept = Number.isFinite(nowMs) ? dayOf(nowMs - days * DAY_MS) : '';
  let fileBytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const removed: string[] = [];
  const refused: { path: string; error: unknown }[] = [];
  // Paths sort by day, and within a day by the instant at which a file begins.
  for (const { path, bytes: size } of files) {
    if (dayOfPath(path)! >= oldestKept && fileBytes <= bytes) break;
    try {
      await folder.remove(path);
      fileBytes -= size;
      removed.push(path);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      refused.push({ path, error });
      if (!mayGoOn()) break;
    }
  }
  return { removed, refused, fileBytes, oldestDay: oldestDayOf(files, removed) };
}

function oldestDayOf(files: readonly FolderEntry[], removed: readonly string[]): string | null {
  const gone = new Set(removed);
  const oldest = files.find(({ path }) => !gone.has(path));
  return oldest === undefined ? null : dayOfPath(oldest.path);
}
