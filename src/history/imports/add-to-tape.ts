// Adds what an import read to the files of the tape. Each day has one file of imports; it is replaced by a
// file that has the new rows too. Ticks that the tape already has are not added again (tape-merge.ts).

import { dayPrefix, type HistoryFolder, isImport } from '../files/folder.ts';
import { openTickFile } from '../files/parquet-file.ts';
import { dayOf, dayStartMs, lineKeyOf, nextDay, type Tick, type TickFixture } from '../tick.ts';
import { ImportedAnswers } from './imported-answers.ts';
import { changeKeyOf, type ImportedDay, importedDays, rowsOf } from './imported-days.ts';
import { ImportedFixtures } from './imported-fixtures.ts';
import type { ImportedTape } from './imported-tape.ts';
import { ListedFixtures } from './listed-fixtures.ts';
import { DayReplacer } from './replace-day.ts';
import { compareRows, TapeMerge } from './tape-merge.ts';

export interface AddedToTape {
  /** Ticks that the tape did not have. */
  readonly added: number;
  /** How many of the added ticks no answer shows: the server recorded their times itself. */
  readonly hidden: number;
  /** Ticks that the tape had already. */
  readonly known: number;
  /** The first and the last day of the import; null if it has neither ticks nor answers. */
  readonly days: readonly [string, string] | null;
  /** Files that were replaced and could not be removed. Readers ignore them. */
  readonly left: readonly string[];
}

/**
 * Writes the ticks that are new. A day's file also repeats the lines on the slate when the day began, so that
 * the file alone can answer for its day.
 * @param isOwn whether the tape itself knows what was published at an instant; answers do not show imports of
 * such times
 */
export async function addToTape(
  folder: HistoryFolder,
  tape: ImportedTape,
  isOwn: (atMs: number) => boolean = () => false,
): Promise<AddedToTape> {
  let firstMs = tape.ticks[0]?.receivedAtMs ?? Number.POSITIVE_INFINITY;
  let lastMs = tape.ticks.at(-1)?.receivedAtMs ?? Number.NEGATIVE_INFINITY;
  for (const { answersMs } of tape.scopes.values()) {
    for (const atMs of answersMs) [firstMs, lastMs] = [Math.min(firstMs, atMs), Math.max(lastMs, atMs)];
  }
  if (firstMs > lastMs) return { added: 0, hidden: 0, known: 0, days: null, left: [] };
  const days: readonly [string, string] = [dayOf(firstMs), dayOf(lastMs)];
  const addition = new TapeAddition(folder, tape, await importedDays(folder));
  const fresh = await addition.run(days);
  const hidden = fresh.filter(isOwn).length;
  const added = fresh.length;
  return { added, hidden, known: Math.max(0, tape.ticks.length - added), days, left: addition.files.left };
}

class TapeAddition {
  readonly #folder: HistoryFolder;
  readonly #tape: ImportedTape;
  readonly #before: ReadonlyMap<string, ImportedDay>;
  readonly #fixtures: ImportedFixtures;
  readonly #answers: ImportedAnswers;
  readonly #slate = new ListedFixtures();
  readonly files: DayReplacer;

