// Reads the logs that an earlier process left. A torn end is cut off. A log whose first chunk is lost cannot
// be used. A log counts as ended if there is a file of it already.

import { BOOKMAKER_KEYS } from '../../domain/catalogue.ts';
import { beginOfLog, type HistoryFolder, isSystemError, LOG_PREFIX, PRICES_PREFIX } from '../files/folder.ts';
import { openTickFile, readAll } from '../files/parquet-file.ts';
import { LiveSegment } from './live-segment.ts';
import { addChunk, decodeChunks, type RingPosition } from './log-chunk.ts';
import type { OpenGap } from './tape-state.ts';

export interface RecoveredLog {
  readonly path: string;
  /** From this instant on, the log alone can answer. */
  readonly beginMs: number;
  readonly segment: LiveSegment;
  /** Length of the whole chunks, in bytes; what follows is overwritten. */
  readonly byteCount: number;
  /** The length that the log before this one had when this one was begun; 0 when unknown. */
  readonly bytesBefore: number;
  /** Path of the log before this one; null when unknown. */
  readonly after: string | null;
  /**
   * Whether there is a file with every row of this log. Then the process ended before it removed the log, and
   * the end of the log may have been lost since.
   */
  readonly isInFile: boolean;
  readonly settledAtMs: number;
  readonly ring: RingPosition;
  readonly gap: OpenGap | null;
}

/**
 * Maximum number of logs that are read into memory although they are in files: a takeover compares them with
 * its ring. A bucket that refuses to remove logs has thousands.
 */
const WHOLE_LOGS = 4;

/** A log without a whole chunk. */
export interface DamagedLog {
  readonly path: string;
  /** Whether the log has no content, because its process was killed early or all of its content is lost. */
  readonly isEmpty: boolean;
  readonly error: unknown;
}

/**
 * All logs in two lists, in the order in which they were written: the usable ones and the unusable ones. Logs
 * that are in files have empty segments, except the newest.
 * @throws when the folder cannot be read
 */
export async function recoverLogs(
  folder: HistoryFolder,
): Promise<{ readonly recovered: RecoveredLog[]; readonly damaged: DamagedLog[] }> {
  const recovered: RecoveredLog[] = [];
  const damaged: DamagedLog[] = [];
  const files = (await folder.list(PRICES_PREFIX)).map(({ path }) => path);
  for (const path of await folder.logs()) {
    const bytes = await folder.readLog(path, 0);
    if (bytes === null) continue;
    try {
      const log = readLog(path, bytes);
      const file = files.find((one) => one.endsWith(`/${fileNameOf(path)}`));
      recovered.push(file === undefined ? log : await withFile(folder, log, file));
    } catch (error) {
      if (isSystemError(error)) throw error;
      damaged.push({ path, isEmpty: bytes.length === 0, error });
    }
  }
  const sorted = inOrderOfWriting(recovered);
  const newest = sorted.splice(-WHOLE_LOGS);
  for (const log of newest) sorted.push(log.isInFile ? await withRows(folder, log) : log);
  return { recovered: sorted, damaged };
}

/** A log that is in a file, with its rows. */
async function withRows(folder: HistoryFolder, log: RecoveredLog): Promise<RecoveredLog> {
  const bytes = await folder.readLog(log.path, 0);
  return bytes === null ? log : { ...log, segment: readLog(log.path, bytes).segment };
}

/** The name of the file that a log becomes. */
export function fileNameOf(logPath: string): string {
  return logPath.slice(LOG_PREFIX.length).replace(/\.log$/, '.parquet');
}

/** Sorts logs by when they were written. Their names have that order unless the clock was set back. */
export function inOrderOfWriting<Log extends Pick<RecoveredLog, 'path' | 'after'>>(
  byName: readonly Log[],
): Log[] {
  const waiting = [...byName];
  const sorted: Log[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ after }) => !waiting.some(({ path }) => path === after));
    sorted.push(...waiting.splice(Math.max(0, next), 1));
  }
  return sorted;
}

/** Marks a log as ended, without its rows, if its file can be read and has at least as many rows. */
async function withFile(folder: HistoryFolder, log: RecoveredLog, path: string): Promise<RecoveredLog> {
  const bytes = await folder.read(path);
  if (bytes === null) return log;
  try {
    await readAll(bytes);
    const { rowCount, rowGroups } = await openTickFile(bytes.slice().buffer);
    if (rowCount < log.segment.rowCount) return log;
    const endMs = Math.max(log.settledAtMs, ...rowGroups.map(({ receivedToMs }) => receivedToMs + 1));
    return { ...log, isInFile: true, settledAtMs: endMs, segment: new LiveSegment() };
  } catch (error) {
    if (isSystemError(error)) throw error;
    return log;
  }
}

/** @throws when the log has no whole chunk */
export function readLog(path: string, bytes: Uint8Array): RecoveredLog {
  const { chunks, byteCount } = decodeChunks(bytes);
  const [first] = chunks;
  const last = chunks.at(-1);
  const begin = first?.facts.begin;
  if (last === undefined || begin === undefined) throw new Error('the log has no beginning');
  const { bookmakers, bytesBefore, after = null } = begin;
  const isOurs = bookmakers.join() === BOOKMAKER_KEYS.join();
  const segment = new LiveSegment(isOurs ? BOOKMAKER_KEYS : bookmakers);
  let gap: OpenGap | null = null;
  for (const chunk of chunks) {
    addChunk(segment, chunk);
    if (chunk.facts.gap !== undefined) gap = chunk.facts.gap;
  }
  return {
    path,
    beginMs: beginOfLog(path),
    ...{ segment, byteCount, bytesBefore, after, isInFile: false },
    settledAtMs: last.settledAtMs,
    ring: last.ring,
    gap,
  };
}
