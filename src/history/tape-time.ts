// Which times the tape knows: those that the server recorded itself (own-time.ts), and other times that
// answers of imports cover.

import { DAY_MS } from '../clock.ts';
import type { OwnBound } from './bound-ticks.ts';
import type { FileNotes } from './files/file-notes.ts';
import { answerTimesOf } from './imports/import-notes.ts';
import { gapsSeen, OwnTime, type TapeAndSource } from './own-time.ts';
import type { Sight } from './past/past-fixture.ts';
import type { TapeCoverage } from './past/tape-coverage.ts';
import type { DayFile, TapeFiles } from './past/tape-files.ts';
import { stableRead } from './stable-read.ts';
import { dayOf, dayStartMs, type Gap, type TapeRange } from './tick.ts';

/** A file of an import, and when its source was asked; undefined if the file does not say that. */
interface ImportSeen {
  readonly file: DayFile;
  readonly answers: FileNotes['answers'];
}

export class TapeTime {
  readonly #parts: TapeAndSource;
  readonly #files: TapeFiles;
  readonly #coverage: TapeCoverage;

  constructor(parts: TapeAndSource, coverage: TapeCoverage) {
    this.#parts = parts;
    this.#files = parts.files;
    this.#coverage = coverage;
  }

  /** Every gap, as `gapsSeen` returns them. */
  gaps(sight: Sight): readonly Gap[] {
    return gapsSeen(this.#parts.source, sight);
  }

  /** The gap in which an instant lies; null when it lies in no gap. */
  gapAt(atMs: number, sight: Sight): Gap | null {
    return (
      this.gaps(sight).find(({ fromMs, toMs }) => fromMs <= atMs && (toMs === null || atMs < toMs)) ?? null
    );
  }

  /** The time that the tape itself knows. */
  own(sight: Sight): Promise<OwnTime> {
    return OwnTime.read(this.#parts, sight);
  }

  /**
   * Whether the tape knows what was published at an instant. The tape does not know it in a gap, where a file
   * cannot be read, and between the last answer of an import and the server's first file or log. Call this
   * after reading the rows of the instant, because that may show that a file cannot be read.
   */
  isKnownAt(atMs: number, sight: Sight): Promise<boolean> {
    return stableRead(this.#files, () => this.#isKnownAt(atMs, sight));
  }

  async #isKnownAt(atMs: number, sight: Sight): Promise<boolean> {
    const own = await this.own(sight);
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
    return stableRead(this.#files, async () => {
      const own = await this.own(sight);
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

  /**
   * The instants of a range from which imports no longer count, in order: the tape itself begins to know, or
   * a gap ends. Only those after a time of which an import has a file.
   */
  async #ownBegins({ fromMs, toMs }: TapeRange, own: OwnTime): Promise<readonly number[]> {
    const byDay = [...(await this.#files.byDay())];
    const importsFromMs = byDay.flatMap(([day, files]) =>
      files.some(({ beginMs }) => beginMs === null) ? [dayStartMs(day)] : [],
    );
    const others = [{ fromMs: Number.NEGATIVE_INFINITY, toMs: own.beginMs }, ...own.gaps];
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

  /**
   * The bounds in a range between time that the tape itself knows and time of which an import has a file, in
   * order.
   */
  async ownBounds({ fromMs, toMs }: TapeRange, own: OwnTime): Promise<readonly OwnBound[]> {
    const byDay = await this.#files.byDay();
    const ends = own.gaps.flatMap((gap) => {
      const atMs = Math.ceil(gap.fromMs);
      if (atMs < fromMs || atMs >= toMs || !own.has(atMs - 1) || own.has(atMs)) return [];
      const hasImport = byDay.get(dayOf(atMs))?.some(({ beginMs }) => beginMs === null) === true;
      return hasImport ? [{ atMs, isOwn: false }] : [];
    });
    const begins = await this.#ownBegins({ fromMs: fromMs - 1, toMs }, own);
    const bounds = [...ends, ...begins.map((atMs) => ({ atMs, isOwn: true }))];
    return bounds.sort((left, right) => left.atMs - right.atMs);
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
}

/**
 * Whether a file of an import has an answer of its day. A file that does not note its answers counts as
 * having one.
 */
function hasAnswers({ answers }: ImportSeen): boolean {
  return answers === undefined || Object.keys(answers).length > 0;
}
