// Which files, and which segment of the live part, answer for an instant of the past.

import { OwnTime, type TapeAndSource } from './own-time.ts';
import { isSeen, type Sight } from './past/past-fixture.ts';
import type { DayFile, TapeFiles } from './past/tape-files.ts';
import { beforeRepeatedTime } from './past/whole-periods.ts';
import type { LiveRows } from './tape-source.ts';
import { dayOf, type Tick } from './tick.ts';

export interface PartsAt {
  readonly files: readonly DayFile[];
  /** Null when only files answer. */
  readonly live: LiveRows | null;
  /** The instant, up to which imports answer. */
  readonly atMs: number;
  /** The instant up to which the tape's own parts answer: earlier in a repeated time (beforeRepeatedTime). */
  readonly ownMs: number;
}

/** Up to which instant a file answers. */
export function untilMsOf({ beginMs }: DayFile, { atMs, ownMs }: Pick<PartsAt, 'atMs' | 'ownMs'>): number {
  return beginMs === null ? atMs : ownMs;
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
  const ownMs = sight === 'all' ? atMs : beforeRepeatedTime(source?.gaps() ?? [], atMs);
  let last: DayFile | null = null;
  let lastBeginMs = Number.NEGATIVE_INFINITY;
  // A file is in the folder of its first change's day, although it may begin on an earlier day.
  for (const file of [...byDay.values()].flat()) {
    const { beginMs } = file;
    if (beginMs === null || beginMs > ownMs || beginMs < lastBeginMs) continue;
    last = file;
    lastBeginMs = beginMs;
  }
  const live = source?.live.at(ownMs) ?? null;
  const hasLive = live !== null && Number.isFinite(live.beginMs) && Math.trunc(live.beginMs) >= lastBeginMs;
  if (hasLive) return { files: imports, live, atMs, ownMs };
  return { files: last === null ? imports : [last, ...imports], live: null, atMs, ownMs };
}

/** The rows of a fixture that show its lines at an instant: of each part, the last row of each line. */
export async function rowsIn(
  parts: PartsAt,
  tape: TapeFiles,
  { eventId, sight }: { readonly eventId: string; readonly sight: Sight },
): Promise<Tick[]> {
  const rows: Tick[] = [];
  const add = (some: readonly Tick[], untilMs: number): void => {
    for (const tick of some) if (tick.receivedAtMs <= untilMs && isSeen(tick, sight)) rows.push(tick);
  };
  for (const file of parts.files) {
    const atMs = untilMsOf(file, parts);
    add(await tape.rowsOf(file, eventId, { key: `at ${atMs}`, atMs }), atMs);
  }
  add(parts.live?.lastRowsAt(eventId, parts.ownMs) ?? [], parts.ownMs);
  return rows;
}
