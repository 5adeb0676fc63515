// Removes the oldest files of prices once they are older, or together larger, than the settings allow. Files
// that were set aside because they could not be read are counted and removed too.

import { DAY_MS } from '../../clock.ts';
import { codeOf } from '../../errors.ts';
import { dayOf } from '../tick.ts';
import {
  beginOfLog,
  dayOfPath,
  type FolderEntry,
  type HistoryFolder,
  isSystemError,
  LOG_PREFIX,
  PRICES_PREFIX,
  SET_ASIDE_PREFIX,
} from './folder.ts';

/**
 * After a file could not be removed, other files are still removed for this long, in milliseconds from the
 * beginning of the failed attempt. If a bucket does not answer, each further file would delay the tape by a
 * time-out.
 */
const REFUSALS_MS_MAX = 1_000;

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
  /** The oldest day that still has a file, not counting files that were set aside; null without one. */
  readonly oldestDay: string | null;
}

export interface RetentionTime {
  /** `days` count back from here; -Infinity while the time is not known, so that no file is too old. */
  readonly nowMs: number;
  readonly monotonicMs: () => number;
}

/**
 * Removes files until both limits are kept. A file that cannot be removed stays.
 * @param beforeHole called before a file of prices is removed although an older one could not be. It records
 * the time of the file as a gap; otherwise the older file would answer for that time. If it fails with an
 * error of the disk or the bucket, the file is not removed. It returns a function that takes the gap back,
 * which is called if the removal fails and the file stays.
 * @throws when the folder cannot be read, or may not be changed now
 */
export async function applyRetention(
  folder: HistoryFolder,
  { days, bytes }: RetentionLimits,
  { nowMs, monotonicMs }: RetentionTime,
  beforeHole: (path: string) => Promise<() => void>,
): Promise<Retention> {
  const files = await datedFiles(folder);
  const oldestKept = Number.isFinite(nowMs) ? dayOf(nowMs - days * DAY_MS) : '';
  let fileBytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const removed: string[] = [];
  const refused: { path: string; error: unknown }[] = [];
  let untilMs = Number.POSITIVE_INFINITY;
  for (const { path, bytes: size, day } of files) {
    if (day >= oldestKept && fileBytes <= bytes) break;
    const startedMs = monotonicMs();
    if (startedMs >= untilMs) break;
    let takeBack: (() => void) | null = null;
    try {
      const isHole = isPrices(path) && refused.some((older) => isPrices(older.path));
      if (isHole) takeBack = await beforeHole(path);
      await folder.remove(path);
      fileBytes -= size;
      removed.push(path);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      refused.push({ path, error });
      untilMs = Math.min(untilMs, startedMs + REFUSALS_MS_MAX);
      if (takeBack !== null && (await stays(folder, path, error))) takeBack();
    }
  }
  return { removed, refused, fileBytes, oldestDay: oldestDayOf(files, removed) };
}

/**
 * Whether a file is certain to stay after an error. A bucket that did not answer in time may remove it later.
 */
async function stays(folder: HistoryFolder, path: string, error: unknown): Promise<boolean> {
  if (codeOf(error) === 'ETIMEDOUT') return false;
  try {
    return (await folder.list(path)).some((file) => file.path === path);
  } catch (failure) {
    if (!isSystemError(failure)) throw failure;
    return false;
  }
}

interface DatedFile extends FolderEntry {
  readonly day: string;
}

/** The files that may be removed, oldest first: by day, then by the instant at which they begin. */
async function datedFiles(folder: HistoryFolder): Promise<DatedFile[]> {
  const entries = [...(await folder.list(PRICES_PREFIX)), ...(await folder.list(SET_ASIDE_PREFIX))];
  const dated = entries.flatMap((entry) => {
    const day = dayOfFile(entry.path.replace(SET_ASIDE_PREFIX, ''));
    return day === null ? [] : [{ ...entry, day }];
  });
  const orderOf = ({ path, day }: DatedFile): string => `${day}${path.slice(path.lastIndexOf('/'))}`;
  return dated.sort((left, right) => (orderOf(left) < orderOf(right) ? -1 : 1));
}

/** The day of a file of prices, or of a log that was set aside. */
function dayOfFile(path: string): string | null {
  if (!path.startsWith(LOG_PREFIX)) return dayOfPath(path);
  const beginMs = beginOfLog(path);
  return Number.isNaN(beginMs) ? null : dayOf(beginMs);
}

function oldestDayOf(files: readonly DatedFile[], removed: readonly string[]): string | null {
  const gone = new Set(removed);
  return files.find(({ path }) => isPrices(path) && !gone.has(path))?.day ?? null;
}

function isPrices(path: string): boolean {
  return path.startsWith(PRICES_PREFIX);
}
