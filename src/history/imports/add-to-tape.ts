// Adds what an import read to the files of the tape. Each day has one file of imports; it is replaced by a
// file that has the new rows too. Ticks that the tape already has are not added again (tape-merge.ts).

import { DAY_MS } from '../../clock.ts';
import type { ListedDay } from '../files/file-notes.ts';
import { dayPrefix, type HistoryFolder, importNumberOf, isImport, isSystemError } from '../files/folder.ts';
import { encodeTickFile, openTickFile } from '../files/parquet-file.ts';
import {
  dayOf,
  dayStartMs,
  type FixtureIds,
  lineKeyOf,
  type TapeRange,
  type Tick,
  type TickFixture,
} from '../tick.ts';
import { packedConfirmations } from './confirmations.ts';
import { type AnswerTimes, type ListedNotes, notesOf, type PreviousTimes } from './import-notes.ts';
import { changeKeyOf, type ImportedDay, importedDays, rowsOf } from './imported-days.ts';
import { answerTimesIn, ListedFixtures, listedTimes } from './listed-fixtures.ts';
import { compareRows, TapeMerge } from './tape-merge.ts';
import type { ImportedFixtureFacts, ImportedTape } from './tape-recorder.ts';

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
  return { added, hidden, known: Math.max(0, tape.ticks.length - added), days, left: addition.left };
}

class TapeAddition {
  readonly #folder: HistoryFolder;
  readonly #tape: ImportedTape;
  readonly #before: ReadonlyMap<string, ImportedDay>;
  readonly #ids: Map<string, FixtureIds>;
  /**
   * When any import last listed a fixture, by event id. The names and kickoff that it stated then are the
   * fixture's.
   */
  readonly #listed = new Map<string, number>();
  /** When any import first saw a fixture in play, by event id. */
  readonly #liveFromMs = new Map<string, number>();
  /** The last day on which an import has a statement about a league, by league id. */
  readonly #lastDay = new Map<string, string>();
  readonly #slate = new ListedFixtures();
  /** Files that were replaced and could not be removed. */
  readonly left: string[] = [];

