// The key of a quote within its fixture, packed into one Int32 that sorts by market, period, line, bookmaker:
//
// bits 21..20 market | bit 19 period | bits 18..5 line in quarters + 8192 | bits 4..0 bookmaker
//
// The archive stores these keys: a change of the widths needs a migration there (storage/database-schema.ts).

import { BOOKMAKERS, MARKET_TYPES, PERIODS } from '../domain/catalogue.ts';
import { ROSTER_BOOKMAKERS_MAX } from '../domain/roster.ts';
import { assert } from '../errors.ts';
import { BOOKMAKERS_MAX, LINE_QUARTERS_MAX } from '../limits.ts';

const BOOKMAKER_BITS = 5;
const LINE_BITS = 14;
const PERIOD_BITS = 1;
const MARKET_BITS = 2;

const LINE_SHIFT = BOOKMAKER_BITS;
const PERIOD_SHIFT = LINE_SHIFT + LINE_BITS;
const MARKET_SHIFT = PERIOD_SHIFT + PERIOD_BITS;
const BOOKMAKER_MASK = 2 ** BOOKMAKER_BITS - 1;
const LINE_MASK = 2 ** LINE_BITS - 1;
const PERIOD_MASK = 2 ** PERIOD_BITS - 1;
const LINE_BIAS = 2 ** (LINE_BITS - 1);

assert(BOOKMAKERS_MAX === ROSTER_BOOKMAKERS_MAX, 'a roster may be as long as the store has room for');
assert(BOOKMAKERS_MAX <= 2 ** BOOKMAKER_BITS, 'every bookmaker index fits the quote key');
assert(BOOKMAKERS.length <= BOOKMAKERS_MAX, `the catalogue has at most ${BOOKMAKERS_MAX} bookmakers`);
assert(LINE_QUARTERS_MAX < LINE_BIAS, 'every line that the parser accepts fits the quote key');
assert(PERIODS.length <= 2 ** PERIOD_BITS, 'every period fits the quote key');
assert(MARKET_TYPES.length <= 2 ** MARKET_BITS, 'every market fits the quote key');
assert(MARKET_SHIFT + MARKET_BITS < 32, 'a quote key is an Int32 that is not negative');

type QuoteKeyParts = Readonly<Record<'market' | 'period' | 'lineQuarters' | 'bookmaker', number>>;

/**
 * Packs a key.
 * @param market index into MARKET_TYPES
 * @param period index into PERIODS
 * @param lineQuarters the line in quarters; 0 for a 1x2
 * @param bookmaker index into BOOKMAKERS
 */
export function packQuoteKey(
  market: number,
  period: number,
  lineQuarters: number,
  bookmaker: number,
): number {
  return (
    (market << MARKET_SHIFT) |
    (period << PERIOD_SHIFT) |
    ((lineQuarters + LINE_BIAS) << LINE_SHIFT) |
    bookmaker
  );
}

/** The key of a message's line and bookmaker. */
export function quoteKeyOf({ market, period, lineQuarters, bookmaker }: QuoteKeyParts): number {
  return packQuoteKey(market, period, lineQuarters, bookmaker);
}

/** Index into BOOKMAKERS. */
export function bookmakerOfKey(key: number): number {
  return key & BOOKMAKER_MASK;
}
/** The line in quarters; 0 for a 1x2. */
export function lineQuartersOfKey(key: number): number {
  return ((key >> LINE_SHIFT) & LINE_MASK) - LINE_BIAS;
}
/** Index into PERIODS. */
export function periodOfKey(key: number): number {
  return (key >> PERIOD_SHIFT) & PERIOD_MASK;
}
/** Index into MARKET_TYPES. */
export function marketOfKey(key: number): number {
  return key >> MARKET_SHIFT;
}
/** The key without its bookmaker: equal for all bookmakers of one market line. */
export function marketLineOfKey(key: number): number {
  return key >> LINE_SHIFT;
}
/** Market and period alone: equal for all lines of one market, and ascending with the key. */
export function marketPeriodOfKey(key: number): number {
  return key >> PERIOD_SHIFT;
}
/**
 * Number of line groups per fixture: one for each bookmaker in each market and period, the granularity of
 * filters.
 */
export const LINE_GROUPS = MARKET_TYPES.length * PERIODS.length * BOOKMAKERS.length;

/** The group of a key's line, 0 to LINE_GROUPS - 1. */
export function lineGroupOf(key: number): number {
  return (marketOfKey(key) * PERIODS.length + periodOfKey(key)) * BOOKMAKERS.length + bookmakerOfKey(key);
}
/** For each group, the key of its line 0: for filters, which ignore lines. */
export const LINE_GROUP_KEYS: Int32Array = Int32Array.from({ length: LINE_GROUPS }, (_, group) => {
  const marketPeriod = Math.floor(group / BOOKMAKERS.length);
  const market = Math.floor(marketPeriod / PERIODS.length);
  return packQuoteKey(market, marketPeriod % PERIODS.length, 0, group % BOOKMAKERS.length);
});
/** The key without its line: equal for all lines that one bookmaker has in one market and period. */
export function bookmakerMarketOfKey(key: number): number {
  return (marketPeriodOfKey(key) << BOOKMAKER_BITS) | bookmakerOfKey(key);
}
