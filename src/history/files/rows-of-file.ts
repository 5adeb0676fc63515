// Reads rows from one file: the rows of a fixture, and the rows that show what was on the slate at an
// instant.

import type { MarketType, Period } from '../../domain/catalogue.ts';
import { firstIndex } from '../../query/first-index.ts';
import type { Tick, TickLine } from '../tick.ts';
import type { TickFile, TickRowGroup } from './parquet-file.ts';
import type { TickGroup } from './tick-group.ts';

/** Some lines of a fixture. */
export interface WantedLines {
  /** Equal for the same lines. */
  readonly key: string;
  readonly has: (line: TickLine) => boolean;
}

/** The last row of each line that was published by an instant. */
export interface WantedInstant {
  /** Equal for the same instant. */
  readonly key: string;
  readonly atMs: number;
}

export interface RowsOfFixture {
  readonly rows: readonly Tick[];
  /** How many rows the file has of the fixture, including those that were not requested. */
  readonly allCount: number;
}

/** The rows of one fixture. @param wanted those that are read; null for all */
export async function readRowsOf(
  file: TickFile,
  eventId: string,
  wanted: WantedLines | WantedInstant | null = null,
): Promise<RowsOfFixture> {
  const parts: (readonly Tick[])[] = [];
  let allCount = 0;
  for (const found of file.rowGroups) {
    if (eventId < found.firstEventId || eventId > found.lastEventId) continue;
    const group = await file.readGroup(found);
    const idOf = group.reader('event_id');
    const first = firstIndex(group.rowCount, (row) => String(idOf(row)) >= eventId);
    const end = firstIndex(group.rowCount, (row) => String(idOf(row)) > eventId);
    const own = group.slice(first, end);
    allCount += own.rowCount;
    parts.push((wanted === null ? own : own.pick(chosenRows(own, wanted))).ticks());
  }
  return { rows: parts.flat(), allCount };
}

function chosenRows(group: TickGroup, wanted: WantedLines | WantedInstant): Int32Array {
  return 'has' in wanted
    ? rowsOfLines(group, wanted)
    : lastRowsOfLines(group, lineStarts(group), wanted.atMs);
}

/** The rows of some lines. Only the columns that identify a line are read. */
function rowsOfLines(group: TickGroup, lines: WantedLines): Int32Array {
  const bookmaker = group.column('bookmaker');
  const marketType = group.column('market_type');
  const period = group.column('period');
  const line = group.column('line');
  const columns = [bookmaker, marketType, period, line].map(({ codes }) => codes);
  const rows = new Int32Array(group.rowCount);
  let count = 0;
  let isWanted = false;
  for (let row = 0; row < group.rowCount; row++) {
    // Rows of one line are neighbours, so most rows are of the same line as the row before them.
    if (row === 0 || columns.some((codes) => codes[row] !== codes[row - 1])) {
      isWanted = lines.has({
        bookmaker: bookmaker.values[bookmaker.codes[row]!] as string,
        marketType: marketType.values[marketType.codes[row]!] as MarketType,
        period: period.values[period.codes[row]!] as Period,
        line: line.codes[row]! < 0 ? null : (line.values[line.codes[row]!] as number),
      });
    }
    if (isWanted) rows[count++] = row;
  }
  return rows.slice(0, count);
}

/** The first row of each line in a row group, by the `rowStart` of the group. */
export type LineStarts = Map<number, Int32Array>;

/**
 * The rows that show what was on the slate at an instant.
 * @param starts the line starts that earlier calls found in this file; those that this call finds are added
 */
export async function readLastRowsAt(file: TickFile, atMs: number, starts: LineStarts): Promise<LastRows> {
  const groups: TickGroup[] = [];
  const wanted = file.rowGroups.filter(({ receivedFromMs }) => receivedFromMs <= atMs);
  for await (const { rowStart, group } of readAhead(file, wanted)) {
    const known = starts.get(rowStart) ?? lineStarts(group);
    starts.set(rowStart, known);
    groups.push(group.extract(lastRowsOfLines(group, known, atMs)));
  }
  return new LastRows(groups);
}

/**
 * Reads row groups in order. While the caller works on one, the disk already reads the next, because a past
 * slate takes a hundred row groups, and waiting for each of them took a quarter of the whole time.
 */
async function* readAhead(
  file: TickFile,
  wanted: readonly TickRowGroup[],
): AsyncGenerator<{ readonly rowStart: number; readonly group: TickGroup }> {
  const read = (index: number): Promise<TickGroup> | null =>
    index < wanted.length ? file.readGroup(wanted[index]!) : null;
  let next = read(0);
  try {
    for (let index = 0; next !== null; index++) {
      const group = await next;
      next = read(index + 1);
      yield { rowStart: wanted[index]!.rowStart, group };
    }
  } finally {
    await Promise.allSettled([next]); // if the caller stopped, nobody needs the group that is being read
  }
}

interface RowRange {
  readonly group: TickGroup;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/**
 * The rows of a file that show what was on the slate at an instant, as columns. If a line continues in the
 * next row group, it has a row from each group.
 */
export class LastRows {
  readonly #ranges = new Map<string, RowRange[]>();

  constructor(groups: readonly TickGroup[]) {
    for (const group of groups) {
      const { codes, values } = group.column('event_id');
      for (let from = 0, to = 0; from < codes.length; from = to) {
        while (to < codes.length && codes[to] === codes[from]) to++;
        this.#add(String(values[codes[from]!]), { group, from, to });
      }
    }
  }

  eventIds(): Iterable<string> {
    return this.#ranges.keys();
  }

  of(eventId: string): Tick[] {
    return (this.#ranges.get(eventId) ?? []).flatMap(({ group, from, to }) =>
      Array.from({ length: to - from }, (_, index) => group.tick(from + index)),
    );
  }

  #add(eventId: string, range: RowRange): void {
    this.#ranges.getOrInsertComputed(eventId, () => []).push(range);
  }
}

/** The last row of each line that was received by an instant. @param starts the first row of each line */
function lastRowsOfLines(group: TickGroup, starts: Int32Array, atMs: number): Int32Array {
  const { codes, values } = group.column('received_at');
  const rows = new Int32Array(starts.length);
  let count = 0;
  for (let line = 0; line < starts.length; line++) {
    const end = starts[line + 1] ?? group.rowCount;
    let last = -1;
    let lastMs = Number.NEGATIVE_INFINITY;
    for (let row = starts[line]!; row < end; row++) {
      const receivedAtMs = values[codes[row]!] as number;
      if (receivedAtMs > atMs || receivedAtMs < lastMs) continue;
      last = row;
      lastMs = receivedAtMs;
    }
    if (last >= 0) rows[count++] = last;
  }
  return rows.slice(0, count);
}

const LINE_COLUMNS = ['event_id', 'market_type', 'period', 'line', 'bookmaker'] as const;

/** The rows whose line differs from the line of the row before them. */
function lineStarts(group: TickGroup): Int32Array {
  const isStart = new Uint8Array(group.rowCount);
  isStart[0] = 1;
  let count = 1;
  for (const name of LINE_COLUMNS) {
    const { codes, values } = group.column(name);
    for (let row = 1; row < codes.length; row++) {
      const code = codes[row]!;
      const before = codes[row - 1]!;
      if (code === before || values[code] === values[before] || isStart[row] === 1) continue;
      isStart[row] = 1;
      count++;
    }
  }
  const starts = new Int32Array(count);
  for (let row = 0, next = 0; row < isStart.length; row++) if (isStart[row] === 1) starts[next++] = row;
  return starts;
}
