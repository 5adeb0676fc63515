// Ticks that are not in a Parquet file yet, as columns in memory. It begins with the lines that stood when it
// was begun (standing rows) and grows by one row per tick. Rows of one fixture are chained, newest first.

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
  DAY_MS,
  dayOf,
  dayStartMs,
  type FixtureIds,
  NO_PRICES,
  type PricesE4,
  TICK_STATUSES,
  type Tick,
  type TickFixture,
} from '../tick.ts';

/** A fixture as it was known for some of the rows; a change of its kickoff or names adds another entry. */
export interface SegmentFixture {
  readonly eventNumber: number;
  /** Index into SPORTS. */
  readonly sport: number;
  readonly fixture: TickFixture;
  readonly ids: FixtureIds;
}

/** One row before it is stored. */
export interface SegmentRow {
  /** Index into the segment's fixtures. */
  readonly fixtureIndex: number;
  /** As the store packs it (store/quote-key.ts), with this roster's bookmakers. */
  readonly quoteKey: number;
  /** In ten-thousandths, in outcome order, 0 for none. */
  readonly priceA: number;
  readonly priceB: number;
  readonly priceC: number;
  /** Index into TICK_STATUSES. */
  readonly status: number;
  readonly inPlay: boolean;
  readonly standing: boolean;
  /** -1 when unknown. */
  readonly scoreHome: number;
  readonly scoreAway: number;
  readonly atMs: number;
  readonly receivedAtMs: number;
}

const FLAG_IN_PLAY = 4;
const FLAG_STANDING = 8;
const STATUS_MASK = 3;
const NONE = -1;
const ROWS_FIRST = 4_096;
/** Marks of one segment, far more than the slate has fixtures. Full: the segment becomes a file. */
const MARKS_MAX = 100_000;

const SIGHTS = ['all', 'common'] as const;
const SHARP_SIGHTS = ['all'] as const;

export class LiveSegment {
  readonly fixtures: SegmentFixture[] = [];
  readonly #marks: IndexedMark[] = [];
  /** By event number, indexes of its marks. */
  readonly #marksOf = new Map<number, number[]>();
  /** The roster that the quote keys refer to. */
  readonly bookmakers: readonly string[];
  #capacity = ROWS_FIRST;
  #rowCount = 0;
  #standingCount = 0;
  #fixtureIndex = new Int32Array(ROWS_FIRST);
  #quoteKey = new Int32Array(ROWS_FIRST);
  #prices = new Int32Array(3 * ROWS_FIRST);
  #flags = new Uint8Array(ROWS_FIRST);
  #scores = new Int16Array(2 * ROWS_FIRST);
  #atMs = new Float64Array(ROWS_FIRST);
  #receivedAtMs = new Float64Array(ROWS_FIRST);
  /** The row before this one of the same fixture, or NONE. */
  #earlier = new Int32Array(ROWS_FIRST);
  readonly #lastRow = new Map<number, number>();
  /** By event number. */
  readonly #summaries = { all: new Map<number, Counted>(), common: new Map<number, Counted>() };
  #firstTickMs = Number.POSITIVE_INFINITY;
  #lastTickMs = Number.NEGATIVE_INFINITY;

