// What can go wrong with Betfair's catalogue or stream, as one of the failure reasons that all sources share.

import { failureOfStatus, PollFailure, type PollFailureReason } from '../poll/failure.ts';

export interface BetfairFailureOptions {
  readonly reason: PollFailureReason;
  /** Whether trying again cannot help until the operator has done something. */
  readonly isFinal?: boolean;
  /** The pause that the catalogue requested with Retry-After, in ms. */
  readonly retryAfterMs?: number | null;
}

/**
 * A failure of the catalogue or the stream. Its message has more detail than its reason, and goes to the log.
 */
export class BetfairFailure extends Error {
  readonly reason: PollFailureReason;
  readonly isFinal: boolean;
  readonly retryAfterMs: number;

  constructor(message: string, { reason, isFinal = false, retryAfterMs = null }: BetfairFailureOptions) {
    super(message);
    this.name = 'BetfairFailure';
    this.reason = reason;
    this.isFinal = isFinal;
    this.retryAfterMs = retryAfterMs ?? 0;
  }
}

/** Error codes of the catalogue and of the stream. */
const REASONS: Readonly<Record<string, { readonly reason: PollFailureReason; readonly isFinal?: true }>> = {
  NO_APP_KEY: { reason: 'bad_key', isFinal: true },
  INVALID_APP_KEY: { reason: 'bad_key', isFinal: true },
  NO_SESSION: { reason: 'bad_key', isFinal: true },
  INVALID_SESSION_INFORMATION: { reason: 'bad_key', isFinal: true },
  NOT_AUTHORIZED: { reason: 'forbidden', isFinal: true },
  ACCESS_DENIED: { reason: 'forbidden', isFinal: true },
  SUBSCRIPTION_LIMIT_EXCEEDED: { reason: 'not_paid', isFinal: true },
  MAX_CONNECTION_LIMIT_EXCEEDED: { reason: 'throttled' },
  TOO_MANY_REQUESTS: { reason: 'throttled' },
  UNEXPECTED_ERROR: { reason: 'server_error' },
  TIMEOUT: { reason: 'timed_out' },
  INVALID_INPUT: { reason: 'bad_request' },
  INVALID_REQUEST: { reason: 'bad_request' },
  INVALID_CLOCK: { reason: 'missed_window' },
};

/**
 * The failure for a refusal by the stream. An unknown code counts as `server_error`, which is retried.
 * @param code null when the stream gave none
 */
export function failureOfCode(code: string | null): BetfairFailure {
  const known = code === null ? undefined : REASONS[code];
  return new BetfairFailure(code ?? 'a failure without a code', known ?? { reason: 'server_error' });
}

/**
 * The failure for an answer of the catalogue that is not a list of markets.
 * @param text the body, which may contain one of Betfair's error codes
 * @param retryAfterMs from Retry-After, null without that header
 */
export function failureOfAnswer(status: number, text: string, retryAfterMs: number | null): BetfairFailure {
  const code = Object.keys(REASONS).find((word) => new RegExp(`\\b${word}\\b`).test(text));
  if (code !== undefined) {
    return new BetfairFailure(`the catalogue answered ${code}`, { ...REASONS[code]!, retryAfterMs });
  }
  if (status === 200)
    return new BetfairFailure('the answer of the catalogue is not a list of markets', {
      reason: 'wrong_shape',
    });
  const isJson = text.trimStart().startsWith('{');
  const { reason, kind } = failureOfStatus(status, retryAfterMs, isJson);
  // Betfair answers 400 to nearly everything, also to failures that may pass.
  const isFinal = kind === 'final' && reason !== 'bad_request' && reason !== 'unknown_product';
  return new BetfairFailure(`the catalogue answered ${status}`, { reason, isFinal, retryAfterMs });
}

/**
 * The failure for a request to the catalogue that got no usable answer. The exception's own text is not
 * passed on, because it may contain the address or a key.
 */
export function failureOfAsking(error: unknown): BetfairFailure {
  if (error instanceof BetfairFailure) return error;
  const reason = error instanceof PollFailure ? error.reason : 'unreachable';
  return new BetfairFailure(`the catalogue did not answer: ${reason}`, { reason });
}
