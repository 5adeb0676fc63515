// Finds the times for which the tape has no answer because a file cannot be read. Each is a gap. A file or a
// log answers from its own beginning until the next one begins. An import answers for the part of its day
// that is before the first of them.

import { DAY_MS } from '../../clock.ts';
import { dayStartMs } from '../tick.ts';
import {
  beginOfFile,
  beginOfLog,
  dayOfPath,
  type HistoryFolder,
  LOG_PREFIX,
  PRICES_PREFIX,
} from './folder.ts';

/** A span of time of which the tape has lost a part. */
export interface Hole {
  readonly fromMs: number;
  /** Null when the span lasts until the tape continues. */
  readonly toMs: number | null;
}

/**
 * The time that no other file answers for if this file is lost; null when other files have the same content.
 * @param liveFromMs when each log that can be read begins
 */
export async function holeOf(
  folder: HistoryFolder,
  path: string,
  liveFromMs: readonly number[],
): Promise<Hole | null> {
  const day = dayOfPath(path);
  const fromMs = path.startsWith(LOG_PREFIX) ? beginOfLog(path) : day === null ? null : beginOfFile(path);
  const kept = (await folder.list(PRICES_PREFIX)).map((file) => file.path).filter((other) => other !== path);
  const begins = [...kept.flatMap((other) => beginOfFile(other) ?? []), ...liveFromMs.map(Math.trunc)];
  if (fromMs === null) {
    if (day === null) return null;
    const hasOther = kept.some((other) => dayOfPath(other) === day && beginOfFile(other) === null);
    // Times that the server recorded itself are known without the lost import. Later times that it does not
    // know are gaps already.
    const toMs = Math.min(dayStartMs(day) + DAY_MS, ...begins);
    return hasOther || toMs <= dayStartMs(day) ? null : { fromMs: dayStartMs(day), toMs };
  }
  // The log had already become a file with the same beginning, so losing the log loses nothing.
  if (begins.includes(fromMs)) return null;
  const later = begins.filter((begin) => begin > fromMs);
  // The lost file may end in the millisecond in which the next one begins, so that millisecond counts too.
  return { fromMs, toMs: later.length === 0 ? null : Math.min(...later) + 1 };
}
