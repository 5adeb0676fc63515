// A quote's key within its fixture, packed into one Int32 that sorts by market, period, line, book:
//
//   bits 20..19 market | bit 18 period | bits 17..4 line in quarters + 8192 | bits 3..0 bookmaker index

import { assert } from '../errors.ts';
import { LINE_QUARTERS_MAX } from '../limits.ts';

const LINE_BIAS = 8_192;
const LINE_SHIFT = 4;
const PERIOD_SHIFT = 18;
const MARKET_SHIFT = 19;

assert(LINE_QUARTERS_MAX < LINE_BIAS, 'every line the parser lets through fits the key');

/** Packs a key. `line` is in quarters; a 1x2 has line 0. */
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

/** Index into BOOKMAKERS. */
export function bookmakerOfKey(key: number): number {
  return key & 15;
}
/** The line in quarters; 0 for a 1x2. */
export function lineQuartersOfKey(key: number): number {
  return ((key >> LINE_SHIFT) & 16_383) - LINE_BIAS;
}
/** Index into PERIODS. */
export function periodOfKey(key: number): number {
  return (key >> PERIOD_SHIFT) & 1;
}
/** Index into MARKET_TYPES. */
export function marketOfKey(key: number): number {
  return key >> MARKET_SHIFT;
}
/** The key without its book: equal for all books of one market line. */
export function marketLineOfKey(key: number): number {
  return key >> LINE_SHIFT;
}
/** Market and period alone, 0 to 5: equal for all lines of one market. */
export function marketPeriodOfKey(key: number): number {
  return key >> PERIOD_SHIFT;
}
