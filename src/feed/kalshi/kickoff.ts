// When a match begins. Kalshi's markets have no start time: only when they are expected to settle, and when
// they expire at the latest. Pure.

import { wireTimeMs } from '../wire-time.ts';
import type { KalshiMarket } from './messages.ts';
import { easternDate, tickerDate } from './ticker.ts';

const HOUR_MS = 3_600_000;
/** A winner is expected to settle so long after the kickoff: three hours, in September 2026 also four. */
const EXPECTED_AFTER_H = [3, 4];
/** It expires at the latest so long after the kickoff: 14 days until July 2026, then 48 or 54 hours. */
const LATEST_AFTER_H = [48, 54, 14 * 24];

/**
 * Unix ms of the kickoff by a winner contract. Both times together decide which distances apply.
 * @returns NaN when the times cannot be read, or contradict the Eastern date of the event's ticker
 */
export function kickoffOf(market: KalshiMarket, eventTicker: string): number {
  const expectedMs = wireTimeMs(market.expected_expiration_time ?? market.occurrence_datetime);
  const latestMs = wireTimeMs(market.latest_expiration_time ?? market.expiration_time);
  if (Number.isNaN(expectedMs)) return Number.NaN;
  const hours = EXPECTED_AFTER_H.find((expected) =>
    LATEST_AFTER_H.includes((latestMs - expectedMs) / HOUR_MS + expected),
  );
  const kickoffMs = expectedMs - (hours ?? EXPECTED_AFTER_H[0]!) * HOUR_MS;
  return easternDate(kickoffMs) === tickerDate(eventTicker) ? kickoffMs : Number.NaN;
}
