// Ticks that are not in a Parquet file yet, as columns in memory. A segment begins with the lines that are on
// the slate at that time (standing rows) and grows by one row per tick. Rows of one fixture are chained,
// newest first.

import { DAY_MS } from '../../clock.ts';
import {
  BOOKMAKER_KEYS,
  isSharpBookmaker,
  MARKET_1X2,
  MARKET_TYPES,
  type Outcome,
  outcomesOf,
  PERIODS,
} from '../../domain/catalogue.ts';
import { bookmakerOfKey, lineQuartersOfKey, marketOfKey, periodOfKey } from '../../store/quote-key.ts';
import type { IndexedMark } from '../mark.ts';
import { type Counted, countRow, emptyOf, type FixtureSummary } from '../past/fixture-summaries.ts';
import type { Sight } from '../past/past-fixture.ts';
import {
  dayOf,
  dayStartMs,
  type FixtureIds,
  NO_PRICES,
  type PricesE4,
  type TapeRange,
  TICK_STATUSES,
  type Tick,
  type TickFixture,
  type TickRows,
} from '../tick.ts';
import { type ReusedRow, SegmentColumns, type SegmentRow } from './segment-columns.ts';

/** A fixture as it was known for some of the rows; a change of its kickoff or names adds another entry. */
export interface SegmentFixture {
  readonly eventNumber: number;
  /** Index into SPORTS. */
  readonly sport: number;
  readonly fixture: TickFixture;
  readonly ids: FixtureIds;
}

const NONE = -1;
/**
 * Maximum number of marks of one segment, far more than the slate has fixtures. When it is reached, the
 * segment becomes a file.
 */
const MARKS_MAX = 100_000;

export class LiveSegment {
  readonly fixtures: SegmentFixture[] = [];
  /** The latest description of each fixture, by event number. */
  readonly #fixtureOf = new Map<number, SegmentFixture>();
  readonly #marks: IndexedMark[] = [];
  /** The indexes of each fixture's marks, by event number. */
  readonly #marksOf = new Map<number, number[]>();
  /** The roster that the quote keys refer to. */
  readonly bookmakers: readonly string[];
  readonly #columns = new SegmentColumns();
  #standingCount = 0;
  readonly #lastRow = new Map<number, number>();
  /** Summaries by event number: of all rows, and of the rows that every caller may see. */
  readonly #summaries = { all: new Map<number, Counted>(), common: new Map<number, Counted>() };
  /** For each index into `bookmakers`: which summaries count its rows. */
  readonly #sightsOf: readonly (readonly Sight[])[];
  #firstTickMs = Number.POSITIVE_INFINITY;
  #lastTickMs = Number.NEGATIVE_INFINITY;
  #firstMarkMs = Number.POSITIVE_INFINITY;
  #repeatedMarks = 0;

  /**
   * When the segment begins, if it begins because the clock was set back or because the repeated time ended;
   * otherwise Infinity. Such a segment becomes a file even if nothing changes in it. Without it, an earlier
   * segment would answer that has changes of later times, or lacks those of the repeated time.
   */
  readonly setBackToMs: number;

  constructor(bookmakers: readonly string[] = BOOKMAKER_KEYS, setBackToMs = Number.POSITIVE_INFINITY) {
    this.bookmakers = bookmakers;
    this.setBackToMs = setBackToMs;
    this.#sightsOf = bookmakers.map((key) => sightsOf(BOOKMAKER_KEYS.indexOf(key)));
  }

  get rowCount(): number {
    return this.#columns.rowCount;
  }

  /** Rows without the standing ones. */
  get tickCount(): number {
    return this.rowCount - this.#standingCount;
  }

  /** Whether the segment has reached its maximum size. It should then become a file. */
  isFull(ticksMax: number): boolean {
    return this.tickCount >= ticksMax || this.#marks.length >= MARKS_MAX;
  }

  /** When the first tick was received; Infinity without a tick. */
  get firstTickMs(): number {
    return this.#firstTickMs;
  }

