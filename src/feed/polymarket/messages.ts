// What Polymarket's Gamma API, its CLOB and its two WebSockets send, as far as the feed uses it. Each level
// is checked alone, so that one bad market costs that market and no more. Fields not named here may be there
// and are ignored; fields are left out rather than null.

import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';

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
export type EventsPage = Static<typeof EventsPage>;

const PolymarketTeam = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  alias: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  providerId: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  ordering: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
export type PolymarketTeam = Static<typeof PolymarketTeam>;

const GammaEvent = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 40 }),
  slug: Type.String({ minLength: 1, maxLength: 100 }),
  title: Type.String({ minLength: 1, maxLength: 300 }),
  markets: Type.Array(Type.Unknown(), { maxItems: 1_000 }),
  startTime: Type.Optional(Type.String()),
  gameId: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  parentEventId: Type.Optional(Type.Union([Type.Number(), Type.String(), Type.Null()])),
  teams: Type.Optional(Type.Array(PolymarketTeam, { maxItems: 8 })),
  live: Type.Optional(Type.Boolean()),
  ended: Type.Optional(Type.Boolean()),
  closed: Type.Optional(Type.Boolean()),
  score: Type.Optional(Type.String()),
  period: Type.Optional(Type.String()),
  elapsed: Type.Optional(Type.String()),
  finishedTimestamp: Type.Optional(Type.String()),
});
export type GammaEvent = Static<typeof GammaEvent>;

/** `outcomes` and `clobTokenIds` are text that holds a JSON array; index i of each belongs together. */
const GammaMarket = Type.Object({
  slug: Type.String({ minLength: 1, maxLength: 150 }),
  outcomes: Type.String(),
  clobTokenIds: Type.String(),
  active: Type.Boolean(),
  closed: Type.Boolean(),
  sportsMarketType: Type.Optional(Type.String()),
  acceptingOrders: Type.Optional(Type.Boolean()),
  line: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  groupItemTitle: Type.Optional(Type.String()),
  gameStartTime: Type.Optional(Type.String()),
  umaResolutionStatus: Type.Optional(Type.String()),
  volumeNum: Type.Optional(Type.Number()),
  volume: Type.Optional(Type.String()),
  feesEnabled: Type.Optional(Type.Boolean()),
  feeSchedule: Type.Optional(Type.Object({ rate: Type.Number({ minimum: 0, maximum: 1 }) })),
  marketMetadata: Type.Optional(Type.Object({ opticOddsSelectionLine: Type.Optional(Type.String()) })),
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

/** A whole book: an answer of the CLOB, and a frame of the market channel. */
const Book = Type.Object({
  asset_id: Type.String({ minLength: 1, maxLength: 100 }),
  timestamp: Type.String(),
  bids: Levels,
  asks: Levels,
});
export type Book = Static<typeof Book>;

/** `size` is the level's new size, "0" removes it. Both tokens of a market are listed. */
const PriceChange = Type.Object({
  event_type: Type.Literal('price_change'),
  timestamp: Type.String(),
  price_changes: Type.Array(
    Type.Object({
      asset_id: Type.String(),
      price: Type.String(),
      size: Type.String(),
      side: Type.Union([Type.Literal('BUY'), Type.Literal('SELL')]),
      best_bid: Type.Optional(Type.String()),
      best_ask: Type.Optional(Type.String()),
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
  gameId: Type.Number(),
  score: Type.String(),
  period: Type.Optional(Type.String()),
  elapsed: Type.Optional(Type.String()),
  live: Type.Boolean(),
  ended: Type.Boolean(),
});
export type ScoreFrame = Static<typeof ScoreFrame>;

export const isSportRow = check(SportRow);
export const isEventsPage = check(EventsPage);
export const isGammaEvent = check(GammaEvent);
export const isGammaMarket = check(GammaMarket);
export const isBook = check(Book);
export const isPriceChange = check(PriceChange);
export const isResolved = check(Resolved);
export const isScoreFrame = check(ScoreFrame);

/** The value of JSON text, undefined for anything else. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // the caller counts it
  }
}

function check<Schema extends Parameters<typeof TypeCompiler.Compile>[0]>(
  schema: Schema,
): (value: unknown) => value is Static<Schema> {
  const compiled = TypeCompiler.Compile(schema);
  return (value): value is Static<Schema> => compiled.Check(value);
}
