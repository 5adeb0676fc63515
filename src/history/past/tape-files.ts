// The files of the tape as a reader sees them: which there are, by day, and the rows of one fixture, of one
// instant or of everything in a file. What was opened and read last is kept, within bounds.

import { dayOfPath, type FolderEntry, type HistoryFolder, PRICES_PREFIX } from '../files/folder.ts';
import { type ColumnName, openTickFile, type TickFile, type TickRowGroup } from '../files/parquet-file.ts';
import { TICK_COLUMNS, tickOfColumns } from '../files/tick-columns.ts';
import { lineKeyOf, type Tick } from '../tick.ts';

/** Files whose metadata is kept open. Full: the one used longest ago is closed. */
const OPEN_FILES_MAX = 256;
/** Ticks of single fixtures that are kept. Full: the fixture used longest ago is dropped. */
const KEPT_TICKS_MAX = 30_000;
/** The listing of the folder is read again after this long: an import may have added files. */
const LISTING_KEPT_MS = 2_000;

export interface TapeFilesOptions {
  readonly folder: HistoryFolder;
  readonly monotonicMs: () => number;
  /** Called once for each file that cannot be read. The other files answer without it. */
  readonly onBroken: (path: string, error: unknown) => void;
}

/** A file of prices and its day, "2026-06-19". */
export interface DayFile extends FolderEntry {
  readonly day: string;
}

export class TapeFiles {
  readonly #options: TapeFilesOptions;
  #listing: { readonly byDay: ReadonlyMap<string, readonly DayFile[]>; readonly atMs: number } | null = null;
  readonly #open = new Map<string, Promise<TickFile | null>>();
  readonly #rows = new Map<string, readonly Tick[]>();
  #rowCount = 0;
  readonly #broken = new Set<string>();

  constructor(options: TapeFilesOptions) {
    this.#options = options;
  }

  /** Files were added, replaced or removed: what was kept of them is dropped. */
  forget(): void {
    this.#listing = null;
    this.#open.clear();
    this.#rows.clear();
    this.#rowCount = 0;
  }

