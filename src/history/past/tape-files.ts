// The files of the tape as a reader sees them: the list of files by day, and the rows of one fixture, of one
// instant, or of a whole file. The files opened and rows read last are cached, within bounds.

import { codeOf } from '../../errors.ts';
import { LruCache } from '../../query/lru-cache.ts';
import {
  beginOfFile,
  dayOfPath,
  type FolderEntry,
  type HistoryFolder,
  isSystemError,
  PRICES_PREFIX,
  SET_ASIDE_PREFIX,
  withoutReplaced,
} from '../files/folder.ts';
import { openTickFile, type TickFile } from '../files/parquet-file.ts';
import {
  LastRows,
  type LineStarts,
  type RowsOfFixture,
  readLastRowsAt,
  readRowsOf,
  type WantedInstant,
  type WantedLines,
} from '../files/rows-of-file.ts';
import type { TickGroup } from '../files/tick-group.ts';
import type { TapeRange, Tick } from '../tick.ts';

/**
 * Maximum number of files kept open, and about how many bytes they may take. For a further file, the one used
 * longest ago is closed.
 */
const OPEN_FILES_MAX = 256;
const OPEN_BYTES_MAX = 32 * 1024 * 1024;
/**
 * Maximum number of kept ticks of single fixtures. For further ones, the ticks of the fixture used longest
 * ago are dropped.
 */
const KEPT_TICKS_MAX = 30_000;
const KEPT_ROWS_MAX = KEPT_TICKS_MAX / 2;
/**
 * Maximum number of lines for which the position of their first row in a file is kept, at four bytes each. A
 * slate of 1,000 fixtures has 75,000 lines. Beyond it, the positions of the file used longest ago are
 * dropped, and that file is searched again when it is needed.
 */
const KEPT_LINES_MAX = 500_000;
/** The listing of the folder is read again after this long, because an import may have added files. */
const LISTING_KEPT_MS = 2_000;

export interface TapeFilesOptions {
  readonly folder: HistoryFolder;
  readonly monotonicMs: () => number;
  /**
   * Called for each file that cannot be read; if the disk or the bucket failed, again after the next listing.
   * The other files answer without it.
   */
  readonly onBroken: (path: string, error: unknown) => void;
}

/** A file of prices and its day, "2026-06-19". */
export interface DayFile extends FolderEntry {
  readonly day: string;
  /** The instant from which the file alone can answer, Unix ms; null for an import. */
  readonly beginMs: number | null;
}

/** Rows of a fixture in one file. */
interface KeptRows extends RowsOfFixture {
  /** The key of the rows that were read; null for all. */
  readonly wanted: string | null;
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
  readonly #open = new LruCache<Promise<TickFile | null>>(OPEN_BYTES_MAX, OPEN_FILES_MAX);
  readonly #rows = new LruCache<KeptRows>(KEPT_TICKS_MAX);
  readonly #starts = new LruCache<LineStarts>(KEPT_LINES_MAX);
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

  /** Call it when files were added, replaced or removed. It drops everything that is cached of files. */
  forget(): void {
    this.#changes++;
    this.#listing = null;
    this.#open.clear();
    this.#rows.clear();
    this.#starts.clear();
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

  /** Whether a read of the file failed. */
  isBroken(file: FolderEntry): boolean {
    return this.#broken.has(keyOf(file)) || this.#failing.has(keyOf(file));
  }

  /**
   * Whether a file that could not be read may be readable later. If so, an answer made now must not be
   * cached.
   */
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
      const file = { ...entry, day, beginMs: beginOfFile(entry.path) };
      byDay.getOrInsertComputed(day, () => []).push(file);
    }
    const days = [...byDay].map(([day, files]) => [day, withoutReplaced(files)] as const);
    const sorted = new Map(days.sort(([left], [right]) => (left < right ? -1 : 1)));
    const setAside = await this.#options.folder.list(SET_ASIDE_PREFIX + PRICES_PREFIX);
    const present = new Set(entries.map(({ path }) => path));
    const lost = setAside.flatMap(({ path }) => {
      const former = path.slice(SET_ASIDE_PREFIX.length);
      const day = dayOfPath(former);
      // If the path has a file again, the file was rewritten from its log.
      return day === null || present.has(former) ? [] : [{ day, beginMs: beginOfFile(former) }];
    });
    const listing = { byDay: sorted, lost, atMs: nowMs };
    // If files changed while the folder was listed, the list may lack a file, so it is not cached. The reader
    // notices the change and reads again.
    if (changes === this.#changes) this.#listing = listing;
    return listing;
  }

