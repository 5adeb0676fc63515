// What to request from Polymarket and how often. Gamma lists the matches; its answers may be cached, so
// prices are not taken from them. The CLOB's books are requested rarely while the market channel is up, to
// check it, and every few seconds while it is down, to replace it. All of this is far below the limits (900
// lists and 500 calls of /books in ten seconds). Pure.

import { HOUR_MS, MINUTE_MS } from '../../clock.ts';
import type { PlannedRequest } from '../poll/source.ts';
import type { PolymarketLeague } from './leagues.ts';

/** The rows of /sports change a few times a year, so they are requested rarely. */
export const SPORTS_REQUEST: PlannedRequest = {
  key: 'sports',
  cost: 0,
  everyMs: 6 * HOUR_MS,
  part: 'full',
  confirms: false,
};
const EVENTS_EVERY_MS: readonly { readonly withinMs: number; readonly everyMs: number }[] = [
  { withinMs: 0, everyMs: MINUTE_MS },
  { withinMs: HOUR_MS, everyMs: 2 * MINUTE_MS },
];
const EVENTS_EVERY_MS_LATER = 10 * MINUTE_MS;
const BOOKS_EVERY_MS = 10_000;
const BOOKS_EVERY_MS_BESIDE_SOCKET = 2 * MINUTE_MS;
/** The endpoint's own limit. */
export const BOOKS_PER_REQUEST = 500;
/**
 * Maximum number of tokens that are followed: four connections. Those with the latest kickoffs are left out.
 */
export const TOKENS_MAX = 4 * 500;

/** The request that reads the matches of a league. */
export function eventsRequest(
  { code }: PolymarketLeague,
  kickoffsMs: readonly number[],
  nowMs: number,
): PlannedRequest {
  const nearestMs = Math.min(...kickoffsMs) - nowMs;
  const everyMs =
    EVENTS_EVERY_MS.find(({ withinMs }) => nearestMs <= withinMs)?.everyMs ?? EVENTS_EVERY_MS_LATER;
  return { key: `events:${code}`, cost: 0, everyMs, part: 'full', confirms: false };
}

/** @param isHeard whether the market channel confirms the books */
export function bookRequests(tokenCount: number, isHeard: boolean): PlannedRequest[] {
  const everyMs = isHeard ? BOOKS_EVERY_MS_BESIDE_SOCKET : BOOKS_EVERY_MS;
  return Array.from({ length: Math.ceil(tokenCount / BOOKS_PER_REQUEST) }, (_, index) => ({
    key: `books:${index + 1}`,
    cost: 0,
    everyMs,
    part: 'full',
    confirms: true,
  }));
}
