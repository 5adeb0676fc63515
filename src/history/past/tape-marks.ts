// The marks of the tape: which fixtures were on the slate, and what the feed reported about their matches.

import { DAY_MS } from '../../clock.ts';
import { formerIdsOf } from '../files/file-notes.ts';
import { isSameState, MARK_LEFT, type TapeMark, unpackMark } from '../mark.ts';
import { type PartsAt, untilMsOf } from '../parts-at.ts';
import type { TapeSource } from '../tape-source.ts';
import { dayOf, dayStartMs, type TapeRange, type TickFixture } from '../tick.ts';
import type { DayFile, TapeFiles } from './tape-files.ts';

export class TapeMarks {
  readonly #files: TapeFiles;
  readonly #source: TapeSource | null;

  constructor(files: TapeFiles, source: TapeSource | null) {
    this.#files = files;
    this.#source = source;
  }

  /**
   * The last description of a fixture that was on the slate; null when it never was. On each day, the files
   * of the server count before those of imports.
   * @param fromDay the first day to search; null for all. A fixture that left before that day was not on the
   * slate, although later files and the live part may repeat that it left
   */
  async listed(eventId: string, fromDay: string | null): Promise<TickFixture | null> {
    const isListed = ({ status, atMs }: TapeMark): boolean =>
      fromDay === null || status !== MARK_LEFT || dayOf(atMs) >= fromDay;
    const live = this.#source?.live.marksOf(eventId).at(-1);
    if (live !== undefined && isListed(live)) return live.fixture;
    for (const [day, files] of [...(await this.#files.byDay())].reverse()) {
      if (fromDay !== null && day < fromDay) break;
      const own = files.filter(({ beginMs }) => beginMs !== null);
      const imports = files.filter(({ beginMs }) => beginMs === null);
      for (const file of [...imports, ...own].reverse()) {
        const { fixtures = [] } = (await this.#files.open(file))?.notes ?? {};
        const found = fixtures.findLast((fixture) => fixture.eventId === eventId);
        if (found === undefined) continue;
        const last = (await this.#marksIn(file, (fixture) => fixture.eventId === eventId)).at(-1);
        if (last === undefined || isListed(last)) return found;
      }
    }
    return null;
  }

  /**
   * The last mark of each fixture by an instant, by event id: what the feed had reported about it. A mark of
   * an import, which knows no status, counts only for fixtures that the feed did not have on the slate.
   * @param parts what answers for the instant
   * @param live marks of the live part
   */
  async at(parts: Omit<PartsAt, 'live'>, live: Iterable<TapeMark>): Promise<ReadonlyMap<string, TapeMark>> {
    const held = new Map<string, TapeMark>();
    const imported = new Map<string, TapeMark>();
    const note = (marks: Map<string, TapeMark>, mark: TapeMark, untilMs: number): void => {
      const { eventId } = mark.fixture;
      if (mark.atMs <= untilMs && mark.atMs >= (marks.get(eventId)?.atMs ?? 0)) marks.set(eventId, mark);
    };
    for (const file of parts.files) {
      const marks = file.beginMs === null ? imported : held;
      const untilMs = untilMsOf(file, parts);
      const wanted = await this.#marksIn(file, (_, markedAtMs) => markedAtMs <= untilMs);
      for (const mark of wanted) note(marks, mark, untilMs);
    }
    for (const mark of live) note(held, mark, parts.ownMs);
    for (const [eventId, mark] of imported) {
      const own = held.get(eventId);
      if (own === undefined || (own.status === MARK_LEFT && own.atMs <= mark.atMs)) held.set(eventId, mark);
    }
    return held;
  }

  /** The marks of a file that are wanted, in its order. */
  async #marksIn(
    file: DayFile,
    isWanted: (fixture: TickFixture, markedAtMs: number) => boolean,
  ): Promise<TapeMark[]> {
    const { notes = {}, ids: lastIds } = (await this.#files.open(file)) ?? {};
    const { fixtures = [], marks = [] } = notes;
    const formerIds = formerIdsOf(notes);
    return marks.flatMap((packed) => {
      const fixture = fixtures[packed[0]]!;
      if (!isWanted(fixture, packed[1])) return [];
      const ids = formerIds.get(packed[0]) ?? lastIds?.get(fixture.eventId);
      return [{ ...unpackMark(packed), fixture, ids }];
    });
  }

  /**
   * Each change of a match's status, score or red cards in a range, in the order of publishing. What files
   * and the live part only repeat is left out. Imports report no states.
   */
  async statesOf(eventId: string, { fromMs, toMs }: TapeRange): Promise<TapeMark[]> {
    const live = this.#source?.live.marksOf(eventId) ?? [];
    const marks: TapeMark[] = [];
    for (const [day, files] of await this.#files.byDay()) {
      if (dayStartMs(day) + DAY_MS <= fromMs) continue;
      for (const file of files) {
        if (file.beginMs === null || file.beginMs >= toMs) continue;
        marks.push(...(await this.#marksIn(file, (fixture) => fixture.eventId === eventId)));
      }
    }
    return [...marks, ...live]
      .filter(({ status }) => status >= 0)
      .sort((left, right) => left.atMs - right.atMs)
      .filter((mark, index, all) => index === 0 || !isSameState(all[index - 1]!, mark))
      .filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  }
}
