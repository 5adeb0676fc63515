// What the tape has: its days, the time from its first tick to its last, and its fixtures. It reads summaries
// of the files, and the part that is still in memory.

import { ownTimes, type TapeAndSource } from '../own-time.ts';
import { isLive } from '../replay/every-tick.ts';
import type { TapeSource } from '../tape-source.ts';
import { dayOf, dayStartMs, type TapeRange } from '../tick.ts';
import { FixtureSummaries, type FixtureSummary, laterMark } from './fixture-summaries.ts';
import type { Sight } from './past-fixture.ts';
import type { DayFile, TapeFiles } from './tape-files.ts';

/** What one day holds, in figures that the caller may see. */
export interface TapeDay {
  readonly day: string;
  readonly fixtures: number;
  readonly ticks: number;
  /** Null for callers that do not see everything in the files. */
  readonly bytes: number | null;
}

export class TapeCoverage {
  readonly #parts: TapeAndSource;
  readonly #files: TapeFiles;
  readonly #summaries: FixtureSummaries;
  readonly #source: TapeSource | null;
  /** The time range of each file's summaries, cached because every question needs it. */
  readonly #rangeOf = new WeakMap<ReadonlyMap<string, FixtureSummary>, TapeRange>();

  constructor(parts: TapeAndSource) {
    this.#parts = parts;
    this.#files = parts.files;
    this.#summaries = new FixtureSummaries(parts.files);
    this.#source = parts.source;
  }

