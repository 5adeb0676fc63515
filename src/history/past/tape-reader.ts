// Reads the tape: its files together with the part that is still in memory. For callers that may not see the
// sharp bookmaker its ticks are left out, so nothing in their answers depends on them.

import { DAY_MS } from '../../clock.ts';
import { withBoundTicks } from '../bound-ticks.ts';
import type { LastRows, WantedLines } from '../files/rows-of-file.ts';
import type { TapeMark } from '../mark.ts';
import type { TapeAndSource } from '../own-time.ts';
import { partsAt, rowsIn, untilMsOf } from '../parts-at.ts';
import { everyTick } from '../replay/every-tick.ts';
import { ticksInOrder } from '../replay/ticks-in-order.ts';
import { rowsThatAreCertain } from '../rows-around.ts';
import { stableRead } from '../stable-read.ts';
import type { LiveRows, TapeSource } from '../tape-source.ts';
import { TapeTime } from '../tape-time.ts';
import {
  dayStartMs,
  type FixtureIds,
  type PastResult,
  type TapeRange,
  type Tick,
  type TickFixture,
} from '../tick.ts';
import type { FixtureSummary } from './fixture-summaries.ts';
import { inOrder, isSeen, type PastFixture, pastFixtureOf, type Sight } from './past-fixture.ts';
import { PastSlate } from './past-slate.ts';
import { TapeCoverage, type TapeDay } from './tape-coverage.ts';
import { TapeFiles, type TapeFilesOptions } from './tape-files.ts';
import { TapeMarks } from './tape-marks.ts';
import { periodBegin } from './whole-periods.ts';

interface TicksAsked {
  readonly sight: Sight;
  readonly lines?: WantedLines | null;
  readonly isOwn?: boolean;
  readonly hasBounds?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export class TapeReader {
  readonly #files: TapeFiles;
  readonly #coverage: TapeCoverage;
  readonly #marks: TapeMarks;
  /** Which times the tape knows. */
  readonly time: TapeTime;
  /** Null in tests that read only files. */
  readonly #source: TapeSource | null;
  readonly #parts: TapeAndSource;
  readonly #stopListening: () => void;

  constructor(options: TapeFilesOptions & Omit<TapeAndSource, 'files'>) {
    this.#files = new TapeFiles(options);
    this.#source = options.source;
    this.#parts = { ...options, files: this.#files };
    this.#coverage = new TapeCoverage(this.#parts);
    this.time = new TapeTime(this.#parts, this.#coverage);
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

  /** Whether a file cannot be read now but perhaps later. If so, an answer made now must not be cached. */
  get isFailing(): boolean {
    return this.#files.isFailing;
  }

  /** The days that have ticks, from the first to the last, oldest first. */
  days(sight: Sight): Promise<TapeDay[]> {
    return stableRead(this.#files, () => this.#coverage.days(sight));
  }

  /** The time from the first tick to the last; null while there is no tick. */
  range(sight: Sight): Promise<TapeRange | null> {
    return stableRead(this.#files, () => this.#coverage.range(sight));
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
    return stableRead(this.#files, () => this.#coverage.fixtures(sight, fromDay));
  }

  /** The fixture as it was at an instant; null when it was not on the slate then. */
  async fixtureAt(eventId: string, atMs: number, sight: Sight): Promise<PastFixture | null> {
    return stableRead(this.#files, async () => {
      const parts = await partsAt(this.#parts, atMs, sight);
      const { files, live } = parts;
      const seen = await rowsIn(parts, this.#files, { eventId, sight });
      const marks = await this.#marks.at(parts, live?.marksOf(eventId) ?? []);
      const mark = marks.get(eventId) ?? null;
      if (seen.length === 0 && mark === null) return null;
      let ids = live?.idsOf(eventId);
      for (const file of files) ids = (await this.#files.open(file))?.ids.get(eventId) ?? ids;
      return pastFixtureOf(seen, { ids, mark });
    });
  }

  /** Every fixture as it was at an instant. */
  async slateAt(atMs: number, sight: Sight): Promise<PastSlate> {
    return stableRead(this.#files, async () => {
      const parts = await partsAt(this.#parts, atMs, sight);
      const { files, live, ownMs } = parts;
      const ids = new Map<string, FixtureIds>();
      const lastRows: LastRows[] = [];
      for (const file of files) {
        lastRows.push(await this.#files.lastRowsAt(file, untilMsOf(file, parts)));
        for (const [eventId, known] of (await this.#files.open(file))?.ids ?? []) ids.set(eventId, known);
      }
      const marks = await this.#marks.at(parts, live === null ? [] : marksIn(live));
      return new PastSlate({ liveUntilMs: ownMs, sight, files: lastRows, ids, live, marks });
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
    return stableRead(this.#files, () => this.#marks.statesOf(eventId, range));
  }

  /**
   * The ticks of one fixture in a range, in the order of publishing; standing rows are not ticks.
   * Ticks of imports count where the tape itself does not know their instant.
   * @param options `lines` are the lines that are needed, or null for all. The result may contain ticks of
   * other lines too. `isOwn` leaves out all imports. `hasBounds` adds a tick for each line that is shown
   * differently where imports begin or cease to count (bound-ticks.ts), which stops when `signal` is aborted
   */
  async ticksOf(
    eventId: string,
    range: TapeRange,
    { sight, lines = null, isOwn = false, hasBounds = false, signal }: TicksAsked,
  ): Promise<Tick[]> {
    const { fromMs, toMs } = range;
    return stableRead(this.#files, async () => {
      const own = await this.time.own(sight);
      const isImportShown = ({ receivedAtMs }: Tick): boolean => !own.has(receivedAtMs);
      const live = this.#source?.live.rowsOf(eventId) ?? [];
      const isWanted = (tick: Tick): boolean =>
        !tick.standing && tick.receivedAtMs >= fromMs && tick.receivedAtMs < toMs && isSeen(tick, sight);
      const parts: (readonly Tick[])[] = [];
      let isImported = false;
      for (const [day, files] of await this.#files.byDay()) {
        if (dayStartMs(day) + DAY_MS <= fromMs || dayStartMs(day) >= toMs) continue;
        for (const file of files) {
          if (isOwn && file.beginMs === null) continue;
          const rows = await this.#files.rowsOf(file, eventId, lines);
          const wanted = rows.filter(isWanted);
          parts.push(file.beginMs === null ? wanted.filter(isImportShown) : wanted);
          isImported ||= file.beginMs === null && rows.length > 0;
        }
      }
      const ticks = inOrder([...parts, live.filter(isWanted)]);
      if (!hasBounds || !isImported) return ticks;
      const bounds = await this.time.ownBounds(range, own);
      return await withBoundTicks(this.#parts, ticks, { eventId, sight, bounds, ownTime: own, signal });
    });
  }

  /**
   * The rows of a fixture from `fromMs` on that are certain although a file that begins before `toMs` cannot
   * be read, in the order of publishing. Null if every such file can be read.
   */
  async certainRowsOf(eventId: string, range: TapeRange, sight: Sight): Promise<Tick[] | null> {
    const rows = await stableRead(this.#files, () =>
      rowsThatAreCertain(this.#parts, { eventId, ...range }, sight),
    );
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
}

/** The marks of every fixture in the live part. */
function* marksIn(live: LiveRows): Generator<TapeMark> {
  for (const eventId of live.eventIds()) yield* live.marksOf(eventId);
}
