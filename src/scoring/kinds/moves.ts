// The kernel of moves and steam: compares the open prices of a page with what the same bookmaker showed at
// the same line some time before (store/price-windows.ts). It reads columns and scalars, writes into the
// caller's arrays and allocates nothing.

import { MARKET_1X2, outcomeCountOf, SHARP_BOOKMAKERS_MASK } from '../../domain/catalogue.ts';
import { heardBefore, WINDOW_PRICES, windowPriceAt } from '../../store/price-windows.ts';
import {
  bookmakerOfKey,
  lineQuartersOfKey,
  marketLineOfKey,
  marketOfKey,
  periodOfKey,
} from '../../store/quote-key.ts';
import type { SlateColumns } from '../../store/reader.ts';
import { OWNER_OF } from '../consensus-reach.ts';
import { COMPARISON_SLACK, inverseSumOf, inverseSumOfRow, priceColumnOf, takesPart } from '../criteria.ts';
import { powerFair } from '../power-method.ts';
import { bitCount } from '../score-rows.ts';
import type { KindCriteria } from './kind-criteria.ts';
import {
  BOOK_FROM,
  BOOK_TO,
  BOOK_WORDS,
  BOOKS_SHOWN_MAX,
  KIND_MOVE,
  KIND_STEAM,
  type KindPage,
  type MoveHit,
  ROW_BOOK_COUNT,
  ROW_BOOKS,
  ROW_LINE,
  ROW_MARKET,
  ROW_MEASURES,
  ROW_OUTCOME,
  ROW_PERIOD,
  ROW_WAY,
  takeRow,
  writeBook,
} from './kind-rows.ts';

const NONE = -1;

export type MoveScratch = Readonly<ReturnType<typeof createMoveScratch>>;

export function createMoveScratch(quotesPerFixture: number) {
  return {
    /** For each row of the page, the index of the price before, or NONE. */
    before: new Int32Array(quotesPerFixture),
    /** For each row, the index of its window, or NONE. */
    window: new Int32Array(quotesPerFixture),
    /** Two masks per outcome, side by side: owners whose price rose, owners whose price fell. */
    owners: new Int32Array(6),
    fair: new Float64Array(3),
    fairBefore: new Float64Array(3),
    /** One word, Unix seconds: before this time, the hits change only when a price changes. */
    untilS: new Float64Array(1),
  };
}

/** A page, and the windows of its slot. */
interface MovePage extends KindPage {
  readonly scratch: MoveScratch;
  readonly slot: number;
  readonly sport: number;
  readonly nowS: number;
}

/**
 * Finds the window of each row; windows and rows are both sorted by key. Call it before `writeSteam` and
 * `writeMoves`.
 */
export function findWindows(page: MovePage): void {
  const { windowHead, windowNext, windowKey, quoteKey } = page.columns;
  const { scratch } = page;
  let window = windowHead[page.slot]! - 1;
  let steps = windowKey.length; // a bound, in case the chain is changed meanwhile
  for (let row = page.base; row < page.end; row++) {
    const key = quoteKey[row]!;
    while (window !== NONE && windowKey[window]! < key && steps-- > 0) window = windowNext[window]! - 1;
    scratch.window[row - page.base] = window !== NONE && windowKey[window] === key ? window : NONE;
  }
}

/** For each row that takes part, finds the price that it showed `withinS` seconds before. */
function findBefore(page: MovePage, withinS: number): void {
  const { columns, scratch } = page;
  const { windowCount, windowFromS, quoteKey } = columns;
  const atS = page.nowS - withinS;
  for (let row = page.base; row < page.end; row++) {
    const key = quoteKey[row]!;
    const market = marketOfKey(key);
    const window = scratch.window[row - page.base]!;
    scratch.before[row - page.base] = NONE;
    if (window === NONE || ((page.bookmakerMask >> bookmakerOfKey(key)) & 1) === 0) continue;
    if (((page.marketMask >> market) & (page.periodMask >> periodOfKey(key)) & 1) === 0) continue;
    if (!takesPart(columns, row, outcomeCountOf(page.sport, market), page.quoteFromMs)) continue;
    const index = windowPriceAt(columns, window, atS);
    scratch.before[row - page.base] = index;
    // Once the next price of the window is `withinS` old, the present price is compared with that one.
    const next = index === NONE ? window * WINDOW_PRICES : index + 1;
    if (next < window * WINDOW_PRICES + windowCount[window]!)
      scratch.untilS[0] = Math.min(scratch.untilS[0]!, windowFromS[next]! + withinS);
  }
}

