// The kernel of middles. For each two lines of a market it takes the best prices of two owners, if one of the
// bets can win while the other loses nothing. It values such a pair by the probability of each result. Like
// the other kernels it reads columns and scalars, writes into the caller's arrays and allocates nothing.

import { MARKET_ASIAN_HANDICAP, MARKET_TOTALS, PERIOD_FULL_TIME } from '../../domain/catalogue.ts';
import { PRICE_ONE_E4 } from '../../domain/odds-format.ts';
import {
  bookmakerOfKey,
  lineQuartersOfKey,
  marketLineOfKey,
  marketPeriodOfKey,
  packQuoteKey,
} from '../../store/quote-key.ts';
import type { SlateColumns } from '../../store/reader.ts';
import { OWNER_OF } from '../consensus-reach.ts';
import { COMPARISON_SLACK, takesPart } from '../criteria.ts';
import {
  BOOK_SHARP_AT,
  BOOK_WORDS,
  COUNT_IMPLAUSIBLE,
  KIND_MIDDLE,
  type KindPage,
  ROW_BOOK_COUNT,
  ROW_BOOKS,
  ROW_LINE,
  ROW_MARKET,
  ROW_MEASURES,
  ROW_OTHER_LINE,
  ROW_PERIOD,
  takeRow,
  writeBook,
} from './kind-rows.ts';
import {
  MIDDLE_BOTH_WIN,
  MIDDLE_EXPECTED,
  MIDDLE_NO_LOSS,
  MIDDLE_WORDS,
  MIDDLE_WORST,
  type MiddlePair,
  middleExpected,
  middleValue,
  type ResultTable,
} from './middle-value.ts';
import type { FixtureTables } from './result-tables.ts';

/** Larger than the rounding error of `middleExpected`. */
const ROUNDING = 1e-9;
/** Most lines of one market that are paired. If there are more, the highest lines are left out. */
const LINES_MAX = 64;
// Words of a line in the scratch array: its quarters and the row of the first sharp bookmaker. Then, for each
// of the two outcomes, the row of the best price and the row of another owner's best price; -1 for none.
const LINE_QUARTERS = 0;
const LINE_SHARP = 1;
const LINE_ROWS = 2;
const LINE_WORDS = 6;

export interface MiddleScratch {
  readonly lines: Int32Array;
  readonly value: Float64Array;
  readonly pair: MiddlePair;
  /** The rows of a pair's two prices. */
  readonly legs: Int32Array;
}

export function createMiddleScratch(): MiddleScratch {
  return {
    lines: new Int32Array(LINES_MAX * LINE_WORDS),
    value: new Float64Array(MIDDLE_WORDS),
    pair: { aboveQuarters: 0, abovePriceE4: 0, belowQuarters: 0, belowPriceE4: 0 },
    legs: new Int32Array(2),
  };
}

/** A page, which bets are wanted, and how results are valued. */
interface MiddlePage extends KindPage {
  /** Sharp bookmakers that the caller may see, for `lagging`. */
  readonly sharpMask: number;
  readonly minExpected: number;
  readonly maxExpected: number;
  readonly tables: FixtureTables;
  readonly scratch: MiddleScratch;
}

/** Writes the middles of a page. */
export function writeMiddles(page: MiddlePage): void {
  if (((page.periodMask >> PERIOD_FULL_TIME) & 1) === 0) return;
  for (let market = MARKET_ASIAN_HANDICAP; market <= MARKET_TOTALS; market++) {
    const table = tableOf(page, market);
    if (table === null || ((page.marketMask >> market) & 1) === 0) continue;
    const count = readLines(page, market);
    for (let low = 0; low < count; low++) {
      for (let high = low + 1; high < count; high++) {
        // A total is won above its line; a home handicap is won above minus the line, so the order of
        // handicap lines is reversed.
        if (market === MARKET_TOTALS) writePair(page, market, low, high, table);
        else writePair(page, market, high, low, table);
      }
    }
  }
}

