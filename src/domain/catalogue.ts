// The closed catalogues of the service: books, sports, markets, periods, formats and statuses. Each exists once,
// here; schemas, parsers, columns and pages are made from these tables. A number in a column is an index into one. All
// but the bookmakers are fixed: those are the roster (roster.ts), which does not change while a thread runs.

import { assert } from '../errors.ts';
import {
  type Bookmaker,
  type BookmakerClass,
  installedRoster,
  ROSTER_BOOKMAKERS_MAX,
  ROSTER_CLASSES,
  sharpMaskOf,
} from './roster.ts';

export const SPORTS = [
  { number: 1, key: 'football', name: 'Football' },
  { number: 2, key: 'basketball', name: 'Basketball' },
] as const;

/** Catalogue order is the tie-break everywhere; a bookmaker's column value is its index here. */
export const BOOKMAKERS: readonly Bookmaker[] = installedRoster().bookmakers;

/** "seven bookmakers", for descriptions. */
export const BOOKMAKER_COUNT_TEXT = `${countText(BOOKMAKERS.length)} bookmaker${BOOKMAKERS.length === 1 ? '' : 's'}`;

/** Classes of bookmakers that may stand in answers: the contract's two, or all of an own roster. */
export const BOOKMAKER_CLASSES: readonly BookmakerClass[] =
  installedRoster().origin === null ? ['sharp', 'asian'] : ROSTER_CLASSES;
export const MARKET_TYPES = ['1x2', 'asian_handicap', 'totals'] as const;
export const PERIODS = ['full_time', 'half_time'] as const;
export const EVENT_STATUSES = ['scheduled', 'live', 'finished'] as const;
export const QUOTE_STATUSES = ['open', 'suspended'] as const;
export const ODDS_FORMATS = ['decimal', 'hk', 'malay', 'american', 'indonesian', 'probability'] as const;
export const OUTCOMES = ['home', 'draw', 'away', 'over', 'under'] as const;
export const OUTCOMES_1X2 = ['home', 'draw', 'away'] as const;

export type SportKey = (typeof SPORTS)[number]['key'];
/** A key of the roster. */
export type BookmakerKey = string;
export type MarketType = (typeof MARKET_TYPES)[number];
export type Period = (typeof PERIODS)[number];
export type EventStatus = (typeof EVENT_STATUSES)[number];
export type QuoteStatus = (typeof QUOTE_STATUSES)[number];
export type OddsFormat = (typeof ODDS_FORMATS)[number];
export type Outcome = (typeof OUTCOMES)[number];

export const SPORT_FOOTBALL = 0;
export const SPORT_BASKETBALL = 1;
export const MARKET_1X2 = 0;
export const MARKET_ASIAN_HANDICAP = 1;
export const MARKET_TOTALS = 2;
export const PERIOD_FULL_TIME = 0;
export const PERIOD_HALF_TIME = 1;
export const STATUS_SCHEDULED = 0;
export const STATUS_LIVE = 1;
export const STATUS_FINISHED = 2;
export const QUOTE_OPEN = 0;
export const QUOTE_SUSPENDED = 1;
/**
 * An open quote that its source no longer confirms, where several sources are joined. It is shown as suspended,
 * although no message has said that its bookmaker pulled it.
 */
export const QUOTE_WITHHELD = 2;
/** How each status of a quote on the slate is shown. */
export const SHOWN_QUOTE_STATUSES: readonly QuoteStatus[] = [...QUOTE_STATUSES, 'suspended'];

export const SPORT_KEYS: readonly SportKey[] = SPORTS.map((sport) => sport.key);
export const BOOKMAKER_KEYS: readonly BookmakerKey[] = BOOKMAKERS.map((book) => book.key);

/** A set of books, markets or periods is an Int32 mask, bit i for the list's entry i. */
const MASK_BITS = ROSTER_BOOKMAKERS_MAX;
/** Prices of a quote: a quote has three price columns, so a market has at most three outcomes. */
export const OUTCOMES_MAX = 3;

