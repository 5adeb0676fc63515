// The rows of one fixture from shortly before an instant on, from the newest files and the live part.

import {
  beginOfFile,
  dayOfPath,
  type HistoryFolder,
  PRICES_PREFIX,
  SET_ASIDE_PREFIX,
} from './files/folder.ts';
import { openTickFile } from './files/parquet-file.ts';
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
  // After the clock was set back, files have changes with times after the beginning of the live part.
  const isRepeated = tape.gaps().some((gap) => gap.fromMs <= liveFromMs && liveFromMs < (gap.toMs ?? 0));
  if (liveFromMs <= fromMs && !isRepeated) return [...live];
  const files = (await folder.list(PRICES_PREFIX)).flatMap(begunFile);
  const lostMs = (await lostBegins(folder, files)).filter((beginMs) => beginMs < toMs);
  const first = Math.max(
    0,
    files.findLastIndex(({ beginMs }) => beginMs <= fromMs),
  );
  let rows: Tick[] = [];
  let lastBeginMs = Number.POSITIVE_INFINITY;
  const add = (part: readonly Tick[], beginMs: number): void => {
    const isAfterLost = lostMs.some((lost) => lastBeginMs <= lost && lost < beginMs);
    lastBeginMs = beginMs;
    if (isAfterLost) rows = unchangedRows(rows, part);
    const known = new Set(rows.map(lineKeyOf));
    const isNew = (row: Tick): boolean => rows.length === 0 || (isAfterLost && !known.has(lineKeyOf(row)));
    rows = [...rows, ...part.filter((row) => !row.standing || isNew(row))];
  };
  for (const { path, beginMs } of files.slice(first)) {
    if (tape.live.has(beginMs)) continue; // its log is part of the live rows
    add(await rowsInFile(folder, path, eventId), beginMs);
  }
  add(live, liveFromMs);
  return rows;
}

/**
 * The rows of those lines that did not change before the next part was begun: they stand in it as they did
 * before, or were withdrawn before and are not in it.
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

/** When the files that were set aside begin. One that is there again was rewritten from its log. */
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

async function rowsInFile(folder: HistoryFolder, path: string, eventId: string): Promise<Tick[]> {
  try {
    return await readRows(folder, path, eventId);
  } catch (error) {
    throw new UnreadableFileError(path, error);
  }
}

async function readRows(folder: HistoryFolder, path: string, eventId: string): Promise<Tick[]> {
  const file = await openTickFile(await folder.open(path));
  const rows: Tick[] = [];
  for (const group of file.rowGroups) {
    if (eventId < group.firstEventId || eventId > group.lastEventId) continue;
    rows.push(
      ...(await file.readRows(group.rowStart, group.rowEnd)).filter((row) => row.eventId === eventId),
    );
  }
  return rows;
}
