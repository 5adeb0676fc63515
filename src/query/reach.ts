// A client of a node that follows a leader may hold a cursor or version from a node that is ahead. This waits
// for the data, rather than answer with less than the client knows.

import { ServiceError } from '../errors.ts';

/** How long `reached` waits. A change normally takes a few milliseconds to arrive. */
const AHEAD_WAIT_MS = 250;
const AHEAD_CHECK_MS = 5;
const AHEAD_RETRY_S = 1;

/**
 * Resolves once `isAhead` is false, because this node then has what the caller has already seen.
 * @param what the header or parameter that the caller sent, for the error
 * @throws ServiceError `upstream_unavailable` when the node does not catch up in time
 */
export async function reached(what: string, isAhead: () => boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < AHEAD_WAIT_MS; waitedMs += AHEAD_CHECK_MS) {
    await Bun.sleep(AHEAD_CHECK_MS);
    if (!isAhead()) return;
  }
  throw new ServiceError(
    'upstream_unavailable',
    `Cannot continue from ${what}: this node has not caught up yet`,
    {
      fix: 'Retry after retry_after_seconds, here or at another node; keep the cursor and what you hold',
      retryAfterSeconds: AHEAD_RETRY_S,
    },
  );
}
