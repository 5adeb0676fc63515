// Reads the tape: its files together with the part that is still in memory. For callers that may not see the
// sharp bookmaker its ticks are left out, so nothing in their answers depends on them.

import { DAY_MS } from '../../clock.ts';
import type { FileNotes } from '../files/file-notes.ts';
import type { LastRows, WantedLines } from '../files/rows-of-file.ts';
import { answerTimesOf } from '../imports/import-notes.ts';
import type { TapeMark } from '../mark.ts';
import { gapsSeen, OwnTime, type TapeAndSource } from '../own-time.ts';
import { everyTick } from '../replay/every-tick.ts';
import { ticksInOrder } from '../replay/ticks-in-order.ts';
import { rowsThatAreCertain } from '../rows-around.ts';
import type { LiveRows, TapeSource } from '../tape-source.ts';
import {
  dayOf,
  dayStartMs,
  type FixtureIds,
  type Gap,
  type PastResult,
  type TapeRange,
  type Tick,
  type TickFixture,
} from '../tick.ts';
import type { FixtureSummary } from './fixture-summaries.ts';
import { inOrder, isSeen, type PastFixture, pastFixtureOf, type Sight } from './past-fixture.ts';
import { PastSlate } from './past-slate.ts';
import { TapeCoverage, type TapeDay } from './tape-coverage.ts';
import { type DayFile, TapeFiles, type TapeFilesOptions } from './tape-files.ts';
import { TapeMarks } from './tape-marks.ts';
import { beforeRepeatedTime, periodBegin } from './whole-periods.ts';

/**
 * The most attempts of a read, which starts again if files were added or removed meanwhile. After that many
 * attempts, the result of the last one counts.
 */
const READ_ATTEMPTS_MAX = 5;

interface PartsAt {
  readonly files: readonly DayFile[];
  /** Null when only files answer. */
  readonly live: LiveRows | null;
}

/** A file of an import, and when its source was asked; undefined if the file does not say that. */
interface ImportSeen {
  readonly file: DayFile;
  readonly answers: FileNotes['answers'];
}

interface TicksAsked {
  readonly sight: Sight;
  readonly lines?: WantedLines | null;
  readonly isOwn?: boolean;
}

export class TapeReader {
  readonly #files: TapeFiles;
  readonly #coverage: TapeCoverage;
  readonly #marks: TapeMarks;
  /** Null in tests that read only files. */
  readonly #source: TapeSource | null;
  readonly #parts: TapeAndSource;
  readonly #stopListening: () => void;

  constructor(options: TapeFilesOptions & Omit<TapeAndSource, 'files'>) {
    this.#files = new TapeFiles(options);
    this.#source = options.source;
    this.#parts = { ...options, files: this.#files };
    this.#coverage = new TapeCoverage(this.#parts);
    this.#marks = new TapeMarks(this.#files, options.source);
    this.#stopListening = options.source?.onFilesChanged(() => this.#files.forget()) ?? (() => undefined);
  }

  close(): void {
    this.#stopListening();
  }

