// First prices and present ones: the first prices seen for a fixture, from the store's append-only rows, and
// each book's current main line to compare them with.

import { isoTextOrNull } from '../../clock.ts';
import type { EventOpening, OpeningQuote } from '../../contract/odds.ts';
import { type OddsFormat, outcomeCountOf, QUOTE_OPEN } from '../../domain/catalogue.ts';
import { bookmakerMarketOfKey, lineQuartersOfKey, marketOfKey } from '../../store/quote-key.ts';
import type { SlateReader } from '../../store/reader.ts';
import { comparePositions } from '../lists/cursor.ts';
import type { FixtureNow } from '../slate/fixture-view.ts';
import { nameOfKey, pricesInFormat, pricesOfRow } from './odds.ts';
import { type OddsFilter, passes } from './odds-filter.ts';

/** A quote by its key, with the fixture's sport, which determines its outcomes. */
interface PricedQuote {
  readonly key: number;
  readonly sport: number;
  /** Ten-thousandths by outcome order. */
  readonly pricesE4: readonly number[];
}

/** One row of the opening table. */
interface Opening extends PricedQuote {
  readonly openedAtMs: number;
  readonly upstream: boolean;
}

/** The opening of one book's market, and its present price. */
export interface MarketOpening {
  readonly opening: Opening;
  /** The present price of the bookmaker's main line; null when it has no main line. */
  readonly current: PricedQuote | null;
}

export class OpeningQueries {
  readonly #reader: SlateReader;

  constructor(reader: SlateReader) {
    this.#reader = reader;
  }

  /** For each current quote that passes the filter, the first price recorded for the same key, if any. */
  ofQuotes({ view }: FixtureNow, filter: OddsFilter): EventOpening {
    const { columns, quotesPerFixture } = this.#reader;
    const found = this.#reader.readEvent(view.eventNumber, (page, slot) => {
      const openings = new Map(this.#openings(page, slot, filter).map((opening) => [opening.key, opening]));
      const base = page * quotesPerFixture;
      const rows = Array.from({ length: columns.quoteCount[page]! }, (_, index) => base + index);
      return rows.flatMap((row) => openings.get(columns.quoteKey[row]!) ?? []);
    });
    const openings = found ?? [];
    return {
      event_id: view.id,
      source: openingSource(openings),
      opening: openings.map((opening) => toOpeningQuote(opening, filter.format)),
    };
  }

  /**
   * For each book, market and period that passes the filter, the first line it offered and its main line now.
   */
  ofMarkets({ view }: FixtureNow, filter: OddsFilter): MarketOpening[] {
    const found = this.#reader.readEvent(view.eventNumber, (page, slot) => ({
      openings: this.#openings(page, slot, filter),
      mainByMarket: this.#mainQuotes(page, filter),
    }));
    if (found === undefined) return [];
    const { openings, mainByMarket } = found;
    const firstByMarket = new Map<number, Opening>();
    for (const opening of openings) {
      const market = bookmakerMarketOfKey(opening.key);
      if (!firstByMarket.has(market)) firstByMarket.set(market, opening);
    }
    return [...firstByMarket]
      .sort(([left], [right]) => left - right)
      .map(([market, opening]) => ({ opening, current: mainByMarket.get(market) ?? null }));
  }

  /**
   * Each book's main line per market and period, by `bookmakerMarketOfKey`: the open quote with the most
   * balanced prices, ties to the line nearest zero. A suspended quote is used only if the book has no open
   * one. Inside `SlateReader.read` only.
   */
  #mainQuotes(page: number, filter: OddsFilter): Map<number, PricedQuote> {
    const { columns, quotesPerFixture } = this.#reader;
    const sport = columns.sport[page]!;
    const base = page * quotesPerFixture;
    const mainByMarket = new Map<number, PricedQuote>();
    const rankByMarket = new Map<number, readonly number[]>();
    for (let row = base, end = base + columns.quoteCount[page]!; row < end; row++) {
      if (!passes(filter, columns.quoteKey[row]!)) continue;
      const quote = { key: columns.quoteKey[row]!, sport, pricesE4: pricesOfRow(columns, row) };
      const rank = rankOf(quote, columns.quoteStatus[row] === QUOTE_OPEN);
      const market = bookmakerMarketOfKey(quote.key);
      const held = rankByMarket.get(market);
      if (held !== undefined && comparePositions(rank, held) >= 0) continue;
      mainByMarket.set(market, quote);
      rankByMarket.set(market, rank);
    }
    return mainByMarket;
  }

  /**
   * The openings of a slot that pass the filter, in the order they were first seen. Inside `SlateReader.read`
   * only.
   */
  #openings(page: number, slot: number, filter: OddsFilter): Opening[] {
    const { columns, openingsPerFixture } = this.#reader;
    const sport = columns.sport[page]!;
    const base = slot * openingsPerFixture;
    const openings: Opening[] = [];
    for (let row = base, end = base + this.#reader.openingCount(slot); row < end; row++) {
      if (!passes(filter, columns.openingKey[row]!)) continue;
      openings.push({
        key: columns.openingKey[row]!,
        sport,
        pricesE4: [columns.openingE4A[row]!, columns.openingE4B[row]!, columns.openingE4C[row]!],
        openedAtMs: columns.openedAtMs[row]!,
        upstream: columns.openingUpstream[row] === 1,
      });
    }
    return openings;
  }
}

/** Where openings come from: `upstream` when the feed sent all of them, otherwise `first_seen`. */
export function openingSource(openings: readonly Opening[]): EventOpening['source'] {
  return openings.length > 0 && openings.every((opening) => opening.upstream) ? 'upstream' : 'first_seen';
}

/**
 * Sort key of a book's quotes, smallest is the main one: open first, then balance, then distance from zero.
 */
function rankOf({ key, sport, pricesE4 }: PricedQuote, isOpen: boolean): readonly number[] {
  const [a, b] = pricesE4 as readonly [number, number];
  const isTwoWay = outcomeCountOf(sport, marketOfKey(key)) === 2;
  const imbalance = isTwoWay && a > 0 && b > 0 ? Math.abs(1 / a - 1 / b) : 1;
  return [isOpen ? 0 : 1, imbalance, Math.abs(lineQuartersOfKey(key))];
}

function toOpeningQuote(opening: Opening, format: OddsFormat): OpeningQuote {
  return {
    ...nameOfKey(opening.key),
    prices: pricesInFormat({ ...opening, format }),
    format,
    opened_at: isoTextOrNull(opening.openedAtMs),
  };
}
