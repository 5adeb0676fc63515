// The prices of one fixture as a table: a row per outcome of each market line, a column per bookmaker. The
// best open price of a row is marked; a suspended price is in brackets.

import type { OddsQuote } from '../contract/odds.ts';
import { toDecimal } from '../domain/shown-prices.ts';
import { lineText, priceText } from './fixture-text.ts';
import type { HeldQuote, PriceMove } from './slate.ts';
import { type Cell, type Column, type Display, plainText, type Style, tableLines } from './text.ts';

/** How long the mark of a move is shown. */
const MOVE_SHOWN_MS = 5_000;
const MARKET_ORDER = ['1x2', 'asian_handicap', 'totals'];

type GridQuote = OddsQuote & Partial<Pick<HeldQuote, 'moves'>>;

/** @param nowMs the current time, to decide which moves are recent */
export function priceGrid(quotes: Iterable<GridQuote>, display: Display, nowMs: number): string[] {
  const all = [...quotes];
  const bookmakers = [...new Set(all.map(({ bookmaker }) => bookmaker))];
  const lines = [
    ...Map.groupBy(all, ({ period, market_type, line }) =>
      JSON.stringify([period, market_type, line]),
    ).values(),
  ];
  lines.sort(([one], [other]) => compare(one!, other!));
  const rows = lines.flatMap((quotesOfLine) => rowsOf(quotesOfLine, bookmakers, nowMs));
  const columns: Column[] = [
    { title: 'market' },
    { title: 'line', align: 'right' },
    { title: 'outcome' },
    ...bookmakers.map((bookmaker): Column => ({ title: plainText(bookmaker), align: 'right' })),
  ];
  return tableLines(columns, rows, display);
}

/** The arrow of a move and its colour. Up means longer odds. */
export function moveMark(
  move: PriceMove | undefined,
  nowMs: number,
): { readonly mark: string; readonly style?: Style } {
  if (move === undefined || nowMs - move.atMs > MOVE_SHOWN_MS) return { mark: '' };
  return move.isUp ? { mark: '↑', style: 'green' } : { mark: '↓', style: 'red' };
}

function rowsOf(quotes: readonly GridQuote[], bookmakers: readonly string[], nowMs: number): Cell[][] {
  const first = quotes[0]!;
  const market = `${first.market_type.replace('_', ' ')}${first.period === 'half_time' ? ', half time' : ''}`;
  const byBookmaker = new Map(quotes.map((quote) => [quote.bookmaker, quote]));
  return Object.keys(first.prices).map((outcome, index) => {
    const open = quotes.filter(({ status }) => status === 'open');
    const best = Math.max(...open.map((quote) => decimalOf(quote, outcome)));
    const cells = bookmakers.map((bookmaker): Cell => {
      const quote = byBookmaker.get(bookmaker);
      if (quote === undefined) return { text: '' };
      const price = priceOf(quote, outcome);
      const text = priceText(price, quote.format);
      if (quote.status !== 'open') return { text: `(${text})`, style: 'dim' };
      const { mark, style } = moveMark(quote.moves?.[outcome], nowMs);
      const isBest = best > 1 && decimalOf(quote, outcome) === best;
      return { text: `${mark}${text}${isBest ? '*' : ' '}`, style: style ?? (isBest ? 'bold' : undefined) };
    });
    const names = index === 0 ? [market, lineText(first.line, first.market_type)] : ['', ''];
    return [{ text: names[0]! }, { text: names[1]! }, { text: outcome }, ...cells];
  });
}

export function priceOf({ prices }: Pick<OddsQuote, 'prices'>, outcome: string): number {
  return (prices as Readonly<Record<string, number>>)[outcome] ?? 0;
}

/** The price of an outcome in decimal odds; 0 without one. */
export function decimalOf(quote: Pick<OddsQuote, 'prices' | 'format'>, outcome: string): number {
  return toDecimal(priceOf(quote, outcome), quote.format);
}

function compare(one: GridQuote, other: GridQuote): number {
  if (one.period !== other.period) return one.period === 'full_time' ? -1 : 1;
  const market = MARKET_ORDER.indexOf(one.market_type) - MARKET_ORDER.indexOf(other.market_type);
  return market !== 0 ? market : (one.line ?? 0) - (other.line ?? 0);
}
