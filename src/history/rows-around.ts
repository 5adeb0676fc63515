// The rows of one fixture from shortly before an instant on, from the newest files and the live part.

import {
  beginOfFile,
  dayOfPath,
  type HistoryFolder,
  PRICES_PREFIX,
  SET_ASIDE_PREFIX,
} from './files/folder.ts';
import { openTickFile } from './files/parquet-file.ts';
import { readRowsOf } from './files/rows-of-file.ts';
import { OwnTime, type TapeAndSource } from './own-time.ts';
import { isSeen, type Sight } from './past/past-fixture.ts';
import type { TapeSource } from './tape-source.ts';
import { lineKeyOf, type Tick } from './tick.ts';

/** A file that cannot be read. Its `cause` is the error of the reading. */
export class UnreadableFileError extends Error {
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`Cannot read ${path}: ${String(cause)}`, { cause });
    this.path = path;
  }
}

export interface RowsAsked {
  readonly eventId: string;
  readonly fromMs: number;
  /** The instant up to which the rows must be certain, Unix ms. */
  readonly toMs: number;
}

/**
 * Rows with what was on the slate at `fromMs` and what changed since: standing rows first, then ticks in
 * order of publishing. Where a file before `toMs` was set aside, the standing rows of the next file show
 * which lines changed meanwhile. Earlier rows of those lines are left out.
 * @throws UnreadableFileError when a file cannot be read
 */
export async function rowsSince(
  tape: TapeSource,
  folder: HistoryFolder,
  { eventId, fromMs, toMs }: RowsAsked,
): Promise<Tick[]> {
  const live = tape.live.rowsOf(eventId);
  const { beginMs: liveFromMs } = tape.live;
  // After the clock was set back, files have changes with times after the beginning of the live part, so the
  // files are read too.
  const isRepeated = tape.gaps().some((gap) => gap.fromMs <= liveFromMs && liveFromMs < (gap.toMs ?? 0));
  if (liveFromMs <= fromMs && !isRepeated) return [...live];
  const files = (await folder.list(PRICES_PREFIX)).flatMap(begunFile);
  const lostMs = (await lostBegins(folder, files)).filter((beginMs) => beginMs < toMs);
  const parts: PartRows[] = [];
  for (const { path, beginMs } of files.slice(lastBegun(files, fromMs))) {
    if (tape.live.has(beginMs)) continue; // its log is part of the live rows
    parts.push({ beginMs, rows: await rowsInFile(folder, path, eventId) });
  }
  return joinedRows([...parts, { beginMs: liveFromMs, rows: live }], lostMs);
}

/**
 * For readers, which continue without files that cannot be read: the rows of a fixture from `fromMs` on, as
 * `rowsSince` finds them, and the rows of imports unless the tape itself knows the time before `toMs`.
 * @returns null when no file that begins before `toMs` is lost
 */
export async function rowsThatAreCertain(
  parts: TapeAndSource,
  { eventId, fromMs, toMs }: RowsAsked,
  sight: Sight,
): Promise<Tick[] | null> {
  const { files, source } = parts;
  const ofCaller = (rows: readonly Tick[]): Tick[] => rows.filter((row) => isSeen(row, sight));
  const isLive = (beginMs: number): boolean => source?.live.has(beginMs) === true;
  const begun: PartRows[] = [];
  const imported: Tick[] = [];
  for (const file of [...(await files.byDay()).values()].flat()) {
    const rows = ofCaller(await files.rowsOf(file, eventId));
    const { beginMs } = file;
    if (beginMs === null) imported.push(...rows);
    // Only an attempt to read a file shows whether it can be read.
    else if (!files.isBroken(file) && !isLive(beginMs)) begun.push({ beginMs, rows });
  }
  const lostMs = (await files.lost()).flatMap(({ beginMs }) => beginMs ?? []);
  const lostBeforeMs = lostMs.filter((beginMs) => beginMs < toMs && !isLive(beginMs));
  if (lostBeforeMs.length === 0) return null;
  begun.sort((one, other) => one.beginMs - other.beginMs);
  if (source !== null)
    begun.push({ beginMs: source.live.beginMs, rows: ofCaller(source.live.rowsOf(eventId)) });
  const own = joinedRows(begun.slice(lastBegun(begun, fromMs)), lostBeforeMs);
  const isOwn = (await OwnTime.read(parts, sight)).has(toMs - 1);
  return isOwn ? own : [...imported, ...own];
}

