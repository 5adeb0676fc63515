// Every tick of a range, day by day, for exports. For replays, ticks-in-order.ts has them in the order of
// publishing.

import { DAY_MS } from '../../clock.ts';
import type { TickGroup } from '../files/tick-group.ts';
import { OwnTime, type TapeAndSource } from '../own-time.ts';
import { isSeen, type Sight } from '../past/past-fixture.ts';
import type { DayFile, TapeFiles } from '../past/tape-files.ts';
import type { TapeSource } from '../tape-source.ts';
import { compareTickLines, dayOf, dayStartMs, type TapeRange, type Tick } from '../tick.ts';

/**
 * Every tick in a range, by day; within a day each file's ticks are sorted by fixture. Rows that only repeat
 * the state at the beginning of a file (standing rows) are left out. With `sight` 'all', ticks of bookmakers
 * that have left the roster are included.
 */
export async function* everyTick(
  parts: TapeAndSource,
  range: TapeRange,
  sight: Sight,
): AsyncGenerator<readonly Tick[]> {
  const { files: tape, source } = parts;
  const { changes } = tape;
  const own = await OwnTime.read(parts, sight);
  const isWanted = (tick: Tick): boolean => sight === 'all' || isSeen(tick, sight);
  for (const [day, files] of await tape.byDay()) {
    if (dayStartMs(day) + DAY_MS <= range.fromMs || dayStartMs(day) >= range.toMs) continue;
    for (const file of files) {
      if (isLive(file, source)) continue; // its log is read below
      const ticksOf = (group: TickGroup): readonly Tick[] => {
        const rows = changesIn(group, range, file.beginMs === null ? own : null);
        return group.pick(rows).ticks().filter(isWanted);
      };
      for await (const wanted of tape.groups(file, range, ticksOf)) if (wanted.length > 0) yield wanted;
    }
  }
  requireUnchanged(tape, changes);
  const live = [...(source?.live.eventIds() ?? [])]
    .flatMap((eventId) => source!.live.rowsOf(eventId))
    .filter(isWanted)
    .filter((tick) => !tick.standing && tick.receivedAtMs >= range.fromMs && tick.receivedAtMs < range.toMs)
    .sort((left, right) => left.receivedAtMs - right.receivedAtMs);
  for (const ofDay of Map.groupBy(live, ({ receivedAtMs }) => dayOf(receivedAtMs)).values()) {
    yield ofDay.sort(compareTickLines);
  }
}

/** Whether the live part also has the rows of this file. */
export function isLive({ beginMs }: DayFile, source: TapeSource | null): boolean {
  return beginMs !== null && source?.live.has(beginMs) === true;
}

/** @param changes `tape.changes` as it was when the read began @throws when files changed since then */
export function requireUnchanged(tape: TapeFiles, changes: number): void {
  if (changes === tape.changes) return;
  throw new Error('Cannot read the history: its files were changed meanwhile. Run this again');
}

/**
 * The rows that were published in a range, without standing ones.
 * @param own given for a group of an import: rows of the time that the tape itself knows are left out
 */
export function changesIn(group: TickGroup, { fromMs, toMs }: TapeRange, own: OwnTime | null): Int32Array {
  const receivedAt = group.reader('received_at');
  const standing = group.reader('standing');
  const rows: number[] = [];
  for (let row = 0; row < group.rowCount; row++) {
    const receivedAtMs = Number(receivedAt(row));
    if (receivedAtMs < fromMs || receivedAtMs >= toMs || standing(row) === true) continue;
    if (own?.has(receivedAtMs) !== true) rows.push(row);
  }
  return Int32Array.from(rows);
}