  /**
   * When the first tick or new mark was published, or the clock was set back, Unix ms; Infinity without any.
   */
  get firstChangeMs(): number {
    return Math.min(this.#firstTickMs, this.#firstMarkMs, this.setBackToMs);
  }

  /** When a line or the state of a match last changed, Unix ms. */
  get lastChangeMs(): number {
    return Math.max(this.#lastTickMs, this.#marks.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY);
  }

  /**
   * Whether an instant lies after the UTC day of the first change. A segment holds the changes of one day,
   * because readers choose files by their day.
   */
  isDayOver(instantMs: number): boolean {
    const { firstChangeMs } = this;
    return Number.isFinite(firstChangeMs) && instantMs >= dayStartMs(dayOf(firstChangeMs)) + DAY_MS;
  }

  /**
   * The marks in the order of publishing. The first ones repeat the state of each match when the segment was
   * begun.
   */
  get marks(): readonly IndexedMark[] {
    return this.#marks;
  }

  addFixture(fixture: SegmentFixture): number {
    this.#fixtureOf.set(fixture.eventNumber, fixture);
    return this.fixtures.push(fixture) - 1;
  }

  /** The ids of a fixture as it was known last. */
  idsOf(eventNumber: number): FixtureIds | undefined {
    return this.#fixtureOf.get(eventNumber)?.ids;
  }

  /** Adds a mark that is a change. */
  addMark(mark: IndexedMark): void {
    this.#push(mark);
    this.#firstMarkMs = Math.min(this.#firstMarkMs, mark.atMs);
  }

  /** Adds a mark that an earlier segment already has. Call it before `addMark`. */
  repeatMark(mark: IndexedMark): void {
    this.#push(mark);
    this.#repeatedMarks++;
  }

  /** How many marks, the first ones, an earlier segment already has. */
  get repeatedMarks(): number {
    return this.#repeatedMarks;
  }

  #push(mark: IndexedMark): void {
    const { eventNumber } = this.fixtures[mark.fixtureIndex]!;
    const index = this.#marks.push(mark) - 1;
    this.#marksOf.getOrInsertComputed(eventNumber, () => []).push(index);
  }

  /** The marks of one fixture, in the order of publishing. */
  marksOf(eventNumber: number): IndexedMark[] {
    return (this.#marksOf.get(eventNumber) ?? []).map((index) => this.#marks[index]!);
  }

  /** @returns the row's number */
  add(row: SegmentRow): number {
    const { eventNumber } = this.fixtures[row.fixtureIndex]!;
    const at = this.#columns.add(row, this.#lastRow.get(eventNumber) ?? NONE);
    this.#lastRow.set(eventNumber, at);
    if (row.standing) this.#standingCount++;
    else {
      this.#firstTickMs = Math.min(this.#firstTickMs, row.receivedAtMs);
      this.#lastTickMs = Math.max(this.#lastTickMs, row.receivedAtMs);
      this.#count(row);
    }
    return at;
  }

  /** A summary of each fixture that has a tick, limited to what callers may see. */
  summaries(sight: Sight): Iterable<FixtureSummary> {
    return this.#summaries[sight].values();
  }

  /** The row as it was added. */
  row(at: number): SegmentRow {
    return this.#columns.row(at);
  }

  /** Reads a row into an object. @returns that object */
  readInto(row: ReusedRow, at: number): ReusedRow {
    return this.#columns.readInto(row, at);
  }

  /** Whether the row at `at` has other prices or another status than `row`. */
  differs(at: number, row: SegmentRow): boolean {
    return this.#columns.differs(at, row);
  }

  eventNumbers(): IterableIterator<number> {
    return this.#lastRow.keys();
  }

  /** Row numbers of one fixture, oldest first. */
  rowsOf(eventNumber: number): number[] {
    const rows: number[] = [];
    for (let at = this.#lastRow.get(eventNumber) ?? NONE; at !== NONE; at = this.#columns.earlier(at))
      rows.push(at);
    return rows.reverse();
  }

  /** The last row of each line of a fixture that was published by an instant, withdrawn ones included. */
  lastRowsAt(eventNumber: number, atMs: number): number[] {
    const rows: number[] = [];
    const seen = new Set<number>();
    for (let at = this.#lastRow.get(eventNumber) ?? NONE; at !== NONE; at = this.#columns.earlier(at)) {
      const key = this.#columns.quoteKey(at);
      if (this.#columns.receivedAtMs(at) > atMs || seen.has(key)) continue;
      seen.add(key);
      rows.push(at);
    }
    return rows;
  }

  /** Row numbers, sorted as the rows of a file: by event id, line and time. */
  inFileOrder(): Uint32Array {
    const rankByEvent = new Map(
      Array.from(new Map(this.fixtures.map(({ eventNumber, fixture }) => [eventNumber, fixture.eventId])))
        .sort(([, first], [, second]) => (first < second ? -1 : 1))
        .map(([eventNumber], rank) => [eventNumber, rank] as const),
    );
    const rank = Int32Array.from(this.fixtures, ({ eventNumber }) => rankByEvent.get(eventNumber)!);
    const columns = this.#columns;
    const order = new Uint32Array(this.rowCount).map((_, at) => at);
    return order.sort(
      (first, second) =>
        rank[columns.fixtureIndex(first)]! - rank[columns.fixtureIndex(second)]! ||
        columns.quoteKey(first) - columns.quoteKey(second) ||
        first - second,
    );
  }

  /** The ticks in a range, without standing rows, sorted as in a file. */
  changesIn({ fromMs, toMs }: TapeRange): TickRows {
    const columns = this.#columns;
    const rows = this.inFileOrder().filter((at) => {
      const receivedAtMs = columns.receivedAtMs(at);
      return receivedAtMs >= fromMs && receivedAtMs < toMs && !columns.isStanding(at);
    });
    return {
      rowCount: rows.length,
      receivedAtMs: (row) => columns.receivedAtMs(rows[row]!),
      tick: (row) => this.tick(rows[row]!),
    };
  }

  /**
   * A row as a tick. It is made as one literal, because that is fast and a past slate has a hundred thousand
   * ticks.
   */
  tick(at: number): Tick {
    const row = this.#columns.row(at);
    const { fixture, sport } = this.fixtures[row.fixtureIndex]!;
    const { quoteKey, scoreHome, scoreAway } = row;
    const market = marketOfKey(quoteKey);
    return {
      eventId: fixture.eventId,
      sport: fixture.sport,
      league: fixture.league,
      home: fixture.home,
      away: fixture.away,
      kickoffMs: fixture.kickoffMs,
      bookmaker: this.bookmakers[bookmakerOfKey(quoteKey)]!,
      marketType: MARKET_TYPES[market]!,
      period: PERIODS[periodOfKey(quoteKey)]!,
      line: market === MARKET_1X2 ? null : lineQuartersOfKey(quoteKey) / 4,
      status: TICK_STATUSES[row.status]!,
      pricesE4: pricesOf(row, outcomesOf(sport, market)),
      atMs: row.atMs,
      receivedAtMs: row.receivedAtMs,
      inPlay: row.inPlay,
      scoreHome: scoreHome < 0 ? null : scoreHome,
      scoreAway: scoreAway < 0 ? null : scoreAway,
      standing: row.standing,
    };
  }

  #count(row: SegmentRow): void {
    const { eventNumber, fixture, ids } = this.fixtures[row.fixtureIndex]!;
    for (const sight of this.#sightsOf[bookmakerOfKey(row.quoteKey)]!) {
      let held = this.#summaries[sight].get(eventNumber);
      if (held === undefined) {
        held = emptyOf(fixture, row.inPlay, ids);
        this.#summaries[sight].set(eventNumber, held);
      }
      if (countRow(held, fixture, row)) held.ids = ids;
    }
  }
}

/**
 * Which summaries count a bookmaker's rows. @param bookmaker -1 if it left the roster, so that no summary
 * counts it
 */
function sightsOf(bookmaker: number): readonly Sight[] {
  if (bookmaker < 0) return [];
  return isSharpBookmaker(bookmaker) ? ['all'] : ['all', 'common'];
}

function pricesOf({ status, priceA, priceB, priceC }: SegmentRow, outcomes: readonly Outcome[]): PricesE4 {
  if (TICK_STATUSES[status] === 'withdrawn') return NO_PRICES;
  const prices: Record<Outcome, number | null> = {
    home: null,
    draw: null,
    away: null,
    over: null,
    under: null,
  };
  const [first, second, third] = outcomes;
  if (first !== undefined) prices[first] = priceA;
  if (second !== undefined) prices[second] = priceB;
  if (third !== undefined) prices[third] = priceC;
  return prices;
}
