// When a node takes over, collects what former leaders wrote about the time that its ring covers. It is in
// logs and, if a segment ended during that time, in files.

import { beginOfFile, PRICES_PREFIX } from '../files/folder.ts';
import { openTickFile, type TickFile } from '../files/parquet-file.ts';
import { type TapeMark, unpackMark } from '../mark.ts';
import type { Tick } from '../tick.ts';
import type { RecoveredLog } from './recover-logs.ts';
import type { TapeParts } from './tape-parts.ts';
import { WrittenChanges } from './written-changes.ts';

/**
 * Maximum number of files that are read. More segments than this end in half a minute only at rates that no
 * feed has.
 */
const FILES_MAX = 4;

/** @param logs oldest first */
export async function writtenBefore(tape: TapeParts, logs: readonly RecoveredLog[]): Promise<WrittenChanges> {
  const written = new WrittenChanges(tape.options.ring);
  const fromMs = written.neededFromMs;
  const logsFromMs = Math.min(...logs.map(({ beginMs }) => beginMs));
  if (logsFromMs > fromMs) await addFiles(tape, written, { fromMs, toMs: logsFromMs });
  for (const { segment, beginMs } of logs) written.addSegment(segment, beginMs);
  written.align();
  return written;
}

/** Adds the files that begin before `toMs`, back to the one that begins before `fromMs`. */
async function addFiles(
  tape: TapeParts,
  written: WrittenChanges,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<void> {
  const { folder } = tape.options;
  const before = (await folder.list(PRICES_PREFIX))
    .map(({ path }) => ({ path, beginMs: beginOfFile(path) ?? Infinity }))
    .filter(({ beginMs }) => beginMs < toMs)
    .sort((first, second) => first.beginMs - second.beginMs);
  const first = before.findLastIndex(({ beginMs }) => beginMs <= fromMs);
  for (const { path, beginMs } of before.slice(Math.max(0, first)).slice(-FILES_MAX)) {
    try {
      const file = await openTickFile(await folder.open(path));
      written.addFile(await ticksFrom(file, fromMs), marksOf(file), beginMs);
    } catch (error) {
      await tape.setAside(path, error);
    }
  }
}

async function ticksFrom(file: TickFile, fromMs: number): Promise<Tick[]> {
  const ticks: Tick[] = [];
  for (const found of file.rowGroups) {
    if (found.receivedToMs < fromMs) continue;
    const group = await file.readGroup(found);
    const receivedAt = group.reader('received_at');
    for (let row = 0; row < group.rowCount; row++) {
      if (Number(receivedAt(row)) >= fromMs) ticks.push(group.tick(row));
    }
  }
  return ticks;
}

function marksOf({ notes }: TickFile): TapeMark[] {
  const marks = (notes.marks ?? []).map(unpackMark);
  return marks.map(({ fixtureIndex, ...mark }) => ({ fixture: notes.fixtures![fixtureIndex]!, ...mark }));
}
