// The order books of tokens as the market channel and the CLOB send them: a whole book, then levels that
// change. There are no sequence numbers. A change states the best prices of its book. If ours differ, the
// book counts as lost. Then a whole one is requested, and its prices are suspended until that arrives. Pure
// state.

import { EMPTY_BOOK, type Level, levelOf, type TopOfBook } from '../contracts/contract.ts';
import { numberOf as plainNumberOf } from '../poll/prices.ts';
import type { Book, PriceChange } from './messages.ts';

interface HeldBook {
  readonly bids: Map<number, number>;
  readonly asks: Map<number, number>;
  /** The upstream's clock, Unix ms. */
  atMs: number;
  /**
   * `stale`: the connection was cut, so only a whole book may change it. `lost`: it is also known to be
   * wrong.
   */
  standing: 'right' | 'stale' | 'lost';
  /** The best prices of a lost book when it was last right. */
  lastRight?: TopOfBook;
}

/** Ticks of a tenth of a cent make 999 prices, so a book with more levels is wrong and is requested again. */
const LEVELS_MAX = 1_000;

export class TokenBooks {
  readonly #books = new Map<string, HeldBook>();

  isLost(token: string): boolean {
    return this.#books.get(token)?.standing === 'lost';
  }

  /** Marks the books of a connection that was cut as stale, because their changes since then are unknown. */
  setStale(tokens: Iterable<string>): void {
    for (const token of tokens) {
      const book = this.#books.get(token);
      if (book?.standing === 'right') book.standing = 'stale';
    }
  }

  /** Forgets books that are not followed any more. */
  keep(tokens: ReadonlySet<string>): void {
    for (const token of this.#books.keys()) if (!tokens.has(token)) this.#books.delete(token);
  }

  drop(token: string): void {
    this.#books.delete(token);
  }

  /**
   * Replaces the held book with a whole one, unless the held one is right and newer. @returns whether it did
   */
  put({ asset_id, timestamp, bids, asks }: Book): boolean {
    const atMs = stampOf(timestamp);
    const held = this.#books.get(asset_id);
    if (!(atMs > 0) || (held?.standing === 'right' && atMs < held.atMs)) return false;
    this.#books.set(asset_id, { bids: levelsOf(bids), asks: levelsOf(asks), atMs, standing: 'right' });
    return true;
  }

  /**
   * Applies changed levels to the books that are held.
   * @returns tokens whose best prices may have changed, and those whose book is lost
   */
  change({ timestamp, price_changes }: PriceChange): { readonly changed: string[]; readonly lost: string[] } {
    const atMs = stampOf(timestamp);
    const last = new Map<string, PriceChange['price_changes'][number]>();
    const before = new Map<string, TopOfBook>();
    for (const change of price_changes) {
      const book = this.#books.get(change.asset_id);
      // Skip a change that is late, or whose token is not followed, or whose book must first be replaced by a
      // whole one.
      if (book === undefined || book.standing !== 'right' || !(atMs >= book.atMs)) continue;
      if (!before.has(change.asset_id)) before.set(change.asset_id, this.topOf(change.asset_id));
      const price = numberOf(change.price);
      const size = numberOf(change.size);
      const levels = change.side === 'BUY' ? book.bids : book.asks;
      if (size === 0) levels.delete(price);
      else levels.set(price, size); // a level that is not a number is never the best one
      last.set(change.asset_id, change);
      book.atMs = atMs;
    }
    const lost: string[] = [];
    for (const [token, change] of last) if (!this.#agrees(token, change)) lost.push(token);
    for (const token of lost) {
      const book = this.#books.get(token)!;
      book.standing = 'lost';
      book.lastRight = before.get(token)!;
    }
    return { changed: [...last.keys()], lost };
  }

  /**
   * The best bid and ask of a token; an empty book when none is held. If the book is lost, returns its last
   * correct prices, because the prices that it has now may never have been offered.
   */
  topOf(token: string): TopOfBook {
    const book = this.#books.get(token);
    if (book === undefined) return EMPTY_BOOK;
    if (book.standing === 'lost' && book.lastRight !== undefined) return book.lastRight;
    return { bid: best(book.bids, 1), ask: best(book.asks, -1) };
  }

  /** Whether a book has the best prices that a change states, and no impossible number of levels. */
  #agrees(token: string, { best_bid, best_ask }: PriceChange['price_changes'][number]): boolean {
    const { bids, asks } = this.#books.get(token)!;
    if (bids.size > LEVELS_MAX || asks.size > LEVELS_MAX) return false;
    const { bid, ask } = this.topOf(token);
    return isPrice(best_bid, bid?.price ?? 0) && isPrice(best_ask, ask?.price ?? 1);
  }
}

/**
 * Whether a message states this price. A message without a price contradicts nothing; "0" and "1" both mean
 * that the side is empty.
 */
function isPrice(text: string | null | undefined, price: number): boolean {
  if ((text ?? '') === '') return true;
  const said = numberOf(text);
  return said === price || ((said === 0 || said === 1) && (price === 0 || price === 1));
}

/** Unix ms; NaN for anything else. */
function stampOf(stamp: Book['timestamp']): number {
  return /^\d{1,15}$/.test(String(stamp)) ? Number(stamp) : Number.NaN;
}

/** A price or size. The documentation also writes ".48", without a zero. */
function numberOf(text: string | null | undefined): number {
  return plainNumberOf(text?.startsWith('.') === true ? `0${text}` : text);
}

function levelsOf(levels: Book['bids']): Map<number, number> {
  const map = new Map<number, number>();
  for (const { price, size } of levels) {
    const level = levelOf(numberOf(price), numberOf(size));
    if (level !== null) map.set(level.price, level.size);
  }
  return map;
}

/**
 * The best level, whatever the order of the levels. @param sign 1 for the highest price, -1 for the lowest
 */
function best(levels: ReadonlyMap<number, number>, sign: 1 | -1): Level | null {
  let found: Level | null = null;
  for (const [price, size] of levels) {
    const level = levelOf(price, size);
    if (level !== null && (found === null || sign * level.price > sign * found.price)) found = level;
  }
  return found;
}
