// Finds the fixtures that imports had on the slate at times when they had no line. A fixture is on the
// slate from the first answer that lists it until the fourth answer in a row that does not. Days are
// processed in order, because a day begins with the fixtures and the missed answers of the day before.

import { DAY_MS } from '../../clock.ts';
import { BOOKMAKER_KEYS, isSharpBookmaker } from '../../domain/catalogue.ts';
import type { ListedDay } from '../files/file-notes.ts';
import { MARK_LEFT, MARK_LISTED, type PackedMark } from '../mark.ts';
import { type FixtureIds, lineKeyOf, type Tick, type TickFixture } from '../tick.ts';
import type { AnswerTimes, ListedNotes } from './import-notes.ts';

/** A fixture is off the slate after this many answers in a row that do not list it. */
const MISSED_MAX = 4;

export interface DayOfListings {
  readonly fromMs: number;
  /** The rows of the day's file. */
  readonly rows: readonly Tick[];
  readonly answers: readonly AnswerTimes[];
  /** When answers of this day list a fixture, by event id. */
  readonly listed: ReadonlyMap<string, ListedDay>;
  readonly fixtureOf: (eventId: string) => TickFixture | undefined;
  readonly idsOf: (eventId: string) => FixtureIds | undefined;
  /** Whether a fixture that was listed before is still known on this day. */
  readonly isCarried: (eventId: string) => boolean;
}

/** A fixture that is on the slate at the end of a day. */
interface Carried {
  /** When it was last listed, Unix ms. */
  readonly atMs: number;
  /** How many answers have not listed it since then. */
  readonly missed: number;
}

export class ListedFixtures {
  /** By event id. */
  readonly #carried = new Map<string, Carried>();
  readonly #fixtures = new Map<string, TickFixture>();

  /**
   * Starts with the fixtures that are on the slate at the end of `notes`, the notes of an earlier day.
   * @param missedSince how many answers about a fixture were received after `atMs` and before that day
   */
  begin(
    notes: Pick<DayOfListings, 'fromMs' | 'answers' | 'listed' | 'idsOf'>,
    missedSince: (eventId: string, atMs: number) => number,
  ): void {
    for (const [eventId, own] of notes.listed) {
      const atMs = notes.fromMs + own[0];
      const carried = own.length < 2 ? { atMs, missed: missedSince(eventId, atMs) } : undefined;
      this.#carry(eventId, { own, carried, kickoffMs: null }, notes);
    }
  }

