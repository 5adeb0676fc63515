// The errors for requests that the gate refuses, each with what the caller can do to be admitted.

import type { Principal } from '../domain/tiers.ts';
import { ServiceError } from '../errors.ts';

/** Keys have just changed, so the key has to be looked up again before the request can be answered. */
export function refuseChangedKeys(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot authenticate: keys have just changed', {
    fix: 'Send the request again',
    retryAfterSeconds: 1,
  });
}

export function refuseUnknownKey(): ServiceError {
  return new ServiceError('unauthorized', 'Cannot authenticate: the Authorization header is not a live key', {
    fix: 'Send `Authorization: Bearer <key>` with an active key, or drop the header to be served the free tier',
  });
}

export function refuseTicket(): ServiceError {
  return new ServiceError(
    'unauthorized',
    'Cannot authenticate: the ticket was used, is too old, or is not a ticket',
    {
      fix: 'Get a new one from POST /v1/tickets for every stream that you open, or drop ticket to be served the free tier',
    },
  );
}

export function refuseElsewhere(): ServiceError {
  return new ServiceError('forbidden', 'Cannot use this key from here: it is bound to other addresses', {
    fix: 'Send the request from one of the addresses that GET /platform/keys lists for the key',
  });
}

export function refusePace(waitMs: number): ServiceError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ServiceError('rate_limit_exceeded', 'Cannot admit request: the limit per minute is used up', {
    fix: `Wait ${seconds} s, then send requests more slowly`,
    retryAfterSeconds: seconds,
  });
}

export function refuseDay(waitMs: number, principal: Principal): ServiceError {
  return new ServiceError('rate_limit_exceeded', 'Cannot admit request: the limit per day is used up', {
    fix:
      principal.keyId === null
        ? 'Use a key, or wait until the next UTC day'
        : 'Use a key of a higher tier, or wait until the next UTC day',
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}
