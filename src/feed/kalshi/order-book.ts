// Kalshi's order books list bids alone: a bid for No at p is an offer of Yes at 1 - p. Pure.

import { complement, type Level, levelOf, type TopOfBook } from '../contracts/contract.ts';
import { numberOf } from '../poll/prices.ts';
import type { KalshiOrderBook } from './messages.ts';

/**
 * The best bid and ask of Yes. Levels come in ascending order, although the schema's text says otherwise, so
 * no order is assumed.
 */
export function bookOf({ yes_dollars, no_dollars }: KalshiOrderBook['orderbook_fp']): TopOfBook {
  const bid = bestBid(yes_dollars);
  const noBid = bestBid(no_dollars);
  return { bid, ask: noBid === null ? null : levelOf(complement(noBid.price), noBid.size) };
}

function bestBid(levels: readonly (readonly [string, string])[] | null): Level | null {
  let best: Level | null = null;
  for (const [price, size] of levels ?? []) {
    const level = levelOf(numberOf(price), numberOf(size));
    if (level !== null && (best === null || level.price > best.price)) best = level;
  }
  return best;
}
