// The protocol's messages before they have a number, and the wire form of each.

import { toIsoText } from '../../clock.ts';
import type { MarketType, Period, QuoteStatus, SportKey } from '../../domain/catalogue.ts';
import { LIQUIDITY_ROWS_MAX } from '../../limits.ts';
import type { NamedKey } from '../protocol.ts';

export interface FixtureFields {
  readonly sport: SportKey;
  readonly league: NamedKey;
  readonly home: NamedKey;
  readonly away: NamedKey;
  /** Unix ms, null when unknown. */
  readonly scheduledAtMs: number | null;
}

export interface StateFields {
  readonly status: 'scheduled' | 'live' | 'finished';
  readonly clock: string | null;
  /** Null if there is no score: the last known score then stays. The same holds for cards. */
  readonly score: readonly [number, number] | null;
  readonly cards: readonly [number, number] | null;
}

export interface PolledQuote {
  /** Our bookmaker's key. */
  readonly bookmaker: string;
  readonly market: MarketType;
  readonly period: Period;
  /** The line in the protocol's form: the home side's handicap, or the total. Null for 1x2. */
  readonly line: number | null;
  /** Decimal, in the order of the outcomes. */
  readonly prices: readonly number[];
  readonly status: QuoteStatus;
  /**
   * The time of the quote, Unix ms: when the upstream last heard from the bookmaker, or when the answer
   * arrived if the upstream does not say.
   */
  readonly atMs: number;
  readonly opening?: readonly number[] | null;
  readonly openingLine?: number | null;
  /** How many answers in a row left this quote out; each source decides what that means. */
  readonly missed?: number;
}

/** How much can be staked on one line at its best prices, and how much was traded. */
export interface PolledLiquidityRow {
  readonly market: MarketType;
  readonly period: Period;
  readonly line: number | null;
  /** What can be staked at the best price of each outcome, in outcome order. 0: no price. */
  readonly sizes: readonly number[];
  /** What was matched so far, null when the source does not say. */
  readonly matched: number | null;
}

/** The complete liquidity of a fixture at one exchange. */
export interface LiquidityFields {
  readonly bookmaker: string;
  /** ISO 4217 code of its amounts. */
  readonly currency: string;
  readonly rows: readonly PolledLiquidityRow[];
}

export interface ResultFields {
  readonly score: readonly [number, number];
  readonly redCards: readonly [number, number] | null;
  readonly finishedAtMs: number;
}

/** One message that is still to be numbered and sent. Times are Unix ms. */
export type Draft =
  | ({ readonly type: 'event' } & At & FixtureFields)
  | ({ readonly type: 'state' } & At & StateFields)
  | ({ readonly type: 'quote' } & At & { readonly quote: PolledQuote })
  | ({ readonly type: 'close' } & At & { readonly quote: PolledQuote })
  | ({ readonly type: 'result' } & At & ResultFields)
  | ({ readonly type: 'liquidity' } & At & LiquidityFields)
  | ({ readonly type: 'remove' } & At)
  /** Says that the open quotes of this one fixture are confirmed. */
  | ({ readonly type: 'heartbeat' } & At);

interface At {
  readonly event: string;
  readonly atMs: number;
}

/** The wire message of a draft. */
export function wireOf(draft: Draft, seq: number): Record<string, unknown> {
  const head = { type: draft.type, seq, at: toIsoText(draft.atMs), event: draft.event };
  switch (draft.type) {
    case 'event': {
      const { sport, league, home, away, scheduledAtMs } = draft;
      const scheduled = scheduledAtMs === null ? {} : { scheduled_at: toIsoText(scheduledAtMs) };
      return { ...head, sport, league, home, away, ...scheduled };
    }
    case 'state': {
      const { status, clock, score, cards } = draft;
      return { ...head, status, clock, score, cards };
    }
    case 'quote':
      return { ...head, ...lineOf(draft.quote), ...pricesOf(draft.quote) };
    case 'close':
      return { ...head, ...lineOf(draft.quote) };
    case 'result': {
      const { score, redCards, finishedAtMs } = draft;
      return { ...head, score, red_cards: redCards, finished_at: toIsoText(finishedAtMs) };
    }
    case 'liquidity': {
      const { bookmaker, currency, rows } = draft;
      return { ...head, bookmaker, currency, rows: rows.slice(0, LIQUIDITY_ROWS_MAX).map(liquidityRowOf) };
    }
    case 'remove':
    case 'heartbeat':
      return head;
  }
}

function liquidityRowOf({
  market,
  period,
  line,
  sizes,
  matched,
}: PolledLiquidityRow): Record<string, unknown> {
  return { market_type: market, period, line, sizes, matched };
}

function lineOf({ bookmaker, market, period, line }: PolledQuote): Record<string, unknown> {
  return { bookmaker, market_type: market, period, line };
}

function pricesOf({ prices, status, opening, openingLine }: PolledQuote): Record<string, unknown> {
  return {
    prices,
    status,
    ...(opening === undefined || opening === null ? {} : { opening }),
    ...(openingLine === undefined || openingLine === null ? {} : { opening_line: openingLine }),
  };
}
