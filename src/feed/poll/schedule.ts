// When each request is due, from its history: pure functions of states and the time, so that a test can run
// hours in a moment.

import { FINAL_RETRY_MS, REQUEST_RETRY, retryWaitMs } from '../backoff.ts';
import type { CreditBudget } from './budget.ts';
import type { PollFailure } from './failure.ts';
import type { PlannedRequest } from './source.ts';

/**
 * Maximum number of open requests of one source at one time. It is above one, so that a slow answer does not
 * delay the others.
 */
export const IN_FLIGHT_MAX = 4;

/** The state of one repeated request: when it was last sent and answered, its failures and its pause. */
export interface RequestState {
  askedAtMs: number | null;
  answeredAtMs: number | null;
  /** When the last answered request was sent. The next window of changes counts from this time. */
  coveredAtMs: number | null;
  /** Failures in a row. */
  failures: number;
  failure: PollFailure | null;
  notBeforeMs: number;
  isInFlight: boolean;
}

export function newRequestState(): RequestState {
  return {
    askedAtMs: null,
    answeredAtMs: null,
    coveredAtMs: null,
    failures: 0,
    failure: null,
    notBeforeMs: 0,
    isInFlight: false,
  };
}

/**
 * The pause after a failure: 15 minutes when trying again cannot help, otherwise exponential with jitter,
 * from 0.5 to 1 times 2 s, 4 s, ... 5 minutes, and never less than the upstream requested.
 * @param failures how many in a row, this one included
 * @param random a number of [0, 1)
 */
export function waitAfter(failure: PollFailure, failures: number, random: number): number {
  if (failure.kind !== 'retry') return FINAL_RETRY_MS;
  return Math.max(failure.retryAfterMs ?? 0, retryWaitMs(REQUEST_RETRY, failures, random));
}

export interface PollPace {
  /** The operator's shortest interval, null for the source's own. */
  readonly forcedEveryMs: number | null;
  /** The factor by which the quota stretches intervals. */
  readonly stretch: number;
}

/**
 * The interval of a request. Requests that cost credits are sent at the operator's shortest interval,
 * whatever that costs; free requests with a longer interval keep their own interval.
 */
export function intervalMs({ everyMs, cost }: PlannedRequest, { forcedEveryMs, stretch }: PollPace): number {
  if (forcedEveryMs !== null) return cost > 0 ? forcedEveryMs : Math.max(everyMs, forcedEveryMs);
  return cost > 0 ? everyMs * stretch : everyMs;
}

/** Whether a request belongs to the first round of an epoch. That round is not charged to the allowance. */
export function isOfFirstRound({ part }: PlannedRequest, { answeredAtMs }: RequestState): boolean {
  return part === 'full' && answeredAtMs === null;
}

/** When a request may be sent next, Unix ms; Infinity while it is open. */
export function dueAtMs(
  request: PlannedRequest,
  state: RequestState,
  { pace, budget, nowMs }: { readonly pace: PollPace; readonly budget: CreditBudget; readonly nowMs: number },
): number {
  if (state.isInFlight) return Number.POSITIVE_INFINITY;
  const { askedAtMs } = state;
  const isBackingOff = state.failures > 0 || askedAtMs === null;
  const byInterval = isBackingOff ? state.notBeforeMs : askedAtMs + intervalMs(request, pace);
  // The first round and the operator's interval are limited only by the remaining credits, not by the
  // allowance.
  const isHeld = !isOfFirstRound(request, state) && pace.forcedEveryMs === null;
  const affordable = isHeld
    ? budget.affordableAtMs(request.cost, nowMs)
    : budget.hasLeft(request.cost, nowMs)
      ? 0
      : (budget.quota?.periodEndMs ?? 0);
  return Math.max(byInterval, affordable);
}

/**
 * How urgent a request is: the time by which it is overdue, as a share of its interval. So frequent requests
 * (in play, near kickoff) come first when the quota does not allow all of them. New requests come before all
 * others.
 */
export function pressure(
  request: PlannedRequest,
  state: RequestState,
  pace: PollPace,
  nowMs: number,
): number {
  const everyMs = intervalMs(request, pace);
  if (state.askedAtMs === null) return Number.MAX_VALUE / everyMs;
  return (nowMs - state.askedAtMs - everyMs) / everyMs;
}