function tableOf({ tables }: MiddlePage, market: number): ResultTable | null {
  return market === MARKET_TOTALS ? tables.totals : tables.margins;
}

/** Finds the best rows of each line of a market. @returns how many lines were found, at most LINES_MAX */
function readLines(page: MiddlePage, market: number): number {
  const { columns, base, end, bookmakerMask, sharpMask, quoteFromMs } = page;
  const { quoteKey } = columns;
  const { lines } = page.scratch;
  const wanted = marketPeriodOfKey(packQuoteKey(market, PERIOD_FULL_TIME, 0, 0));
  let count = -1;
  let lineKey = -1;
  for (let row = base; row < end; row++) {
    const key = quoteKey[row]!;
    if (marketPeriodOfKey(key) !== wanted) continue;
    const bookmaker = bookmakerOfKey(key);
    const isLeg = ((bookmakerMask >> bookmaker) & 1) === 1;
    const isSharp = ((sharpMask >> bookmaker) & 1) === 1;
    if ((!isLeg && !isSharp) || !takesPart(columns, row, 2, quoteFromMs)) continue;
    if (marketLineOfKey(key) !== lineKey) {
      if (count + 1 >= LINES_MAX) return LINES_MAX;
      lineKey = marketLineOfKey(key);
      count++;
      lines.fill(-1, count * LINE_WORDS, (count + 1) * LINE_WORDS);
      lines[count * LINE_WORDS + LINE_QUARTERS] = lineQuartersOfKey(key);
    }
    const at = count * LINE_WORDS;
    if (isSharp && lines[at + LINE_SHARP]! < 0) lines[at + LINE_SHARP] = row;
    if (!isLeg) continue;
    keepBest(columns.priceE4A, quoteKey, row, lines, at + LINE_ROWS);
    keepBest(columns.priceE4B, quoteKey, row, lines, at + LINE_ROWS + 2);
  }
  return count + 1;
}

/** Keeps the rows of the best price and of the best price of another owner. */
function keepBest(
  prices: SlateColumns['priceE4A'],
  quoteKey: SlateColumns['quoteKey'],
  row: number,
  lines: Int32Array,
  at: number,
): void {
  const best = lines[at]!;
  if (best < 0) {
    lines[at] = row;
    return;
  }
  const isSameOwner = OWNER_OF[bookmakerOfKey(quoteKey[row]!)] === OWNER_OF[bookmakerOfKey(quoteKey[best]!)];
  if (prices[row]! > prices[best]!) {
    lines[at] = row;
    if (!isSameOwner) lines[at + 1] = best;
  } else if (!isSameOwner && (lines[at + 1]! < 0 || prices[row]! > prices[lines[at + 1]!]!)) {
    lines[at + 1] = row;
  }
}

/**
 * Writes the rows of a pair's two prices, of different owners, into `legs`.
 * @param aboveAt where `lines` has the rows of the first outcome's best prices
 * @param belowAt where `lines` has those of the second outcome
 * @returns false if no two owners have them
 */
function chooseLegs(
  { quoteKey, priceE4A, priceE4B }: SlateColumns,
  { lines, legs }: MiddleScratch,
  aboveAt: number,
  belowAt: number,
): boolean {
  let above = lines[aboveAt]!;
  let below = lines[belowAt]!;
  if (above < 0 || below < 0) return false;
  if (OWNER_OF[bookmakerOfKey(quoteKey[above]!)] === OWNER_OF[bookmakerOfKey(quoteKey[below]!)]) {
    // If one owner has both best prices, one leg takes another owner's price: the leg where that costs less.
    const otherAbove = lines[aboveAt + 1]!;
    const otherBelow = lines[belowAt + 1]!;
    if (otherAbove < 0 && otherBelow < 0) return false;
    const costAbove =
      otherAbove < 0 ? Number.POSITIVE_INFINITY : 1 / priceE4A[otherAbove]! - 1 / priceE4A[above]!;
    const costBelow =
      otherBelow < 0 ? Number.POSITIVE_INFINITY : 1 / priceE4B[otherBelow]! - 1 / priceE4B[below]!;
    if (costAbove <= costBelow) above = otherAbove;
    else below = otherBelow;
  }
  legs[0] = above;
  legs[1] = below;
  return true;
}

