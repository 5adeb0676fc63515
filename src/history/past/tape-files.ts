// The files of the tape as a reader sees them: the list of files by day, and the rows of one fixture, of one
// instant, or of a whole file. The files opened and rows read last are cached, within bounds.

import {
  beginOfFile,
  dayOfPath,
  type FolderEntry,
  type HistoryFolder,
  isSystemError,
  PRICES_PREFIX,
  SET_ASIDE_PREFIX,
} from '../files/folder.ts';
import { openTickFile, type TickFile } from '../files/parquet-file.ts';
import type { TickGroup } from '../files/tick-group.ts';
import type { Tick } from '../tick.ts';

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
  /** The instant from which the file alone can answer, Unix ms; null for an import. */
  readonly beginMs: number | null;
}

interface Listing {
  readonly byDay: ReadonlyMap<string, readonly DayFile[]>;
  /** Files that were moved away because they could not be read. */
  readonly lost: readonly Pick<DayFile, 'day' | 'beginMs'>[];
  readonly atMs: number;
}

export class TapeFiles {
  readonly #options: TapeFilesOptions;
  #listing: Listing | null = null;
  readonly #open = new Map<string, Promise<TickFile | null>>();
  readonly #rows = new Map<string, readonly Tick[]>();
  #rowCount = 0;
  readonly #broken = new Set<string>();
  /** Files that the disk or the bucket did not return. They are read again with the next listing. */
  readonly #failing = new Set<string>();
  #changes = 0;

  constructor(options: TapeFilesOptions) {
    this.#options = options;
  }

  /** Increases whenever files were added, replaced or removed. */
  get changes(): number {
    return this.#changes;
  }

  /** Files were added, replaced or removed, so what was cached of them is dropped. */
  forget(): void {
    this.#changes++;
    this.#listing = null;
    this.#open.clear();
    this.#rows.clear();
    this.#rowCount = 0;
    this.#broken.clear();
  }

  /** The files of every day that has any, oldest day first. */
  async byDay(): Promise<ReadonlyMap<string, readonly DayFile[]>> {
    return (await this.#list()).byDay;
  }

  /** Days and beginnings of files that cannot be read. */
  async lost(): Promise<readonly Pick<DayFile, 'day' | 'beginMs'>[]> {
    const { byDay, lost } = await this.#list();
    return [...lost, ...[...byDay.values()].flat().filter((file) => this.isBroken(file))];
  }

  /** Whether a file was found to be unreadable. */
  isBroken(file: FolderEntry): boolean {
    return this.#broken.has(keyOf(file)) || this.#failing.has(keyOf(file));
  }

  /** Whether a file may be readable the next time. If so, an answer made now must not be cached. */
  get isFailing(): boolean {
    return this.#failing.size > 0;
  }

  async #list(): Promise<Listing> {
    const nowMs = this.#options.monotonicMs();
    if (this.#listing !== null && nowMs - this.#listing.atMs <= LISTING_KEPT_MS) return this.#listing;
    this.#failing.clear();
    const changes = this.#changes;
    const entries = await this.#options.folder.list(PRICES_PREFIX);
    const byDay = new Map<string, DayFile[]>();
    for (const entry of entries) {
      const day = dayOfPath(entry.path);
      if (day === null) continue;
      const files = byDay.get(day) ?? [];
      files.push({ ...entry, day, beginMs: beginOfFile(entry.path) });
      byDay.set(day, files);
    }
    const sorted = new Map([...byDay].sort(([left], [right]) => (left < right ? -1 : 1)));
    const setAside = await this.#options.folder.list(SET_ASIDE_PREFIX + PRICES_PREFIX);
    const lost = setAside.flatMap(({ path }) => {
      const former = path.slice(SET_ASIDE_PREFIX.length);
      const day = dayOfPath(former);
      return day === null ? [] : [{ day, beginMs: beginOfFile(former) }];
    });
    const listing = { byDay: sorted, lost, atMs: nowMs };
    // A file that was added meanwhile may be missing. The reader notices that the files changed, and reads
    // again.
    if (changes === this.#changes) this.#listing = listing;
    return listing;
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
    void opened.then(() => {
      if (this.#failing.has(key)) this.#open.delete(key);
    });
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
    const rows = await this.#guarded(file, () => readRowsOf(opened, eventId));
    if (rows === null) return [];
    this.#keep(key, rows);
    return rows;
  }

  /**
   * The rows of a file that show what stood at an instant: the last row of each line published by then,
   * withdrawals included.
   */
  async lastRowsAt(file: FolderEntry, atMs: number): Promise<LastRows> {
    const opened = await this.open(file);
    const read = opened === null ? null : await this.#guarded(file, () => readLastRowsAt(opened, atMs));
    return read ?? new LastRows([]);
  }

  /** The row groups of a file, one at a time. */
  async *groups(file: FolderEntry): AsyncGenerator<TickGroup> {
    const opened = await this.open(file);
    for (const group of opened?.rowGroups ?? []) {
      const read = await this.#guarded(file, () => opened!.readGroup(group));
      if (read === null) return;
      yield read;
    }
  }

  async #openNow(file: FolderEntry): Promise<TickFile | null> {
    return this.#guarded(file, async () => {
      const opened = await this.#options.folder.open(file.path);
      if (opened.byteLength === file.bytes) return openTickFile(opened);
      this.forget(); // an import has replaced it since the folder was listed
      throw Object.assign(new Error('The file has changed since it was listed'), { code: 'ESTALE' });
    });
  }

