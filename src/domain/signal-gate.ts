// Which quotes and fixtures may give signals (value, arbitrage, best and fair prices), and why others may
// not. The kernels, the comparisons and the tools all use this one rule. Pure functions of the feed's data
// and the time.

import { HOUR_MS } from '../clock.ts';
import { STATUS_FINISHED, STATUS_LIVE } from './catalogue.ts';
import {
  endedPeriodsMask,
  finishedAtMs,
  firstHalfEndsAtMs,
  type MatchFacts,
  statusAt,
} from './match-status.ts';
import { ROSTER_BOOKMAKERS_MAX as BOOKMAKERS_MAX } from './roster.ts';

/**
 * A signal is a price above the fair price (value), or a set of prices that together cost less than they
 * return (arbitrage).
 */
export const SIGNAL_KINDS = ['value', 'arbitrage'] as const;
export const STREAM_KINDS = [...SIGNAL_KINDS, 'middle', 'low_hold', 'move', 'steam'] as const;

/** Defaults, in per cent: the least expected return of a middle, and the highest hold of a low hold. */
export const MIN_MIDDLE_EV_PCT_DEFAULT = 0;
export const MAX_HOLD_PCT_DEFAULT = 1;

/**
 * Defaults of steam and moves: the least change, the time within which it happened and, of steam, how many
 * owners moved.
 */
export const STEAM_DEFAULTS = { pct: 1.5, within_s: 1_800, owners: 3 } as const;
export const MOVE_DEFAULTS = { pct: 5, within_s: 1_800, of: 'fair' } as const;
export const MOVE_OF = ['fair', 'price'] as const;

export const ALERT_KINDS = [...STREAM_KINDS, 'price', 'match', 'source'] as const;
export const ALERT_FORMATS = ['raw', 'slack', 'discord', 'telegram', 'ntfy'] as const;
/**
 * `failing`: its endpoint failed too often, so nothing is sent until it is set to active. `ended`: its
 * endpoint answered 410.
 */
export const ALERT_STATUSES = ['active', 'paused', 'failing', 'ended'] as const;

/** Defaults, in per cent: the least edge of value and the least margin of arbitrage. */
export const MIN_EDGE_PCT_DEFAULT = 1;
export const MIN_MARGIN_PCT_DEFAULT = 0;
/** How the signal record can be grouped: each row then stands for one bookmaker, one league and so on. */
export const RECORD_GROUPS = ['bookmaker', 'league', 'market_type', 'edge', 'reference', 'day'] as const;
export type RecordGroup = (typeof RECORD_GROUPS)[number];
/** The record holds value signals with at least this edge, in per cent, over these references. */
export const RECORD_MIN_EDGE_PCT = 1;
export const RECORD_REFERENCES = ['sharp', 'consensus'] as const;
/** Most points in the chart of the record's growth, however long the record is. */
export const GROWTH_POINTS_MAX = 200;
/**
 * Between these bounds, closing line values are counted in bins of one per cent. One more bin at each end
 * counts those outside.
 */
export const CLV_BIN_FROM_PCT = -20;
export const CLV_BIN_TO_PCT = 20;

/**
 * Why something gives no signal, in the order of answers. `finished` and `not_started_late` count fixtures;
 * `single_book`, `no_sharp` and `no_reference` count lines; `implausible` counts hits; all others count
 * quotes.
 */
export const EXCLUSIONS = [
  'stale',
  'implausible',
  'suspended',
  'period_over',
  'not_started_late',
  'finished',
  'single_book',
  'no_sharp',
  'no_reference',
] as const;
export type Exclusion = (typeof EXCLUSIONS)[number];
export type Excluded = Readonly<Record<Exclusion, number>>;

/**
 * In play, a price that was last sent longer ago than this gives no signal, unless the caller sets another
 * age.
 */
export const LIVE_MAX_AGE_MS = 300_000;
/**
 * A price is lagging if it last moved this much earlier than the sharp bookmaker's price at the same line.
 */
const LAGGING_AFTER_MS = HOUR_MS;

export interface FreshnessWindows {
  readonly liveMs: number;
  readonly prematchMs: number;
}