/** Writes the pair of the first outcome at one line and the second outcome at another, if it is a middle. */
function writePair(
  { columns, tables, scratch, out, minExpected, maxExpected }: MiddlePage,
  market: number,
  aboveLine: number,
  belowLine: number,
  table: ResultTable,
): void {
  const aboveAt = aboveLine * LINE_WORDS;
  if (!chooseLegs(columns, scratch, aboveAt + LINE_ROWS, belowLine * LINE_WORDS + 2 + LINE_ROWS)) return;
  const { lines, value, pair, legs } = scratch;
  const above = legs[0]!;
  const below = legs[1]!;
  const sign = market === MARKET_TOTALS ? 1 : -1;
  const shift = market === MARKET_TOTALS ? tables.goalQuarters : 0;
  const aboveQuarters = lines[aboveAt + LINE_QUARTERS]!;
  const belowQuarters = lines[belowLine * LINE_WORDS + LINE_QUARTERS]!;
  pair.aboveQuarters = sign * aboveQuarters - shift;
  pair.belowQuarters = sign * belowQuarters - shift;
  pair.abovePriceE4 = columns.priceE4A[above]!;
  pair.belowPriceE4 = columns.priceE4B[below]!;
  // A quick check: the pair is skipped if it would return less than requested even if both bets won for
  // certain.
  const inverseSum = PRICE_ONE_E4 / pair.abovePriceE4 + PRICE_ONE_E4 / pair.belowPriceE4;
  if (2 / inverseSum - 1 < minExpected) return;
  if (middleExpected(table, pair) < minExpected - ROUNDING) return;
  middleValue(table, pair, value);
  const expected = value[MIDDLE_EXPECTED]!;
  if (!(value[MIDDLE_NO_LOSS]! > 0) || expected < minExpected - COMPARISON_SLACK) return;
  if (expected > maxExpected + COMPARISON_SLACK) {
    out.counts[COUNT_IMPLAUSIBLE]!++;
    return;
  }
  const offset = takeRow(out, KIND_MIDDLE);
  if (offset < 0) return;
  const { rows } = out;
  rows[offset + ROW_MARKET] = market;
  rows[offset + ROW_PERIOD] = PERIOD_FULL_TIME;
  rows[offset + ROW_LINE] = aboveQuarters;
  rows[offset + ROW_OTHER_LINE] = belowQuarters;
  rows[offset + ROW_MEASURES] = value[MIDDLE_BOTH_WIN]!;
  rows[offset + ROW_MEASURES + 1] = value[MIDDLE_NO_LOSS]!;
  rows[offset + ROW_MEASURES + 2] = expected;
  rows[offset + ROW_MEASURES + 3] = value[MIDDLE_WORST]!;
  rows[offset + ROW_BOOK_COUNT] = 2;
  const book = offset + ROW_BOOKS;
  writeBook(columns, above, 0, rows, book);
  rows[book + BOOK_SHARP_AT] = atMsOf(columns, lines[aboveAt + LINE_SHARP]!);
  writeBook(columns, below, 1, rows, book + BOOK_WORDS);
  const sharpBelow = lines[belowLine * LINE_WORDS + LINE_SHARP]!;
  rows[book + BOOK_WORDS + BOOK_SHARP_AT] = atMsOf(columns, sharpBelow);
}

function atMsOf({ quoteAtMs }: SlateColumns, row: number): number {
  return row < 0 ? Number.NaN : quoteAtMs[row]!;
}
