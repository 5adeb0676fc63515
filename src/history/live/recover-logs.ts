// Reads the logs that an earlier process left. A torn end is cut off. A log whose first chunk is lost cannot
// be used.

import { BOOKMAKER_KEYS } from '../../domain/catalogue.ts';
import { beginOfLog, type HistoryFolder } from '../files/folder.ts';
import { LiveSegment } from './live-segment.ts';
import { addChunk, decodeChunks, type RingPosition } from './log-chunk.ts';
import type { OpenGap } from './tape-state.ts';

export interface RecoveredLog {
  readonly path: string;
  /** From this instant on, the log alone can answer. */
  readonly beginMs: number;
  readonly segment: LiveSegment;
  /** Bytes that are whole; what follows is overwritten. */
  readonly byteCount: number;
  /** How long the log before this one was when this one was begun; 0 when unknown. */
  readonly bytesBefore: number;
  readonly settledAtMs: number;
  readonly ring: RingPosition;
  readonly gap: OpenGap | null;
}

/** A log without a whole chunk. */
export interface DamagedLog {
  readonly path: string;
  /** Whether it has no content, because its process was killed early or everything in it is lost. */
  readonly isEmpty: boolean;
  readonly error: unknown;
}

/**
 * All logs in two lists, oldest first: the usable ones and the unusable ones.
 * @throws when the folder cannot be read
 */
export async function recoverLogs(
  folder: HistoryFolder,
): Promise<{ readonly recovered: RecoveredLog[]; readonly damaged: DamagedLog[] }> {
  const recovered: RecoveredLog[] = [];
  const damaged: DamagedLog[] = [];
  for (const path of await folder.logs()) {
    const bytes = await folder.readLog(path, 0);
    if (bytes === null) continue;
    try {
      recovered.push(readLog(path, bytes));
    } catch (error) {
      damaged.push({ path, isEmpty: bytes.length === 0, error });
    }
  }
  return { recovered, damaged };
}

/** @throws when the log has no whole chunk */
export function readLog(path: string, bytes: Uint8Array): RecoveredLog {
  const { chunks, byteCount } = decodeChunks(bytes);
  const [first] = chunks;
  const last = chunks.at(-1);
  const begin = first?.facts.begin;
  if (last === undefined || begin === undefined) throw new Error('the log has no beginning');
  const { bookmakers, bytesBefore = 0 } = begin;
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
    ...{ segment, byteCount, bytesBefore },
    settledAtMs: last.settledAtMs,
    ring: last.ring,
    gap,
  };
}
