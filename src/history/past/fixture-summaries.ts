// What a file holds about each fixture: how many ticks, from when to when, and the last known state of the
// match. Callers that do not see the sharp bookmaker get counts of their own. Summaries of files are cached,
// within bounds.

import { BOOKMAKER_KEYS, isSharpBookmaker, type SportKey } from '../../domain/catalogue.ts';
import { eventLoopTurn } from '../../pause.ts';
import { LruCache } from '../../query/lru-cache.ts';
import { formerIdsOf } from '../files/file-notes.ts';
import type { TickGroup } from '../files/tick-group.ts';
import { unpackMark } from '../mark.ts';
import type { FixtureIds, Tick, TickFixture } from '../tick.ts';
import type { Sight } from './past-fixture.ts';
import type { DayFile, TapeFiles } from './tape-files.ts';

/**
 * Maximum number of fixtures of all kept summaries together. Beyond it, the summaries of the file used
 * longest ago are dropped, and computed again when they are needed.
 */
const KEPT_FIXTURES_MAX = 60_000;

export interface FixtureSummary extends TickFixture {
  readonly inPlay: boolean;
  /** Whether a tick was in play. */
  readonly wasInPlay: boolean;
  /** Ticks without standing rows. */
  readonly ticks: number;
  /** When its first and its last tick were published, Unix ms. Infinite without ticks. */
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  readonly ids: FixtureIds | undefined;
  /** What its marks showed last; null without a mark. */
  readonly mark: LastMark | null;
}

/** The description of a fixture in its last mark, and the status in the last mark that states one. */
export interface LastMark {
  readonly fixture: TickFixture;
  /** The ids that belong to the description; undefined when unknown. */
  readonly ids: FixtureIds | undefined;
  readonly atMs: number;
  /** An index into EVENT_STATUSES; null if no mark stated one, as in imports. */
  readonly status: number | null;
}

type BySight = Readonly<Record<'all' | 'common', ReadonlyMap<string, FixtureSummary>>>;
/** The time that the tape itself knows (OwnTimes). Ticks of imports from that time do not count. */
type OwnBySight = Readonly<
  Record<'all' | 'common', { has(atMs: number): boolean; textOf(day: string): string }>
>;
/** The summaries of a file for one kind of caller, by event id. */
interface SightCounts {
  readonly counted: Map<string, Counted>;
  readonly own: OwnBySight[Sight];
}
/** A summary while it is counted. */
export type Counted = { -readonly [Field in keyof FixtureSummary]: FixtureSummary[Field] };

export class FixtureSummaries {
  readonly #files: TapeFiles;
  readonly #kept = new LruCache<BySight>(KEPT_FIXTURES_MAX);

  constructor(files: TapeFiles) {
    this.#files = files;
  }

