// The status of a match at an instant: pure functions of the feed's data and the time. Used for reads, and by
// the sweep that stores results of matches for which the feed sends no result.

import { MINUTE_MS } from '../clock.ts';
import {
  ALL_PERIODS_MASK,
  PERIOD_HALF_TIME,
  SPORT_FOOTBALL,
  SPORT_KEYS,
  type SportKey,
  STATUS_FINISHED,
  STATUS_LIVE,
  STATUS_SCHEDULED,
} from './catalogue.ts';

/** A match counts as over at the latest this long after kickoff. */
const MATCH_DURATION_MAX_MS: Readonly<Record<SportKey, number>> = {
  football: 150 * MINUTE_MS,
  basketball: 210 * MINUTE_MS,
};
/** The shortest and the longest MATCH_DURATION_MAX_MS of all sports. */
export const MATCH_DURATION_RANGE_MS: { readonly least: number; readonly most: number } = {
  least: Math.min(...Object.values(MATCH_DURATION_MAX_MS)),
  most: Math.max(...Object.values(MATCH_DURATION_MAX_MS)),
};
/** Early full time: the second-half clock has stood still for this long and every quote is suspended. */
const EARLY_FULL_TIME_MS = 3 * MINUTE_MS;

/** What the feed sent about a match. Times are Unix ms, NaN when unknown. */
export interface MatchFacts {
  /** Index into SPORTS. */
  readonly sport: number;
  /** Index into EVENT_STATUSES. */
  readonly feedStatus: number;
  readonly feedStatusAtMs: number;
  readonly scheduledAtMs: number;
  /** Clock text exactly as sent; null when the feed sent none. */
  readonly clock: string | null;
  readonly clockChangedAtMs: number;
  /**
   * Number of quotes that their bookmakers have not suspended. Quotes withheld because a source was lost are
   * included, because that loss says nothing about the match.
   */
  readonly openQuoteCount: number;
}

/**
 * Status at `nowMs`, as an index into EVENT_STATUSES (docs/reference/decisions.md#match-status): the feed's
 * own, with two exceptions. A match is live if its kickoff has passed and the feed sends a clock. It is
 * finished after the longest duration of its sport or, in football, at early full time.
 */
export function statusAt(match: MatchFacts, nowMs: number): number {
  // If the feed says finished, the match is finished, even if the feed's clock is ahead of ours.
  if (match.feedStatus === STATUS_FINISHED || nowMs >= finishedAtMs(match)) return STATUS_FINISHED;
  return startedStatus(match, nowMs);
}

/** When the match was or will be over, Unix ms; Infinity if that cannot be known. */
export function finishedAtMs(match: MatchFacts): number {
  if (match.feedStatus === STATUS_FINISHED) return match.feedStatusAtMs;
  const byElapsedMs = Number.isNaN(match.scheduledAtMs)
    ? Number.POSITIVE_INFINITY
    : match.scheduledAtMs + MATCH_DURATION_MAX_MS[SPORT_KEYS[match.sport]!];
  return Math.min(byElapsedMs, earlyFullTimeMs(match));
}

/**
 * A first half counts as over at the latest this long after kickoff, unless the clock shows that it is still
 * being played.
 */
const FIRST_HALF_MAX_MS: Readonly<Record<SportKey, number>> = {
  football: 60 * MINUTE_MS,
  basketball: 90 * MINUTE_MS,
};

/**
 * The periods that are over at `nowMs`, bit p for period p. In a finished match all are. In play the first
 * half is over according to the clock or, if the clock does not say, the time since kickoff. Football's full
 * time is its ninety minutes, so it is over once the clock shows extra time or penalties.
 */
export function endedPeriodsMask(match: MatchFacts, nowMs: number): number {
  const status = statusAt(match, nowMs);
  if (status === STATUS_FINISHED) return ALL_PERIODS_MASK;
  if (status === STATUS_SCHEDULED) return 0;
  if (match.sport === SPORT_FOOTBALL && isExtraTime(match.clock)) return ALL_PERIODS_MASK;
  const isOver = isPastFirstHalf(match.clock, match.sport) || nowMs >= firstHalfEndsAtMs(match);
  return isOver ? 1 << PERIOD_HALF_TIME : 0;
}

/**
 * When the first half ends according to the time since kickoff, Unix ms; Infinity when only the clock
 * decides.
 */
export function firstHalfEndsAtMs(match: MatchFacts): number {
  if (Number.isNaN(match.scheduledAtMs) || isFirstHalf(match.clock, match.sport))
    return Number.POSITIVE_INFINITY;
  return match.scheduledAtMs + FIRST_HALF_MAX_MS[SPORT_KEYS[match.sport]!];
}

/**
 * What clock text says about the first half: it is being played, has just ended, or is over. Null when the
 * text says nothing.
 */
export function firstHalfOf(clock: string | null, sport: number): 'played' | 'ended' | 'over' | null {
  if (clock === null) return null;
  if (/^\s*(ht|half)/i.test(clock)) return 'ended';
  if (isPastFirstHalf(clock, sport)) return 'over';
  const isMinute = sport === SPORT_FOOTBALL && /^\s*\d/.test(clock);
  return isMinute || isFirstHalf(clock, sport) ? 'played' : null;
}

function startedStatus(match: MatchFacts, nowMs: number): number {
  if (match.feedStatus === STATUS_LIVE) return STATUS_LIVE;
  return match.clock !== null && nowMs >= match.scheduledAtMs ? STATUS_LIVE : STATUS_SCHEDULED;
}

function earlyFullTimeMs(match: MatchFacts): number {
  const stopped = match.sport === SPORT_FOOTBALL && match.openQuoteCount === 0 && isSecondHalf(match.clock);
  return stopped ? match.clockChangedAtMs + EARLY_FULL_TIME_MS : Number.POSITIVE_INFINITY;
}

/** Whether clock text is of a second half, in the forms that feeds use: "2h 67", "2H 90+3", "2nd half". */
function isSecondHalf(clock: string | null): boolean {
  return clock !== null && /^\s*(2h|2nd)/i.test(clock);
}

/** Whether clock text is of a first half: "1h 12", in basketball "q2 4:10". */
function isFirstHalf(clock: string | null, sport: number): boolean {
  if (clock === null) return false;
  return sport === SPORT_FOOTBALL ? /^\s*(1h|1st)/i.test(clock) : /^\s*(q[12]|[12]q|1h|1st)\b/i.test(clock);
}

/**
 * Whether clock text is of half time or later: "ht", "2h 67", a minute above 45; in basketball "q3 6:55", "ot
 * 4:05".
 */
function isPastFirstHalf(clock: string | null, sport: number): boolean {
  if (clock === null) return false;
  if (/^\s*(ht|half)/i.test(clock) || isSecondHalf(clock)) return true;
  if (sport !== SPORT_FOOTBALL) return /^\s*(q[34]|[34]q|ot)/i.test(clock);
  // "45+3" still belongs to the first half.
  return Number(/^\s*(\d+)/.exec(clock)?.[1] ?? 0) > 45;
}

/** Whether football's clock text is of extra time or penalties: "et 100", "pen". */
function isExtraTime(clock: string | null): boolean {
  return clock !== null && /^\s*(et|aet|extra|pen|pso)/i.test(clock);
}
