// Short ways to write wire messages about made-up fixtures.

import type { Wire } from './wire-slate.ts';

/** The instant of every made-up message. */
export const T0 = Date.parse('2026-03-01T12:00:00Z');
const AT = new Date(T0).toISOString();
const KICKOFF = '2026-03-01T15:00:00Z';

export function football(event: string, home: string, away: string, scheduledAt = KICKOFF): Wire {
  return eventOf('football', event, { home, away, scheduledAt });
}

export function basketball(event: string, home: string, away: string, scheduledAt = KICKOFF): Wire {
  return eventOf('basketball', event, { home, away, scheduledAt });
}

/** A full-time quote, as a list with one message, so that several calls can be spread into one list. */
export function quote(
  event: string,
  bookmaker: string,
  market: string,
  line: number | null,
  prices: readonly number[],
  status = 'open',
): Wire[] {
  return [quoteOf(event, bookmaker, market, line, prices, { status })];
}

export function quoteOf(
  event: string,
  bookmaker: string,
  market: string,
  line: number | null,
  prices: readonly number[],
  options: { readonly period?: string; readonly status?: string } = {},
): Wire {
  const { period = 'full_time', status = 'open' } = options;
  return {
    type: 'quote',
    seq: 1,
    at: AT,
    event,
    bookmaker,
    market_type: market,
    period,
    line,
    prices,
    status,
  };
}

export function state(event: string, status: string, score: [number, number] | null, clock: string): Wire {
  return { type: 'state', seq: 1, at: AT, event, status, clock, score, cards: null };
}

function eventOf(
  sport: string,
  event: string,
  { home, away, scheduledAt }: { home: string; away: string; scheduledAt: string },
): Wire {
  return {
    type: 'event',
    seq: 1,
    at: AT,
    event,
    sport,
    league: { key: `${sport}-league`, name: `${sport} league` },
    home: { key: home.toLowerCase(), name: home },
    away: { key: away.toLowerCase(), name: away },
    scheduled_at: scheduledAt,
  };
}
