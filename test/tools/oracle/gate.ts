// Which quotes of a recording give signals at the stopped clock, when a heartbeat has just confirmed every
// open quote, and why the other quotes do not. This implements the rules of docs/reference/signals.md a
// second time, over plain objects.

import type { Quote } from './lines.ts';
import { isoOf, type OracleFixture, type OracleSlate } from './slate.ts';

const MINUTE_MS = 60_000;
const LIVE_MAX_AGE_MS = 5 * MINUTE_MS;
const LAGGING_MS = 60 * MINUTE_MS;

export function isFinished({ status }: OracleFixture): boolean {
  return status === 'finished';
}

/** Whether the fixture is past its kickoff but still scheduled. */
export function isLate({ nowMs }: OracleSlate, { status, kickoffMs }: OracleFixture): boolean {
  return status === 'scheduled' && kickoffMs <= nowMs;
}

/**
 * Whether prices of the period are outdated. In the recordings, clocks are like "1h 12", "ht" and "2h 67".
 */
export function isOver({ nowMs }: OracleSlate, fixture: OracleFixture, period: string): boolean {
  if (isFinished(fixture)) return true;
  if (fixture.status === 'scheduled' || period === 'full_time') return false;
  const clock = fixture.model.clock ?? '';
  if (clock.startsWith('ht') || clock.startsWith('2h')) return true;
  const lastMinute = fixture.model.sport === 'football' ? 60 : 90;
  const isFirstHalf = fixture.model.sport === 'football' && clock.startsWith('1h');
  return !isFirstHalf && nowMs - fixture.kickoffMs >= lastMinute * MINUTE_MS;
}

/** Whether the period has ended, so that none of its prices is valid. */
export function isClosed(slate: OracleSlate, fixture: OracleFixture, period: string): boolean {
  return isLate(slate, fixture) || isOver(slate, fixture, period);
}

/** Whether the price is older than a price in play may be. */
export function isStale(slate: OracleSlate, fixture: OracleFixture, quote: Quote): boolean {
  return fixture.status === 'live' && slate.nowMs - slate.shiftMs - quote.atMs > LIVE_MAX_AGE_MS;
}

/** The fields about a price's age. @param sharp the sharp bookmaker's quote at the same line */
export function ageOf(slate: OracleSlate, quote: Quote, sharp: Quote | undefined) {
  const asOf = quote.atMs + slate.shiftMs;
  return {
    as_of: isoOf(asOf),
    confirmed_at: isoOf(quote.status === 'open' ? Math.max(asOf, slate.nowMs) : asOf),
    age_s: Math.max(0, Math.floor((slate.nowMs - asOf) / 1_000)),
    lagging: sharp !== undefined && sharp.atMs - quote.atMs > LAGGING_MS,
  };
}