/** Writes the steam of a page: one row for each line, outcome and direction of the move. */
export function writeSteam(
  page: MovePage,
  { change, withinS, owners: ownersMin }: NonNullable<KindCriteria['steam']>,
): void {
  const { columns, scratch, base, end, slot } = page;
  const { quoteKey } = columns;
  findBefore(page, withinS);
  const atS = page.nowS - withinS;
  // If a source was last heard more than two thirds of `withinS` before `atS`, its prices may have moved
  // before `atS`, so they do not count.
  const heardFromS = atS - Math.floor((withinS * 2) / 3);
  for (let first = base; first < end; ) {
    const lineKey = marketLineOfKey(quoteKey[first]!);
    const outcomeCount = outcomeCountOf(page.sport, marketOfKey(quoteKey[first]!));
    scratch.owners.fill(0);
    let row = first;
    for (; row < end && marketLineOfKey(quoteKey[row]!) === lineKey; row++) {
      const index = scratch.before[row - base]!;
      if (index === NONE || columns.windowE4A[index] === 0) continue;
      const bookmaker = bookmakerOfKey(quoteKey[row]!);
      const heardS = Math.max(columns.windowFromS[index]!, heardBefore(columns, slot, bookmaker, atS));
      if (heardS < heardFromS) {
        scratch.before[row - base] = NONE;
        continue;
      }
      for (let outcome = 0; outcome < outcomeCount; outcome++) {
        const way = wayOf(columns, outcome, index, row, change);
        if (way !== 0) scratch.owners[outcome * 2 + (way < 0 ? 1 : 0)]! |= 1 << OWNER_OF[bookmaker]!;
      }
    }
    for (let side = 0; side < outcomeCount * 2; side++) {
      if (bitCount(scratch.owners[side]!) >= ownersMin) writeSteamRow(page, first, row, side, change);
    }
    first = row;
  }
}

function writeSteamRow(
  { columns, base, scratch, out }: MovePage,
  first: number,
  end: number,
  side: number,
  change: number,
): void {
  const offset = takeRow(out, KIND_STEAM);
  if (offset < 0) return;
  const { rows } = out;
  const outcome = side >> 1;
  const way = (side & 1) === 1 ? -1 : 1;
  let count = 0;
  let newestMs = 0;
  for (let row = first; row < end; row++) {
    const index = scratch.before[row - base]!;
    if (index === NONE || columns.windowE4A[index] === 0) continue;
    if (wayOf(columns, outcome, index, row, change) !== way) continue;
    newestMs = Math.max(newestMs, columns.quoteAtMs[row]!);
    if (count < BOOKS_SHOWN_MAX) {
      const at = offset + ROW_BOOKS + count * BOOK_WORDS;
      writeBook(columns, row, outcome, rows, at);
      rows[at + BOOK_FROM] = windowColumnOf(columns, outcome)[index]!;
    }
    count++;
  }
  writeLine(columns, first, rows, offset);
  rows[offset + ROW_OUTCOME] = outcome;
  rows[offset + ROW_WAY] = way;
  rows[offset + ROW_MEASURES] = bitCount(scratch.owners[side]!);
  rows[offset + ROW_MEASURES + 1] = newestMs;
  rows[offset + ROW_BOOK_COUNT] = count;
}

