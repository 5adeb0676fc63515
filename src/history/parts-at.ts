// Which files, and which segment of the live part, answer for an instant of the past.

import { OwnTime, type TapeAndSource } from './own-time.ts';
import { isSeen, type Sight } from './past/past-fixture.ts';
import type { DayFile, TapeFiles } from './past/tape-files.ts';
import type { LiveRows } from './tape-source.ts';
import { dayOf, type Tick } from './tick.ts';

export interface PartsAt {
  readonly files: readonly DayFile[];
  /** Null when only files answer. */
  readonly live: LiveRows | null;
}

/**
 * The parts of the tape that show what was on the slate at an instant. Each file of ours and each segment
 * of the live part begins with the lines on the slate when it was begun. So the last file or segment that
 * begins by that instant is enough. After the clock was set back, that may be a file although the live part
 * has begun. An imported file covers only its own day, and only what the tape itself does not know.
 * @param ownTime what the tape itself knows, if the caller has read it already
 */
export async function partsAt(
  parts: TapeAndSource,
  atMs: number,
  sight: Sight,
  ownTime?: OwnTime,
): Promise<PartsAt> {
  const { files, source } = parts;
  const byDay = await files.byDay();
  const ofDay = (byDay.get(dayOf(atMs)) ?? []).filter(({ beginMs }) => beginMs === null);
  const isOwn = ofDay.length > 0 && (ownTime ?? (await OwnTime.read(parts, sight))).has(atMs);
  const imports = isOwn ? [] : ofDay;
  let last: DayFile | null = null;
  let lastBeginMs = Number.NEGATIVE_INFINITY;
  // A file is in the folder of its first change's day, although it may begin on an earlier day.
  for (const file of [...byDay.values()].flat()) {
    const { beginMs } = file;
    if (beginMs === null || beginMs > atMs || beginMs < lastBeginMs) continue;
    last = file;
    lastBeginMs = beginMs;
  }
  const live = source?.live.at(atMs) ?? null;
  const hasLive = live !== null && Number.isFinite(live.beginMs) && Math.trunc(live.beginMs) >= lastBeginMs;
  if (hasLive) return { files: imports, live };
  return { files: last === null ? imports : [last, ...imports], live: null };
}

/** The rows of a fixture that show its lines at an instant: of each part, the last row of each line. */
export async function rowsIn(
  { files, live }: PartsAt,
  tape: TapeFiles,
  { eventId, atMs, sight }: { readonly eventId: string; readonly atMs: number; readonly sight: Sight },
): Promise<Tick[]> {
  const rows: Tick[] = [];
  const wanted = { key: `at ${atMs}`, atMs };
  for (const file of files) rows.push(...(await tape.rowsOf(file, eventId, wanted)));
  rows.push(...(live?.lastRowsAt(eventId, atMs) ?? []));
  return rows.filter((tick) => tick.receivedAtMs <= atMs && isSeen(tick, sight));
}
