// What earlier imports wrote, day by day.

import { dayOfPath, type HistoryFolder, isImport, PRICES_PREFIX, withoutReplaced } from '../files/folder.ts';
import { openTickFile, type TickFile } from '../files/parquet-file.ts';
import { dayStartMs, type FixtureIds, rowKeyOf, type Tick } from '../tick.ts';
import { confirmedIn } from './confirmations.ts';
import {
  type AnswerTimes,
  answerTimesOf,
  type ListedNotes,
  listedNotesOf,
  listedOf,
  liveFromOf,
  type PreviousTimes,
  previousTimesOf,
} from './import-notes.ts';

/** A day's file of earlier imports. */
export interface ImportedDay {
  /** All files, also those that were replaced and could not be removed. */
  readonly paths: readonly string[];
  /** The files that were not replaced: one, or several that an import of an earlier version left. */
  readonly newest: readonly string[];
  readonly ids: ReadonlyMap<string, FixtureIds>;
  /** One entry for each of the newest files. */
  readonly answers: readonly AnswerTimes[];
  /** When an import last listed a fixture, Unix ms, by event id. */
  readonly listed: ReadonlyMap<string, number>;
  /** When imports first saw a fixture in play, Unix ms, by event id; one entry for each file that has it. */
  readonly liveFrom: readonly (readonly [eventId: string, atMs: number])[];
  readonly notes: ListedNotes;
  readonly previous: PreviousTimes;
  rows(): Promise<Tick[]>;
  /** What `packedConfirmations` wrote. */
  confirmed(): Promise<Tick[]>;
}

/** The imports of every day that has some, oldest first. */
export async function importedDays(folder: HistoryFolder): Promise<Map<string, ImportedDay>> {
  const imports = (await folder.list(PRICES_PREFIX)).filter(({ path }) => isImport(path));
  const days = new Map<string, ImportedDay>();
  for (const [day, some] of Map.groupBy(imports, ({ path }) => dayOfPath(path)!)) {
    const paths = some.map(({ path }) => path);
    const newest = withoutReplaced(some).map(({ path }) => path);
    const files = await Promise.all(newest.map(async (path) => await openTickFile(await folder.open(path))));
    const rows = async (): Promise<Tick[]> => {
      const byChange = new Map<string, Tick>();
      for (const file of files) {
        for (const tick of await rowsOf(file)) byChange.set(`${changeKeyOf(tick)}|${tick.standing}`, tick);
      }
      return [...byChange.values()];
    };
    const ids = new Map(files.flatMap((file) => [...file.ids]));
    const answers = files.map(({ notes }) => answerTimesOf(notes, dayStartMs(day)));
    const listed = new Map<string, number>();
    for (const { notes, ids: own } of files) {
      for (const [eventId, atMs] of listedOf(notes, { fromMs: dayStartMs(day), eventIds: own.keys() })) {
        listed.set(eventId, Math.max(atMs, listed.get(eventId) ?? atMs));
      }
    }
    const liveFrom = files.flatMap(({ notes, ids: own }) =>
      liveFromOf(notes, { fromMs: dayStartMs(day), eventIds: own.keys() }),
    );
    // There are several files only if an earlier version was killed while it replaced one. Then the last one
    // counts.
    const last = files.at(-1)!;
    const notes = listedNotesOf(last.notes, last.ids.keys());
    const previous = previousTimesOf(last.notes, dayStartMs(day));
    const confirmed = async () => confirmedIn(last.notes, await rowsOf(last), dayStartMs(day));
    days.set(day, { paths, newest, ids, answers, listed, liveFrom, notes, previous, rows, confirmed });
  }
  return days;
}

/** Every row of a file. */
export async function rowsOf(file: TickFile): Promise<Tick[]> {
  const rows: Tick[] = [];
  for (const group of file.rowGroups) rows.push(...(await file.readGroup(group)).ticks());
  return rows;
}

/** A key that is equal for the same change of the same line. */
export function changeKeyOf(tick: Tick): string {
  return `${rowKeyOf(tick)}|${tick.receivedAtMs}`;
}
