// The data of the two framework servers in the comparison: the fixtures of the service under test as plain
// objects, as a first version of such a service would hold them. Every request builds its response from them:
// filters, formats prices and times, and lets the framework encode JSON.

import { splitLine } from '../../src/domain/handicap.ts';

export interface PlainBlock {
  readonly event_id: string;
  readonly as_of: string;
  readonly stale: boolean;
  readonly odds: readonly PlainQuote[];
}

interface PlainQuote {
  readonly bookmaker: string;
  readonly market_type: string;
  readonly period: string;
  readonly line: number | null;
  readonly handicap_components: readonly [number, number] | null;
  readonly prices: Readonly<Record<string, number>>;
  readonly format: string;
  readonly status: string;
  readonly as_of: string;
}

/** A quote as the plain server holds it, with its prices by outcome. */
interface HeldQuote {
  readonly bookmaker: string;
  readonly market: string;
  readonly period: string;
  readonly line: number | null;
  readonly pricesE4: ReadonlyMap<string, number>;
  readonly status: string;
  readonly atMs: number;
}

interface HeldFixture {
  readonly asOfMs: number;
  readonly stale: boolean;
  readonly quotes: readonly HeldQuote[];
}

/** @param blocks the responses of GET /v1/events/{id}/odds, by event id */
export class PlainSlate {
  readonly #fixtures: ReadonlyMap<string, HeldFixture>;

  constructor(blocks: Readonly<Record<string, PlainBlock>>) {
    this.#fixtures = new Map(Object.entries(blocks).map(([id, block]) => [id, heldOf(block)]));
  }

  odds(eventId: string, bookmakers: string | undefined): PlainBlock | null {
    const fixture = this.#fixtures.get(eventId);
    if (fixture === undefined) return null;
    const wanted = bookmakers === undefined ? null : new Set(bookmakers.split(','));
    const odds: PlainQuote[] = [];
    for (const quote of fixture.quotes) {
      if (wanted === null || wanted.has(quote.bookmaker)) odds.push(shownOf(quote));
    }
    return { event_id: eventId, as_of: isoOf(fixture.asOfMs), stale: fixture.stale, odds };
  }

  batch(eventIds: readonly string[]) {
    const data = eventIds.map((id) => ({ event_id: id, odds: this.odds(id, undefined), error: null }));
    return { count: data.length, ok_count: data.filter(({ odds }) => odds !== null).length, data };
  }
}

function heldOf(block: PlainBlock): HeldFixture {
  const quotes = block.odds.map((quote) => ({
    bookmaker: quote.bookmaker,
    market: quote.market_type,
    period: quote.period,
    line: quote.line,
    pricesE4: new Map(
      Object.entries(quote.prices).map(([outcome, price]) => [outcome, Math.round(price * 10_000)]),
    ),
    status: quote.status,
    atMs: Date.parse(quote.as_of),
  }));
  return { asOfMs: Date.parse(block.as_of), stale: block.stale, quotes };
}

function shownOf(quote: HeldQuote): PlainQuote {
  const prices: Record<string, number> = {};
  for (const [outcome, priceE4] of quote.pricesE4) prices[outcome] = priceE4 / 10_000;
  return {
    bookmaker: quote.bookmaker,
    market_type: quote.market,
    period: quote.period,
    line: quote.line,
    handicap_components: splitLine((quote.line ?? 0) * 4),
    prices,
    format: 'decimal',
    status: quote.status,
    as_of: isoOf(quote.atMs),
  };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