/** Writes the moves of a page: of each bookmaker's prices, or of each line's fair probabilities. */
export function writeMoves(
  page: MovePage,
  { change, withinS, isFair }: NonNullable<KindCriteria['move']>,
): void {
  const { columns, scratch } = page;
  const { quoteKey } = columns;
  findBefore(page, withinS);
  for (let first = page.base; first < page.end; ) {
    const lineKey = marketLineOfKey(quoteKey[first]!);
    const outcomeCount = outcomeCountOf(page.sport, marketOfKey(quoteKey[first]!));
    let fairRow = NONE;
    let row = first;
    for (; row < page.end && marketLineOfKey(quoteKey[row]!) === lineKey; row++) {
      const index = scratch.before[row - page.base]!;
      if (index === NONE || columns.windowE4A[index] === 0) continue;
      if (isFair) fairRow = fairerRow(columns, fairRow, row, index, outcomeCount);
      else writePriceMoves(page, row, index, change);
    }
    if (fairRow !== NONE) writeFairMoves(page, fairRow, scratch.before[fairRow - page.base]!, change);
    first = row;
  }
}

function writePriceMoves(
  { columns, sport, out }: MovePage,
  row: number,
  index: number,
  change: number,
): void {
  const outcomeCount = outcomeCountOf(sport, marketOfKey(columns.quoteKey[row]!));
  for (let outcome = 0; outcome < outcomeCount; outcome++) {
    if (wayOf(columns, outcome, index, row, change) === 0) continue;
    const offset = takeRow(out, KIND_MOVE);
    if (offset < 0) return;
    const { rows } = out;
    const fromE4 = windowColumnOf(columns, outcome)[index]!;
    const book = offset + ROW_BOOKS;
    writeLine(columns, row, rows, offset);
    rows[offset + ROW_OUTCOME] = outcome;
    rows[offset + ROW_MEASURES] = priceColumnOf(columns, outcome)[row]! / fromE4 - 1;
    rows[offset + ROW_MEASURES + 1] = columns.windowFromS[index]! * 1_000;
    rows[offset + ROW_MEASURES + 2] = 0;
    rows[offset + ROW_BOOK_COUNT] = 1;
    writeBook(columns, row, outcome, rows, book);
    rows[book + BOOK_FROM] = fromE4;
  }
}

function writeFairMoves(
  { columns, sport, scratch, out }: MovePage,
  row: number,
  index: number,
  change: number,
): void {
  const { fair, fairBefore } = scratch;
  const market = marketOfKey(columns.quoteKey[row]!);
  const { priceE4A, priceE4B, priceE4C, windowE4A, windowE4B, windowE4C } = columns;
  const outcomeCount = outcomeCountOf(sport, market);
  const isThreeWay = outcomeCount === 3;
  setFair(fair, market, priceE4A[row]!, priceE4B[row]!, isThreeWay ? priceE4C[row]! : 0);
  setFair(fairBefore, market, windowE4A[index]!, windowE4B[index]!, isThreeWay ? windowE4C[index]! : 0);
  for (let outcome = 0; outcome < outcomeCount; outcome++) {
    if (!reachesBound(fair[outcome]! - fairBefore[outcome]!, change)) continue;
    const offset = takeRow(out, KIND_MOVE);
    if (offset < 0) return;
    const { rows } = out;
    const book = offset + ROW_BOOKS;
    writeLine(columns, row, rows, offset);
    rows[offset + ROW_OUTCOME] = outcome;
    rows[offset + ROW_MEASURES] = fair[outcome]! - fairBefore[outcome]!;
    rows[offset + ROW_MEASURES + 1] = columns.windowFromS[index]! * 1_000;
    rows[offset + ROW_MEASURES + 2] = 1;
    rows[offset + ROW_BOOK_COUNT] = 1;
    writeBook(columns, row, outcome, rows, book);
    rows[book + BOOK_FROM] = 10_000 / fairBefore[outcome]!;
    rows[book + BOOK_TO] = 10_000 / fair[outcome]!;
  }
}

/**
 * Chooses the row that fair probabilities come from: a sharp bookmaker's, otherwise the one with the lowest
 * margin. The prices of a chosen row have a margin now and had one before.
 */
