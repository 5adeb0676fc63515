// The lines of one market and period of one page: bookmakers, best prices and sharpest bookmaker of each, and
// the consensus line. For compare_lines, get_sharp_line and every other feature that needs a trusted price.
// Only open quotes with every price above 1 take part. Called inside SlateReader.read, which may call it
// again, so it has no side effects.

import { isSharpBookmaker, outcomeCountOf } from '../domain/catalogue.ts';
import { PRICE_ONE_E4 } from '../domain/odds-format.ts';
import { closedReason, type SignalGate } from '../domain/signal-gate.ts';
import {
  bookmakerOfKey,
  lineQuartersOfKey,
  marketLineOfKey,
  marketPeriodOfKey,
  packQuoteKey,
} from '../store/quote-key.ts';
import type { SlateColumns } from '../store/reader.ts';
import { COMPARISON_SLACK, inverseSumOfRow, priceColumnOf, takesPart, tighterRow } from './criteria.ts';

/** Which quotes to read. */
export interface MarketView {
  /** Index into SPORTS. */
  readonly sport: number;
  /** Index into MARKET_TYPES. */
  readonly market: number;
  /** Index into PERIODS. */
  readonly period: number;
  /** Bit b set: bookmaker b is visible; see `visibleBookmakerMask`. */
  readonly bookmakerMask: number;
  /** Which of the fixture's quotes may take part. */
  readonly gate: Pick<SignalGate, 'closedBy' | 'endedPeriodMask' | 'quoteFromMs'>;
  /** Whether the lines list every book, for a consensus. */
  readonly wantsBooks?: boolean;
}

/** One bookmaker's prices at a line, in outcome order. */
export interface LineBook {
  readonly bookmaker: number;
  readonly pricesE4: readonly number[];
}

/**
 * One line with at least one quote that takes part. Arrays are in outcome order, prices in ten-thousandths.
 */
export interface MarketLine {
  /** 0 for a 1x2, whose line is null in answers. */
  readonly lineQuarters: number;
  readonly bookCount: number;
  readonly bestPricesE4: readonly number[];
  /** Ties go to the first bookmaker of the catalogue. */
  readonly bestBookmakers: readonly number[];
  /**
   * The bookmaker with the lowest overround and its prices; ties go to catalogue order. A bookmaker whose
   * inverse prices sum below 1 has no margin to remove, so it is passed over. Null when no other is left.
   */
  readonly sharpest: LineBook | null;
  /** Every book that takes part, in catalogue order; empty without `wantsBooks`. */
  readonly books: readonly LineBook[];
  /** The bookmakers passed over because their inverse prices sum below 1, in catalogue order. */
  readonly belowOneBookmakers: readonly number[];
  /** Source time of the last message about each best price. Unix ms. */
  readonly bestAtMs: readonly number[];
  /** Source time of the sharp bookmaker's last message about the line; NaN without one. Unix ms. */
  readonly sharpAtMs: number;
}

/** Rows first .. end - 1 of a page. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/**
 * The rows of one market and period, including suspended and invisible ones, found by two binary searches.
 */
export function rowsOfMarket(
  columns: SlateColumns,
  base: number,
  quoteCount: number,
  view: Pick<MarketView, 'market' | 'period'>,
): RowRange {
  const end = base + quoteCount;
  const wanted = marketPeriodOfKey(packQuoteKey(view.market, view.period, 0, 0));
  return {
    first: firstRowFrom(columns, base, end, wanted),
    end: firstRowFrom(columns, base, end, wanted + 1),
  };
}

/**
 * The lines on offer, lowest first.
 * @param base first row of the page
 * @returns [] when no visible quote takes part
 */
export function marketLines(
  columns: SlateColumns,
  base: number,
  quoteCount: number,
  view: MarketView,
): MarketLine[] {
  if (closedReason(view.gate, view.period) !== null) return [];
  const { first, end } = rowsOfMarket(columns, base, quoteCount, view);
  const outcomeCount = outcomeCountOf(view.sport, view.market);
  const lines: MarketLine[] = [];
  let row = first;
  while (row < end) {
    const lineKey = marketLineOfKey(columns.quoteKey[row]!);
    const firstOfLine = row;
    while (row < end && marketLineOfKey(columns.quoteKey[row]!) === lineKey) row++;
    const line = lineOf(columns, { first: firstOfLine, end: row }, outcomeCount, view);
    if (line !== null) lines.push(line);
  }
  return lines;
}

