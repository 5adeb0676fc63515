// The parts of Kalshi's trade API v2 that the feed uses. Each level is validated separately, so that one bad
// market is left out and the rest is used. Other fields are ignored.

import { type Static, Type } from '@sinclair/typebox';
import { jsonOrUndefined } from '../../parse-json.ts';
import { check, optional } from '../message-schema.ts';

const KalshiEventsPage = Type.Object({
  events: Type.Array(Type.Unknown(), { maxItems: 1_000 }),
  /** The last page has no cursor: '' according to the schema, null according to the guide. */
  cursor: Type.Optional(Type.Union([Type.String({ maxLength: 4_096 }), Type.Null()])),
});

const KalshiEvent = Type.Object({
  event_ticker: Type.String({ minLength: 1, maxLength: 100 }),
  title: Type.String({ minLength: 1, maxLength: 300 }),
  markets: Type.Array(Type.Unknown(), { maxItems: 1_000 }),
  /** Replaces the multiplier of the series. */
  fee_multiplier_override: optional(Type.Number({ minimum: 0, maximum: 10 })),
});
export type KalshiEvent = Static<typeof KalshiEvent>;

/** Dollars or contracts, as text; '' and null if there are none. */
const Amount = optional(Type.Union([Type.String(), Type.Number()]));

const KalshiMarket = Type.Object({
  ticker: Type.String({ minLength: 1, maxLength: 100 }),
  status: Type.String(),
  yes_sub_title: Type.String({ minLength: 1, maxLength: 200 }),
  yes_bid_dollars: Amount,
  yes_ask_dollars: Amount,
  yes_bid_size_fp: Amount,
  yes_ask_size_fp: Amount,
  volume_fp: Amount,
  expected_expiration_time: optional(Type.String()),
  occurrence_datetime: optional(Type.String()),
  latest_expiration_time: optional(Type.String()),
  expiration_time: optional(Type.String()),
  floor_strike: Amount,
  strike_type: optional(Type.String()),
  custom_strike: optional(Type.Record(Type.String(), Type.Unknown())),
  mve_collection_ticker: optional(Type.String()),
});
export type KalshiMarket = Static<typeof KalshiMarket>;

/** Fields without which a market cannot be read. If half of the markets lack one, Kalshi has renamed it. */
export const MARKET_FIELDS: readonly (keyof KalshiMarket)[] = [
  'ticker',
  'status',
  'yes_sub_title',
  'yes_bid_dollars',
  'yes_ask_dollars',
  'yes_bid_size_fp',
  'yes_ask_size_fp',
  'expected_expiration_time',
];

const Bids = Type.Array(Type.Tuple([Type.String(), Type.String()]), { maxItems: 10_000 });
/** An empty side may be null. */
const Side = Type.Union([Bids, Type.Null()]);

/**
 * Both sides are bids, `[price, size]`. The former key, without `_fp`, is still sent, but with an empty book.
 */
const KalshiOrderBook = Type.Object({
  ticker: Type.String(),
  orderbook_fp: Type.Object({ yes_dollars: Side, no_dollars: Side }),
});
export type KalshiOrderBook = Static<typeof KalshiOrderBook>;

/** `GET /series/{ticker}`. `fee_type` begins with `quadratic`; the type `flat` has been announced. */
const SeriesAnswer = Type.Object({
  series: Type.Object({
    fee_type: optional(Type.String()),
    fee_multiplier: optional(Type.Number({ minimum: 0, maximum: 10 })),
  }),
});

const OrderBooks = Type.Object({ orderbooks: Type.Array(Type.Unknown(), { maxItems: 100 }) });

/** Frames of the WebSocket. `seq` counts all frames of a subscription, answers to its updates included. */
const Frame = Type.Object({
  type: Type.String(),
  sid: Type.Optional(Type.Integer()),
  seq: Type.Optional(Type.Integer()),
});
export type KalshiFrame = Static<typeof Frame>;

const Subscribed = Type.Object({
  type: Type.Literal('subscribed'),
  msg: Type.Object({ sid: Type.Integer() }),
});

const BookSnapshot = Type.Object({
  type: Type.Literal('orderbook_snapshot'),
  msg: Type.Object({
    market_ticker: Type.String(),
    /** Left out for an empty side. */
    yes_dollars_fp: Type.Optional(Side),
    no_dollars_fp: Type.Optional(Side),
  }),
});

const BookDelta = Type.Object({
  type: Type.Literal('orderbook_delta'),
  msg: Type.Object({
    market_ticker: Type.String(),
    price_dollars: Type.String(),
    delta_fp: Type.String(),
    side: Type.Union([Type.Literal('yes'), Type.Literal('no')]),
  }),
});

const isFrame = check(Frame);
export const isSubscribed = check(Subscribed);
export const isBookSnapshot = check(BookSnapshot);
export const isBookDelta = check(BookDelta);

/** A frame of the WebSocket, null for any other text. */
export function frameOf(text: string): KalshiFrame | null {
  const value = jsonOrUndefined(text);
  return isFrame(value) ? value : null;
}

export const isEventsPage = check(KalshiEventsPage);
export const isKalshiEvent = check(KalshiEvent);
export const isKalshiMarket = check(KalshiMarket);
export const isOrderBook = check(KalshiOrderBook);
export const isOrderBooks = check(OrderBooks);
export const isSeriesAnswer = check(SeriesAnswer);
