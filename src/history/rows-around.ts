// The rows of one fixture from shortly before an instant on, from the newest files and the live part.

import { beginOfFile, dayOfPath, type HistoryFolder, PRICES_PREFIX } from './files/folder.ts';
import { openTickFile } from './files/parquet-file.ts';
import type { TapeSource } from './tape-source.ts';
import type { Tick } from './tick.ts';

/** A file that cannot be read. Its `cause` is the error of the reading. */
export class UnreadableFileError extends Error {
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`Cannot read ${path}: ${String(cause)}`, { cause });
    this.path = path;
  }
}

/**
 * Rows with what was on the slate at `fromMs` and what changed since: standing rows first, then ticks in
 * order of publishing.
 * @throws UnreadableFileError when a file cannot be read
 */
export async function rowsSince(
  tape: TapeSource,
  folder: HistoryFolder,
  { eventId, fromMs }: { readonly eventId: string; readonly fromMs: number },
): Promise<Tick[]> {
  const live = tape.live.rowsOf(eventId);
  const { beginMs: liveFromMs } = tape.live;
  // After the clock was set back, files have changes with times after the beginning of the live part.
  const isRepeated = tape.gaps().some((gap) => gap.fromMs <= liveFromMs && liveFromMs < (gap.toMs ?? 0));
  if (liveFromMs <= fromMs && !isRepeated) return [...live];
  const files = (await folder.list(PRICES_PREFIX)).flatMap(({ path }) => {
    const beginMs = dayOfPath(path) === null ? null : beginOfFile(path);
    return beginMs === null ? [] : [{ path, beginMs }];
  });
  const first = Math.max(
    0,
    files.findLastIndex(({ beginMs }) => beginMs <= fromMs),
  );
  const rows: Tick[] = [];
  for (const { path, beginMs } of files.slice(first)) {
    if (tape.live.has(beginMs)) continue; // its log is part of the live rows
    rows.push(
      ...(await rowsInFile(folder, path, eventId)).filter(({ standing }) => !standing || rows.length === 0),
    );
  }
  return [...rows, ...live.filter(({ standing }) => !standing || rows.length === 0)];
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
