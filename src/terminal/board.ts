// The slate as a table: one row per fixture, with the best prices of its consensus line.

import { overround } from '../domain/devig.ts';
import { byConsensus, type RankedLine } from '../domain/shown-prices.ts';
import { lineText, priceText, stateText, titleOfEvent } from './fixture-text.ts';
import { decimalOf, moveMark, priceOf } from './price-grid.ts';
import type { HeldFixture, HeldQuote } from './slate.ts';
import { type Cell, type Column, type Display, tableLines } from './text.ts';

export interface BoardChoice {
  readonly market: HeldQuote['market_type'];
  readonly period: HeldQuote['period'];
}

const OUTCOMES = {
  '1x2': ['home', 'draw', 'away'],
  asian_handicap: ['home', 'away'],
  totals: ['over', 'under'],
} as const;

/** The table head and one line per fixture. */
export function boardLines(
  fixtures: readonly HeldFixture[],
  { market, period }: BoardChoice,
  display: Display,
  nowMs: number,
): string[] {
  const outcomes = OUTCOMES[market];
  const columns: Column[] = [
    { title: 'when, UTC' },
    { title: 'fixture', isFlexible: true },
    { title: 'league', isFlexible: true },
    ...(market === '1x2' ? [] : [{ title: 'line', align: 'right' as const }]),
    ...outcomes.map((title): Column => ({ title, align: 'right' })),
    { title: 'books', align: 'right' },
    { title: 'overround', align: 'right' },
  ];
  const rows = fixtures.map((fixture) => rowOf(fixture, { market, period }, outcomes, nowMs));
  return tableLines(columns, rows, display);
}

function rowOf(
  { event, state, quotes }: HeldFixture,
  { market, period }: BoardChoice,
  outcomes: readonly string[],
  nowMs: number,
): Cell[] {
  const open = [...quotes.values()].filter(
    (quote) => quote.market_type === market && quote.period === period && quote.status === 'open',
  );
  const line = consensusOf(open);
  const best = outcomes.map((outcome) => bestOf(line, outcome));
  return [
    { text: stateText(event, state), style: state.status === 'live' ? 'yellow' : undefined },
    { text: titleOfEvent(event) },
    { text: event.league.name, style: 'dim' },
    ...(market === '1x2' ? [] : [{ text: line.length === 0 ? '' : lineText(line[0]!.line, market) }]),
    ...best.map((quote, index): Cell => {
      if (quote === null) return { text: '-', style: 'dim' };
      const { mark, style } = moveMark(quote.moves[outcomes[index]!], nowMs);
      return { text: `${mark}${priceText(priceOf(quote, outcomes[index]!), quote.format)}`, style };
    }),
    { text: String(line.length) },
    { text: overroundText(line) },
  ];
}

/** The quotes of the consensus line; empty without any line. */
function consensusOf(open: readonly HeldQuote[]): readonly HeldQuote[] {
  const lines = [...Map.groupBy(open, ({ line }) => line).values()];
  const ranked = lines.map((quotes) => ({ quotes, line: quotes[0]!.line, ...countsOf(quotes) }));
  return ranked.sort(byConsensus)[0]?.quotes ?? [];
}

/** The outcomes are those of the quotes, because a basketball 1x2 has no draw. */
function countsOf(quotes: readonly HeldQuote[]): Omit<RankedLine, 'line'> {
  const outcomes = Object.keys(quotes[0]?.prices ?? {});
  return {
    bookCount: quotes.filter((quote) => outcomes.every((outcome) => decimalOf(quote, outcome) > 1)).length,
    bestDecimals: outcomes.map((outcome) => {
      const best = bestOf(quotes, outcome);
      return best === null ? 0 : decimalOf(best, outcome);
    }),
  };
}

/** Overround of the best prices together; empty when an outcome of the line has no price. */
function overroundText(line: readonly HeldQuote[]): string {
  const margin = overround(countsOf(line).bestDecimals);
  return margin === null ? '' : `${(margin * 100).toFixed(1)}%`;
}

function bestOf(quotes: readonly HeldQuote[], outcome: string): HeldQuote | null {
  let best: HeldQuote | null = null;
  for (const quote of quotes) {
    if (decimalOf(quote, outcome) > (best === null ? 1 : decimalOf(best, outcome))) best = quote;
  }
  return best;
}