function fairerRow(
  columns: SlateColumns,
  held: number,
  row: number,
  index: number,
  outcomeCount: number,
): number {
  const { windowE4A, windowE4B, windowE4C } = columns;
  const third = outcomeCount === 3 ? windowE4C[index]! : 0;
  if (inverseSumOf(windowE4A[index]!, windowE4B[index]!, third) < 1 - COMPARISON_SLACK) return held;
  const sum = inverseSumOfRow(columns, row, outcomeCount);
  if (sum < 1 - COMPARISON_SLACK) return held;
  if (held === NONE) return row;
  const isSharp = (SHARP_BOOKMAKERS_MASK >> bookmakerOfKey(columns.quoteKey[row]!)) & 1;
  const isHeldSharp = (SHARP_BOOKMAKERS_MASK >> bookmakerOfKey(columns.quoteKey[held]!)) & 1;
  if (isSharp !== isHeldSharp) return isSharp === 1 ? row : held;
  return sum < inverseSumOfRow(columns, held, outcomeCount) - COMPARISON_SLACK ? row : held;
}

function setFair(fair: Float64Array, market: number, a: number, b: number, c: number): void {
  const sum = market === MARKET_1X2 ? 1 : inverseSumOf(a, b, c);
  fair[0] = 10_000 / a / sum;
  fair[1] = 10_000 / b / sum;
  fair[2] = c === 0 ? 0 : 10_000 / c / sum;
  if (market === MARKET_1X2) powerFair(fair);
}

/** 1 when a price rose by the bound or more, -1 when it fell, otherwise 0. */
function wayOf(columns: SlateColumns, outcome: number, index: number, row: number, change: number): number {
  return wayOfPrices(windowColumnOf(columns, outcome)[index]!, priceColumnOf(columns, outcome)[row]!, change);
}

/** Whether a move that was found with a lower bound also reaches this higher one. */
export function movedBy({ isFair, change, book: { fromE4, toE4 } }: MoveHit, bound: number): boolean {
  return isFair ? reachesBound(change, bound) : wayOfPrices(fromE4, toE4, bound) !== 0;
}

function wayOfPrices(fromE4: number, toE4: number, change: number): number {
  const movedE4 = Math.abs(toE4 - fromE4);
  const boundE4 = fromE4 * change;
  if (movedE4 < boundE4 - 2) return 0;
  // Close to the bound, the rounding of prices to four decimals must not decide.
  if (movedE4 <= boundE4 + 2) {
    const from = unroundedE4(fromE4);
    if (!reachesBound(unroundedE4(toE4) / from - 1, change)) return 0;
  }
  return toE4 > fromE4 ? 1 : -1;
}

/**
 * The exact price that was rounded to `priceE4`, if it is an American price below evens: -110 is 1.90909...,
 * stored as 19091. Otherwise `priceE4`.
 */
function unroundedE4(priceE4: number): number {
  if (priceE4 >= 20_000 || priceE4 <= 10_000) return priceE4;
  const exact = 10_000 + 1_000_000 / Math.round(1_000_000 / (priceE4 - 10_000));
  return Math.round(exact) === priceE4 ? exact : priceE4;
}

function windowColumnOf(columns: SlateColumns, outcome: number): SlateColumns['windowE4A'] {
  return outcome === 0 ? columns.windowE4A : outcome === 1 ? columns.windowE4B : columns.windowE4C;
}

function writeLine(columns: SlateColumns, row: number, rows: Float64Array, offset: number): void {
  const key = columns.quoteKey[row]!;
  rows[offset + ROW_MARKET] = marketOfKey(key);
  rows[offset + ROW_PERIOD] = periodOfKey(key);
  rows[offset + ROW_LINE] = lineQuartersOfKey(key);
}

/** Whether a change reaches a bound, allowing for binary rounding. */
function reachesBound(change: number, bound: number): boolean {
  return Math.abs(change) >= bound - COMPARISON_SLACK;
}