  constructor(bookmakers: readonly string[] = BOOKMAKER_KEYS) {
    this.bookmakers = bookmakers;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** Rows without the standing ones. */
  get tickCount(): number {
    return this.#rowCount - this.#standingCount;
  }

  /** Whether it should become a file, so that it takes no more memory. */
  isFull(ticksMax: number): boolean {
    return this.tickCount >= ticksMax || this.#marks.length >= MARKS_MAX;
  }

  /** When the first and the last tick were received; Infinity and -Infinity without a tick. */
  get firstTickMs(): number {
    return this.#firstTickMs;
  }
  get lastTickMs(): number {
    return this.#lastTickMs;
  }

  /** When anything in it last changed, a line or the state of a match. */
  get lastChangeMs(): number {
    return Math.max(this.#lastTickMs, this.#marks.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY);
  }

  /** Whether an instant lies after the UTC day of the first tick. A segment holds ticks of one day. */
  isDayOver(instantMs: number): boolean {
    return this.tickCount > 0 && instantMs >= dayStartMs(dayOf(this.#firstTickMs)) + DAY_MS;
  }

  /**
   * The marks in the order of publishing. The first ones repeat the state of each match when the segment was
   * begun.
   */
  get marks(): readonly IndexedMark[] {
    return this.#marks;
  }

  addFixture(fixture: SegmentFixture): number {
    return this.fixtures.push(fixture) - 1;
  }

  addMark(mark: IndexedMark): void {
    const { eventNumber } = this.fixtures[mark.fixtureIndex]!;
    const index = this.#marks.push(mark) - 1;
    const own = this.#marksOf.get(eventNumber);
    if (own === undefined) this.#marksOf.set(eventNumber, [index]);
    else own.push(index);
  }

  /** The marks of one fixture, in the same order. */
  marksOf(eventNumber: number): IndexedMark[] {
    return (this.#marksOf.get(eventNumber) ?? []).map((index) => this.#marks[index]!);
  }

  /** @returns the row's number */
  add(row: SegmentRow): number {
    if (this.#rowCount === this.#capacity) this.#grow();
    const at = this.#rowCount++;
    this.#fixtureIndex[at] = row.fixtureIndex;
    this.#quoteKey[at] = row.quoteKey;
    this.#prices[3 * at] = row.priceA;
    this.#prices[3 * at + 1] = row.priceB;
    this.#prices[3 * at + 2] = row.priceC;
    this.#flags[at] = row.status | (row.inPlay ? FLAG_IN_PLAY : 0) | (row.standing ? FLAG_STANDING : 0);
    this.#scores[2 * at] = row.scoreHome;
    this.#scores[2 * at + 1] = row.scoreAway;
    this.#atMs[at] = row.atMs;
    this.#receivedAtMs[at] = row.receivedAtMs;
    const { eventNumber } = this.fixtures[row.fixtureIndex]!;
    this.#earlier[at] = this.#lastRow.get(eventNumber) ?? NONE;
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
    const flags = this.#flags[at]!;
    return {
      fixtureIndex: this.#fixtureIndex[at]!,
      quoteKey: this.#quoteKey[at]!,
      priceA: this.#prices[3 * at]!,
      priceB: this.#prices[3 * at + 1]!,
      priceC: this.#prices[3 * at + 2]!,
      status: flags & STATUS_MASK,
      inPlay: (flags & FLAG_IN_PLAY) !== 0,
      standing: (flags & FLAG_STANDING) !== 0,
      scoreHome: this.#scores[2 * at]!,
      scoreAway: this.#scores[2 * at + 1]!,
      atMs: this.#atMs[at]!,
      receivedAtMs: this.#receivedAtMs[at]!,
    };
  }

  /** Whether the row has other prices or another status than these. */
  differs(at: number, prices: readonly [number, number, number], status: number): boolean {
    return (
      this.#prices[3 * at] !== prices[0] ||
      this.#prices[3 * at + 1] !== prices[1] ||
      this.#prices[3 * at + 2] !== prices[2] ||
      (this.#flags[at]! & STATUS_MASK) !== status
    );
  }

  eventNumbers(): IterableIterator<number> {
    return this.#lastRow.keys();
  }

  /** Row numbers of one fixture, oldest first. */
  rowsOf(eventNumber: number): number[] {
    const rows: number[] = [];
    for (let at = this.#lastRow.get(eventNumber) ?? NONE; at !== NONE; at = this.#earlier[at]!) rows.push(at);
    return rows.reverse();
  }

  /** The last row of each line of a fixture that was published by an instant, withdrawn ones included. */
  lastRowsAt(eventNumber: number, atMs: number): number[] {
    const rows: number[] = [];
    const seen = new Set<number>();
    for (let at = this.#lastRow.get(eventNumber) ?? NONE; at !== NONE; at = this.#earlier[at]!) {
      const key = this.#quoteKey[at]!;
      if (this.#receivedAtMs[at]! > atMs || seen.has(key)) continue;
      seen.add(key);
      rows.push(at);
    }
    return rows;
  }

  /** Row numbers in the order of a file: by event id, line and time. */
  inFileOrder(): Uint32Array {
    const rankByEvent = new Map(
      Array.from(new Map(this.fixtures.map(({ eventNumber, fixture }) => [eventNumber, fixture.eventId])))
        .sort(([, first], [, second]) => (first < second ? -1 : 1))
        .map(([eventNumber], rank) => [eventNumber, rank] as const),
    );
    const rank = Int32Array.from(this.fixtures, ({ eventNumber }) => rankByEvent.get(eventNumber)!);
    const order = new Uint32Array(this.#rowCount).map((_, at) => at);
    return order.sort(
      (first, second) =>
        rank[this.#fixtureIndex[first]!]! - rank[this.#fixtureIndex[second]!]! ||
        this.#quoteKey[first]! - this.#quoteKey[second]! ||
        first - second,
    );
  }

  /** One literal with every field, because it is fast: a slate of the past has a hundred thousand ticks. */
  tick(at: number): Tick {
    const { fixture, sport } = this.fixtures[this.#fixtureIndex[at]!]!;
    const quoteKey = this.#quoteKey[at]!;
    const flags = this.#flags[at]!;
    const market = marketOfKey(quoteKey);
    const scoreHome = this.#scores[2 * at]!;
    const scoreAway = this.#scores[2 * at + 1]!;
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
      status: TICK_STATUSES[flags & STATUS_MASK]!,
      pricesE4: this.#pricesOf(at, outcomesOf(sport, market)),
      atMs: this.#atMs[at]!,
      receivedAtMs: this.#receivedAtMs[at]!,
      inPlay: (flags & FLAG_IN_PLAY) !== 0,
      scoreHome: scoreHome < 0 ? null : scoreHome,
      scoreAway: scoreAway < 0 ? null : scoreAway,
      standing: (flags & FLAG_STANDING) !== 0,
    };
  }

  #pricesOf(at: number, outcomes: readonly Outcome[]): PricesE4 {
    if (TICK_STATUSES[this.#flags[at]! & STATUS_MASK] === 'withdrawn') return NO_PRICES;
    const prices: Record<Outcome, number | null> = {
      home: null,
      draw: null,
      away: null,
      over: null,
      under: null,
    };
    for (let index = 0; index < outcomes.length; index++) {
      prices[outcomes[index]!] = this.#prices[3 * at + index]!;
    }
    return prices;
  }

  #count({ fixtureIndex, quoteKey, inPlay, receivedAtMs, standing }: SegmentRow): void {
    const bookmaker = BOOKMAKER_KEYS.indexOf(this.bookmakers[bookmakerOfKey(quoteKey)]!);
    if (bookmaker < 0) return;
    const { eventNumber, fixture, ids } = this.fixtures[fixtureIndex]!;
    const facts = { ...fixture, inPlay, receivedAtMs, standing };
    for (const sight of isSharpBookmaker(bookmaker) ? SHARP_SIGHTS : SIGHTS) {
      let held = this.#summaries[sight].get(eventNumber);
      if (held === undefined) {
        held = emptyOf(facts, ids);
        this.#summaries[sight].set(eventNumber, held);
      }
      countRow(held, facts);
    }
  }

  #grow(): void {
    this.#capacity = Math.ceil(this.#capacity * 1.5);
    const wider = <Column extends Int32Array | Int16Array | Uint8Array | Float64Array>(
      column: Column,
      wide: Column,
    ): Column => {
      wide.set(column);
      return wide;
    };
    this.#fixtureIndex = wider(this.#fixtureIndex, new Int32Array(this.#capacity));
    this.#quoteKey = wider(this.#quoteKey, new Int32Array(this.#capacity));
    this.#prices = wider(this.#prices, new Int32Array(3 * this.#capacity));
    this.#flags = wider(this.#flags, new Uint8Array(this.#capacity));
    this.#scores = wider(this.#scores, new Int16Array(2 * this.#capacity));
    this.#atMs = wider(this.#atMs, new Float64Array(this.#capacity));
    this.#receivedAtMs = wider(this.#receivedAtMs, new Float64Array(this.#capacity));
    this.#earlier = wider(this.#earlier, new Int32Array(this.#capacity));
  }
}