  constructor(folder: HistoryFolder, tape: ImportedTape, before: ReadonlyMap<string, ImportedDay>) {
    this.#folder = folder;
    this.#tape = tape;
    this.#before = before;
    this.#ids = new Map();
    for (const [day, own] of before) {
      for (const [eventId, ids] of own.ids) {
        this.#ids.set(eventId, ids);
        this.#lastDay.set(ids.leagueId, day);
      }
      for (const [eventId, atMs] of own.listed) this.#noteListed(eventId, atMs);
      for (const [eventId, atMs] of own.liveFrom) this.#noteLive(eventId, atMs);
      for (const scope of own.answers.flatMap((times) => [...times.keys()])) {
        this.#lastDay.set(this.#ids.get(scope)?.leagueId ?? scope, day);
      }
    }
    for (const [eventId, ids] of tape.ids) {
      const former = this.#ids.get(eventId);
      const isOlder = (this.#listed.get(eventId) ?? 0) > tape.facts.get(eventId)!.seenMs;
      this.#ids.set(eventId, isOlder ? { ...ids, ...former } : { ...former, ...ids });
    }
    for (const [eventId, { seenMs, liveFromMs }] of tape.facts) {
      this.#noteListed(eventId, seenMs);
      if (liveFromMs !== null) this.#noteLive(eventId, liveFromMs);
    }
    const note = (leagueId: string, day: string): void => {
      if (day > (this.#lastDay.get(leagueId) ?? '')) this.#lastDay.set(leagueId, day);
    };
    for (const [id, { answersMs }] of tape.scopes) {
      for (const atMs of answersMs) note(this.#ids.get(id)?.leagueId ?? id, dayOf(atMs));
    }
    for (const { eventId, receivedAtMs } of tape.ticks) {
      const leagueId = this.#ids.get(eventId)?.leagueId;
      if (leagueId !== undefined) note(leagueId, dayOf(receivedAtMs));
    }
  }

  /** @returns the times of the ticks that the tape did not have, Unix ms */
  async run([firstDay, lastDay]: readonly [string, string]): Promise<readonly number[]> {
    const facts = await this.#facts();
    const merge = new TapeMerge({
      scopes: this.#tape.scopes,
      facts,
      idsOf: (eventId) => this.#ids.get(eventId),
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
      const hasMissed = this.#slate.hasMissed((eventId) => this.#isAbout(eventId));
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
    const earlier = earlierThan(this.#firstChanged(firstDay), this.#before);
    const begin = earlier === undefined ? firstDay : nextDay(earlier);
    const standing = new Map<string, Tick>();
    const put = (tick: Tick): void => {
      const key = `${tick.eventId}|${lineKeyOf(tick)}`;
      if (tick.status === 'withdrawn') standing.delete(key);
      else standing.set(key, tick);
    };
    if (earlier !== undefined) {
      const { notes, answers, rows } = this.#before.get(earlier)!;
      const idsOf = (eventId: string) => this.#ids.get(eventId);
      const fromMs = dayStartMs(earlier);
      this.#slate.begin({ listed: notes.onSlate, answers, fromMs, idsOf }, (eventId, atMs) =>
        this.#answersBetween(idsOf(eventId)?.leagueId ?? '', { fromMs: atMs + 1, toMs: fromMs }),
      );
      for (const tick of await rows()) put(tick);
    }
    // The files of earlier days may have been removed meanwhile. The file of the first day repeats the lines
    // that were on the slate when the day began, so these are added.
    for (const tick of (await this.#before.get(begin)?.rows()) ?? []) if (tick.standing) put(tick);
    merge.begin([...standing.values()]);
    return begin;
  }

  /** Whether this import has answers about a fixture or its league. */
  #isAbout(eventId: string): boolean {
    const { scopes } = this.#tape;
    return scopes.has(eventId) || scopes.has(this.#ids.get(eventId)?.leagueId ?? '');
  }

  /** How many answers of earlier imports about a league were received in a range. */
  #answersBetween(leagueId: string, { fromMs, toMs }: TapeRange): number {
    let count = 0;
    for (const [day, { answers }] of this.#before) {
      if (day < dayOf(fromMs)) continue;
      const ofDay = answerTimesIn(answers, [leagueId], dayStartMs(day)).map((atMs) => dayStartMs(day) + atMs);
      count += ofDay.filter((atMs) => atMs >= fromMs && atMs < toMs).length;
    }
    return count;
  }

  /**
   * The first day that may change. It is earlier than the first day of the import if the last answers about
   * one of its leagues are of an earlier day, because the lines of those answers stay on the slate until the
   * new answers.
   */
  #firstChanged(firstDay: string): string {
    const ids = [...this.#tape.facts.keys(), ...this.#tape.scopes.keys()];
    const leagues = new Set(ids.map((id) => this.#ids.get(id)?.leagueId ?? id));
    const lastDays = new Map<string, string>();
    for (const [day, own] of this.#before) {
      if (day >= firstDay) break;
      for (const { leagueId } of own.ids.values()) if (leagues.has(leagueId)) lastDays.set(leagueId, day);
    }
    return [firstDay, ...[...lastDays.values()].map(nextDay)].toSorted()[0]!;
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
    const previous = this.#previousOf(day);
    const known = {
      ...{ live: await this.#live(day), imported, answers: own?.answers ?? [] },
      ...{ confirmed: (await own?.confirmed()) ?? [], previous },
    };
    const isCarried = (eventId: string): boolean =>
      day <= (this.#lastDay.get(this.#ids.get(eventId)?.leagueId ?? '') ?? '');
    const { rows, confirmed } = merge.day(known, ticks, { fromMs, isCarried });
    const held = new Set(imported.map((tick) => changeKeyOf(merge.restated(tick))));
    const added = rows.filter((tick) => !tick.standing && !held.has(changeKeyOf(tick)));
    const fresh = new Map([...this.#tape.scopes].map(([id, { answersMs }]) => [id, answersMs]));
    const answers = [...known.answers, fresh];
    const notes = this.#slate.day({
      ...{ fromMs, rows, answers, isCarried, listed: this.#listedOn(day) },
      fixtureOf: (eventId) => fixtures.get(eventId),
      idsOf: (eventId) => this.#ids.get(eventId),
    });
    const isChanged = await this.#write(day, { rows, answers, notes, previous, confirmed }, own);
    return { addedMs: added.map(({ receivedAtMs }) => receivedAtMs), isChanged };
  }

  /** For each answer of the day whose preceding answer is in no import: the time of the preceding answer. */
  #previousOf(day: string): PreviousTimes {
    const fresh = [...this.#tape.scopes].map(([id, scope]) => [id, scope.previousMs] as const);
    const missing = new Map<string, Map<number, number>>();
    for (const [id, times] of [...(this.#before.get(day)?.previous ?? []), ...fresh]) {
      for (const [atMs, previousMs] of times) {
        if (dayOf(atMs) !== day || this.#isAnswered(id, previousMs)) continue;
        missing.set(id, (missing.get(id) ?? new Map<number, number>()).set(atMs, previousMs));
      }
    }
    return missing;
  }

  /** Whether this import or an earlier one has the answer of this time about a league or a fixture. */
  #isAnswered(id: string, atMs: number): boolean {
    const { answers = [] } = this.#before.get(dayOf(atMs)) ?? {};
    return [...answers.map((times) => times.get(id)), this.#tape.scopes.get(id)?.answersMs].some(
      (times) => times?.has(atMs) === true,
    );
  }

  /** When answers of a day list a fixture, by event id: answers of earlier imports and of this one. */
  #listedOn(day: string): Map<string, ListedDay> {
    const fromMs = dayStartMs(day);
    const { notes, answers = [] } = this.#before.get(day) ?? {};
    const fresh = new Map([...this.#tape.scopes].map(([id, { answersMs }]) => [id, answersMs]));
    const listed = new Map<string, ListedDay>();
    for (const eventId of new Set([...(notes?.onSlate.keys() ?? []), ...this.#tape.facts.keys()])) {
      const scopes = [this.#ids.get(eventId)?.leagueId ?? '', eventId];
      const own = notes?.onSlate.get(eventId) ?? [];
      const spans = this.#tape.facts.get(eventId)?.listed.get(day) ?? [];
      const times = new Set([
        ...(own.length < 2 ? [] : listedTimes(own, answerTimesIn(answers, scopes, fromMs))),
        ...spans.flatMap(([firstMs, lastMs]) =>
          listedTimes([firstMs - fromMs, lastMs - fromMs], answerTimesIn([fresh], scopes, fromMs)),
        ),
      ]);
      if (times.size === 0) continue;
      const [firstMs, lastMs] = [Math.min(...times), Math.max(...times)];
      const missed = answerTimesIn([...answers, fresh], scopes.slice(0, 1), fromMs).filter(
        (atMs) => atMs > firstMs && atMs < lastMs && !times.has(atMs),
      );
      listed.set(eventId, [firstMs, ...missed, lastMs]);
    }
    return listed;
  }

  /** Writes new names and kickoffs into the other days that have ticks of the same fixtures. */
  async #restate(
    merge: TapeMerge,
    fixtures: ReadonlyMap<string, TickFixture>,
    done: ReadonlySet<string>,
  ): Promise<void> {
    for (const [day, own] of this.#before) {
      if (done.has(day) || !this.#hasFixtures(own)) continue;
      const restatedOf = (ticks: readonly Tick[]) => ticks.map((tick) => merge.restated(tick));
      const rows = restatedOf(await own.rows()).sort(compareRows);
      const confirmed = restatedOf(await own.confirmed());
      const restated = own.notes.fixtures.map((fixture) => fixtures.get(fixture.eventId) ?? fixture);
      const notes = { ...own.notes, fixtures: restated };
      const { answers, previous } = own;
      await this.#write(day, { rows, answers, notes, previous, confirmed }, own);
    }
  }

  /**
   * The facts of each fixture, by event id. Facts of an earlier import count if it saw the fixture later. Of
   * the times at which imports first saw it in play, the earliest counts.
   */
  async #facts(): Promise<ReadonlyMap<string, ImportedFixtureFacts>> {
    const facts = new Map<string, ImportedFixtureFacts>();
    for (const [eventId, own] of this.#tape.facts) {
      facts.set(eventId, { ...own, liveFromMs: this.#liveFromMs.get(eventId) ?? null });
    }
    for (const own of this.#before.values()) {
      if (!this.#hasFixtures(own)) continue;
      for (const fixture of own.notes.fixtures) {
        const { eventId, kickoffMs } = fixture;
        const held = facts.get(eventId);
        const seenMs = own.listed.get(eventId) ?? Number.NEGATIVE_INFINITY;
        if (held !== undefined && seenMs > held.seenMs)
          facts.set(eventId, { ...held, fixture, kickoffMs, seenMs });
      }
      for (const tick of await own.rows()) {
        const { eventId, sport, league, home, away, kickoffMs, receivedAtMs, status, standing } = tick;
        const held = facts.get(eventId);
        // An answer may have changed the kickoff but no price. Then no row has the answer's time, but the
        // file notes it.
        const isStated = !standing && status !== 'withdrawn';
        const seenMs = own.listed.get(eventId) ?? (isStated ? receivedAtMs : Number.NEGATIVE_INFINITY);
        if (held === undefined || seenMs <= held.seenMs) continue;
        const fixture = { eventId, sport, league, home, away, kickoffMs };
        facts.set(eventId, { ...held, fixture, kickoffMs, seenMs });
      }
    }
    return facts;
  }

  #noteListed(eventId: string, atMs: number): void {
    this.#listed.set(eventId, Math.max(atMs, this.#listed.get(eventId) ?? atMs));
  }

  #noteLive(eventId: string, atMs: number): void {
    this.#liveFromMs.set(eventId, Math.min(atMs, this.#liveFromMs.get(eventId) ?? atMs));
  }

  #hasFixtures({ ids }: ImportedDay): boolean {
    return [...ids.keys()].some((eventId) => this.#tape.facts.has(eventId));
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

  /** @returns whether the file has changed */
  async #write(
    day: string,
    content: {
      readonly rows: readonly Tick[];
      readonly answers: readonly AnswerTimes[];
      readonly notes: ListedNotes;
      readonly previous: PreviousTimes;
      readonly confirmed: readonly Tick[];
    },
    own: ImportedDay | undefined,
  ): Promise<boolean> {
    const { rows, answers, previous, confirmed } = content;
    const fromMs = dayStartMs(day);
    const events = [...new Set([...rows, ...content.notes.fixtures].map(({ eventId }) => eventId))].sort();
    const ids = new Map(events.flatMap((id) => (this.#ids.has(id) ? [[id, this.#ids.get(id)!]] : [])));
    const notes = notesOf(answers, {
      ...{ fromMs, eventIds: ids.keys(), listed: this.#listed, liveFromMs: this.#liveFromMs },
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

/** The last day with imports before a day. */
function earlierThan(day: string, days: ReadonlyMap<string, unknown>): string | undefined {
  return [...days.keys()].filter((each) => each < day).at(-1);
}

function nextDay(day: string): string {
  return dayOf(dayStartMs(day) + DAY_MS);
}
