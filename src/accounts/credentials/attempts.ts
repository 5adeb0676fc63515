// Rate limits on attempts. The counts are in the database, so they hold across threads and restarts.

import { ServiceError } from '../../errors.ts';
import { CODE_LASTS_MS } from '../limits.ts';
import type { AttemptLimit, Attempts } from '../records.ts';

/** Attempts within a sliding window. Full: 429 with the wait, and the refused attempt does not count. */
export const ATTEMPT_LIMITS = {
  loginPerAccount: { max: 5, windowMs: 60_000 },
  loginPerAddress: { max: 20, windowMs: 60_000 },
  /** Counted per client network, so that a stranger can use up only the quota of their own network. */
  signupPerAccountAndAddress: { max: 5, windowMs: 3_600_000 },
  signupPerAddress: { max: 20, windowMs: 60_000 },
  verifyPerAddress: { max: 20, windowMs: 60_000 },
  /**
   * Mails after sign-ups with one address. Full: no mail is sent, and every client that signed up can use the
   * long codes of earlier mails, because a code lasts as long as the window.
   */
  signupMailPerAccount: { max: 20, windowMs: CODE_LASTS_MS },
  /** Six-digit codes for one address. Full: further mails carry only a long code, which cannot be guessed. */
  shortCodePerAccount: { max: 20, windowMs: 86_400_000 },
  /**
   * A stranger can use this up, but each request mails the owner a code, and those codes work for as long.
   */
  resetAskedPerAccount: { max: 5, windowMs: 3_600_000 },
  resetAskedPerAddress: { max: 10, windowMs: 3_600_000 },
  codePerAddress: { max: 20, windowMs: 60_000 },
  passwordPerAccount: { max: 5, windowMs: 60_000 },
  changeEmailPerAccount: { max: 5, windowMs: 3_600_000 },
  createKeyPerAccount: { max: 60, windowMs: 3_600_000 },
} as const satisfies Record<string, AttemptLimit>;

/**
 * Counts one attempt of a subject.
 * @throws ServiceError rate_limit_exceeded when the subject must wait; the attempt is then not counted
 */
export async function takeAttempt(
  attempts: Attempts,
  attempt: { readonly subject: string; readonly limit: AttemptLimit; readonly nowMs: number },
): Promise<void> {
  const waitMs = await attempts.take(attempt.subject, attempt.limit, attempt.nowMs);
  if (waitMs === 0) return;
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  throw new ServiceError('rate_limit_exceeded', 'Cannot go on: too many attempts', {
    fix: `Wait ${seconds} s and try again`,
    retryAfterSeconds: seconds,
  });
}
