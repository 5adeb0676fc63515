// The parts of Polymarket's Gamma API, its CLOB and its two WebSockets that the feed uses. Each level is
// validated separately, so that one bad market is left out and the rest is used. Other fields are ignored.
// Usually a field without a value is left out; null is accepted too.

import { type Static, Type } from '@sinclair/typebox';
import { check, optional } from '../message-schema.ts';

/** A row of /sports. */
const SportRow = Type.Object({
  sport: Type.String({ minLength: 1, maxLength: 40 }),
  /** Which side a title names first. */
  ordering: Type.Union([Type.Literal('home'), Type.Literal('away')]),
  series: Type.String({ pattern: '^\\d{1,12}$' }),
});
export type SportRow = Static<typeof SportRow>;

const EventsPage = Type.Object({
  events: Type.Array(Type.Unknown(), { maxItems: 500 }),
  /** Sent back as `after_cursor`. The last page has none. */
  next_cursor: Type.Optional(Type.Union([Type.String({ maxLength: 4_096 }), Type.Null()])),
});

const PolymarketTeam = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  alias: optional(Type.String()),
  abbreviation: optional(Type.String()),
  providerId: optional(Type.Union([Type.Number(), Type.String()])),
});
export type PolymarketTeam = Static<typeof PolymarketTeam>;

const GammaEvent = Type.Object({
  id: Type.Union([Type.String({ minLength: 1, maxLength: 40 }), Type.Integer()]),
  slug: Type.String({ minLength: 1, maxLength: 100 }),
  title: Type.String({ minLength: 1, maxLength: 300 }),
  markets: Type.Array(Type.Unknown(), { maxItems: 1_000 }),
  /** The series of the event. One of them is the series of its league. */
  series: optional(Type.Array(Type.Unknown(), { maxItems: 50 })),
  startTime: optional(Type.String()),
  gameId: optional(Type.Union([Type.Number(), Type.String()])),
  parentEventId: optional(Type.Union([Type.Number(), Type.String()])),
  teams: optional(Type.Array(Type.Unknown(), { maxItems: 50 })),
  live: optional(Type.Boolean()),
  ended: optional(Type.Boolean()),
  closed: optional(Type.Boolean()),
  score: optional(Type.String()),
  period: optional(Type.String()),
  elapsed: optional(Type.String()),
  finishedTimestamp: optional(Type.String()),
});
export type GammaEvent = Static<typeof GammaEvent>;

/**
 * `outcomes` and `clobTokenIds` are text that holds a JSON array; elements with the same index belong
 * together.
 */
const GammaMarket = Type.Object({
  slug: Type.String({ minLength: 1, maxLength: 150 }),
  outcomes: Type.String(),
  clobTokenIds: Type.String(),
  active: Type.Boolean(),
  closed: Type.Boolean(),
  sportsMarketType: optional(Type.String()),
  acceptingOrders: optional(Type.Boolean()),
  line: optional(Type.Union([Type.Number(), Type.String()])),
  groupItemTitle: optional(Type.String()),
  gameStartTime: optional(Type.String()),
  umaResolutionStatus: optional(Type.String()),
  volumeNum: optional(Type.Number()),
  volume: optional(Type.Union([Type.Number(), Type.String()])),
  feesEnabled: optional(Type.Boolean()),
  feeSchedule: optional(Type.Object({ rate: Type.Number({ minimum: 0, maximum: 1 }) })),
  marketMetadata: optional(Type.Object({ opticOddsSelectionLine: optional(Type.String()) })),
});
export type GammaMarket = Static<typeof GammaMarket>;

/** Fields that every market has. If half of the markets lack one, Polymarket has renamed it. */
export const MARKET_FIELDS = [
  'slug',
  'outcomes',
  'clobTokenIds',
  'active',
  'closed',
  'sportsMarketType',
] as const;

const OrderLevel = Type.Object({ price: Type.String(), size: Type.String() });
const Levels = Type.Array(OrderLevel, { maxItems: 2_000 });
/** Unix ms, as text. */
const Stamp = Type.Union([Type.String(), Type.Integer()]);

/** A whole book: an answer of the CLOB, and a frame of the market channel. */
const Book = Type.Object({
  asset_id: Type.String({ minLength: 1, maxLength: 100 }),
  timestamp: Stamp,
  bids: Levels,
  asks: Levels,
});
export type Book = Static<typeof Book>;

/** `size` is the level's new size, "0" removes it. Both tokens of a market are listed. */
const PriceChange = Type.Object({
  event_type: Type.Literal('price_change'),
  timestamp: Stamp,
  price_changes: Type.Array(
    Type.Object({
      asset_id: Type.String(),
      price: Type.String(),
      size: Type.String(),
      side: Type.Union([Type.Literal('BUY'), Type.Literal('SELL')]),
      best_bid: optional(Type.String()),
      best_ask: optional(Type.String()),
    }),
    { maxItems: 1_000 },
  ),
});
export type PriceChange = Static<typeof PriceChange>;

const Resolved = Type.Object({
  event_type: Type.Literal('market_resolved'),
  assets_ids: Type.Array(Type.String(), { maxItems: 8 }),
});

/** A frame of the score channel. Some sports have no gameId. */
const ScoreFrame = Type.Object({
  gameId: Type.Union([Type.Number(), Type.String()]),
  score: optional(Type.String()),
  period: optional(Type.String()),
  elapsed: optional(Type.String()),
  live: Type.Boolean(),
  ended: Type.Boolean(),
});
export type ScoreFrame = Static<typeof ScoreFrame>;

export const isSportRow = check(SportRow);
export const isEventsPage = check(EventsPage);
export const isTeam = check(PolymarketTeam);
export const isGammaEvent = check(GammaEvent);
export const isGammaMarket = check(GammaMarket);
export const isBook = check(Book);
export const isPriceChange = check(PriceChange);
export const isResolved = check(Resolved);
export const isScoreFrame = check(ScoreFrame);