  /** Whether such a fixture may leave the slate on a later day because of answers of the days so far. */
  hasMissed(isAsked: (eventId: string) => boolean): boolean {
    return [...this.#carried].some(([eventId, { missed }]) => missed > 0 && isAsked(eventId));
  }

  day(day: DayOfListings): ListedNotes {
    const { fromMs, listed, fixtureOf, isCarried } = day;
    const before = new Map(this.#carried);
    this.#carried.clear();
    const noted = new Map(listed);
    for (const [eventId, { atMs }] of before) {
      if (!noted.has(eventId) && isCarried(eventId)) noted.set(eventId, [atMs - fromMs]);
    }
    const rowsOf = Map.groupBy(day.rows, ({ eventId }) => eventId);
    const fixtures: TickFixture[] = [];
    const marks: PackedMark[] = [];
    for (const eventId of [...noted.keys()].sort()) {
      const own = noted.get(eventId)!;
      const rows = rowsOf.get(eventId) ?? [];
      // A row of the sharp bookmaker may have a name from before the club was renamed, so it comes last.
      const known = rows.find((row) => !isSharp(row)) ?? fixtureOf(eventId) ?? this.#fixtures.get(eventId);
      const fixture = known ?? rows[0];
      if (fixture === undefined) continue;
      this.#fixtures.set(eventId, fixture);
      const carried = isCarried(eventId) ? before.get(eventId) : undefined;
      const { sport, league, home, away, kickoffMs } = fixture;
      const steps = this.#carry(eventId, { own, carried, kickoffMs }, day);
      if (!isBareInSome(rows, steps, fromMs)) continue;
      for (const [atMs, status] of steps) marks.push([fixtures.length, atMs, status]);
      fixtures.push({ eventId, sport, league, home, away, kickoffMs });
    }
    return { onSlate: noted, fixtures, marks };
  }

  /** Notes the fixture for the next day if it stays on the slate. @returns its steps on this day */
  #carry(eventId: string, parts: PartsOfDay, day: AnswersOfDay): readonly Step[] {
    const { steps, missed } = stepsOf(eventId, parts, day);
    const isOn = steps.at(-1)?.[1] === MARK_LISTED;
    if (isOn) this.#carried.set(eventId, { atMs: day.fromMs + parts.own.at(-1)!, missed });
    return steps;
  }
}

type Step = readonly [atMs: number, status: typeof MARK_LISTED | typeof MARK_LEFT];

interface PartsOfDay {
  readonly own: ListedDay;
  /** Undefined if the fixture was not on the slate as the day began. */
  readonly carried: Carried | undefined;
  /** Null if unknown. */
  readonly kickoffMs: number | null;
}

type AnswersOfDay = Pick<DayOfListings, 'fromMs' | 'answers' | 'idsOf'>;

/**
 * When a fixture came to the slate and left it on a day, in order, and how many answers have not listed it
 * since the last one that did. The first answer that lists it in play is a step too, because it shows that
 * the match is live (past-fixture.ts).
 */
function stepsOf(
  eventId: string,
  { own, carried, kickoffMs }: PartsOfDay,
  { fromMs, answers, idsOf }: AnswersOfDay,
): { readonly steps: readonly Step[]; readonly missed: number } {
  const steps: Step[] = carried === undefined ? [] : [[carried.atMs, MARK_LISTED]];
  const answered = answerTimesIn(answers, [idsOf(eventId)?.leagueId ?? ''], fromMs);
  const listed = new Set(own.length < 2 ? [] : listedTimes(own, answered));
  let missed = carried?.missed ?? 0;
  for (const atMs of [...new Set([...answered, ...listed])].sort((left, right) => left - right)) {
    const [lastMs, lastStatus] = steps.at(-1) ?? [];
    const isOn = lastStatus === MARK_LISTED;
    const isInPlay = kickoffMs !== null && fromMs + atMs >= kickoffMs;
    const isNews = !isOn || (isInPlay && lastMs! < kickoffMs);
    missed = listed.has(atMs) ? 0 : missed + 1;
    if (isNews && missed === 0) steps.push([fromMs + atMs, MARK_LISTED]);
    if (isOn && missed === MISSED_MAX) steps.push([fromMs + atMs, MARK_LEFT]);
  }
  return { steps, missed };
}

/** The times of a day's answers about some scopes, in order, in ms after the day began. */
export function answerTimesIn(
  answers: readonly AnswerTimes[],
  scopes: readonly string[],
  fromMs: number,
): number[] {
  const times = new Set(answers.flatMap((each) => scopes.flatMap((id) => [...(each.get(id) ?? [])])));
  return [...times]
    .map((atMs) => atMs - fromMs)
    .filter((atMs) => atMs >= 0 && atMs < DAY_MS)
    .sort((left, right) => left - right);
}

/**
 * The times of the answers that list a fixture, in ms after the day began.
 * @param listed a ListedDay with at least two times
 * @param answered the times of all answers about the fixture
 */
export function listedTimes(listed: readonly number[], answered: readonly number[]): number[] {
  const [firstMs, lastMs] = [listed[0]!, listed.at(-1)!];
  const missed = new Set(listed.slice(1, -1));
  const between = answered.filter((atMs) => atMs > firstMs && atMs < lastMs && !missed.has(atMs));
  return [...new Set([firstMs, ...between, lastMs])];
}

function isBareInSome(rows: readonly Tick[], steps: readonly Step[], fromMs: number): boolean {
  return steps.some(([atMs, status], index) => {
    const toMs = steps[index + 1]?.[0] ?? fromMs + DAY_MS;
    return status === MARK_LISTED && isBare(rows, Math.max(atMs, fromMs), toMs);
  });
}

/**
 * Whether the fixture had no line at some time of a range. The sharp bookmaker's lines do not count, so
 * callers that do not see them cannot detect when such a line was there.
 * @param rows of one fixture
 */
function isBare(rows: readonly Tick[], fromMs: number, toMs: number): boolean {
  const standing = new Set<string>();
  const byInstant = Map.groupBy(rows, (tick) =>
    tick.standing ? fromMs : Math.max(fromMs, tick.receivedAtMs),
  );
  const instants = [...new Set([fromMs, ...byInstant.keys()])].sort((left, right) => left - right);
  for (const atMs of instants.filter((each) => each < toMs)) {
    for (const tick of byInstant.get(atMs) ?? []) {
      if (isSharp(tick)) continue;
      if (tick.status === 'withdrawn') standing.delete(lineKeyOf(tick));
      else standing.add(lineKeyOf(tick));
    }
    if (standing.size === 0) return true;
  }
  return false;
}

function isSharp({ bookmaker }: Tick): boolean {
  return isSharpBookmaker(BOOKMAKER_KEYS.indexOf(bookmaker));
}
