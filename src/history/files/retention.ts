// Removes the oldest files of prices once they are older, or together larger, than the settings allow.

import { DAY_MS } from '../../clock.ts';
import { dayOf } from '../tick.ts';
import { dayOfPath, type HistoryFolder, PRICES_PREFIX } from './folder.ts';

export interface RetentionLimits {
  readonly days: number;
  readonly bytes: number;
}

export interface Retention {
  readonly removed: readonly string[];
  /** Bytes of the files that are left. */
  readonly fileBytes: number;
  /** The oldest day that is left; null without files. */
  readonly oldestDay: string | null;
}

/**
 * Removes files until both limits are kept.
 * @param nowMs `days` count back from here; -Infinity while the time is not known: then no file is too old
 * @throws when the folder cannot be read or a file cannot be removed
 */
export async function applyRetention(
  folder: HistoryFolder,
  { days, bytes }: RetentionLimits,
  nowMs: number,
): Promise<Retention> {
  const files = (await folder.list(PRICES_PREFIX)).filter(({ path }) => dayOfPath(path) !== null);
  const oldestKept = Number.isFinite(nowMs) ? dayOf(nowMs - days * DAY_MS) : '';
  let fileBytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const removed: string[] = [];
  // Paths sort by day, and within a day by the instant at which a file begins.
  for (const file of files) {
    if (dayOfPath(file.path)! >= oldestKept && fileBytes <= bytes) break;
    await folder.remove(file.path);
    fileBytes -= file.bytes;
    removed.push(file.path);
  }
  const oldest = files[removed.length];
  return { removed, fileBytes, oldestDay: oldest === undefined ? null : dayOfPath(oldest.path) };
}