/** Windows of about -3,000 years. Every price is older than that, so nothing is ever fresh. */
export const NEVER_FRESH: FreshnessWindows = { liveMs: -1e14, prematchMs: -1e14 };

/** One time for each bookmaker. The array has as many entries as a mask has bits. */
export type Confirmations = Readonly<Float64Array>;

/** A mask of all bookmakers. With a single source, everything that it sends applies to all of them. */
export const ANY_BOOKMAKER = -1;

/** One time for all bookmakers, for a service with one source, whose heartbeat confirms them all. */
export function allConfirmedAt(atMs: number): Confirmations {
  return new Float64Array(BOOKMAKERS_MAX).fill(atMs);
}

/** The latest time of the given bookmakers; 0 for an empty mask. */
export function latestConfirmationMs(confirmedAtMs: Confirmations, bookmakerMask: number): number {
  let latestMs = 0;
  for (let rest = bookmakerMask; rest !== 0; rest &= rest - 1) {
    latestMs = Math.max(latestMs, confirmedAtMs[31 - Math.clz32(rest & -rest)]!);
  }
  return latestMs;
}

/** Whether no bookmaker's time is earlier than before. */
export function isNoneEarlier(now: Confirmations, before: Confirmations): boolean {
  return now === before || now.every((atMs, bookmaker) => atMs >= before[bookmaker]!);
}

/** Whether the times of these bookmakers are the same as before. */
export function areSame(now: Confirmations, before: Confirmations, bookmakerMask: number): boolean {
  if (now === before) return true;
  for (let rest = bookmakerMask; rest !== 0; rest &= rest - 1) {
    const bookmaker = 31 - Math.clz32(rest & -rest);
    if (now[bookmaker] !== before[bookmaker]) return false;
  }
  return true;
}

/** The moment for which signals are computed. Times are Unix ms. */
export interface SignalMoment {
  readonly nowMs: number;
  /**
   * For each bookmaker, the last heartbeat of its source, rounded down to HEARTBEAT_STEP_MS; 0 before the
   * first one. A heartbeat confirms every open quote of the bookmaker.
   */
  readonly confirmedAtMs: Confirmations;
  readonly windows: FreshnessWindows;
}

/** Why a whole fixture, or one of its periods, gives no signal. */
export type ClosedReason = Extract<Exclusion, 'finished' | 'not_started_late' | 'period_over'>;

/** Which quotes of a fixture may give signals at a moment. */
export interface SignalGate {
  /** Why the whole fixture gives no signal; null when it may give some. */
  readonly closedBy: 'finished' | 'not_started_late' | null;
  /** Bit p set: period p is over, so prices still shown for it give no signal. */
  readonly endedPeriodMask: number;
  /**
   * For each bookmaker, a time in Unix ms: quotes whose last message is older are stale. -Infinity when every
   * quote of the bookmaker is fresh.
   */
  readonly quoteFromMs: Readonly<Float64Array>;
  /**
   * The first instant at which `closedBy`, `endedPeriodMask` or `windowMs` may change without any message
   * from the feed.
   */
  readonly changesAtMs: number;
  /** How long a confirmation counts. */
  readonly windowMs: number;
}

/**
 * Computes the gate of a fixture.
 * @param maxAgeMs highest age of a quote's last message; null means LIVE_MAX_AGE_MS in play, no limit before
 * @param own by bookmaker, when a source that confirms fixtures one by one last confirmed this one
 * @param quoteFromMs array to fill; the gate keeps it
 */
