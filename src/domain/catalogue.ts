// The closed catalogues of the service: bookmakers, sports, markets, periods, formats and statuses. Each is
// defined here only; schemas, parsers, columns and pages are generated from these lists. A number in a column
// is an index into one of them. All are fixed except the bookmakers, which come from the roster (roster.ts);
// the roster does not change while a thread runs.

import { assert } from '../errors.ts';
import {
  type BookmakerClass,
  installedRoster,
  ROSTER_BOOKMAKERS_MAX,
  ROSTER_CLASSES,
  type RosterBookmaker,
  sharpMaskOf,
} from './roster.ts';

export const SPORTS = [
  { number: 1, key: 'football', name: 'Football' },
  { number: 2, key: 'basketball', name: 'Basketball' },
] as const;

/** Catalogue order breaks ties everywhere. A bookmaker's column value is its index in this list. */
export const BOOKMAKERS: readonly RosterBookmaker[] = installedRoster().bookmakers;

/** For example "seven bookmakers", for descriptions. */
export const BOOKMAKER_COUNT_TEXT = `${countText(BOOKMAKERS.length)} bookmaker${BOOKMAKERS.length === 1 ? '' : 's'}`;

/**
 * Bookmaker classes that answers may contain: the contract's two, or all of them with an operator's roster.
 */
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
 * An open quote that its source no longer confirms, when several sources are joined. It is shown as
 * suspended, although no message said that the bookmaker suspended it.
 */
export const QUOTE_WITHHELD = 2;
/** How each status of a quote on the slate is shown. */
export const SHOWN_QUOTE_STATUSES: readonly QuoteStatus[] = [...QUOTE_STATUSES, 'suspended'];

export const SPORT_KEYS: readonly SportKey[] = SPORTS.map((sport) => sport.key);
export const BOOKMAKER_KEYS: readonly BookmakerKey[] = BOOKMAKERS.map((book) => book.key);

/** A set of bookmakers, markets or periods is an Int32 mask: bit i stands for entry i of the list. */
const MASK_BITS = ROSTER_BOOKMAKERS_MAX;
/** A quote has three price columns, so a market has at most three outcomes. */
export const OUTCOMES_MAX = 3;

export const ALL_BOOKMAKERS_MASK = maskOfFirst(BOOKMAKERS.length);
/**
 * The bookmakers of class `sharp`, as a mask: one in the contract's roster, any number in an operator's
 * roster.
 */
export const SHARP_BOOKMAKERS_MASK = sharpMaskOf(BOOKMAKERS);
export const SHARP_BOOKMAKERS = BOOKMAKERS.filter((bookmaker) => bookmaker.class === 'sharp');
export const ALL_MARKETS_MASK = maskOfFirst(MARKET_TYPES.length);
export const ALL_PERIODS_MASK = maskOfFirst(PERIODS.length);

/** The bookmakers that a caller may see, as a mask. */
export function visibleBookmakerMask(seesSharp: boolean): number {
  return seesSharp ? ALL_BOOKMAKERS_MASK : ALL_BOOKMAKERS_MASK & ~SHARP_BOOKMAKERS_MASK;
}

/** Entry b is the mask of all bookmakers with the same owner as bookmaker b, including b. */
export const OWNER_MASKS = ownerMasksOf(BOOKMAKERS);

/** The bookmakers with the same owner as the first bookmaker of a non-empty mask. */
export function ownerMaskOf(bookmakerMask: number): number {
  return OWNER_MASKS[31 - Math.clz32(bookmakerMask & -bookmakerMask)]!;
}

/** A bookmaker without a group has an owner of its own. */
function ownerMasksOf(bookmakers: readonly Pick<RosterBookmaker, 'group'>[]): Int32Array {
  return Int32Array.from(bookmakers, ({ group }, index) =>
    group === undefined
      ? 1 << index
      : bookmakers.reduce((mask, book, other) => (book.group === group ? mask | (1 << other) : mask), 0),
  );
}

export function isSharpBookmaker(index: number): boolean {
  return ((SHARP_BOOKMAKERS_MASK >> index) & 1) === 1;
}

const TWO_WAY: readonly Outcome[] = ['home', 'away'];
const OVER_UNDER: readonly Outcome[] = ['over', 'under'];
const OUTCOMES_BY_MARKET: Readonly<Record<SportKey, Readonly<Record<MarketType, readonly Outcome[]>>>> = {
  football: { '1x2': OUTCOMES_1X2, asian_handicap: TWO_WAY, totals: OVER_UNDER },
  // Basketball has no draw: its 1x2 is the two-way moneyline.
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
 * Outcome names in the order of prices.
 * @param sport index into SPORTS
 * @param market index into MARKET_TYPES
 */
export function outcomesOf(sport: number, market: number): readonly Outcome[] {
  return OUTCOMES_BY_ROW[sport * MARKET_TYPES.length + market]!;
}

/** Number of outcomes, 2 or 3, for the kernels. */
export function outcomeCountOf(sport: number, market: number): number {
  return OUTCOME_COUNT_BY_ROW[sport * MARKET_TYPES.length + market]!;
}

/** A mask with bits 0 to count - 1 set. */
function maskOfFirst(count: number): number {
  assert(count <= MASK_BITS, `a list of ${count} fits the bits of an Int32`);
  return count === MASK_BITS ? -1 : (1 << count) - 1;
}

/** A count, in words up to ten: "seven", "28". */
export function countText(count: number): string {
  const words = 'no one two three four five six seven eight nine ten'.split(' ');
  return words[count] ?? String(count);
}

/** Index of `value` in a closed list, or -1. */
export function indexIn(list: readonly string[], value: string): number {
  return list.indexOf(value);
}
