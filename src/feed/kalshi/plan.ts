// What to request from Kalshi and how often: in play and near a kickoff more often. Requests are free, and
// all together stay below the rate allowed without a key (GAP_MS in requests.ts). Pure.

import { HOUR_MS, MINUTE_MS } from '../../clock.ts';
import type { PlannedRequest } from '../poll/source.ts';
import type { KalshiLeague } from './leagues.ts';

const EVERY_MS: readonly { readonly withinMs: number; readonly everyMs: number }[] = [
  { withinMs: 0, everyMs: 20_000 },
  { withinMs: HOUR_MS, everyMs: 30_000 },
  { withinMs: 6 * HOUR_MS, everyMs: MINUTE_MS },
  { withinMs: 24 * HOUR_MS, everyMs: 2 * MINUTE_MS },
];
/** Shorter than the freshness window of prices before the match. */
const EVERY_MS_LATER = 4 * MINUTE_MS;
/** A league without matches is out of season, so it is requested rarely. */
const EVERY_MS_EMPTY = 30 * MINUTE_MS;
const BOOKS_EVERY_MS = 10_000;
const BOOKS_BEFORE_MS = 15 * MINUTE_MS;
/** The endpoint's own limit. */
export const BOOKS_PER_REQUEST = 100;
const BOOK_REQUESTS_MAX = 8;

export interface Kickoff {
  readonly league: KalshiLeague;
  readonly kickoffMs: number;
}

/** The request that reads a league whole. */
export function leagueRequest(
  league: KalshiLeague,
  kickoffs: readonly Kickoff[],
  nowMs: number,
): PlannedRequest {
  const untilMs = kickoffs.flatMap((kickoff) =>
    kickoff.league === league ? [kickoff.kickoffMs - nowMs] : [],
  );
  const nearestMs = Math.min(...untilMs);
  const everyMs =
    untilMs.length === 0
      ? EVERY_MS_EMPTY
      : (EVERY_MS.find(({ withinMs }) => nearestMs <= withinMs)?.everyMs ?? EVERY_MS_LATER);
  return { key: `league:${league.code}`, cost: 0, everyMs, part: 'full', confirms: true };
}

/**
 * The requests for the order books of this many contracts: at most eight requests. If that is not enough, the
 * contracts with the latest kickoffs are left out.
 */
export function bookRequests(tickerCount: number): PlannedRequest[] {
  const count = Math.min(BOOK_REQUESTS_MAX, Math.ceil(tickerCount / BOOKS_PER_REQUEST));
  return Array.from({ length: count }, (_, index) => ({
    key: `books:${index + 1}`,
    cost: 0,
    everyMs: BOOKS_EVERY_MS,
    part: 'extra',
    confirms: false,
  }));
}

/** Whether a match is in play or about to be. */
export function nearKickoff(kickoffMs: number, nowMs: number): boolean {
  return kickoffMs - nowMs <= BOOKS_BEFORE_MS;
}
