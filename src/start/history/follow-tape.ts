// Follows the tape on a serving node, and publishes the state of the history for /ready.

import type { Clock } from '../../clock.ts';
import { type HistoryFolder, isSystemError } from '../../history/files/folder.ts';
import { TapeFollower } from '../../history/live/tape-follower.ts';
import type { TapeSource } from '../../history/tape-source.ts';
import { HISTORY_SET_ASIDE_NAMED_MAX } from '../../limits.ts';
import { BoundedLog, type Log } from '../../log.ts';
import { writeTapeReport } from '../../store/tape-ring.ts';
import type { TapeReport } from '../threads/serving-thread.ts';

/** How often a serving node reads what the leader wrote, in addition to each request for history. */
const FOLLOW_EVERY_MS = 1_000;

/** What keeps the live part of the tape up to date on this node. */
export interface TapeKeeper {
  /** The tape's source; null until the tape is open. */
  source(): TapeSource | null;
  /** Called when a file could not be read. */
  onBroken(path: string, error: unknown): void;
  step(): Promise<void>;
  close(): Promise<void>;
}

export interface FollowedParts {
  readonly tapeMemory: SharedArrayBuffer;
  readonly clock: Clock;
  readonly log: Log;
}

/** Follows the tape on a serving node, which reads it from the folder that the nodes share. */
export function followTape(parts: FollowedParts, folder: HistoryFolder): TapeKeeper {
  const { clock, log, tapeMemory } = parts;
  const follower = new TapeFollower(folder);
  const failures = new BoundedLog(log, clock);
  // Files that could not be read. When the files change, each is read again.
  const broken = new Set<string>();
  follower.onFilesChanged(() => broken.clear());
  const named = (): string[] => [...broken].slice(-HISTORY_SET_ASIDE_NAMED_MAX);
  let isReading = false;
  let isRead = false;
  let dueAtMs = 0;
  return {
    source: () => (isRead ? follower : null),
    onBroken: (path, error) => {
      failures.warn('history_file_unreadable', { file: path, error: String(error) });
      if (!isSystemError(error)) broken.add(path);
    },
    step: async () => {
      if (isReading || clock.monotonicMs() < dueAtMs) return;
      isReading = true;
      try {
        await follower.catchUp();
        isRead = true;
        const gap = follower.gaps().at(-1);
        const lasting = gap?.toMs === null ? gap.reason : null;
        reportTape(tapeMemory, { state: 'ok', reason: null, gap: lasting, set_aside: named() });
      } catch (error) {
        failures.warn('history_not_opened', { folder: folder.name, error: String(error) });
        reportTape(tapeMemory, { state: 'stopped', reason: 'storage_failed', gap: null, set_aside: named() });
      }
      isReading = false;
      dueAtMs = clock.monotonicMs() + FOLLOW_EVERY_MS;
    },
    close: () => folder.close(),
  };
}

/** Publishes the state of the history for /ready. */
export function reportTape(tapeMemory: SharedArrayBuffer, standing: TapeReport): void {
  const isShown = writeTapeReport(tapeMemory, JSON.stringify(standing));
  if (!isShown) writeTapeReport(tapeMemory, JSON.stringify({ ...standing, set_aside: [] }));
}