  /** Opens a file; null when it cannot be read. */
  open(file: FolderEntry): Promise<TickFile | null> {
    const key = keyOf(file);
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const opened = this.#openNow(file);
    this.#open.set(key, opened, 0);
    void opened.then((read) => {
      if (this.#open.get(key) !== opened) return;
      if (this.#failing.has(key)) this.#open.delete(key);
      else this.#open.set(key, opened, read?.metadataBytes ?? 0);
    }, ignoreBroken);
    return opened;
  }

  /**
   * The rows of one fixture in a file, in the file's order.
   * @param wanted the rows that are needed, or null for all. The result may contain others too
   */
  async rowsOf(
    file: FolderEntry,
    eventId: string,
    wanted: WantedLines | WantedInstant | null = null,
  ): Promise<readonly Tick[]> {
    const key = `${keyOf(file)} ${eventId}`;
    const known = this.#rows.get(key);
    if (known !== undefined && (known.wanted === null || known.wanted === wanted?.key)) return known.rows;
    const opened = await this.open(file);
    if (opened === null) return [];
    // After a question about other rows of the fixture, more are likely to follow, so all rows are kept.
    const isFirst = known === undefined || known.allCount > KEPT_ROWS_MAX;
    const chosen = isFirst ? wanted : null;
    const read = await this.guarded(file, () => readRowsOf(opened, eventId, chosen));
    if (read === null) return [];
    if (read.rows.length <= KEPT_ROWS_MAX) {
      this.#rows.set(key, { ...read, wanted: chosen?.key ?? null }, Math.max(1, read.rows.length));
    }
    return read.rows;
  }

  /**
   * The rows of a file that show what was on the slate at an instant: the last row of each line published by
   * then, withdrawals included.
   */
  async lastRowsAt(file: FolderEntry, atMs: number): Promise<LastRows> {
    const opened = await this.open(file);
    if (opened === null) return new LastRows([]);
    const key = keyOf(file);
    const starts: LineStarts = this.#starts.get(key) ?? new Map();
    const read = await this.guarded(file, () => readLastRowsAt(opened, atMs, starts));
    const lines = [...starts.values()].reduce((sum, { length }) => sum + length, 0);
    if (lines <= KEPT_LINES_MAX / 2) this.#starts.set(key, starts, lines);
    return read ?? new LastRows([]);
  }

  /**
   * What is read of the row groups of a file, one group at a time.
   * @param range leaves out groups without a row in it; null for all groups
   * @param read decodes what is needed of a group, and does no more: whatever it throws counts as damage
   */
  async *groups<T>(
    file: FolderEntry,
    range: TapeRange | null,
    read: (group: TickGroup) => T,
  ): AsyncGenerator<T> {
    const opened = await this.open(file);
    for (const group of opened?.rowGroups ?? []) {
      if (range !== null && (group.receivedToMs < range.fromMs || group.receivedFromMs >= range.toMs))
        continue;
      const done = await this.guarded(file, async () => ({ value: read(await opened!.readGroup(group)) }));
      if (done === null) return;
      yield done.value;
    }
  }

  async #openNow(file: FolderEntry): Promise<TickFile | null> {
    return this.guarded(file, async () => {
      const opened = await this.#options.folder.open(file.path);
      if (opened.byteLength === file.bytes) return openTickFile(opened);
      this.forget(); // an import has replaced it since the folder was listed
      throw Object.assign(new Error('The file has changed since it was listed'), { code: 'ESTALE' });
    });
  }

  /** Reads a file; null when that fails, with one report unless the file is gone. */
  async guarded<T>(file: FolderEntry, read: () => Promise<T>): Promise<T | null> {
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
}

/** If onBroken throws, the caller of `open` has the error already. */
function ignoreBroken(): void {}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'NoSuchKey'].includes(String(codeOf(error)));
}

function keyOf({ path, bytes }: FolderEntry): string {
  return `${path} ${bytes}`;
}
