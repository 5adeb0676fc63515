// The quotes of a fixture as a grid: by market and line, then by bookmaker. With the best price of each
// outcome, its fair price, the overround of each bookmaker, and the overround of the best prices together.

import type { MarketType, Outcome, Period } from '../../../../domain/catalogue.ts';
import { overround } from '../../../../domain/devig.ts';
import { byConsensus, type RankedLine } from '../../../../domain/shown-prices.ts';
import type { Fixture } from '../mirror.ts';
import { SHARP_BOOKS } from '../page-settings.ts';
import { lineKey, type MirrorQuote } from '../quote.ts';
import { type FairLine, fairLine } from './fair.ts';

export interface BestPrice {
  readonly bookmaker: string;
  readonly price: number;
  readonly decimal: number;
}

export interface LineGrid extends RankedLine {
  readonly key: string;
  readonly components: readonly number[] | null;
  readonly outcomes: readonly Outcome[];
  readonly quotes: ReadonlyMap<string, MirrorQuote>;
  readonly best: ReadonlyMap<Outcome, BestPrice>;
  /** Overround of the best prices together; null when an outcome has no price. */
  readonly bestOverround: number | null;
  /** Null when the reference has no price. */
  readonly fair: FairLine | null;
}

export interface GridOptions {
  /** Empty for all markets. */
  readonly market?: string;
  /** The bookmakers that are shown. The fair price is still made from all bookmakers. */
  readonly books?: ReadonlySet<string> | undefined;
}

export interface MarketGrid {
  readonly market: MarketType;
  readonly period: Period;
  /** The consensus line first, then in ascending order. */
  readonly lines: readonly LineGrid[];
}

const MARKETS: readonly MarketType[] = ['1x2', 'asian_handicap', 'totals'];
const PERIODS: readonly Period[] = ['full_time', 'half_time'];

/** The markets of a fixture in a fixed order, without those that have no quote. */
export function marketGrids(
  { quotes }: Fixture,
  { market: only = '', books }: GridOptions = {},
): readonly MarketGrid[] {
  const byMarket = new Map<string, MirrorQuote[]>();
  let seesSharp = false;
  for (const quote of quotes.values()) {
    seesSharp ||= SHARP_BOOKS.has(quote.bookmaker);
    if (only !== '' && quote.market_type !== only) continue;
    const key = `${quote.period} ${quote.market_type}`;
    const list = byMarket.get(key);
    if (list === undefined) byMarket.set(key, [quote]);
    else list.push(quote);
  }
  const grids: MarketGrid[] = [];
  for (const period of PERIODS) {
    for (const market of MARKETS) {
      const list = byMarket.get(`${period} ${market}`);
      if (list === undefined) continue;
      const lines = linesOf(list, { seesSharp, books });
      if (lines.length > 0) grids.push({ market, period, lines });
    }
  }
  return grids;
}

interface LineOptions {
  readonly seesSharp: boolean;
  readonly books: ReadonlySet<string> | undefined;
}

function linesOf(quotes: readonly MirrorQuote[], options: LineOptions): readonly LineGrid[] {
  const groups = [...Map.groupBy(quotes, ({ line }) => line).values()];
  const lines = groups.flatMap((group) => lineGrid(group, options) ?? []);
  const [consensus, ...others] = lines.sort(byConsensus);
  if (consensus === undefined) return [];
  return [consensus, ...others.sort((one, other) => (one.line ?? 0) - (other.line ?? 0))];
}

/** The grid of one line; null when no shown bookmaker has the line. */
function lineGrid(all: readonly MirrorQuote[], { seesSharp, books }: LineOptions): LineGrid | null {
  const quotes = books === undefined ? all : all.filter(({ bookmaker }) => books.has(bookmaker));
  const first = quotes[0];
  if (first === undefined) return null;
  const outcomes = [...first.decimals.keys()];
  const best = new Map<Outcome, BestPrice>();
  let bookCount = 0;
  for (const quote of quotes) {
    if (quote.status !== 'open') continue;
    if (outcomes.every((outcome) => (quote.decimals.get(outcome) ?? 0) > 1)) bookCount += 1;
    for (const [outcome, decimal] of quote.decimals) {
      if (decimal > Math.max(1, best.get(outcome)?.decimal ?? 0)) {
        best.set(outcome, { bookmaker: quote.bookmaker, price: quote.prices[outcome] ?? 0, decimal });
      }
    }
  }
  const bestDecimals = outcomes.map((outcome) => best.get(outcome)?.decimal ?? 0);
  return {
    key: lineKey(first),
    line: first.line,
    components: first.handicap_components,
    outcomes,
    quotes: new Map(quotes.map((quote) => [quote.bookmaker, quote])),
    bookCount,
    best,
    bestDecimals,
    bestOverround: overround(bestDecimals),
    fair: fairLine(first.market_type, outcomes, all, seesSharp),
  };
}

/** Overround of one bookmaker on a line, or null when one of its prices is missing or not open. */
export function bookmakerOverround({ outcomes }: LineGrid, quote: MirrorQuote | undefined): number | null {
  if (quote === undefined || quote.status !== 'open') return null;
  return overround(outcomes.map((outcome) => quote.decimals.get(outcome) ?? 0));
}
