// The quote a book stands by now in one market and period: what an opening line is compared with.

import { outcomeCountOf, QUOTE_OPEN } from '../domain/catalogue.ts';
import { bookmakerMarketOfKey, lineQuartersOfKey, marketOfKey } from '../store/quote-key.ts';
import type { FixtureNow } from './fixture-view.ts';
import type { Slate } from './slate.ts';

/** One quote, with the fixture's sport that its outcomes follow from. */
export interface CurrentQuote {
  readonly key: number;
  readonly sport: number;
  /** Ten-thousandths by outcome order. */
  readonly pricesE4: readonly number[];
}

/** Names a book's market and period: the key without its line. */
export function bookMarketOf(key: number): number {
  return bookmakerMarketOfKey(key);
}

/**
 * Each book's main line per market and period, by `bookMarketOf`: of its open quotes the one with the most balanced
 * prices, ties to the line nearest zero; a suspended quote stands in only where the book has no open one.
 */
export function mainQuotes({ reader }: Slate, fixture: FixtureNow): Map<number, CurrentQuote> {
  const { columns } = reader;
  const quotes = reader.readEvent(fixture.view.eventNumber, (page) => {
    const sport = columns.sport[page]!;
    const base = page * reader.quotesPerFixture;
    const best = new Map<number, { row: number; rank: readonly [number, number, number] }>();
    for (let row = base, end = base + columns.quoteCount[page]!; row < end; row++) {
      const key = columns.quoteKey[row]!;
      const rank = rankOf(row, key, sport);
      const held = best.get(bookMarketOf(key));
      if (held === undefined || isBefore(rank, held.rank)) best.set(bookMarketOf(key), { row, rank });
    }
    const found = new Map<number, CurrentQuote>();
    for (const [bookMarket, { row }] of best) {
      const pricesE4 = [columns.priceE4A[row]!, columns.priceE4B[row]!, columns.priceE4C[row]!];
      found.set(bookMarket, { key: columns.quoteKey[row]!, sport, pricesE4 });
    }
    return found;
  });
  return quotes ?? new Map();

  /** Less is better: open first, then balance, then distance from zero. */
  function rankOf(row: number, key: number, sport: number): readonly [number, number, number] {
    const isTwoWay = outcomeCountOf(sport, marketOfKey(key)) === 2;
    const a = columns.priceE4A[row]!;
    const b = columns.priceE4B[row]!;
    const isPriced = a > 0 && b > 0;
    return [
      columns.quoteStatus[row] === QUOTE_OPEN ? 0 : 1,
      isTwoWay && isPriced ? Math.abs(1 / a - 1 / b) : 1,
      Math.abs(lineQuartersOfKey(key)),
    ];
  }
}

function isBefore(left: readonly number[], right: readonly number[]): boolean {
  for (let index = 0; index < left.length; index++) {
    if (left[index]! !== right[index]!) return left[index]! < right[index]!;
  }
  return false;
}
