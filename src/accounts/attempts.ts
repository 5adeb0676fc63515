// Throttling of attempts: counted in the storage, so that all threads and a restart count together.

import { ServiceError } from '../errors.ts';
import type { Attempts } from './repository.ts';

export interface AttemptLimit {
  readonly max: number;
  readonly windowMs: number;
}

/** Attempts within a sliding window. Full: 429 with the wait, and the refused attempt does not count. */
export const ATTEMPT_LIMITS = {
  loginPerAccount: { max: 5, windowMs: 60_000 },
  loginPerAddress: { max: 20, windowMs: 60_000 },
  signupPerAccount: { max: 5, windowMs: 3_600_000 },
  signupPerAddress: { max: 20, windowMs: 60_000 },
  verifyPerAccount: { max: 20, windowMs: 3_600_000 },
  verifyPerAddress: { max: 20, windowMs: 60_000 },
  /** A stranger may use them up, and the codes that he makes so are mailed to the owner and work as long. */
  resetAskedPerAccount: { max: 5, windowMs: 3_600_000 },
  resetAskedPerAddress: { max: 10, windowMs: 3_600_000 },
  codePerAddress: { max: 20, windowMs: 60_000 },
  passwordPerAccount: { max: 5, windowMs: 60_000 },
  changeEmailPerAccount: { max: 5, windowMs: 3_600_000 },
  createKeyPerAccount: { max: 60, windowMs: 3_600_000 },
} as const satisfies Record<string, AttemptLimit>;

/**
 * Counts one attempt of a subject.
 * @throws ServiceError rate_limit_exceeded, with nothing counted, when the subject must wait
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
