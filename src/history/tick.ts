// What the tape is made of: ticks and gaps. A tick is one published change of the prices or the status of one
// bookmaker's line. A standing row is not a change. It repeats a line that was on the slate, open or
// suspended, when its file was begun. tick-columns.ts has the columns of the files.

import { DAY_MS } from '../clock.ts';
import {
  BOOKMAKER_KEYS,
  MARKET_TYPES,
  type MarketType,
  type Outcome,
  PERIODS,
  type Period,
  type SportKey,
} from '../domain/catalogue.ts';

export const TICK_STATUSES = ['open', 'suspended', 'withdrawn'] as const;
export type TickStatus = (typeof TICK_STATUSES)[number];

/** Prices of one line in ten-thousandths (1.95 is 19500), null where the market lacks the outcome. */
export type PricesE4 = Readonly<Record<Outcome, number | null>>;

/**
 * The fixture of a tick, as it was known when the tick was published; in ticks of imports, as it was stated
 * last.
 */
export interface TickFixture {
  readonly eventId: string;
  readonly sport: SportKey;
  /** Names, as in the API. */
  readonly league: string;
  readonly home: string;
  readonly away: string;
  /** Unix ms; null when unknown. */
  readonly kickoffMs: number | null;
}

/** Ids of the league and the teams of a fixture. The files keep them beside the columns, once per fixture. */
export interface FixtureIds {
  readonly leagueId: string;
  readonly homeId: string;
  readonly awayId: string;
  /** How the match ended, only in imports that know it. */
  readonly result?: PastResult | undefined;
}

/** How a match ended. */
export interface PastResult {
  readonly score: readonly [home: number, away: number];
  /** Red cards; null when unknown. */
  readonly cards: readonly [home: number, away: number] | null;
  /** Unix ms. */
  readonly finishedAtMs: number;
}

/** One bookmaker's line within a fixture. */
export interface TickLine {
  /** Key of the API. A bookmaker that has left the roster keeps its key on the tape. */
  readonly bookmaker: string;
  readonly marketType: MarketType;
  readonly period: Period;
  /** The home side's handicap or the total; null for a 1x2. */
  readonly line: number | null;
}

/** The line's key within its fixture, for maps: equal for the same line of the same bookmaker. */
export function lineKeyOf({ bookmaker, marketType, period, line }: TickLine): string {
  return `${bookmaker}|${marketType}|${period}|${line ?? ''}`;
}

export interface Tick extends TickFixture, TickLine {
  readonly status: TickStatus;
  /** All null when the line was withdrawn. */
  readonly pricesE4: PricesE4;
  /** Source time, Unix ms: the `as_of` of the quote. */
  readonly atMs: number;
  /**
   * When the slate that shows it was published, Unix ms. This time decides what an answer about a past
   * instant shows.
   */
  readonly receivedAtMs: number;
  readonly inPlay: boolean;
  readonly scoreHome: number | null;
  readonly scoreAway: number | null;
  /**
   * True for a tick that is not a change. It repeats a line that was already on the slate when the file was
   * begun, so that the file can be read alone. Its times are those of the change that it repeats.
   */
  readonly standing: boolean;
}

/**
 * A part of the tape, Unix ms. `toMs` is exclusive where ticks are selected; where a range is reported, it is
 * the time of the last tick.
 */
export interface TapeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A key that is equal for the same line of the same fixture. */
export function rowKeyOf(tick: Pick<Tick, 'eventId'> & TickLine): string {
  return `${tick.eventId}|${lineKeyOf(tick)}`;
}

/** Ticks in memory as columns. Each becomes an object when it is requested. */
export interface TickRows {
  readonly rowCount: number;
  receivedAtMs(row: number): number;
  tick(row: number): Tick;
}

export const GAP_REASONS = ['stopped', 'feed_lost', 'overrun', 'disk_full'] as const;
export type GapReason = (typeof GAP_REASONS)[number];

/** The tape cannot say what was published from `fromMs` (inclusive) to `toMs` (exclusive). */
export interface Gap {
  readonly fromMs: number;
  /** Null while it lasts. */
  readonly toMs: number | null;
  readonly reason: GapReason;
  /**
   * When the file begins, if this was recorded before the removal of a file. A process that was killed before
   * the removal has left it, perhaps in several parts.
   */
  readonly removedFromMs?: number;
}

export const NO_PRICES: PricesE4 = { home: null, draw: null, away: null, over: null, under: null };

/**
 * The order of rows in a file: by fixture, market, period, line and bookmaker, so that neighbours are alike.
 * Use it with a stable sort, so that rows of one line stay in the order of publishing, the standing row
 * first.
 */
export function compareTickLines(
  first: Pick<Tick, 'eventId'> & TickLine,
  second: Pick<Tick, 'eventId'> & TickLine,
): number {
  if (first.eventId !== second.eventId) return first.eventId < second.eventId ? -1 : 1;
  return (
    MARKET_TYPES.indexOf(first.marketType) - MARKET_TYPES.indexOf(second.marketType) ||
    PERIODS.indexOf(first.period) - PERIODS.indexOf(second.period) ||
    (first.line ?? 0) - (second.line ?? 0) ||
    compareBookmakers(first.bookmaker, second.bookmaker)
  );
}

/** The roster's order; bookmakers that have left it come last, by key. */
function compareBookmakers(first: string, second: string): number {
  if (first === second) return 0;
  const firstRank = rankOf(first);
  const secondRank = rankOf(second);
  return firstRank === secondRank ? (first < second ? -1 : 1) : firstRank - secondRank;
}

function rankOf(bookmaker: string): number {
  const rank = BOOKMAKER_KEYS.indexOf(bookmaker);
  return rank < 0 ? BOOKMAKER_KEYS.length : rank;
}

/** The UTC day of an instant, as in the folder names: "2026-06-19". */
export function dayOf(atMs: number): string {
  return new Date(Math.floor(atMs / DAY_MS) * DAY_MS).toISOString().slice(0, 10);
}

/** When a day begins, Unix ms. It ends one day later. @param day as `dayOf` writes it */
export function dayStartMs(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

/** The day after a day. */
export function nextDay(day: string): string {
  return dayOf(dayStartMs(day) + DAY_MS);
}