export const ALL_BOOKMAKERS_MASK = maskOfFirst(BOOKMAKERS.length);
/** The bookmakers of class `sharp`: one of the contract's, one or more of an own roster. */
export const SHARP_BOOKMAKERS_MASK = sharpMaskOf(BOOKMAKERS);
export const SHARP_BOOKMAKERS = BOOKMAKERS.filter((bookmaker) => bookmaker.class === 'sharp');
export const ALL_MARKETS_MASK = maskOfFirst(MARKET_TYPES.length);
export const ALL_PERIODS_MASK = maskOfFirst(PERIODS.length);

/** The books a caller may see, as a mask. */
export function visibleBookmakerMask(seesSharp: boolean): number {
  return seesSharp ? ALL_BOOKMAKERS_MASK : ALL_BOOKMAKERS_MASK & ~SHARP_BOOKMAKERS_MASK;
}

/** Entry b: the books that have the same owner as book b, itself included. */
export const OWNER_MASKS = ownerMasksOf(BOOKMAKERS);

/** The books that have the same owner as the first book of a mask that is not empty. */
export function ownerMaskOf(bookmakerMask: number): number {
  return OWNER_MASKS[31 - Math.clz32(bookmakerMask & -bookmakerMask)]!;
}

/** Masks of the books that share an owner, by index; a book without a group is alone. */
function ownerMasksOf(bookmakers: readonly Pick<Bookmaker, 'group'>[]): Int32Array {
  return Int32Array.from(bookmakers, ({ group }, index) =>
    group === undefined
      ? 1 << index
      : bookmakers.reduce((mask, book, other) => (book.group === group ? mask | (1 << other) : mask), 0),
  );
}

/** Whether the bookmaker with this index is of class `sharp`. */
export function isSharpBookmaker(index: number): boolean {
  return ((SHARP_BOOKMAKERS_MASK >> index) & 1) === 1;
}

const TWO_WAY: readonly Outcome[] = ['home', 'away'];
const OVER_UNDER: readonly Outcome[] = ['over', 'under'];
const OUTCOMES_BY_MARKET: Readonly<Record<SportKey, Readonly<Record<MarketType, readonly Outcome[]>>>> = {
  football: { '1x2': OUTCOMES_1X2, asian_handicap: TWO_WAY, totals: OVER_UNDER },
  // A basketball match has a winner: its 1x2 is the two-way moneyline.
  basketball: { '1x2': TWO_WAY, asian_handicap: TWO_WAY, totals: OVER_UNDER },
};
/** Row of sport s and market m: s * MARKET_TYPES.length + m. */
const OUTCOMES_BY_ROW = SPORT_KEYS.flatMap((sport) =>
  MARKET_TYPES.map((market) => OUTCOMES_BY_MARKET[sport][market]),
);
const OUTCOME_COUNT_BY_ROW = Uint8Array.from(OUTCOMES_BY_ROW, (outcomes) => outcomes.length);
assert(
  OUTCOME_COUNT_BY_ROW.every((count) => count === 2 || count === OUTCOMES_MAX),
  'a market has two or three outcomes',
);

/**
 * Outcome names in price order.
 * @param sport index into SPORTS
 * @param market index into MARKET_TYPES
 */
export function outcomesOf(sport: number, market: number): readonly Outcome[] {
  return OUTCOMES_BY_ROW[sport * MARKET_TYPES.length + market]!;
}

/** How many they are, 2 or 3, for kernels. */
export function outcomeCountOf(sport: number, market: number): number {
  return OUTCOME_COUNT_BY_ROW[sport * MARKET_TYPES.length + market]!;
}

/** Bits 0 to count - 1 of an Int32. */
function maskOfFirst(count: number): number {
  assert(count <= MASK_BITS, `a list of ${count} fits the bits of an Int32`);
  return count === MASK_BITS ? -1 : (1 << count) - 1;
}

/** A count in words up to ten: "seven", "28". */
export function countText(count: number): string {
  const words = 'no one two three four five six seven eight nine ten'.split(' ');
  return words[count] ?? String(count);
}

/** Index of `value` in a closed list, or -1: the one way from a word to a column value. */
export function indexIn(list: readonly string[], value: string): number {
  return list.indexOf(value);
}
