// The errors of requests that are refused before their route runs.

import { ServiceError } from '../../errors.ts';
import { unmatchedAt } from '../kit/matched-route.ts';
import type { RequestContext } from '../kit/request/request-context.ts';
import { allowOf, noRoute, type RouteSign, wrongMethod } from '../kit/route-table.ts';

/**
 * The error for a request that cannot wait for its pace, because too many requests wait. It closes the
 * connection, so that the client has to open another one before it can ask again.
 */
export function tooManyWait(authorization: string | null): ServiceError {
  const kind = authorization === null ? 'without a key' : 'that cost nothing';
  return new ServiceError('upstream_unavailable', `Cannot answer now: too many requests ${kind} wait`, {
    fix: authorization === null ? 'Use a key, or retry after retry_after_seconds' : 'Retry later',
    retryAfterSeconds: 5,
    headers: { connection: 'close' },
  });
}

/**
 * The error for a GET or HEAD with a large body or one in chunks, which may be endless; if the caller has no
 * key, also with a body of some kilobytes. A body has no meaning with these methods, so smaller ones are
 * ignored.
 */
export function readWithBody(): ServiceError {
  return new ServiceError('invalid_request', 'Cannot take a body: this method has no body', {
    status: 413,
    fix: 'Send the request without a body',
  });
}

export function connectRefused(): ServiceError {
  return new ServiceError('invalid_request', 'Cannot use CONNECT: this is not a proxy', {
    status: 405,
    fix: 'Use GET or POST on a path of /openapi.json',
    headers: { allow: 'GET, HEAD, POST, PATCH, DELETE, OPTIONS' },
  });
}

/** @throws ServiceError 404 or 405, or the gate's refusal */
export function refuseUnrouted(context: RequestContext, routes: readonly RouteSign[], path: string): never {
  context.match(routes[0] ?? unmatchedAt(path));
  context.admit();
  throw routes.length === 0 ? noRoute() : wrongMethod(allowOf(routes));
}
