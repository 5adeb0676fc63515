// Converts a feed message back into the protocol's wire object, without its number, which the sender of a
// stream assigns. Pure.

import { toIsoText } from '../clock.ts';
import {
  BOOKMAKER_KEYS,
  EVENT_STATUSES,
  MARKET_1X2,
  MARKET_TYPES,
  PERIODS,
  QUOTE_WITHHELD,
  SHOWN_QUOTE_STATUSES,
  SPORT_KEYS,
} from '../domain/catalogue.ts';
import { lineFromQuarters } from '../domain/handicap.ts';
import type {
  EventMessage,
  FeedMessage,
  LiquidityMessage,
  QuoteKeyFields,
  QuoteMessage,
} from './protocol.ts';
import type { Wire } from './wire-values.ts';

/**
 * The wire object of a message, without `seq`. With a `seq`, `parseMessage` turns it back into the message.
 */
export function toWire(message: FeedMessage): Wire {
  const { type } = message;
  switch (type) {
    case 'hello':
      return {
        type,
        protocol: message.protocol,
        source: message.source,
        at: toIsoText(message.atMs),
        epoch: message.epoch,
      };
    case 'snapshot_begin':
    case 'snapshot_end':
      return { type };
    case 'event':
      return eventWire(message);
    case 'state': {
      const { event, status, clock, score, cards } = message;
      return {
        type,
        at: toIsoText(message.atMs),
        event,
        status: EVENT_STATUSES[status],
        clock,
        score,
        cards,
      };
    }
    case 'quote':
      return quoteWire(message);
    case 'close':
      return { type, at: toIsoText(message.atMs), ...keyWire(message) };
    case 'remove':
      return { type, at: toIsoText(message.atMs), event: message.event };
    case 'result':
      return {
        type,
        at: toIsoText(message.atMs),
        event: message.event,
        score: message.score,
        red_cards: message.redCards,
        finished_at: toIsoText(message.finishedAtMs),
      };
    case 'liquidity':
      return liquidityWire(message);
    case 'heartbeat':
      return {
        type,
        at: toIsoText(message.atMs),
        ...(message.event === null ? {} : { event: message.event }),
        ...bookmakersWire(message.bookmakerMask),
      };
  }
}

function liquidityWire(message: LiquidityMessage): Wire {
  const { type, atMs, event, bookmaker, currency, rows } = message;
  return {
    type,
    at: toIsoText(atMs),
    event,
    bookmaker: BOOKMAKER_KEYS[bookmaker],
    currency,
    rows: rows.map(({ market, period, lineQuarters, sizes, matched }) => ({
      market_type: MARKET_TYPES[market],
      period: PERIODS[period],
      line: market === MARKET_1X2 ? null : lineFromQuarters(lineQuarters),
      sizes,
      matched,
    })),
  };
}

function eventWire(message: EventMessage): Wire {
  const { type, event, sport, league, home, away, scheduledAtMs } = message;
  const wire = {
    type,
    at: toIsoText(message.atMs),
    event,
    sport: SPORT_KEYS[sport],
    league,
    home,
    away,
    ...bookmakersWire(message.bookmakerMask ?? null),
  };
  return Number.isNaN(scheduledAtMs) ? wire : { ...wire, scheduled_at: toIsoText(scheduledAtMs) };
}

function quoteWire(message: QuoteMessage): Wire {
  const { type, pricesE4, status, openingPricesE4, openingLineQuarters, openedAtMs } = message;
  const wire: Record<string, unknown> = {
    type,
    at: toIsoText(message.atMs),
    ...keyWire(message),
    prices: pricesE4.map(toDecimal),
    status: SHOWN_QUOTE_STATUSES[status],
  };
  if (status === QUOTE_WITHHELD) wire.withheld = true;
  if (openingPricesE4 !== null) wire.opening = openingPricesE4.map(toDecimal);
  if (openingLineQuarters !== message.lineQuarters) wire.opening_line = lineFromQuarters(openingLineQuarters);
  if (!Number.isNaN(openedAtMs)) wire.opened_at = toIsoText(openedAtMs);
  return wire;
}

/** The bookmakers of a mask; nothing for null, which means all. */
function bookmakersWire(mask: number | null): Wire {
  return mask === null
    ? {}
    : { bookmakers: BOOKMAKER_KEYS.filter((_, bookmaker) => ((mask >> bookmaker) & 1) === 1) };
}

/** The fields that name a quote. */
export function keyWire({ event, bookmaker, market, period, lineQuarters }: QuoteKeyFields): Wire {
  return {
    event,
    bookmaker: BOOKMAKER_KEYS[bookmaker],
    market_type: MARKET_TYPES[market],
    period: PERIODS[period],
    line: market === MARKET_1X2 ? null : lineFromQuarters(lineQuarters),
  };
}

function toDecimal(priceE4: number): number {
  return priceE4 / 10_000;
}