/** The index of the last part that begins at or before an instant; 0 if none does. */
function lastBegun(parts: readonly { readonly beginMs: number }[], atMs: number): number {
  return Math.max(
    0,
    parts.findLastIndex(({ beginMs }) => beginMs <= atMs),
  );
}

/** The rows of one fixture in a part of the tape. */
interface PartRows {
  readonly beginMs: number;
  /** The standing row of a line comes before its ticks. */
  readonly rows: readonly Tick[];
}

/**
 * The rows of parts that follow each other: the standing rows of the first, then ticks. If a part between two
 * others is lost, the earlier rows of each line that changed during it are left out.
 * @param lostMs when the parts that are lost begin
 */
function joinedRows(parts: readonly PartRows[], lostMs: readonly number[]): Tick[] {
  let rows: Tick[] = [];
  let lastBeginMs = Number.POSITIVE_INFINITY;
  for (const { beginMs, rows: part } of parts) {
    const isAfterLost = lostMs.some((lost) => lastBeginMs <= lost && lost < beginMs);
    lastBeginMs = beginMs;
    if (isAfterLost) rows = unchangedRows(rows, part);
    const known = new Set(rows.map(lineKeyOf));
    const isNew = (row: Tick): boolean => rows.length === 0 || (isAfterLost && !known.has(lineKeyOf(row)));
    rows = [...rows, ...part.filter((row) => !row.standing || isNew(row))];
  }
  return rows;
}

/**
 * The rows of those lines that did not change before the next part was begun. Such a line has the same
 * standing row there as before, or it was withdrawn before and has no standing row there.
 */
function unchangedRows(rows: readonly Tick[], next: readonly Tick[]): Tick[] {
  const standing = new Map(next.filter((row) => row.standing).map((row) => [lineKeyOf(row), row]));
  const last = new Map(rows.map((row) => [lineKeyOf(row), row]));
  return rows.filter((row) => {
    const key = lineKeyOf(row);
    const { status, receivedAtMs } = last.get(key)!;
    const stood = standing.get(key);
    return stood === undefined ? status === 'withdrawn' : stood.receivedAtMs === receivedAtMs;
  });
}

/** A file of prices that was written from a log, with the instant from which it alone can answer. */
function begunFile({ path }: { readonly path: string }): { path: string; beginMs: number }[] {
  const beginMs = dayOfPath(path) === null ? null : beginOfFile(path);
  return beginMs === null ? [] : [{ path, beginMs }];
}

/**
 * When the files that were set aside begin. A file that is in its place again, because it was written again
 * from its log, is not among them.
 */
async function lostBegins(
  folder: HistoryFolder,
  files: readonly { readonly path: string }[],
): Promise<number[]> {
  const present = new Set(files.map(({ path }) => path));
  return (await folder.list(SET_ASIDE_PREFIX + PRICES_PREFIX))
    .flatMap(({ path }) => begunFile({ path: path.slice(SET_ASIDE_PREFIX.length) }))
    .filter(({ path }) => !present.has(path))
    .map(({ beginMs }) => beginMs);
}

async function rowsInFile(folder: HistoryFolder, path: string, eventId: string): Promise<readonly Tick[]> {
  try {
    const file = await openTickFile(await folder.open(path));
    return (await readRowsOf(file, eventId)).rows;
  } catch (error) {
    throw new UnreadableFileError(path, error);
  }
}
