// Which quotes and fixtures give signals (value, arbitrage, best and fair prices), and why the others do not: the one rule
// behind the kernels, the comparisons and the tools. Pure functions of what the feed said and of the instant.

import { STATUS_FINISHED, STATUS_LIVE } from './catalogue.ts';
import {
  endedPeriodsMask,
  finishedAtMs,
  firstHalfEndsAtMs,
  type MatchFacts,
  statusAt,
} from './match-status.ts';

/** What a signal is: a price above the fair one, or prices that together cost less than they return. */
export const SIGNAL_KINDS = ['value', 'arbitrage'] as const;
/** Least edge and margin that count where the caller does not say, in per cent. */
export const MIN_EDGE_PCT_DEFAULT = 1;
export const MIN_MARGIN_PCT_DEFAULT = 0;

/**
 * Why something gives no signal, in the order in which answers list it. `finished` and `not_started_late` count fixtures,
 * `single_book` and `no_sharp` lines, `implausible` hits, the others quotes.
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
] as const;
export type Exclusion = (typeof EXCLUSIONS)[number];
export type Excluded = Readonly<Record<Exclusion, number>>;

/** In play a price that was last sent longer ago than this gives no signal, unless the caller says otherwise. */
export const LIVE_MAX_AGE_MS = 300_000;
/** A price whose last move is this much older than the sharp book's at the same line is lagging. */
const LAGGING_AFTER_MS = 3_600_000;

/** Freshness windows by match state, in milliseconds. */
export interface FreshnessWindows {
  readonly liveMs: number;
  readonly prematchMs: number;
}

/** The instant a signal is asked for. Times are Unix ms. */
export interface SignalMoment {
  readonly nowMs: number;
  /** The last heartbeat, as the start of its step: it confirms every open quote. 0 before the first. */
  readonly heartbeatAtMs: number;
  readonly windows: FreshnessWindows;
}

/** Why a fixture or one of its periods gives no signal as a whole. */
export type ClosedReason = Extract<Exclusion, 'finished' | 'not_started_late' | 'period_over'>;

/** What a fixture lets through at a moment. */
export interface SignalGate {
  /** Why the whole fixture gives no signal; null when it may. */
  readonly closedBy: 'finished' | 'not_started_late' | null;
  /** Bit p set: period p is over, its prices are left over. */
  readonly endedPeriodMask: number;
  /** A quote whose last message is older than this is stale; -Infinity when every quote is fresh. Unix ms. */
  readonly quoteFromMs: number;
  /** How long a quote that passes `quoteFromMs` goes on passing after its own message; Infinity when age does not matter. */
  readonly quoteLifeMs: number;
  /** The first instant at which any of the above may be different although the feed said nothing. */
  readonly changesAtMs: number;
}

/**
 * The gate of a fixture.
 * @param maxAgeMs most age of a quote's last message; null: LIVE_MAX_AGE_MS in play, any before it
 */
export function signalGate(
  facts: MatchFacts,
  { nowMs, heartbeatAtMs, windows }: SignalMoment,
  maxAgeMs: number | null,
): SignalGate {
  const status = statusAt(facts, nowMs);
  const isLive = status === STATUS_LIVE;
  const windowMs = isLive ? windows.liveMs : windows.prematchMs;
  const isConfirmed = nowMs - heartbeatAtMs <= windowMs;
  const ageMs = maxAgeMs ?? (isLive ? LIVE_MAX_AGE_MS : Number.POSITIVE_INFINITY);
  const quoteLifeMs = isConfirmed ? ageMs : Math.min(windowMs, ageMs);
  const isLate = !isLive && nowMs >= facts.scheduledAtMs;
  // Without a heartbeat in the window the next one, whenever it comes, changes which quotes are fresh.
  const confirmedUntilMs = isConfirmed ? heartbeatAtMs + windowMs + 1 : nowMs;
  return {
    closedBy: status === STATUS_FINISHED ? 'finished' : isLate ? 'not_started_late' : null,
    endedPeriodMask: endedPeriodsMask(facts, nowMs),
    quoteFromMs: nowMs - quoteLifeMs,
    quoteLifeMs,
    changesAtMs: Math.min(
      confirmedUntilMs,
      afterOrNever(facts.scheduledAtMs, nowMs),
      afterOrNever(firstHalfEndsAtMs(facts), nowMs),
      afterOrNever(finishedAtMs(facts), nowMs),
    ),
  };
}

/** When a quote was last confirmed: its own message or, while it is open, a later heartbeat. Unix ms. */
export function quoteConfirmedAtMs(
  quoteAtMs: number,
  isOpen: boolean,
  { heartbeatAtMs }: SignalMoment,
): number {
  return isOpen ? Math.max(quoteAtMs, heartbeatAtMs) : quoteAtMs;
}

/** Whether a price last moved over an hour before the sharp book's. @param sharpAtMs NaN without a sharp price */
export function isLagging(quoteAtMs: number, sharpAtMs: number): boolean {
  return sharpAtMs - quoteAtMs > LAGGING_AFTER_MS;
}

/** Whether the prices of a period are left over from before its end. */
export function isPeriodEnded(gate: Pick<SignalGate, 'endedPeriodMask'>, period: number): boolean {
  return ((gate.endedPeriodMask >> period) & 1) === 1;
}

/** Why no price of a fixture's period takes part; null when they may. */
export function closedReason(
  gate: Pick<SignalGate, 'closedBy' | 'endedPeriodMask'>,
  period: number,
): ClosedReason | null {
  return gate.closedBy ?? (isPeriodEnded(gate, period) ? 'period_over' : null);
}

function afterOrNever(atMs: number, nowMs: number): number {
  return atMs > nowMs ? atMs : Number.POSITIVE_INFINITY;
}