  /** Reads a file; null when that fails, with one report unless the file is gone. */
  async #guarded<T>(file: FolderEntry, read: () => Promise<T>): Promise<T | null> {
    try {
      return await read();
    } catch (error) {
      if (isGone(error)) {
        this.forget(); // an import has replaced it since the folder was listed
        return null;
      }
      if (!this.isBroken(file)) this.#options.onBroken(file.path, error);
      const key = keyOf(file);
      if (isSystemError(error)) {
        this.#failing.add(key);
        this.#open.delete(key);
      } else this.#broken.add(key);
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

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'NoSuchKey'].includes(String(error.code));
}

function keyOf({ path, bytes }: FolderEntry): string {
  return `${path} ${bytes}`;
}

async function readRowsOf(file: TickFile, eventId: string): Promise<readonly Tick[]> {
  const parts: (readonly Tick[])[] = [];
  for (const found of file.rowGroups) {
    if (eventId < found.firstEventId || eventId > found.lastEventId) continue;
    const group = await file.readGroup(found);
    const idOf = group.reader('event_id');
    const first = lowerBound(group.rowCount, (row) => String(idOf(row)) >= eventId);
    const end = lowerBound(group.rowCount, (row) => String(idOf(row)) > eventId);
    parts.push(group.slice(first, end).ticks());
  }
  return parts.flat();
}

/** The first row for which `isAfter` holds; rows are sorted so that it holds for all later ones too. */
function lowerBound(rowCount: number, isAfter: (row: number) => boolean): number {
  let low = 0;
  let high = rowCount;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAfter(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

async function readLastRowsAt(file: TickFile, atMs: number): Promise<LastRows> {
  const groups: TickGroup[] = [];
  for (const found of file.rowGroups) {
    if (found.receivedFromMs > atMs) continue;
    const group = await file.readGroup(found);
    groups.push(group.extract(Int32Array.from(lastRowsOfLines(group, atMs))));
  }
  return new LastRows(groups);
}

interface RowRange {
  readonly group: TickGroup;
  readonly from: number;
  /** Exclusive. */
  to: number;
}

/**
 * The rows of a file that show what stood at an instant, as columns. A line that continues in the next row
 * group has a row in each.
 */
export class LastRows {
  readonly #ranges = new Map<string, RowRange[]>();

  constructor(groups: readonly TickGroup[]) {
    for (const group of groups) {
      const idOf = group.reader('event_id');
      for (let row = 0; row < group.rowCount; row++) this.#add(String(idOf(row)), group, row);
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

  /**
   * Adds a row to its fixture's ranges. Rows of one fixture stand together, so the last range usually just
   * grows.
   */
  #add(eventId: string, group: TickGroup, row: number): void {
    const ranges = this.#ranges.get(eventId) ?? [];
    const last = ranges.at(-1);
    if (last?.group === group && last.to === row) last.to++;
    else ranges.push({ group, from: row, to: row + 1 });
    this.#ranges.set(eventId, ranges);
  }
}

/** The last row of each line that was received by an instant. */
function lastRowsOfLines(group: TickGroup, atMs: number): number[] {
  const { codes, values } = group.column('received_at');
  const isNewLine = lineStarts(group);
  const rows: number[] = [];
  let last = -1;
  let lastMs = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < group.rowCount; row++) {
    if (isNewLine[row] === 1 && last >= 0) {
      rows.push(last);
      last = -1;
      lastMs = Number.NEGATIVE_INFINITY;
    }
    const receivedAtMs = values[codes[row]!] as number;
    if (receivedAtMs > atMs || receivedAtMs < lastMs) continue;
    last = row;
    lastMs = receivedAtMs;
  }
  if (last >= 0) rows.push(last);
  return rows;
}

const LINE_COLUMNS = ['event_id', 'market_type', 'period', 'line', 'bookmaker'] as const;

/** For each row 1 if it belongs to another line than the row before it, otherwise 0. */
function lineStarts(group: TickGroup): Uint8Array {
  const starts = new Uint8Array(group.rowCount);
  for (const name of LINE_COLUMNS) {
    const { codes, values } = group.column(name);
    for (let row = 1; row < codes.length; row++) {
      const code = codes[row]!;
      const before = codes[row - 1]!;
      if (code !== before && values[code] !== values[before]) starts[row] = 1;
    }
  }
  return starts;
}
