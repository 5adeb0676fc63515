// Every tick of a range in the order of publishing, for replays. Files are sorted by fixture, and a day can
// have millions of ticks. So a day is read in parts: first only the times, to count the ticks of each second,
// then the ticks of as many seconds as fit into memory.

import { DAY_MS, SECOND_MS } from '../../clock.ts';
import type { TickGroup } from '../files/tick-group.ts';
import { OwnTime, type TapeAndSource } from '../own-time.ts';
import type { Sight } from '../past/past-fixture.ts';
import type { DayFile, TapeFiles } from '../past/tape-files.ts';
import { dayOf, dayStartMs, type TapeRange, type Tick, type TickRows } from '../tick.ts';
import { changesIn, isLive, requireUnchanged } from './every-tick.ts';

/**
 * Ticks in memory at a time, as columns of about a hundred bytes per tick. A second that has more is read
 * whole, because the ticks of an instant belong together.
 */
const PART_TICKS_MAX = 65_536;

export interface TicksInOrder extends TapeAndSource {
  /** Whose time of the tape itself counts. Ticks that the caller may not see are not left out. */
  readonly sight: Sight;
  /** Called after each read of a row group. If it returns true, the ticks end there. */
  readonly isOver: () => boolean;
  /** Default: PART_TICKS_MAX. */
  readonly partTicksMax?: number;
}

/** The wanted part of one day of the tape. */
interface Day {
  readonly startMs: number;
  readonly files: readonly DayFile[];
  readonly live: readonly TickRows[];
}

/**
 * The ticks of a range without standing rows, in parts. Ticks of one instant are in one part, in the order of
 * the files and within a file in its order.
 * @throws when files change meanwhile
 */
export async function* ticksInOrder(options: TicksInOrder, range: TapeRange): AsyncGenerator<Iterable<Tick>> {
  const { files: tape, isOver } = options;
  const { changes } = tape;
  const own = await OwnTime.read(options, options.sight);
  for (const day of await daysOf(options, range)) {
    for await (const span of spansOf(day, range, { ...options, own })) {
      const parts: TickRows[] = [];
      const read = (group: TickGroup, rows: Int32Array) =>
        rows.length > 0 ? rowsOf(group.extract(rows)) : null;
      for await (const part of readGroups({ files: tape, own, read }, day, span)) {
        if (part !== null) parts.push(part);
        if (isOver()) return;
      }
      requireUnchanged(tape, changes);
      yield sorted([...parts, ...day.live.map((rows) => within(rows, span))]);
    }
    if (isOver()) return;
  }
}

async function daysOf({ files: tape, source }: TicksInOrder, range: TapeRange): Promise<readonly Day[]> {
  const byDay = await tape.byDay();
  const changes = source?.live.changesIn(range) ?? [];
  const liveDays = changes.flatMap((rows) => daysWith(rows));
  const days = [...new Set([...byDay.keys(), ...liveDays])].sort();
  return days.flatMap((day): readonly Day[] => {
    const startMs = dayStartMs(day);
    if (startMs + DAY_MS <= range.fromMs || startMs >= range.toMs) return [];
    const files = (byDay.get(day) ?? []).filter((file) => !isLive(file, source));
    const ofDay = { fromMs: startMs, toMs: startMs + DAY_MS };
    return [{ startMs, files, live: changes.map((rows) => within(rows, ofDay)) }];
  });
}

function daysWith(rows: TickRows): string[] {
  const days = new Set<number>();
  for (let row = 0; row < rows.rowCount; row++) days.add(Math.floor(rows.receivedAtMs(row) / DAY_MS));
  return [...days].map((day) => dayOf(day * DAY_MS));
}

/**
 * The time of a day in spans of at most `partTicksMax` ticks. A second that has more is a span of its own.
 */
async function* spansOf(
  day: Day,
  range: TapeRange,
  { files: tape, own, isOver, partTicksMax = PART_TICKS_MAX }: TicksInOrder & { readonly own: OwnTime },
): AsyncGenerator<TapeRange> {
  let rowCount = day.live.reduce((sum, rows) => sum + rows.rowCount, 0);
  for (const file of day.files) rowCount += (await tape.open(file))?.rowCount ?? 0;
  if (rowCount <= partTicksMax) {
    yield range;
    return;
  }
  const counts = new Uint32Array(DAY_MS / SECOND_MS);
  // A tick outside of its day counts for the first or the last second, and is not lost.
  const count = (atMs: number): void => {
    const second = Math.floor((atMs - day.startMs) / SECOND_MS);
    counts[Math.max(0, Math.min(counts.length - 1, second))]!++;
  };
  const read = (group: TickGroup, rows: Int32Array): void => {
    const receivedAt = group.reader('received_at');
    for (const row of rows) count(Number(receivedAt(row)));
  };
  for await (const _ of readGroups({ files: tape, own, read }, day, range)) {
    if (isOver()) return;
  }
  for (const rows of day.live) for (let row = 0; row < rows.rowCount; row++) count(rows.receivedAtMs(row));
  let { fromMs } = range;
  let ticks = 0;
  for (const [second, more] of counts.entries()) {
    if (ticks > 0 && ticks + more > partTicksMax) {
      const toMs = day.startMs + second * SECOND_MS;
      yield { fromMs, toMs };
      fromMs = toMs;
      ticks = 0;
    }
    ticks += more;
  }
  yield { fromMs, toMs: range.toMs };
}

/**
 * What is read of the row groups that have ticks in a span, one group at a time.
 * @param read is given a group and which of its rows are such ticks
 */
async function* readGroups<T>(
  parts: {
    readonly files: TapeFiles;
    readonly own: OwnTime;
    readonly read: (group: TickGroup, rows: Int32Array) => T;
  },
  { files }: Day,
  span: TapeRange,
): AsyncGenerator<T> {
  for (const file of files) {
    const own = file.beginMs === null ? parts.own : null;
    yield* parts.files.groups(file, span, (group) => parts.read(group, changesIn(group, span, own)));
  }
}

function rowsOf(group: TickGroup): TickRows {
  const receivedAt = group.reader('received_at');
  return {
    rowCount: group.rowCount,
    receivedAtMs: (row) => Number(receivedAt(row)),
    tick: (row) => group.tick(row),
  };
}

function within(all: TickRows, { fromMs, toMs }: TapeRange): TickRows {
  const rows: number[] = [];
  for (let row = 0; row < all.rowCount; row++) {
    const atMs = all.receivedAtMs(row);
    if (atMs >= fromMs && atMs < toMs) rows.push(row);
  }
  const own = Int32Array.from(rows);
  return {
    rowCount: own.length,
    receivedAtMs: (row) => all.receivedAtMs(own[row]!),
    tick: (row) => all.tick(own[row]!),
  };
}

/** Makes each tick when it is requested. Ticks of one instant keep their order. */
function* sorted(parts: readonly TickRows[]): Generator<Tick> {
  const rowCount = parts.reduce((sum, rows) => sum + rows.rowCount, 0);
  const atMs = new Float64Array(rowCount);
  const partOf = new Int32Array(rowCount);
  const firstRows: number[] = [];
  let next = 0;
  for (const [part, rows] of parts.entries()) {
    firstRows.push(next);
    for (let row = 0; row < rows.rowCount; row++) {
      partOf[next] = part;
      atMs[next++] = rows.receivedAtMs(row);
    }
  }
  const order = new Uint32Array(rowCount).map((_, index) => index);
  order.sort((left, right) => atMs[left]! - atMs[right]! || left - right);
  for (const index of order) {
    const part = partOf[index]!;
    yield parts[part]!.tick(index - firstRows[part]!);
  }
}
