// Reads the logs that an earlier process left. A torn end is cut off; a log that has no beginning is
// set aside.

import { BOOKMAKER_KEYS } from '../../domain/catalogue.ts';
import { type HistoryFolder, LOG_PREFIX, SET_ASIDE_PREFIX } from '../files/folder.ts';
import { LiveSegment } from './live-segment.ts';
import { addChunk, decodeChunks, type RingPosition } from './log-chunk.ts';
import type { OpenGap } from './tape-state.ts';

export interface RecoveredLog {
  readonly path: string;
  /** The log answers alone for instants from here on. */
  readonly beginMs: number;
  readonly segment: LiveSegment;
  /** Bytes that are whole; what follows is overwritten. */
  readonly byteCount: number;
  readonly settledAtMs: number;
  readonly ring: RingPosition;
  readonly gap: OpenGap | null;
}

/**
 * Every log that can be used, oldest first.
 * @param onSetAside called for a log that cannot be used; it is moved away
 * @throws when the folder cannot be read
 */
export async function recoverLogs(
  folder: HistoryFolder,
  onSetAside: (path: string, error: unknown) => void,
): Promise<RecoveredLog[]> {
  const recovered: RecoveredLog[] = [];
  for (const path of await folder.logs()) {
    const bytes = await folder.readLog(path, 0);
    if (bytes === null) continue;
    if (bytes.length === 0) {
      await folder.removeLog(path);
      continue;
    }
    try {
      recovered.push(readLog(path, bytes));
    } catch (error) {
      await folder.write(SET_ASIDE_PREFIX + path, bytes);
      await folder.removeLog(path);
      onSetAside(path, error);
    }
  }
  return recovered;
}

/** @throws when the log has no whole chunk */
export function readLog(path: string, bytes: Uint8Array): RecoveredLog {
  const { chunks, byteCount } = decodeChunks(bytes);
  const [first] = chunks;
  const last = chunks.at(-1);
  const bookmakers = first?.facts.begin?.bookmakers;
  if (last === undefined || bookmakers === undefined) throw new Error('the log has no beginning');
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
    segment,
    byteCount,
    settledAtMs: last.settledAtMs,
    ring: last.ring,
    gap,
  };
}

/** The instant that a log's name begins with: it answers alone from there on. */
export function beginOfLog(path: string): number {
  return Number(path.slice(LOG_PREFIX.length).split('-')[0]);
}