  constructor(folder: HistoryFolder, tape: ImportedTape, before: ReadonlyMap<string, ImportedDay>) {
    this.#folder = folder;
    this.#tape = tape;
    this.#before = before;
    this.#fixtures = new ImportedFixtures(tape, before);
    this.#answers = new ImportedAnswers(tape, before, this.#fixtures);
    this.files = new DayReplacer(folder, this.#fixtures);
  }

  /** @returns the times of the ticks that the tape did not have, Unix ms */
  async run([firstDay, lastDay]: readonly [string, string]): Promise<readonly number[]> {
    const facts = await this.#fixtures.facts();
    const merge = new TapeMerge({
      scopes: this.#tape.scopes,
      facts,
      idsOf: (eventId) => this.#fixtures.idsOf(eventId),
    });
    const fixtures = new Map<string, TickFixture>();
    for (const { notes } of this.#before.values()) {
      for (const fixture of notes.fixtures) fixtures.set(fixture.eventId, fixture);
    }
    for (const [eventId, { fixture, kickoffMs }] of facts) fixtures.set(eventId, { ...fixture, kickoffMs });
    const byDay = Map.groupBy(this.#tape.ticks, ({ receivedAtMs }) => dayOf(receivedAtMs));
    const done = new Set<string>();
    const last = [lastDay, ...this.#before.keys()].toSorted().at(-1)!;
    const addedMs: number[] = [];
    for (let day = await this.#begin(merge, firstDay); day <= last; day = nextDay(day)) {
      const written = await this.#day(merge, day, { ticks: byDay.get(day) ?? [], fixtures });
      for (const atMs of written.addedMs) addedMs.push(atMs);
      done.add(day);
      // If the day's file did not change, the lines at its end did not change either. So later days need no
      // merge, unless answers of this import did not list a fixture, which may then leave the slate on one of
      // those days.
      const hasMissed = this.#slate.hasMissed((eventId) => this.#fixtures.isAbout(eventId));
      if (day > lastDay && !written.isChanged && !hasMissed) break;
    }
    await this.#restate(merge, fixtures, done);
    return addedMs;
  }

  /**
   * Finds the lines on the slate before the first day.
   * @returns the day to begin with
   */
  async #begin(merge: TapeMerge, firstDay: string): Promise<string> {
    const earlier = earlierThan(this.#fixtures.firstChanged(firstDay), this.#before);
    const begin = earlier === undefined ? firstDay : nextDay(earlier);
    const standing = new Map<string, Tick>();
    const put = (tick: Tick): void => {
      const key = `${tick.eventId}|${lineKeyOf(tick)}`;
      if (tick.status === 'withdrawn') standing.delete(key);
      else standing.set(key, tick);
    };
    if (earlier !== undefined) {
      const { notes, answers, rows } = this.#before.get(earlier)!;
      const idsOf = (eventId: string) => this.#fixtures.idsOf(eventId);
      const fromMs = dayStartMs(earlier);
      this.#slate.begin({ listed: notes.onSlate, answers, fromMs, idsOf }, (eventId, atMs) =>
        this.#answers.countBetween(idsOf(eventId)?.leagueId ?? '', { fromMs: atMs + 1, toMs: fromMs }),
      );
      for (const tick of await rows()) put(tick);
    }
    // The files of earlier days may have been removed meanwhile. The file of the first day repeats the lines
    // that were on the slate when the day began, so these are added.
    for (const tick of (await this.#before.get(begin)?.rows()) ?? []) if (tick.standing) put(tick);
    merge.begin([...standing.values()]);
    return begin;
  }

  async #day(
    merge: TapeMerge,
    day: string,
    {
      ticks,
      fixtures,
    }: { readonly ticks: readonly Tick[]; readonly fixtures: ReadonlyMap<string, TickFixture> },
  ) {
    const own = this.#before.get(day);
    const imported = (await own?.rows()) ?? [];
    const fromMs = dayStartMs(day);
    const previous = this.#answers.previousOf(day);
    const known = {
      ...{ live: await this.#live(day), imported, answers: own?.answers ?? [] },
      ...{ confirmed: (await own?.confirmed()) ?? [], previous },
    };
    const isCarried = (eventId: string): boolean => this.#fixtures.isCarried(eventId, day);
    const { rows, confirmed } = merge.day(known, ticks, { fromMs, isCarried });
    const held = new Set(imported.map((tick) => changeKeyOf(merge.restated(tick))));
    const added = rows.filter((tick) => !tick.standing && !held.has(changeKeyOf(tick)));
    const answers = [...known.answers, this.#answers.fresh];
    const notes = this.#slate.day({
      ...{ fromMs, rows, answers, isCarried, listed: this.#answers.listedOn(day) },
      fixtureOf: (eventId) => fixtures.get(eventId),
      idsOf: (eventId) => this.#fixtures.idsOf(eventId),
    });
    const isChanged = await this.files.replace(day, { rows, answers, notes, previous, confirmed }, own);
    return { addedMs: added.map(({ receivedAtMs }) => receivedAtMs), isChanged };
  }

  /** Writes new names and kickoffs into the other days that have ticks of the same fixtures. */
  async #restate(
    merge: TapeMerge,
    fixtures: ReadonlyMap<string, TickFixture>,
    done: ReadonlySet<string>,
  ): Promise<void> {
    for (const [day, own] of this.#before) {
      if (done.has(day) || !this.#fixtures.hasFixtures(own)) continue;
      const restatedOf = (ticks: readonly Tick[]) => ticks.map((tick) => merge.restated(tick));
      const rows = restatedOf(await own.rows()).sort(compareRows);
      const confirmed = restatedOf(await own.confirmed());
      const restated = own.notes.fixtures.map((fixture) => fixtures.get(fixture.eventId) ?? fixture);
      const notes = { ...own.notes, fixtures: restated };
      const { answers, previous } = own;
      await this.files.replace(day, { rows, answers, notes, previous, confirmed }, own);
    }
  }

  /** Rows that the service wrote as it ran. */
  async #live(day: string): Promise<Tick[]> {
    const rows: Tick[] = [];
    for (const { path } of await this.#folder.list(dayPrefix(day))) {
      if (!path.endsWith('.parquet') || isImport(path)) continue;
      rows.push(...(await rowsOf(await openTickFile(await this.#folder.open(path)))));
    }
    return rows;
  }
}

/** The last day with imports before a day. */
function earlierThan(day: string, days: ReadonlyMap<string, unknown>): string | undefined {
  return [...days.keys()].filter((each) => each < day).at(-1);
}
