// Throttling of attempts: counted in the storage, so that all threads and a restart count together.

import { ServiceError } from '../errors.ts';
import type { AttemptLimit } from './limits.ts';
import type { AccountRepository } from './repository.ts';

/**
 * Counts one attempt of a subject.
 * @throws ServiceError rate_limit_exceeded, with nothing counted, when the subject must wait
 */
export async function takeAttempt(
  accounts: AccountRepository,
  attempt: { readonly subject: string; readonly limit: AttemptLimit; readonly nowMs: number },
): Promise<void> {
  const waitMs = await accounts.takeAttempt(attempt.subject, attempt.limit, attempt.nowMs);
  if (waitMs === 0) return;
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  throw new ServiceError('rate_limit_exceeded', 'Cannot go on: too many attempts', {
    fix: `Wait ${seconds} s and try again`,
    retryAfterSeconds: seconds,
  });
}
