// Writes the files of imports: one for each day, which replaces the earlier ones of that day.

import { dayPrefix, type HistoryFolder, importNumberOf, isSystemError } from '../files/folder.ts';
import { encodeTickFile } from '../files/parquet-file.ts';
import { dayStartMs, type Tick } from '../tick.ts';
import { packedConfirmations } from './confirmations.ts';
import { type AnswerTimes, type ListedNotes, notesOf, type PreviousTimes } from './import-notes.ts';
import type { ImportedDay } from './imported-days.ts';
import type { ImportedFixtures } from './imported-fixtures.ts';

/** What the file of a day is made of. */
export interface DayContent {
  readonly rows: readonly Tick[];
  readonly answers: readonly AnswerTimes[];
  readonly notes: ListedNotes;
  readonly previous: PreviousTimes;
  readonly confirmed: readonly Tick[];
}

export class DayReplacer {
  readonly #folder: HistoryFolder;
  readonly #fixtures: ImportedFixtures;
  /** Files that were replaced and could not be removed. */
  readonly left: string[] = [];

  constructor(folder: HistoryFolder, fixtures: ImportedFixtures) {
    this.#folder = folder;
    this.#fixtures = fixtures;
  }

  /**
   * @param own the day's file of earlier imports
   * @returns whether the file has changed
   */
  async replace(day: string, content: DayContent, own: ImportedDay | undefined): Promise<boolean> {
    const { rows, answers, previous, confirmed } = content;
    const fromMs = dayStartMs(day);
    const events = [...new Set([...rows, ...content.notes.fixtures].map(({ eventId }) => eventId))].sort();
    const ids = new Map(
      events.flatMap((id) => {
        const known = this.#fixtures.idsOf(id);
        return known === undefined ? [] : [[id, known]];
      }),
    );
    const { listed, liveFromMs } = this.#fixtures;
    const notes = notesOf(answers, {
      ...{ fromMs, eventIds: ids.keys(), listed, liveFromMs },
      ...{ previous, confirmed: packedConfirmations(confirmed, rows, fromMs) },
      ...content.notes,
    });
    // A fixture that answers list without a line is on the slate too. And answers that list nothing say that
    // nothing was on it, so their day has a file without rows.
    if (rows.length === 0 && notes === null && own === undefined) return false;
    const bytes = encodeTickFile(rows, ids, notes);
    const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 12);
    const { paths = [], newest = [] } = own ?? {};
    const [held = ''] = newest;
    const isHeld = newest.length === 1 && held.endsWith(`-${hash}.parquet`);
    const number = importNumberOf(held) + 1;
    const path = isHeld ? held : `${dayPrefix(day)}import-${number}-${hash}.parquet`;
    if (!isHeld) await this.#folder.write(path, bytes);
    for (const other of paths) if (other !== path) await this.#remove(other);
    return !isHeld;
  }

  /** Removes a file that was replaced. If the folder refuses, the file stays and no longer counts. */
  async #remove(path: string): Promise<void> {
    try {
      await this.#folder.remove(path);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      this.left.push(path);
    }
  }
}
