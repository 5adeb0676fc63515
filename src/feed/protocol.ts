// The feed protocol, version 1: the messages of every source. The types are here, the validator is in
// parse-message.ts.

export const FEED_PROTOCOL_VERSION = 1;

interface Numbered {
  readonly seq: number;
}
interface Timed extends Numbered {
  /** Source clock, Unix ms. (On the wire: ISO-8601 text, like every time below.) */
  readonly atMs: number;
}
export interface HelloMessage {
  readonly type: 'hello';
  readonly protocol: number;
  readonly source: string;
  /** Source clock, Unix ms. */
  readonly atMs: number;
  readonly epoch: string | null;
}
interface SnapshotMark extends Numbered {
  readonly type: 'snapshot_begin' | 'snapshot_end';
}
export interface NamedKey {
  readonly key: string;
  readonly name: string;
}
export interface EventMessage extends Timed {
  readonly type: 'event';
  readonly event: string;
  /** Index into SPORTS. */
  readonly sport: number;
  readonly league: NamedKey;
  readonly home: NamedKey;
  readonly away: NamedKey;
  /** Unix ms, NaN when the feed sent none. */
  readonly scheduledAtMs: number;
  /**
   * Bookmakers whose quotes the fixture may have, as a mask. If several sources are joined, these are the
   * bookmakers of the sources that have the fixture.
   */
  readonly bookmakerMask?: number;
}
export interface StateMessage extends Timed {
  readonly type: 'state';
  readonly event: string;
  /** Index into EVENT_STATUSES. */
  readonly status: number;
  readonly clock: string | null;
  /** Null if the message has no score: the last known score then stays. The same holds for cards. */
  readonly score: readonly [number, number] | null;
  readonly cards: readonly [number, number] | null;
}
export interface QuoteKeyFields {
  readonly event: string;
  /** Index into BOOKMAKERS. */
  readonly bookmaker: number;
  /** Index into MARKET_TYPES. */
  readonly market: number;
  /** Index into PERIODS. */
  readonly period: number;
  /** Quarters: -0.75 is -3. Zero for 1x2, whose line is null. */
  readonly lineQuarters: number;
}
export interface QuoteMessage extends Timed, QuoteKeyFields {
  readonly type: 'quote';
  /**
   * Ten-thousandths, in the order of the outcomes: 1.95 is 19500. As many as the message had; their number is
   * checked against the sport when the message is applied.
   */
  readonly pricesE4: readonly number[];
  /** Index into QUOTE_STATUSES, or QUOTE_WITHHELD, which a server that joins several sources sets. */
  readonly status: number;
  /** Unix ms, NaN when the feed sent no opening. */
  readonly openedAtMs: number;
  /** The source's own first prices, null when it sent none. */
  readonly openingPricesE4: readonly number[] | null;
  /** The line of the opening prices: the quote's own line, unless the bookmaker has moved it since. */
  readonly openingLineQuarters: number;
}
export interface CloseMessage extends Timed, QuoteKeyFields {
  readonly type: 'close';
}
export interface RemoveMessage extends Timed {
  readonly type: 'remove';
  readonly event: string;
}
export interface ResultMessage extends Timed {
  readonly type: 'result';
  readonly event: string;
  readonly score: readonly [number, number];
  readonly redCards: readonly [number, number] | null;
  readonly finishedAtMs: number;
}
export interface HeartbeatMessage extends Timed {
  readonly type: 'heartbeat';
  /** The fixture whose open quotes the heartbeat confirms; null for all fixtures. */
  readonly event: string | null;
  /** The bookmakers whose quotes the heartbeat confirms, as a mask; null for all bookmakers. */
  readonly bookmakerMask: number | null;
}

/** How much can be staked on one line of an exchange at its best prices, and how much was traded. */
export interface LiquidityMessageRow {
  /** Index into MARKET_TYPES. */
  readonly market: number;
  /** Index into PERIODS. */
  readonly period: number;
  readonly lineQuarters: number;
  /** Amounts in outcome order, in the message's currency. */
  readonly sizes: readonly number[];
  /** Null when the source does not say. */
  readonly matched: number | null;
}
/** The complete liquidity of a fixture at one exchange. A change of it changes no version of the fixture. */
export interface LiquidityMessage extends Timed {
  readonly type: 'liquidity';
  readonly event: string;
  /** Index into BOOKMAKERS. */
  readonly bookmaker: number;
  /** ISO 4217 code. */
  readonly currency: string;
  readonly rows: readonly LiquidityMessageRow[];
}

export type FeedMessage =
  | HelloMessage
  | SnapshotMark
  | EventMessage
  | StateMessage
  | QuoteMessage
  | CloseMessage
  | RemoveMessage
  | ResultMessage
  | LiquidityMessage
  | HeartbeatMessage;
