// Adds what an import read to the files of the tape: of each day one file of imports, which is replaced by
// one with the new rows too. What the tape has already is not added again.

import { dayPrefix, type HistoryFolder } from '../files/folder.ts';
import { encodeTickFile, openTickFile } from '../files/parquet-file.ts';
import {
  compareTickLines,
  DAY_MS,
  dayOf,
  dayStartMs,
  type FixtureIds,
  lineKeyOf,
  type Tick,
} from '../tick.ts';
import { IMPORT_FILE } from './import-file-name.ts';
import type { ImportedTape } from './tape-recorder.ts';

export interface AddedToTape {
  /** Ticks that the tape did not have. */
  readonly added: number;
  /** Ticks that it had already. */
  readonly known: number;
  /** The first and the last day of the import; null without ticks. */
  readonly days: readonly [string, string] | null;
}

/**
 * Writes the ticks that are new. A day's file also repeats the lines that stood when the day began, so
 * that it answers alone.
 */
export async function addToTape(folder: HistoryFolder, tape: ImportedTape): Promise<AddedToTape> {
  const standing = new Map<string, Tick>();
  let added = 0;
  const days = daysOf(tape.ticks);
  const ticksByDay = Map.groupBy(tape.ticks, ({ receivedAtMs }) => dayOf(receivedAtMs));
  for (const day of days) {
    const ticks = ticksByDay.get(day) ?? [];
    const repeated = [...standing.values()].map((tick): Tick => ({ ...tick, standing: true }));
    added += await addDay(folder, day, { rows: [...repeated, ...ticks], ids: tape.ids });
    for (const tick of ticks) {
      const key = `${tick.eventId}|${lineKeyOf(tick)}`;
      if (tick.status === 'withdrawn') standing.delete(key);
      else standing.set(key, tick);
    }
  }
  const [first, last] = [days[0], days.at(-1)];
  return {
    added,
    known: tape.ticks.length - added,
    days: first === undefined || last === undefined ? null : [first, last],
  };
}

/** Every day from the first tick to the last, also those without a tick. */
function daysOf(ticks: readonly Tick[]): string[] {
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (first === undefined || last === undefined) return [];
  const days: string[] = [];
  for (let day = dayOf(first.receivedAtMs); day <= dayOf(last.receivedAtMs); day = nextDay(day))
    days.push(day);
  return days;
}

function nextDay(day: string): string {
  return dayOf(dayStartMs(day) + DAY_MS);
}

/** @returns how many ticks the day did not have */
async function addDay(
  folder: HistoryFolder,
  day: string,
  { rows, ids }: { readonly rows: readonly Tick[]; readonly ids: ReadonlyMap<string, FixtureIds> },
): Promise<number> {
  if (rows.length === 0) return 0;
  const known = new Set<string>();
  const imported: Tick[] = [];
  const allIds = new Map<string, FixtureIds>();
  const former: string[] = [];
  for (const { path } of await folder.list(dayPrefix(day))) {
    if (!path.endsWith('.parquet')) continue;
    const file = await openTickFile(await folder.open(path));
    const isImport = IMPORT_FILE.test(path);
    if (isImport) former.push(path);
    for (const { rowStart, rowEnd } of file.rowGroups) {
      for (const tick of await file.readRows(rowStart, rowEnd)) {
        known.add(changeKeyOf(tick));
        if (isImport) imported.push(tick);
      }
    }
    if (isImport) for (const [eventId, held] of file.ids) allIds.set(eventId, held);
  }
  const fresh = rows.filter((tick) => !known.has(changeKeyOf(tick)));
  let isNews = fresh.length > 0;
  for (const { eventId } of rows) {
    const held = ids.get(eventId);
    if (held === undefined) continue;
    isNews ||= held.result !== undefined && allIds.get(eventId)?.result === undefined;
    allIds.set(eventId, { ...allIds.get(eventId), ...held });
  }
  if (!isNews) return 0;
  const merged = [...imported, ...fresh].sort(
    (left, right) => compareTickLines(left, right) || left.receivedAtMs - right.receivedAtMs,
  );
  const bytes = encodeTickFile(merged, allIds);
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 12);
  const path = `${dayPrefix(day)}import-${hash}.parquet`;
  await folder.write(path, bytes);
  for (const old of former) if (old !== path) await folder.remove(old);
  return fresh.filter(({ standing }) => !standing).length;
}

/** Equal for the same change of the same line; whether it is repeated as standing counts too. */
function changeKeyOf(tick: Tick): string {
  return `${tick.eventId}|${lineKeyOf(tick)}|${tick.receivedAtMs}|${tick.standing ? 1 : 0}`;
}
