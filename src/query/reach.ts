// On a node that follows a leader, who asks may come from a node that is further: that is waited for, and never answered
// with less than the caller knows.

import { ServiceError } from '../errors.ts';

/** How long: an entry takes a few milliseconds to arrive. */
const AHEAD_WAIT_MS = 250;
const AHEAD_LOOK_MS = 5;
const AHEAD_RETRY_S = 1;

/**
 * Resolves when this node is there.
 * @param what the header or parameter that is ahead
 * @throws ServiceError `upstream_unavailable` when it does not come in time
 */
export async function reached(what: string, isAhead: () => boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < AHEAD_WAIT_MS; waitedMs += AHEAD_LOOK_MS) {
    await Bun.sleep(AHEAD_LOOK_MS);
    if (!isAhead()) return;
  }
  throw new ServiceError('upstream_unavailable', `Cannot go on from ${what}: this node is not there yet`, {
    fix: 'Retry after retry_after_seconds, here or at another node; keep the cursor and what you hold',
    retryAfterSeconds: AHEAD_RETRY_S,
  });
}
