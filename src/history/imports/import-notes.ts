// What a day's file of imports notes beside its rows: when the answers behind it were received, and when its
// fixtures were last listed. With these notes a later import can be merged as if both had been one import
// (tape-merge.ts).

import { DAY_MS } from '../../clock.ts';
import type { FileNotes, ListedDay } from '../files/file-notes.ts';
import type { TickFixture } from '../tick.ts';

/** When answers about a league or a fixture were received, by its id, Unix ms. */
export type AnswerTimes = ReadonlyMap<string, ReadonlySet<number>>;

/**
 * The answers about a league or a fixture whose preceding answer is in no import, by the id of the league or
 * fixture. The time of each answer is mapped to the time of the preceding answer. Unix ms.
 */
export type PreviousTimes = ReadonlyMap<string, ReadonlyMap<number, number>>;

export interface DayOfNotes {
  readonly fromMs: number;
  /** The fixtures of the file, in the order of its ids. */
  readonly eventIds: Iterable<string>;
}

/** What a day's file notes about its fixtures. */
export interface ListedNotes {
  /** When answers of this day list a fixture, by event id. */
  readonly onSlate: ReadonlyMap<string, ListedDay>;
  readonly fixtures: readonly TickFixture[];
  readonly marks: NonNullable<FileNotes['marks']>;
}

/**
 * The notes of a day.
 * @param sources times of answers; those of other days are left out
 * @param day with `listed`: by event id, when an import last listed the fixture, on any day; and with
 * `liveFromMs`: by event id, when an import first saw the fixture in play, on any day
 * @returns null when there is nothing to note. A day without answers still notes which fixtures stay on the
 * slate
 */
export function notesOf(
  sources: readonly AnswerTimes[],
  day: DayOfNotes &
    ListedNotes & {
      readonly listed: ReadonlyMap<string, number>;
      readonly previous: PreviousTimes;
      readonly liveFromMs: ReadonlyMap<string, number>;
    } & Pick<Required<FileNotes>, 'confirmed'>,
): FileNotes | null {
  const { fromMs, listed, onSlate, fixtures, marks, previous, confirmed } = day;
  const eventIds = [...day.eventIds];
  const ids = [...new Set(sources.flatMap((times) => [...times.keys()]))].sort();
  const notes: Record<string, readonly number[]> = {};
  for (const id of ids) {
    const all = new Set(sources.flatMap((times) => [...(times.get(id) ?? [])]));
    const ofDay = [...all].filter((atMs) => atMs >= fromMs && atMs < fromMs + DAY_MS).sort((a, b) => a - b);
    if (ofDay.length > 0) notes[id] = ofDay.map((atMs, index) => atMs - (ofDay[index - 1] ?? fromMs));
  }
  const live = packedLiveFrom(day, eventIds);
  // An import of a stream has no answers and lists no fixtures. Then there may be nothing to note except the
  // times in play.
  if (Object.keys(notes).length === 0 && onSlate.size === 0) return 'liveFrom' in live ? live : null;
  return {
    ...live,
    answers: notes,
    listed: eventIds.map((id) => (listed.get(id) ?? fromMs) - fromMs),
    onSlate: eventIds.map((id) => onSlate.get(id) ?? null),
    ...(marks.length === 0 ? {} : { fixtures, marks }),
    ...(previous.size === 0 ? {} : { previous: packedPrevious(previous, fromMs) }),
    ...(confirmed.length === 0 ? {} : { confirmed }),
  };
}

/** Reads back what `notesOf` noted about the fixtures of a file. */
export function listedNotesOf(
  { onSlate = [], fixtures = [], marks = [] }: FileNotes,
  ids: Iterable<string>,
): ListedNotes {
  const entries = Array.from(ids, (id, index) => [id, onSlate[index] ?? null] as const);
  const known = entries.filter((entry): entry is readonly [string, ListedDay] => entry[1] !== null);
  return { onSlate: new Map(known), fixtures, marks };
}

/** When each fixture was last listed, by event id; empty for a file that does not note it. */
export function listedOf({ listed }: FileNotes, { fromMs, eventIds }: DayOfNotes): Map<string, number> {
  if (listed === undefined) return new Map();
  return new Map(Array.from(eventIds, (id, index) => [id, fromMs + listed[index]!]));
}

/**
 * When imports first saw a fixture in play, Unix ms, by event id. Fixtures that no import saw in play are
 * left out.
 */
export function liveFromOf(
  { liveFrom = [] }: FileNotes,
  { fromMs, eventIds }: DayOfNotes,
): [string, number][] {
  return Array.from(eventIds, (id, index) => [id, liveFrom[index] ?? null] as const).flatMap(([id, ms]) =>
    ms === null ? [] : [[id, fromMs + ms]],
  );
}

function packedLiveFrom(
  { fromMs, liveFromMs }: { readonly fromMs: number; readonly liveFromMs: ReadonlyMap<string, number> },
  eventIds: readonly string[],
): Pick<FileNotes, 'liveFrom'> {
  if (!eventIds.some((id) => liveFromMs.has(id))) return {};
  return { liveFrom: eventIds.map((id) => (liveFromMs.has(id) ? liveFromMs.get(id)! - fromMs : null)) };
}

/** Reads back the answer times that `notesOf` noted. */
export function answerTimesOf({ answers = {} }: FileNotes, fromMs: number): AnswerTimes {
  const times = new Map<string, Set<number>>();
  for (const [id, steps] of Object.entries(answers)) {
    let atMs = fromMs;
    times.set(id, new Set(steps.map((step) => (atMs += step))));
  }
  return times;
}

function packedPrevious(previous: PreviousTimes, fromMs: number): Record<string, number[]> {
  const packed: Record<string, number[]> = {};
  for (const [id, times] of [...previous].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const pairs = [...times].sort(([left], [right]) => left - right);
    packed[id] = pairs.flatMap(([atMs, previousMs]) => [atMs - fromMs, atMs - previousMs]);
  }
  return packed;
}

/**
 * Reads back what `notesOf` noted in `previous`: for each answer, the time of the preceding answer, which is
 * in no import.
 */
export function previousTimesOf({ previous = {} }: FileNotes, fromMs: number): PreviousTimes {
  const times = new Map<string, Map<number, number>>();
  for (const [id, packed] of Object.entries(previous)) {
    const own = new Map<number, number>();
    for (let at = 0; at < packed.length; at += 2) {
      const atMs = fromMs + packed[at]!;
      own.set(atMs, atMs - packed[at + 1]!);
    }
    times.set(id, own);
  }
  return times;
}
