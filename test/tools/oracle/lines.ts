// The lines of one market: which quotes count, the consensus line, best prices and the sharpest bookmaker.

import { BOOKS, inverseSum, isSharp, TIE } from './odds.ts';

export interface Quote {
  readonly bookmaker: string;
  readonly market_type: string;
  readonly period: string;
  readonly line: number | null;
  readonly prices: readonly number[];
  readonly status: string;
  readonly atMs: number;
}

export interface Best {
  readonly bookmaker: string;
  readonly decimal: number;
  readonly quote: Quote;
}

/** What a caller may see. */
export function visible(quotes: Iterable<Quote>, seesSharp: boolean): Quote[] {
  return [...quotes].filter((quote) => seesSharp || !isSharp(quote));
}

/** Whether the quote is open, and all its prices are above 1. */
export function takesPart({ status, prices }: Quote): boolean {
  return status === 'open' && prices.every((price) => price > 1);
}

/** Sorts as the odds answer does: by market, period, line and bookmaker. */
export function inOrder(quotes: readonly Quote[]): Quote[] {
  const markets = ['1x2', 'asian_handicap', 'totals'];
  return quotes.toSorted(
    (left, right) =>
      markets.indexOf(left.market_type) - markets.indexOf(right.market_type) ||
      left.period.localeCompare(right.period) ||
      (left.line ?? 0) - (right.line ?? 0) ||
      rankOf(left.bookmaker) - rankOf(right.bookmaker),
  );
}

function rankOf(bookmaker: string): number {
  return BOOKS.indexOf(bookmaker);
}

/** Open quotes whose prices are all above 1, in the order of the odds answer, grouped by line. */
export function linesOf(quotes: readonly Quote[]): Quote[][] {
  const part = inOrder(quotes.filter(takesPart));
  const groups = Map.groupBy(part, (quote) => `${quote.market_type} ${quote.period} ${quote.line}`);
  return [...groups.values()];
}

function bestOf(line: readonly Quote[], outcome: number): Best {
  const decimal = Math.max(...line.map((quote) => quote.prices[outcome]!));
  const first = line.find((quote) => quote.prices[outcome] === decimal)!;
  return { bookmaker: first.bookmaker, decimal, quote: first };
}

export function bestsOf(line: readonly Quote[]): Best[] {
  return line[0]!.prices.map((_, outcome) => bestOf(line, outcome));
}

/** The bookmaker with the lowest margin among those with a margin to remove; null if there is none. */
export function sharpestOf(line: readonly Quote[]): Quote | null {
  const usable = line.filter((quote) => inverseSum(quote.prices) >= 1 - TIE);
  const least = Math.min(...usable.map((quote) => inverseSum(quote.prices)));
  return usable.find((quote) => inverseSum(quote.prices) <= least + TIE) ?? null;
}

/**
 * The consensus line: the line with the most bookmakers. Ties are decided by the most balanced best prices,
 * then by the distance from zero, then for the lower line.
 */
export function consensusOf(lines: readonly (readonly Quote[])[]): readonly Quote[] | null {
  const most = Math.max(0, ...lines.map((line) => line.length));
  const widest = lines.filter((line) => line.length === most);
  const balance = Math.min(...widest.map(imbalanceOf));
  const balanced = widest.filter((line) => imbalanceOf(line) <= balance + TIE);
  return balanced.toSorted((left, right) => distanceOf(left) - distanceOf(right))[0] ?? null;
}

function imbalanceOf(line: readonly Quote[]): number {
  const inverses = bestsOf(line).map(({ decimal }) => 1 / decimal);
  return Math.max(...inverses) - Math.min(...inverses);
}

function distanceOf(line: readonly Quote[]): number {
  return Math.abs(line[0]!.line ?? 0);
}