  /** The days that have ticks, from the first to the last, oldest first. */
  async days(sight: Sight): Promise<TapeDay[]> {
    const byDay = new Map<string, { readonly fixtures: Set<string>; ticks: number; bytes: number }>();
    const dayOfName = (day: string) =>
      byDay.getOrInsertComputed(day, () => ({ fixtures: new Set<string>(), ticks: 0, bytes: 0 }));
    const own = await ownTimes(this.#parts);
    for (const [day, files] of await this.#files.byDay()) {
      for (const file of files) {
        const held = dayOfName(day);
        held.bytes += file.bytes;
        if (isLive(file, this.#source)) continue; // its ticks are counted below
        for (const { eventId, ticks } of (await this.#summaries.of(file, own))[sight].values()) {
          if (ticks > 0) held.fixtures.add(eventId);
          held.ticks += ticks;
        }
      }
    }
    let lastLiveDay = '';
    for (const { eventId, ticks, firstAtMs } of this.#source?.live.summaries(sight) ?? []) {
      const day = dayOf(firstAtMs);
      if (day > lastLiveDay) lastLiveDay = day;
      const held = dayOfName(day);
      held.fixtures.add(eventId);
      held.ticks += ticks;
    }
    // The log that is being written belongs to the newest day, although it may begin shortly before midnight.
    const written = byDay.get(lastLiveDay);
    if (written !== undefined) written.bytes += this.#source?.size().bytes ?? 0;
    return [...byDay]
      .filter(([, { ticks }]) => ticks > 0)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([day, { fixtures, ticks, bytes }]) => ({
        ...{ day, fixtures: fixtures.size, ticks },
        bytes: sight === 'all' ? bytes : null,
      }));
  }

  /** Whether a file has a row, standing rows included, that a caller may see. */
  async hasRows(file: DayFile, sight: Sight): Promise<boolean> {
    return (await this.#summaries.of(file, await ownTimes(this.#parts)))[sight].size > 0;
  }

  /** The time from the first tick to the last; null while there is no tick. */
  async range(sight: Sight): Promise<TapeRange | null> {
    let fromMs = Number.POSITIVE_INFINITY;
    let toMs = Number.NEGATIVE_INFINITY;
    const take = (part: TapeRange): void => {
      fromMs = Math.min(fromMs, part.fromMs);
      toMs = Math.max(toMs, part.toMs);
    };
    const own = await ownTimes(this.#parts);
    // Only the first and the last day with ticks that the caller sees decide the range, so no day between
    // them is read.
    const days = [...(await this.#files.byDay()).values()];
    for (const inOrder of [days, [...days].reverse()]) {
      for (const files of inOrder) {
        let hasTicks = false;
        for (const file of files) {
          const part = this.#rangeOfFile((await this.#summaries.of(file, own))[sight]);
          take(part);
          hasTicks ||= part.fromMs <= part.toMs;
        }
        if (hasTicks) break;
      }
    }
    take(rangeOf(this.#source?.live.summaries(sight) ?? []));
    return fromMs === Number.POSITIVE_INFINITY ? null : { fromMs, toMs };
  }

  #rangeOfFile(summaries: ReadonlyMap<string, FixtureSummary>): TapeRange {
    const known = this.#rangeOf.get(summaries) ?? rangeOf(summaries.values());
    this.#rangeOf.set(summaries, known);
    return known;
  }

  /**
   * When the tape begins, by the names of its files and the live part; Unix ms. Null if it has nothing from
   * `fromDay` on.
   */
  async beginMs(fromDay: string): Promise<number | null> {
    const live = this.#source?.live;
    const hasLive = live !== undefined && [...live.eventIds()].length > 0;
    const files = [...(await this.#files.byDay()).values()].flat();
    if (!hasLive && !files.some(({ day }) => day >= fromDay)) return null;
    const begins = files.map(({ beginMs, day }) => beginMs ?? dayStartMs(day));
    return Math.min(...begins, hasLive ? live.beginMs : Number.POSITIVE_INFINITY);
  }

  /**
   * Every fixture with ticks from a day on; a fixture of several days is listed once.
   * @param fromDay the first day to read; null for all
   */
  async fixtures(sight: Sight, fromDay: string | null): Promise<Map<string, FixtureSummary>> {
    const found = new Map<string, FixtureSummary>();
    const own = await ownTimes(this.#parts);
    for (const [day, files] of await this.#files.byDay()) {
      if (fromDay !== null && day < fromDay) continue;
      for (const file of files) {
        if (isLive(file, this.#source)) continue; // its fixtures are added below
        for (const summary of (await this.#summaries.of(file, own))[sight].values())
          mergeInto(found, summary);
      }
    }
    for (const summary of this.#source?.live.summaries(sight) ?? []) mergeInto(found, summary);
    this.#addLiveMarks(found);
    for (const [eventId, summary] of found) {
      if (summary.ticks === 0) found.delete(eventId);
      else found.set(eventId, withMark(summary));
    }
    return found;
  }

  #addLiveMarks(found: Map<string, FixtureSummary>): void {
    const live = this.#source?.live;
    for (const eventId of live?.eventIds() ?? []) {
      const held = found.get(eventId);
      if (held === undefined) continue;
      let { mark } = held;
      for (const { fixture, ids, atMs, status } of live!.marksOf(eventId)) {
        mark = laterMark(mark, { fixture, ids, atMs, status: status < 0 ? null : status });
      }
      found.set(eventId, { ...held, mark });
    }
  }
}

/** The fixture as it was described last: by a tick, or by a mark after the last tick. */
function withMark(summary: FixtureSummary): FixtureSummary {
  const { mark, lastAtMs } = summary;
  if (mark === null || mark.atMs < lastAtMs) return summary;
  const { league, home, away, kickoffMs } = mark.fixture;
  return { ...summary, league, home, away, kickoffMs, ids: mark.ids ?? summary.ids };
}

function mergeInto(found: Map<string, FixtureSummary>, summary: FixtureSummary): void {
  const held = found.get(summary.eventId);
  if (held === undefined) {
    found.set(summary.eventId, summary);
    return;
  }
  const later = summary.lastAtMs >= held.lastAtMs ? summary : held;
  found.set(summary.eventId, {
    ...later,
    ids: later.ids ?? held.ids ?? summary.ids,
    mark: summary.mark === null ? held.mark : laterMark(held.mark, summary.mark),
    wasInPlay: held.wasInPlay || summary.wasInPlay,
    ticks: held.ticks + summary.ticks,
    firstAtMs: Math.min(held.firstAtMs, summary.firstAtMs),
    lastAtMs: Math.max(held.lastAtMs, summary.lastAtMs),
  });
}

/** The time from the first tick to the last; from Infinity to -Infinity without one. */
function rangeOf(summaries: Iterable<FixtureSummary>): TapeRange {
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  for (const { ticks, firstAtMs, lastAtMs } of summaries) {
    if (ticks === 0) continue;
    fromMs = Math.min(fromMs, firstAtMs);
    toMs = Math.max(toMs, lastAtMs);
  }
  return { fromMs, toMs };
}