  /** The files of every day that has any, oldest day first. */
  async byDay(): Promise<ReadonlyMap<string, readonly DayFile[]>> {
    const nowMs = this.#options.monotonicMs();
    if (this.#listing !== null && nowMs - this.#listing.atMs <= LISTING_KEPT_MS) return this.#listing.byDay;
    const entries = await this.#options.folder.list(PRICES_PREFIX);
    const byDay = new Map<string, DayFile[]>();
    for (const entry of entries) {
      const day = dayOfPath(entry.path);
      if (day === null) continue;
      const files = byDay.get(day) ?? [];
      files.push({ ...entry, day });
      byDay.set(day, files);
    }
    const sorted = new Map([...byDay].sort(([left], [right]) => (left < right ? -1 : 1)));
    this.#listing = { byDay: sorted, atMs: nowMs };
    return sorted;
  }

  /** Opens a file; null when it cannot be read. */
  open(file: FolderEntry): Promise<TickFile | null> {
    const key = keyOf(file);
    const known = this.#open.get(key);
    if (known !== undefined) {
      this.#open.delete(key);
      this.#open.set(key, known);
      return known;
    }
    const opened = this.#openNow(file);
    this.#open.set(key, opened);
    if (this.#open.size > OPEN_FILES_MAX) this.#open.delete(this.#open.keys().next().value!);
    return opened;
  }

  /** The rows of one fixture in a file, in the file's order. */
  async rowsOf(file: FolderEntry, eventId: string): Promise<readonly Tick[]> {
    const key = `${keyOf(file)} ${eventId}`;
    const known = this.#rows.get(key);
    if (known !== undefined) {
      this.#rows.delete(key);
      this.#rows.set(key, known);
      return known;
    }
    const opened = await this.open(file);
    if (opened === null) return [];
    const rows = (await this.#guarded(file, () => readRowsOf(opened, eventId))) ?? [];
    this.#keep(key, rows);
    return rows;
  }

  /**
   * The rows of a file that show what stood at an instant: of each line the last one published by then,
   * withdrawn ones included.
   */
  async lastRowsAt(file: FolderEntry, atMs: number): Promise<readonly Tick[]> {
    const opened = await this.open(file);
    if (opened === null) return [];
    return (await this.#guarded(file, () => readLastRowsAt(opened, atMs))) ?? [];
  }

  /** Every row of a file, one row group at a time. */
  async *rowGroups(file: FolderEntry): AsyncGenerator<readonly Tick[]> {
    const opened = await this.open(file);
    for (const { rowStart, rowEnd } of opened?.rowGroups ?? []) {
      const rows = await this.#guarded(file, () => opened!.readRows(rowStart, rowEnd));
      if (rows === null) return;
      yield rows;
    }
  }

  /** Row groups of a file with some of their columns, one group at a time. */
  async *groups(file: FolderEntry, columns: readonly ColumnName[]): AsyncGenerator<ColumnsOfGroup> {
    const opened = await this.open(file);
    if (opened === null) return;
    for (const group of opened.rowGroups) {
      const read = await this.#guarded(file, () => columnsOf(opened, group, columns));
      if (read === null) return;
      yield read;
    }
  }

  async #openNow(file: FolderEntry): Promise<TickFile | null> {
    return this.#guarded(file, async () => openTickFile(await this.#options.folder.open(file.path)));
  }

  /** Reads a file; null, and one report, when that fails. */
  async #guarded<T>(file: FolderEntry, read: () => Promise<T>): Promise<T | null> {
    try {
      return await read();
    } catch (error) {
      if (!this.#broken.has(keyOf(file))) this.#options.onBroken(file.path, error);
      this.#broken.add(keyOf(file));
      return null;
    }
  }

  #keep(key: string, rows: readonly Tick[]): void {
    if (rows.length > KEPT_TICKS_MAX / 2) return;
    this.#rows.set(key, rows);
    this.#rowCount += rows.length;
    for (const [oldest, held] of this.#rows) {
      if (this.#rowCount <= KEPT_TICKS_MAX) break;
      this.#rows.delete(oldest);
      this.#rowCount -= held.length;
    }
  }
}

/** Columns of one row group, by name. */
export interface ColumnsOfGroup {
  readonly rowCount: number;
  readonly column: (name: ColumnName) => ArrayLike<unknown>;
}

function keyOf({ path, bytes }: FolderEntry): string {
  return `${path} ${bytes}`;
}

async function columnsOf(
  file: TickFile,
  { rowStart, rowEnd }: TickRowGroup,
  columns: readonly ColumnName[],
): Promise<ColumnsOfGroup> {
  const read = await Promise.all(
    columns.map(async (name) => [name, await file.readColumn(name, rowStart, rowEnd)] as const),
  );
  const byName = new Map(read);
  return { rowCount: rowEnd - rowStart, column: (name) => byName.get(name)! };
}

async function readRowsOf(file: TickFile, eventId: string): Promise<readonly Tick[]> {
  const rows: Tick[] = [];
  for (const { rowStart, rowEnd, firstEventId, lastEventId } of file.rowGroups) {
    if (eventId < firstEventId || eventId > lastEventId) continue;
    const ids = await file.readColumn('event_id', rowStart, rowEnd);
    const first = lowerBound(ids, (id) => id >= eventId);
    const end = lowerBound(ids, (id) => id > eventId);
    if (end > first) rows.push(...(await file.readRows(rowStart + first, rowStart + end)));
  }
  return rows;
}

/**
 * The index of the first value for which `isAfter` holds; the values are sorted so that all later ones do
 * too.
 */
function lowerBound(values: ArrayLike<unknown>, isAfter: (value: string) => boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAfter(String(values[middle]))) high = middle;
    else low = middle + 1;
  }
  return low;
}

const LINE_COLUMNS = ['event_id', 'market_type', 'period', 'line', 'bookmaker', 'received_at'] as const;

async function readLastRowsAt(file: TickFile, atMs: number): Promise<readonly Tick[]> {
  const last = new Map<string, Tick>();
  for (const group of file.rowGroups) {
    if (group.receivedFromMs > atMs) continue;
    const { rowCount, column } = await columnsOf(file, group, LINE_COLUMNS);
    const wanted = lastRowsOfLines(rowCount, column, atMs);
    if (wanted.length === 0) continue;
    const rest = TICK_COLUMNS.map(({ name }) => name);
    const all = await Promise.all(rest.map((name) => readOnce(file, group, name, column)));
    for (const row of wanted) {
      const tick = tickOfColumns(all, row);
      const key = `${tick.eventId}|${lineKeyOf(tick)}`;
      const held = last.get(key);
      if (held === undefined || tick.receivedAtMs >= held.receivedAtMs) last.set(key, tick);
    }
  }
  return [...last.values()];
}

/** A column of a group that was perhaps read already. */
async function readOnce(
  file: TickFile,
  { rowStart, rowEnd }: TickRowGroup,
  name: ColumnName,
  read: ColumnsOfGroup['column'],
): Promise<ArrayLike<unknown>> {
  return (LINE_COLUMNS as readonly ColumnName[]).includes(name)
    ? read(name)
    : await file.readColumn(name, rowStart, rowEnd);
}

/**
 * Finds, in each run of rows of one line, the last row received by an instant. Rows of a line are in order of
 * time.
 */
function lastRowsOfLines(rowCount: number, column: ColumnsOfGroup['column'], atMs: number): number[] {
  const receivedAt = column('received_at') as ArrayLike<number>;
  const names = LINE_COLUMNS.slice(0, -1).map((name) => column(name));
  const rows: number[] = [];
  let last = -1;
  for (let row = 0; row < rowCount; row++) {
    if (row > 0 && names.some((values) => values[row] !== values[row - 1])) {
      if (last >= 0) rows.push(last);
      last = -1;
    }
    if (receivedAt[row]! <= atMs && (last < 0 || receivedAt[row]! >= receivedAt[last]!)) last = row;
  }
  if (last >= 0) rows.push(last);
  return rows;
}