/**
 * The line that most bookmakers offer. Ties go to the line with the most balanced best prices (smallest
 * difference between the largest and the smallest inverse best price), then to the one nearest zero, then to
 * the lower one.
 * @returns null when there are no lines
 */
export function consensusLine(lines: readonly MarketLine[]): MarketLine | null {
  let consensus: MarketLine | null = null;
  for (const line of lines) if (consensus === null || comesBefore(line, consensus)) consensus = line;
  return consensus;
}

function comesBefore(line: MarketLine, other: MarketLine): boolean {
  if (line.bookCount !== other.bookCount) return line.bookCount > other.bookCount;
  const balance = imbalanceOf(line) - imbalanceOf(other);
  if (Math.abs(balance) > COMPARISON_SLACK) return balance < 0;
  return Math.abs(line.lineQuarters) < Math.abs(other.lineQuarters);
}

function imbalanceOf(line: MarketLine): number {
  const prices = line.bestPricesE4;
  return PRICE_ONE_E4 / Math.min(...prices) - PRICE_ONE_E4 / Math.max(...prices);
}

function lineOf(
  columns: SlateColumns,
  rows: RowRange,
  outcomeCount: number,
  { bookmakerMask, gate, wantsBooks = false }: MarketView,
): MarketLine | null {
  const books: LineBook[] = [];
  const prices = Array.from({ length: outcomeCount }, (_, outcome) => priceColumnOf(columns, outcome));
  const bestPricesE4 = prices.map(() => 0);
  const bestBookmakers = prices.map(() => 0);
  const bestAtMs = prices.map(() => Number.NaN);
  let sharpRow = -1;
  let bookCount = 0;
  const belowOneBookmakers: number[] = [];
  let sharpestRow = -1;
  let lowestSum = Number.POSITIVE_INFINITY;
  for (let row = rows.first; row < rows.end; row++) {
    const bookmaker = bookmakerOfKey(columns.quoteKey[row]!);
    if (((bookmakerMask >> bookmaker) & 1) === 0 || !takesPart(columns, row, outcomeCount, gate.quoteFromMs))
      continue;
    bookCount++;
    if (wantsBooks) books.push({ bookmaker, pricesE4: prices.map((column) => column[row]!) });
    const atMs = columns.quoteAtMs[row]!;
    if (isSharpBookmaker(bookmaker)) sharpRow = tighterRow(columns, sharpRow, row, outcomeCount);
    prices.forEach((column, outcome) => {
      const priceE4 = column[row]!;
      if (priceE4 <= bestPricesE4[outcome]!) return;
      bestPricesE4[outcome] = priceE4;
      bestBookmakers[outcome] = bookmaker;
      bestAtMs[outcome] = atMs;
    });
    const sum = inverseSumOfRow(columns, row, outcomeCount);
    if (sum < 1 - COMPARISON_SLACK) {
      belowOneBookmakers.push(bookmaker);
    } else if (sum < lowestSum - COMPARISON_SLACK) {
      lowestSum = sum;
      sharpestRow = row;
    }
  }
  if (bookCount === 0) return null;
  return {
    lineQuarters: lineQuartersOfKey(columns.quoteKey[rows.first]!),
    bookCount,
    bestPricesE4,
    bestBookmakers,
    sharpest:
      sharpestRow < 0
        ? null
        : {
            bookmaker: bookmakerOfKey(columns.quoteKey[sharpestRow]!),
            pricesE4: prices.map((column) => column[sharpestRow]!),
          },
    books,
    belowOneBookmakers,
    bestAtMs,
    sharpAtMs: sharpRow < 0 ? Number.NaN : columns.quoteAtMs[sharpRow]!,
  };
}

/** The first row whose market and period are at or after `marketPeriod`. */
function firstRowFrom(columns: SlateColumns, base: number, end: number, marketPeriod: number): number {
  let low = base;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marketPeriodOfKey(columns.quoteKey[middle]!) < marketPeriod) low = middle + 1;
    else high = middle;
  }
  return low;
}
