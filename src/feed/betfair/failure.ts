// What can go wrong with Betfair's catalogue or stream, as one of the failure reasons that all sources share.

import {
  type FailureOptions,
  failureOfStatus,
  PollFailure,
  type PollFailureReason,
} from '../poll/failure.ts';
import { retryAfterMs } from '../poll/http-client.ts';

const FINAL = { kind: 'final' } as const;

/** Error codes of the catalogue and of the stream. */
const REASONS: Readonly<Record<string, readonly [PollFailureReason, FailureOptions?]>> = {
  NO_APP_KEY: ['bad_key', FINAL],
  INVALID_APP_KEY: ['bad_key', FINAL],
  NO_SESSION: ['bad_key', FINAL],
  INVALID_SESSION_INFORMATION: ['bad_key', FINAL],
  NOT_AUTHORIZED: ['forbidden', FINAL],
  ACCESS_DENIED: ['forbidden', FINAL],
  SUBSCRIPTION_LIMIT_EXCEEDED: ['not_paid', FINAL],
  MAX_CONNECTION_LIMIT_EXCEEDED: ['throttled'],
  TOO_MANY_REQUESTS: ['throttled'],
  UNEXPECTED_ERROR: ['server_error'],
  TIMEOUT: ['timed_out'],
  INVALID_INPUT: ['bad_request'],
  INVALID_REQUEST: ['bad_request'],
  INVALID_CLOCK: ['missed_window'],
};

/**
 * The failure for a refusal by the stream. An unknown code counts as `server_error`, which is retried.
 * @param code null when the stream gave none
 */
export function failureOfCode(code: string | null): PollFailure {
  const [reason, options] = (code === null ? undefined : REASONS[code]) ?? ['server_error'];
  return new PollFailure(reason, { ...options, message: code ?? 'a failure without a code' });
}

/** The failure for an answer of the catalogue that is not a list of markets. */
export function failureOfAnswer(status: number, body: unknown, headers: Headers): PollFailure {
  const text = JSON.stringify(body) ?? '';
  const waitMs = retryAfterMs(headers);
  const code = Object.keys(REASONS).find((word) => new RegExp(`\\b${word}\\b`).test(text));
  if (code !== undefined) {
    const [reason, options] = REASONS[code]!;
    const message = `the catalogue answered ${code}`;
    return new PollFailure(reason, { ...options, message, retryAfterMs: waitMs });
  }
  if (status === 200)
    return new PollFailure('wrong_shape', {
      message: 'the answer of the catalogue is not a list of markets',
    });
  const { reason, kind } = failureOfStatus(status, waitMs, text.startsWith('{'));
  // Betfair answers nearly every failure with 400, even a temporary one, so that status is not final.
  const isFinal = kind === 'final' && reason !== 'bad_request' && reason !== 'unknown_product';
  const message = `the catalogue answered ${status}`;
  return new PollFailure(reason, { ...(isFinal && FINAL), message, retryAfterMs: waitMs });
}
