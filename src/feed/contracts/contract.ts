// A contract of a prediction market: it pays one dollar if what it says comes true. Prices are dollars
// between 0 and 1, sizes are numbers of contracts. The functions compute what each side costs with the
// venue's fee, as decimal odds. Pure.

import { HOUR_MS } from '../../clock.ts';
import { PRICE_MAX } from '../poll/prices.ts';

/** An order at the top of a book. */
export interface Level {
  /** Dollars for one contract, between 0 and 1, both excluded. */
  readonly price: number;
  /** Contracts offered at this price. */
  readonly size: number;
}

/**
 * The best orders for the Yes side: `bid` is the best order to buy, `ask` the best order to sell. Null where
 * there is no such order.
 */
export interface TopOfBook {
  readonly bid: Level | null;
  readonly ask: Level | null;
}

export const EMPTY_BOOK: TopOfBook = { bid: null, ask: null };

/** What Yes means. */
export type ContractMeaning =
  | { readonly market: '1x2'; readonly side: 'home' | 'draw' | 'away' }
  /** Yes: that side wins by more than `line`, which is positive. No is the other side at +line. */
  | { readonly market: 'asian_handicap'; readonly side: 'home' | 'away'; readonly line: number }
  /** Yes: more than `line` goals or points. */
  | { readonly market: 'totals'; readonly line: number };

export interface Contract {
  /** The venue's own name of the contract: a ticker or a token. */
  readonly id: string;
  readonly meaning: ContractMeaning;
  /** `paused`: listed, but not trading now. A contract that has been decided is left out. */
  readonly status: 'open' | 'paused';
  readonly book: TopOfBook;
  /** Dollars traded so far, null when the venue does not say. */
  readonly volume: number | null;
  /** The taker's fee: this share of price x (1 - price) for each contract. */
  readonly feeRate: number;
}

/** Venues may list a match for months after its end. This long after its kickoff a match counts as over. */
export const OVER_AFTER_MS = 8 * HOUR_MS;

/** The level of one side. Null for an empty side; venues then send a price of 0 or 1. */
export function levelOf(price: number, size: number): Level | null {
  return price > 0 && price < 1 && size > 0 ? { price, size } : null;
}

/** Whether the best bid is at or above the best ask. Such a book is in the middle of a change. */
export function isCrossed({ bid, ask }: TopOfBook): boolean {
  return bid !== null && ask !== null && bid.price >= ask.price;
}

/** The price and size at which one side of a contract can be bought, and the fee. */
export interface Offer extends Level {
  readonly feeRate: number;
}

/** The offer for Yes is the best ask. */
export function offerOfYes({ book: { ask }, feeRate }: Contract): Offer | null {
  return ask === null ? null : { ...ask, feeRate };
}

/** Selling Yes to the best bid equals buying No for the rest of the dollar. */
export function offerOfNo({ book: { bid }, feeRate }: Contract): Offer | null {
  return bid === null ? null : { price: complement(bid.price), size: bid.size, feeRate };
}

/** The cheapest of several offers for the same outcome; offers at the same price add up. */
export function cheapest(offers: readonly (Offer | null)[]): Offer | null {
  const some = offers.filter((offer) => offer !== null);
  const [best] = some.toSorted((one, other) => one.price - other.price);
  if (best === undefined) return null;
  const size = some.filter(({ price }) => price === best.price).reduce((sum, offer) => sum + offer.size, 0);
  return { ...best, size };
}

/**
 * Decimal odds after the fee: one dollar for the price and the fee, which is `feeRate` x price x (1 - price).
 * (Kalshi's and Polymarket's published formula; docs/guide/feeds.md has their dates.) 0 for no offer, and for
 * odds of 1 or less or above what the protocol carries.
 */
export function decimalOf(offer: Offer | null): number {
  if (offer === null) return 0;
  const { price, feeRate } = offer;
  const odds = Math.round(10_000 / (price + feeRate * price * (1 - price))) / 10_000;
  return odds > 1 && odds <= PRICE_MAX ? odds : 0;
}

/** What can be staked at an offer's price, in dollars, rounded down to cents; 0 for no offer. */
export function stakeOf(offer: Offer | null): number {
  return offer === null ? 0 : Math.floor(offer.price * offer.size * 100 + 1e-6) / 100;
}

/**
 * 1 - price, rounded to six decimals to remove the digits that binary fractions add. Venues quote no more
 * decimals.
 */
export function complement(price: number): number {
  return Math.round((1 - price) * 1_000_000) / 1_000_000;
}