  /**
   * Reads everything that was published until now.
   * @returns the instant before which nothing more will be added, Unix ms; an earlier one for callers that do
   * not see the sharp bookmaker, because the exact one may be the time of one of its ticks
   */
  async catchUp(sight: Sight): Promise<number> {
    const settledAtMs = (await this.#source?.catchUp()) ?? Number.POSITIVE_INFINITY;
    return sight === 'all' ? settledAtMs : periodBegin(settledAtMs);
  }

  /** Every gap, as `gapsSeen` returns them. */
  gaps(sight: Sight): readonly Gap[] {
    return gapsSeen(this.#source, sight);
  }

  /** The gap in which an instant lies; null when it lies in no gap. */
  gapAt(atMs: number, sight: Sight): Gap | null {
    return (
      this.gaps(sight).find(({ fromMs, toMs }) => fromMs <= atMs && (toMs === null || atMs < toMs)) ?? null
    );
  }

  /**
   * Whether the tape knows what was published at an instant. The tape does not know it in a gap, where a file
   * cannot be read, and between the last answer of an import and the server's first file or log. Call this
   * after reading the rows of the instant, because that may show that a file cannot be read.
   */
  isKnownAt(atMs: number, sight: Sight): Promise<boolean> {
    return this.#stable(() => this.#isKnownAt(atMs, sight));
  }

  async #isKnownAt(atMs: number, sight: Sight): Promise<boolean> {
    const own = await this.ownTime(sight);
    if (own.has(atMs)) return true;
    if (atMs >= own.beginMs || this.gapAt(atMs, sight) !== null) return false;
    const byDay = await this.#files.byDay();
    const ofDay = (byDay.get(dayOf(atMs)) ?? []).filter((file) => !this.#files.isBroken(file));
    const imports = await this.#importsSeen(ofDay, sight);
    const nextDay = await this.#importsSeen(byDay.get(dayOf(atMs + DAY_MS)) ?? [], sight);
    // A day between two imports has a file too, but no answer.
    if (imports.some(hasAnswers) && nextDay.some(hasAnswers)) return true;
    for (const { file, answers } of imports) {
      if (answers === undefined) return true; // the file does not say when its source was asked
      const times = answerTimesOf({ answers }, dayStartMs(file.day));
      for (const answersMs of times.values()) for (const each of answersMs) if (each >= atMs) return true;
    }
    return false;
  }

  /**
   * Whether every instant of a range without gaps is known. What imports know of a day ends at one instant,
   * so on each day it is enough to check the last instant of the range.
   */
  isKnownThrough({ fromMs, toMs }: TapeRange, sight: Sight): Promise<boolean> {
    return this.#stable(async () => {
      const own = await this.ownTime(sight);
      if (own.hasLost({ fromMs, toMs }) || !(await this.#isKnownAt(fromMs, sight))) return false;
      // From its beginning on, the tape itself knows everything that is in no gap.
      const endMs = Math.min(toMs, own.beginMs);
      for (let nextMs = fromMs; nextMs < endMs; ) {
        nextMs = Math.min(endMs, dayStartMs(dayOf(nextMs)) + DAY_MS);
        if (!(await this.#isKnownAt(nextMs - 1, sight))) return false;
      }
      return true;
    });
  }

  /** The time that the tape itself knows. */
  ownTime(sight: Sight): Promise<OwnTime> {
    return OwnTime.read(this.#parts, sight);
  }

  /**
   * The instants of a range from which imports no longer count, in order: the tape itself begins to know, or
   * a gap ends. Only those after a time of which an import has a file.
   */
  async ownBegins({ fromMs, toMs }: TapeRange, sight: Sight): Promise<readonly number[]> {
    const own = await this.ownTime(sight);
    const byDay = [...(await this.#files.byDay())];
    const importsFromMs = byDay.flatMap(([day, files]) =>
      files.some(({ beginMs }) => beginMs === null) ? [dayStartMs(day)] : [],
    );
    const others = [{ fromMs: Number.NEGATIVE_INFINITY, toMs: own.beginMs }, ...this.gaps(sight)];
    // Time before the tape and gaps that touch count as one, which begins when the tape last ceased to know.
    let spanFromMs = Number.NEGATIVE_INFINITY;
    const begins = others.flatMap(({ fromMs: otherFromMs, toMs: otherToMs }) => {
      if (own.has(otherFromMs - 1)) spanFromMs = otherFromMs;
      const beginMs = Math.ceil(otherToMs ?? Number.POSITIVE_INFINITY);
      if (beginMs <= fromMs || beginMs >= toMs || !own.has(beginMs)) return [];
      const hasImport = importsFromMs.some((dayMs) => dayMs < beginMs && dayMs + DAY_MS > spanFromMs);
      return hasImport ? [beginMs] : [];
    });
    return [...new Set(begins)].sort((left, right) => left - right);
  }

  /** Whether an import has an answer about a fixture from an instant on, whatever the answer says. */
  async isAnsweredFrom(eventId: string, fromMs: number): Promise<boolean> {
    for (const [day, files] of await this.#files.byDay()) {
      if (day < dayOf(fromMs)) continue;
      for (const file of files) {
        if (file.beginMs !== null) continue;
        const { notes = {}, ids } = (await this.#files.open(file)) ?? {};
        const times = answerTimesOf(notes, dayStartMs(day));
        for (const id of [eventId, ids?.get(eventId)?.leagueId ?? '']) {
          for (const atMs of times.get(id) ?? []) if (atMs >= fromMs) return true;
        }
      }
    }
    return false;
  }

  /**
   * The imports of a day. An import without the times of its answers counts only if the caller may see one of
   * its rows.
   */
  async #importsSeen(files: readonly DayFile[], sight: Sight): Promise<readonly ImportSeen[]> {
    const seen: ImportSeen[] = [];
    for (const file of files) {
      if (file.beginMs !== null) continue;
      const { answers } = (await this.#files.open(file))?.notes ?? {};
      const isSeen = answers !== undefined || (await this.#coverage.hasRows(file, sight));
      if (isSeen) seen.push({ file, answers });
    }
    return seen;
  }

  /** Whether a file cannot be read now but perhaps later. If so, an answer made now must not be cached. */
  get isFailing(): boolean {
    return this.#files.isFailing;
  }

  /** The days that have ticks, from the first to the last, oldest first. */
  days(sight: Sight): Promise<TapeDay[]> {
    return this.#stable(() => this.#coverage.days(sight));
  }

  /** The time from the first tick to the last; null while there is no tick. */
  range(sight: Sight): Promise<TapeRange | null> {
    return this.#stable(() => this.#coverage.range(sight));
  }

  /**
   * When the tape begins, by the names of its files and the live part; Unix ms. Null if it has nothing from
   * `fromDay` on.
   */
  beginMs(fromDay: string): Promise<number | null> {
    return this.#coverage.beginMs(fromDay);
  }

  /**
   * Every fixture with ticks from a day on; a fixture of several days is listed once.
   * @param fromDay the first day to read; null for all
   */
  fixtures(sight: Sight, fromDay: string | null): Promise<Map<string, FixtureSummary>> {
    return this.#stable(() => this.#coverage.fixtures(sight, fromDay));
  }

  /** The fixture as it was at an instant; null when it was not on the slate then. */
  async fixtureAt(eventId: string, instantMs: number, sight: Sight): Promise<PastFixture | null> {
    return this.#stable(async () => {
      const atMs = this.#answeredAtMs(instantMs, sight);
      const rows: Tick[] = [];
      const { files, live } = await this.#partsAt(atMs, sight);
      const wanted = { key: `at ${atMs}`, atMs };
      for (const file of files) rows.push(...(await this.#files.rowsOf(file, eventId, wanted)));
      rows.push(...(live?.lastRowsAt(eventId, atMs) ?? []));
      const seen = rows.filter((tick) => tick.receivedAtMs <= atMs && isSeen(tick, sight));
      const marks = await this.#marks.at(files, atMs, live?.marksOf(eventId) ?? []);
      const mark = marks.get(eventId) ?? null;
      if (seen.length === 0 && mark === null) return null;
      let ids = live?.idsOf(eventId);
      for (const file of files) ids = (await this.#files.open(file))?.ids.get(eventId) ?? ids;
      return pastFixtureOf(seen, { ids, mark });
    });
  }

  /** Every fixture as it was at an instant. */
  async slateAt(instantMs: number, sight: Sight): Promise<PastSlate> {
    return this.#stable(async () => {
      const atMs = this.#answeredAtMs(instantMs, sight);
      const { files, live } = await this.#partsAt(atMs, sight);
      const ids = new Map<string, FixtureIds>();
      const lastRows: LastRows[] = [];
      for (const file of files) {
        lastRows.push(await this.#files.lastRowsAt(file, atMs));
        for (const [eventId, known] of (await this.#files.open(file))?.ids ?? []) ids.set(eventId, known);
      }
      const marks = await this.#marks.at(files, atMs, live === null ? [] : marksIn(live));
      return new PastSlate({ atMs, sight, files: lastRows, ids, live, marks });
    });
  }

  /**
   * The last description of a fixture that was on the slate; null when it never was.
   * @param fromDay the first day to search; null for all
   */
  listed(eventId: string, fromDay: string | null): Promise<TickFixture | null> {
    return this.#marks.listed(eventId, fromDay);
  }

  /** Each change of a match's status, score or red cards in a range, in the order of publishing. */
  statesOf(eventId: string, range: TapeRange): Promise<TapeMark[]> {
    return this.#stable(() => this.#marks.statesOf(eventId, range));
  }

  /**
   * The ticks of one fixture in a range, in the order of publishing; standing rows are not ticks.
   * Ticks of imports count where the tape itself does not know their instant.
   * @param options `lines` are the lines that are needed, or null for all. The result may contain ticks of
   * other lines too. `isOwn` leaves out all imports
   */
  async ticksOf(
    eventId: string,
    { fromMs, toMs }: TapeRange,
    { sight, lines = null, isOwn = false }: TicksAsked,
  ): Promise<Tick[]> {
    return this.#stable(async () => {
      const own = await this.ownTime(sight);
      const isImportShown = ({ receivedAtMs }: Tick): boolean => !own.has(receivedAtMs);
      const live = this.#source?.live.rowsOf(eventId) ?? [];
      const isWanted = (tick: Tick): boolean =>
        !tick.standing && tick.receivedAtMs >= fromMs && tick.receivedAtMs < toMs && isSeen(tick, sight);
      const parts: (readonly Tick[])[] = [];
      for (const [day, files] of await this.#files.byDay()) {
        if (dayStartMs(day) + DAY_MS <= fromMs || dayStartMs(day) >= toMs) continue;
        for (const file of files) {
          if (isOwn && file.beginMs === null) continue;
          const ticks = (await this.#files.rowsOf(file, eventId, lines)).filter(isWanted);
          parts.push(file.beginMs === null ? ticks.filter(isImportShown) : ticks);
        }
      }
      return inOrder([...parts, live.filter(isWanted)]);
    });
  }

  /**
   * The rows of a fixture from `fromMs` on that are certain although a file that begins before `toMs` cannot
   * be read, in the order of publishing. Null if every such file can be read.
   */
  async certainRowsOf(eventId: string, range: TapeRange, sight: Sight): Promise<Tick[] | null> {
    const rows = await this.#stable(() => rowsThatAreCertain(this.#parts, { eventId, ...range }, sight));
    return rows === null ? null : inOrder([rows]);
  }

  /** Every tick of a range, day by day. @throws when files change meanwhile */
  everyTick(range: TapeRange, sight: Sight): AsyncGenerator<readonly Tick[]> {
    return everyTick(this.#parts, range, sight);
  }

  /**
   * Every tick of a range in the order of publishing, also ticks that the caller may not see. The sight only
   * chooses the time from which ticks of imports count.
   * @throws when files change meanwhile
   */
  ticksInOrder(range: TapeRange, sight: Sight, isOver: () => boolean): AsyncGenerator<Iterable<Tick>> {
    return ticksInOrder({ ...this.#parts, sight, isOver }, range);
  }

  /** The results of matches of a range that imports have, by event id. */
  async results({ fromMs, toMs }: TapeRange): Promise<Map<string, PastResult>> {
    const results = new Map<string, PastResult>();
    for (const [day, files] of await this.#files.byDay()) {
      if (dayStartMs(day) + DAY_MS <= fromMs || dayStartMs(day) >= toMs) continue;
      for (const file of files) {
        for (const [eventId, { result }] of (await this.#files.open(file))?.ids ?? []) {
          if (result !== undefined) results.set(eventId, result);
        }
      }
    }
    return results;
  }

  /** The instant whose state is the answer for an instant. */
  #answeredAtMs(instantMs: number, sight: Sight): number {
    return sight === 'all' ? instantMs : beforeRepeatedTime(this.#source?.gaps() ?? [], instantMs);
  }

  /**
   * The parts of the tape that show what was on the slate at an instant. Each file of ours and each segment
   * of the live part begins with the lines on the slate when it was begun. So the last file or segment that
   * begins by that instant is enough. After the clock was set back, that may be a file although the live part
   * has begun. An imported file covers only its own day, and only what the tape itself does not know.
   */
  async #partsAt(atMs: number, sight: Sight): Promise<PartsAt> {
    const byDay = await this.#files.byDay();
    const ofDay = (byDay.get(dayOf(atMs)) ?? []).filter(({ beginMs }) => beginMs === null);
    const isOwn = ofDay.length > 0 && (await this.ownTime(sight)).has(atMs);
    const imports = isOwn ? [] : ofDay;
    let last: DayFile | null = null;
    let lastBeginMs = Number.NEGATIVE_INFINITY;
    // A file is in the folder of its first change's day, although it may begin on an earlier day.
    for (const file of [...byDay.values()].flat()) {
      const { beginMs } = file;
      if (beginMs === null || beginMs > atMs || beginMs < lastBeginMs) continue;
      last = file;
      lastBeginMs = beginMs;
    }
    const live = this.#source?.live.at(atMs) ?? null;
    const hasLive = live !== null && Number.isFinite(live.beginMs) && Math.trunc(live.beginMs) >= lastBeginMs;
    if (hasLive) return { files: imports, live };
    return { files: last === null ? imports : [last, ...imports], live: null };
  }

  /**
   * Runs a read again when files were added or removed meanwhile, so that no tick is missed or doubled.
   */
  async #stable<T>(read: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const { changes } = this.#files;
      const result = await read();
      if (changes === this.#files.changes || attempt >= READ_ATTEMPTS_MAX) return result;
    }
  }
}

/**
 * Whether a file of an import has an answer of its day. A file that does not note its answers counts as
 * having one.
 */
function hasAnswers({ answers }: ImportSeen): boolean {
  return answers === undefined || Object.keys(answers).length > 0;
}

/** The marks of every fixture in the live part. */
function* marksIn(live: LiveRows): Generator<TapeMark> {
  for (const eventId of live.eventIds()) yield* live.marksOf(eventId);
}
