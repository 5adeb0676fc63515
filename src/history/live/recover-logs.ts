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
 * Logs that are in files are not read, except this many of the newest logs, which a takeover compares with
 * its ring. A bucket that refuses to remove logs has thousands.
 */
const NEWEST_LOGS = 4;

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
  const files = filesByName((await folder.list(PRICES_PREFIX)).map(({ path }) => path));
  for (const path of (await folder.logs()).toReversed()) {
    const file = files.get(fileNameOf(path));
    if (file !== undefined && recovered.length >= NEWEST_LOGS) {
      recovered.push(unreadLog(path));
      continue;
    }
    const bytes = await folder.readLog(path, 0);
    if (bytes === null) continue;
    try {
      const log = readLog(path, bytes);
      recovered.push(file === undefined ? log : await withFile(folder, log, file));
    } catch (error) {
      if (isSystemError(error)) throw error;
      damaged.push({ path, isEmpty: bytes.length === 0, error });
    }
  }
  return { recovered: inOrderOfWriting(recovered.reverse()), damaged: damaged.reverse() };
}

/** Paths of files by their names without the folder. */
export function filesByName(paths: readonly string[]): ReadonlyMap<string, string> {
  return new Map(paths.map((path) => [path.slice(path.lastIndexOf('/') + 1), path]));
}

/**
 * A log that has a file and is not read. The file has all of it, because files are written whole, and a log
 * no longer grows once its file is written.
 */
function unreadLog(path: string): RecoveredLog {
  const beginMs = beginOfLog(path);
  return {
    ...{ path, beginMs, segment: new LiveSegment(), byteCount: 0, bytesBefore: 0, after: null },
    ...{ isInFile: true, settledAtMs: beginMs, ring: { ringId: 0, position: 0 }, gap: null },
  };
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
  const paths = new Set(byName.map(({ path }) => path));
  const sorted: Log[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ after }) => after === null || !paths.has(after));
    const [log] = waiting.splice(Math.max(0, next), 1);
    paths.delete(log!.path);
    sorted.push(log!);
  }
  return sorted;
}

/** Marks a log as ended if its file can be read and has at least as many rows. */
async function withFile(folder: HistoryFolder, log: RecoveredLog, path: string): Promise<RecoveredLog> {
  const bytes = await folder.read(path);
  if (bytes === null) return log;
  try {
    await readAll(bytes);
    const { rowCount, rowGroups } = await openTickFile(bytes.slice().buffer);
    if (rowCount < log.segment.rowCount) return log;
    const endMs = Math.max(log.settledAtMs, ...rowGroups.map(({ receivedToMs }) => receivedToMs + 1));
    return { ...log, isInFile: true, settledAtMs: endMs };
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
  const { bookmakers, bytesBefore, after = null, setBackToMs } = begin;
  const isOurs = bookmakers.join() === BOOKMAKER_KEYS.join();
  const segment = new LiveSegment(isOurs ? BOOKMAKER_KEYS : bookmakers, setBackToMs);
  const beginMs = beginOfLog(path);
  let gap: OpenGap | null = null;
  for (const chunk of chunks) {
    addChunk(segment, chunk, beginMs);
    if (chunk.facts.gap !== undefined) gap = chunk.facts.gap;
  }
  return {
    ...{ path, beginMs, segment, byteCount, bytesBefore, after, isInFile: false },
    settledAtMs: last.settledAtMs,
    ring: last.ring,
    gap,
  };
}