  /** The fixtures of a file, by event id. */
  async of(file: DayFile, own: OwnBySight): Promise<BySight> {
    const key = `${file.path} ${file.bytes} ${file.beginMs === null ? own.all.textOf(file.day) : ''}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const summaries = await this.#count(file, own);
    if (!this.#files.isBroken(file)) this.#kept.set(key, summaries, summaries.all.size);
    return summaries;
  }

  async #count(file: DayFile, own: OwnBySight): Promise<BySight> {
    const isImport = file.beginMs === null;
    const [all, common] = [new Map<string, Counted>(), new Map<string, Counted>()];
    const ofAll = { counted: all, own: own.all };
    const ofBoth: readonly SightCounts[] = [ofAll, { counted: common, own: own.common }];
    const ids = (await this.#files.open(file))?.ids;
    const read = (group: TickGroup) => ({
      rowCount: group.rowCount,
      factsOf: factsReader(group),
      bookmaker: group.reader('bookmaker'),
    });
    for await (const { rowCount, factsOf, bookmaker } of this.#files.groups(file, null, read)) {
      for (let row = 0; row < rowCount; row++) {
        const index = BOOKMAKER_KEYS.indexOf(String(bookmaker(row)));
        if (index < 0) continue;
        const facts = factsOf(row);
        for (const { counted, own } of isSharpBookmaker(index) ? [ofAll] : ofBoth) {
          let held = counted.get(facts.eventId);
          if (held === undefined) {
            held = emptyOf(facts, facts.inPlay, ids?.get(facts.eventId));
            counted.set(facts.eventId, held);
          }
          if (!isImport || !own.has(facts.receivedAtMs)) countRow(held, facts, facts);
        }
      }
      await eventLoopTurn(); // a row group takes tens of milliseconds
    }
    for (const counts of ofBoth) await this.#addMarks(file, counts);
    return { all, common };
  }

  /**
   * Adds the last marks. A fixture that has only marks gets a summary without ticks. Marks of an import do
   * not count for the time that the tape itself knows.
   */
  async #addMarks(file: DayFile, { counted, own }: SightCounts): Promise<void> {
    const isImport = file.beginMs === null;
    const { notes = {}, ids } = (await this.#files.open(file)) ?? {};
    const { fixtures = [], marks = [] } = notes;
    const formerIds = formerIdsOf(notes);
    const last = new Map<string, LastMark>();
    for (const packed of marks) {
      const fixture = fixtures[packed[0]]!;
      const { atMs, status } = unpackMark(packed);
      if (isImport && own.has(atMs)) continue;
      const markIds = formerIds.get(packed[0]) ?? ids?.get(fixture.eventId);
      const mark = { fixture, ids: markIds, atMs, status: status < 0 ? null : status };
      last.set(fixture.eventId, laterMark(last.get(fixture.eventId) ?? null, mark));
    }
    for (const [eventId, mark] of last) {
      const held = counted.get(eventId);
      if (held !== undefined) held.mark = mark;
      // An import's file counts as one that the caller may see only if the caller may see one of its rows.
      else if (!isImport) counted.set(eventId, { ...emptyOf(mark.fixture, false, mark.ids), mark });
    }
  }
}

/** The later of two marks, with the last status of both. */
export function laterMark(held: LastMark | null, mark: LastMark): LastMark {
  if (held === null) return mark;
  const [first, last] = mark.atMs < held.atMs ? [mark, held] : [held, mark];
  return { ...last, status: last.status ?? first.status };
}

/** The fields of a row that are counted, besides its fixture. */
type CountedRow = Pick<Tick, 'inPlay' | 'receivedAtMs' | 'standing'>;
type Facts = TickFixture & CountedRow;

/** Reads rows, all into the same object. */
function factsReader(group: TickGroup): (row: number) => Facts {
  const eventId = group.reader('event_id');
  const sport = group.reader('sport');
  const league = group.reader('league');
  const home = group.reader('home');
  const away = group.reader('away');
  const kickoff = group.reader('kickoff');
  const inPlay = group.reader('in_play');
  const receivedAt = group.reader('received_at');
  const standing = group.reader('standing');
  // One object for all rows, because a file has hundreds of thousands of rows.
  const facts = {} as { -readonly [Field in keyof Facts]: Facts[Field] };
  return (row) => {
    facts.eventId = eventId(row) as string;
    facts.sport = sport(row) as SportKey;
    facts.league = league(row) as string;
    facts.home = home(row) as string;
    facts.away = away(row) as string;
    facts.kickoffMs = kickoff(row) as number | null;
    facts.inPlay = inPlay(row) === true;
    facts.receivedAtMs = receivedAt(row) as number;
    facts.standing = standing(row) === true;
    return facts;
  };
}

export function emptyOf(
  { eventId, sport, league, home, away, kickoffMs }: TickFixture,
  inPlay: boolean,
  ids: FixtureIds | undefined,
): Counted {
  const firstAtMs = Number.POSITIVE_INFINITY;
  const lastAtMs = Number.NEGATIVE_INFINITY;
  const fixture = { eventId, sport, league, home, away, kickoffMs };
  return { ...fixture, inPlay, wasInPlay: false, ticks: 0, firstAtMs, lastAtMs, ids, mark: null };
}

/**
 * Counts a tick. A standing row is not counted.
 * @returns whether it is the latest one so far; the summary then has its description
 */
export function countRow(held: Counted, fixture: TickFixture, row: CountedRow): boolean {
  if (row.standing) return false;
  held.ticks += 1;
  held.wasInPlay ||= row.inPlay;
  held.firstAtMs = Math.min(held.firstAtMs, row.receivedAtMs);
  if (row.receivedAtMs < held.lastAtMs) return false;
  held.lastAtMs = row.receivedAtMs;
  held.league = fixture.league;
  held.home = fixture.home;
  held.away = fixture.away;
  held.kickoffMs = fixture.kickoffMs;
  held.inPlay = row.inPlay;
  return true;
}
