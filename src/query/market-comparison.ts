// One market and period of one fixture, book beside book: consensus line, lines offered, best prices, sharpest book and
// fair odds. Read from one published page, so that all of it belongs together.

import {
  BOOKMAKER_KEYS,
  type BookmakerKey,
  indexIn,
  MARKET_1X2,
  MARKET_TYPES,
  type MarketType,
  type Outcome,
  outcomeCountOf,
  outcomesOf,
  PERIODS,
  type Period,
  QUOTE_STATUSES,
  type QuoteStatus,
  visibleBookmakerMask,
} from '../domain/catalogue.ts';
import { overround } from '../domain/devig.ts';
import { lineFromQuarters, shownLine } from '../domain/handicap.ts';
import { consensusLine, type MarketLine, marketLines, rowsOfMarket } from '../scoring/market-lines.ts';
import { bookmakerOfKey, lineQuartersOfKey } from '../store/quote-key.ts';
import type { SlateReader } from '../store/reader.ts';
import type { FixtureNow } from './fixture-view.ts';
import type { Slate } from './slate.ts';

export interface MarketQuestion {
  readonly marketType: MarketType;
  readonly period: Period;
  readonly seesSharp: boolean;
}

/** One book's quote at one line. */
export interface BookRow {
  readonly bookmaker: BookmakerKey;
  readonly bookmakerIndex: number;
  /** Null for a 1x2. */
  readonly line: number | null;
  /** Ten-thousandths by outcome order. */
  readonly pricesE4: readonly number[];
  /** Sum of the inverse decimal prices minus 1; null when a price is 1 or less. */
  readonly overround: number | null;
  readonly status: QuoteStatus;
}

/** A line with at least one quote that takes part, and what is best on it. */
export type ComparedLine = MarketLine;

export interface MarketComparison {
  readonly outcomes: readonly Outcome[];
  /** The line most books offer; null when no quote takes part. */
  readonly consensus: ComparedLine | null;
  /** Distinct lines with a quote that takes part, ascending; empty for a 1x2. */
  readonly linesOffered: readonly number[];
  /** Every visible quote, suspended ones included, by line then catalogue order. */
  readonly rows: readonly BookRow[];
}

/** Compares the books a caller may see. A fixture that has just left the slate has no rows and no lines. */
export function compareMarket(
  { reader }: Slate,
  fixture: FixtureNow,
  question: MarketQuestion,
): MarketComparison {
  const sport = fixture.view.sportIndex;
  const market = indexIn(MARKET_TYPES, question.marketType);
  const period = indexIn(PERIODS, question.period);
  const view = { sport, market, period, bookmakerMask: visibleBookmakerMask(question.seesSharp) };
  const outcomes = outcomesOf(sport, market);
  const compared = reader.readEvent(fixture.view.eventNumber, (page) => {
    const base = page * reader.quotesPerFixture;
    const quoteCount = reader.columns.quoteCount[page]!;
    const lines = marketLines(reader.columns, base, quoteCount, view);
    return { lines, rows: bookRows(reader, { base, quoteCount, view }) };
  });
  const lines = compared?.lines ?? [];
  return {
    outcomes,
    consensus: consensusLine(lines),
    linesOffered: market === MARKET_1X2 ? [] : lines.map((line) => lineFromQuarters(line.lineQuarters)),
    rows: compared?.rows ?? [],
  };
}

/** The line of a MarketLine as answers show it: null for a 1x2. */
export function lineOf(marketType: MarketType, line: MarketLine): number | null {
  return shownLine(indexIn(MARKET_TYPES, marketType), line.lineQuarters);
}

/** Inside `SlateReader.read` only. */
function bookRows(
  reader: SlateReader,
  {
    base,
    quoteCount,
    view,
  }: {
    base: number;
    quoteCount: number;
    view: { sport: number; market: number; period: number; bookmakerMask: number };
  },
): BookRow[] {
  const { columns } = reader;
  const outcomeCount = outcomeCountOf(view.sport, view.market);
  const { first, end } = rowsOfMarket(columns, base, quoteCount, view);
  const rows: BookRow[] = [];
  for (let row = first; row < end; row++) {
    const key = columns.quoteKey[row]!;
    const bookmakerIndex = bookmakerOfKey(key);
    if (((view.bookmakerMask >> bookmakerIndex) & 1) === 0) continue;
    const prices = [columns.priceE4A[row]!, columns.priceE4B[row]!, columns.priceE4C[row]!];
    const pricesE4 = prices.slice(0, outcomeCount);
    rows.push({
      bookmaker: BOOKMAKER_KEYS[bookmakerIndex]!,
      bookmakerIndex,
      line: shownLine(view.market, lineQuartersOfKey(key)),
      pricesE4,
      overround: overround(pricesE4.map((priceE4) => priceE4 / 10_000)),
      status: QUOTE_STATUSES[columns.quoteStatus[row]!]!,
    });
  }
  return rows;
}