export function signalGate(
  facts: MatchFacts,
  { nowMs, confirmedAtMs, windows }: SignalMoment,
  maxAgeMs: number | null,
  own: Confirmations | null = null,
  quoteFromMs: Float64Array = new Float64Array(BOOKMAKERS_MAX),
): SignalGate {
  const status = statusAt(facts, nowMs);
  const isLive = status === STATUS_LIVE;
  const windowMs = isLive ? windows.liveMs : windows.prematchMs;
  const ageMs = maxAgeMs ?? (isLive ? LIVE_MAX_AGE_MS : Number.POSITIVE_INFINITY);
  for (let bookmaker = 0; bookmaker < BOOKMAKERS_MAX; bookmaker++) {
    const confirmedMs = confirmedMsOf(bookmaker, confirmedAtMs, own);
    const isConfirmed = nowMs - confirmedMs <= windowMs;
    quoteFromMs[bookmaker] = nowMs - (isConfirmed ? ageMs : Math.min(windowMs, ageMs));
  }
  const isLate = !isLive && nowMs >= facts.scheduledAtMs;
  return {
    closedBy: status === STATUS_FINISHED ? 'finished' : isLate ? 'not_started_late' : null,
    endedPeriodMask: endedPeriodsMask(facts, nowMs),
    quoteFromMs,
    windowMs,
    changesAtMs: Math.min(
      afterOrNever(facts.scheduledAtMs, nowMs),
      afterOrNever(firstHalfEndsAtMs(facts), nowMs),
      afterOrNever(finishedAtMs(facts), nowMs),
    ),
  };
}

/**
 * The first instant, Unix ms, at which the confirmation of one of these bookmakers becomes too old; Infinity
 * when all of them are too old already.
 */
export function confirmationsExpireAtMs(
  { windowMs }: Pick<SignalGate, 'windowMs'>,
  { nowMs, confirmedAtMs }: SignalMoment,
  own: Confirmations | null,
  bookmakerMask: number,
): number {
  let expireAtMs = Number.POSITIVE_INFINITY;
  for (let rest = bookmakerMask; rest !== 0; rest &= rest - 1) {
    const confirmedMs = confirmedMsOf(31 - Math.clz32(rest & -rest), confirmedAtMs, own);
    if (nowMs - confirmedMs <= windowMs) expireAtMs = Math.min(expireAtMs, confirmedMs + windowMs + 1);
  }
  return expireAtMs;
}

/** Those of these bookmakers whose confirmation is too old, as a mask. */
export function unconfirmedOf(
  { windowMs }: Pick<SignalGate, 'windowMs'>,
  { nowMs, confirmedAtMs }: SignalMoment,
  own: Confirmations | null,
  bookmakerMask: number,
): number {
  let unconfirmed = 0;
  for (let rest = bookmakerMask; rest !== 0; rest &= rest - 1) {
    const bookmaker = 31 - Math.clz32(rest & -rest);
    if (nowMs - confirmedMsOf(bookmaker, confirmedAtMs, own) > windowMs) unconfirmed |= 1 << bookmaker;
  }
  return unconfirmed;
}

/**
 * When a bookmaker's quote was last confirmed: by its own message or, while it is open, by a later heartbeat.
 * Unix ms.
 */
export function quoteConfirmedAtMs(
  {
    atMs,
    isOpen,
    bookmaker,
  }: { readonly atMs: number; readonly isOpen: boolean; readonly bookmaker: number },
  { confirmedAtMs }: SignalMoment,
  own: Confirmations | null,
): number {
  return isOpen ? Math.max(atMs, confirmedMsOf(bookmaker, confirmedAtMs, own)) : atMs;
}

function confirmedMsOf(bookmaker: number, confirmedAtMs: Confirmations, own: Confirmations | null): number {
  const everywhereMs = confirmedAtMs[bookmaker]!;
  return own === null ? everywhereMs : Math.max(everywhereMs, own[bookmaker]!);
}

/**
 * Whether a price last moved over an hour before the sharp bookmaker's.
 * @param sharpAtMs NaN without a sharp price
 */
export function isLagging(quoteAtMs: number, sharpAtMs: number): boolean {
  return sharpAtMs - quoteAtMs > LAGGING_AFTER_MS;
}

/** Whether a period is over, so that prices still shown for it are out of date. */
export function isPeriodEnded(gate: Pick<SignalGate, 'endedPeriodMask'>, period: number): boolean {
  return ((gate.endedPeriodMask >> period) & 1) === 1;
}

/** Why no price of a fixture's period may give signals; null when prices may. */
export function closedReason(
  gate: Pick<SignalGate, 'closedBy' | 'endedPeriodMask'>,
  period: number,
): ClosedReason | null {
  return gate.closedBy ?? (isPeriodEnded(gate, period) ? 'period_over' : null);
}

function afterOrNever(atMs: number, nowMs: number): number {
  return atMs > nowMs ? atMs : Number.POSITIVE_INFINITY;
}
