// The prices of one fixture that words ask for: "arsenal over 2.5" selects one line. The server reads the
// words, as it does for every tool, and refuses words for a market that it does not have.

import type { OddsBlock, OddsQuote } from '../contract/odds.ts';
import { CommandFailure } from './failure.ts';
import type { Server } from './server.ts';

/** Filters that flags can set beside the words; null and undefined do not filter. */
export interface PriceFilters {
  readonly market?: OddsQuote['market_type'] | null;
  readonly period?: OddsQuote['period'] | null;
  readonly bookmakers?: readonly string[] | null;
  readonly format?: OddsQuote['format'] | null;
}

/**
 * The fields that are equal in every quote that the words select. A field is absent if the words leave it
 * open.
 */
export type QuoteChoice = Partial<Pick<OddsQuote, 'market_type' | 'period' | 'line'>>;

/** @throws CommandFailure for words that the server refuses */
export async function pricesAsked(server: Server, words: string, filters: PriceFilters): Promise<OddsBlock> {
  const { market = null, period, bookmakers, format } = filters;
  const { event_id, as_of, stale, odds } = await server.post<OddsBlock>('/v1/mcp/get_match_odds', {
    query: words,
    markets: market === null ? null : [market],
    bookmakers,
    period,
    format,
  });
  return { event_id, as_of, stale, odds };
}

/**
 * The market, period and line that words choose, for a command that follows them.
 * @throws CommandFailure for words that the server refuses, or if nothing is offered that they ask for
 */
export async function choiceNamed(
  server: Server,
  words: string,
  filters: PriceFilters,
): Promise<QuoteChoice> {
  const { event_id, odds } = await pricesAsked(server, words, filters);
  const whole = await server.get<OddsBlock>(`/v1/events/${event_id}/odds`, {
    markets: filters.market ?? undefined,
    period: filters.period ?? undefined,
    bookmakers: filters.bookmakers?.join(),
  });
  if (odds.length === 0 && whole.odds.length > 0)
    throw new CommandFailure(
      'unavailable',
      `Cannot follow "${words}": no book offers that now`,
      'Leave the line or the market out to follow the other prices',
    );
  return choiceOfQuotes(odds, whole.odds);
}

/** The fields that distinguish the selected quotes from the rest of `whole`. */
export function choiceOfQuotes(selected: readonly OddsQuote[], whole: readonly OddsQuote[]): QuoteChoice {
  const first = selected[0];
  if (first === undefined || selected.length === whole.length) return {};
  let choice: QuoteChoice = {};
  for (const field of ['market_type', 'period', 'line'] as const) {
    const value = first[field];
    const isShared = selected.every((quote) => quote[field] === value);
    const others = whole.filter((quote) => isChosen(quote, choice));
    if (isShared && others.some((quote) => quote[field] !== value)) choice = { ...choice, [field]: value };
  }
  return choice;
}

export function isChosen(quote: OddsQuote, choice: QuoteChoice): boolean {
  return Object.entries(choice).every(([field, value]) => quote[field as keyof QuoteChoice] === value);
}
