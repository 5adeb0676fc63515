// The path of a request and the route that it matched: the parts that pricing and metrics need.

import type { Deprecation, RouteAccess } from './route.ts';

/**
 * The route that a request matched. `access` is who may call it and whether it is charged. `path` is its path
 * template, which is also a label of metrics, because there are few templates.
 */
export interface MatchedRoute {
  readonly path: string;
  readonly access: RouteAccess;
  /** Whether the route's `ticket` parameter may replace the key. */
  readonly takesTicket?: boolean;
  readonly deprecation?: Deprecation;
}

/** Used when the path has no route, or before the route is known: the request costs a unit like any other. */
export const UNMATCHED: MatchedRoute = { path: 'unmatched', access: 'metered' };
const UNMATCHED_ACCOUNT: MatchedRoute = { path: 'unmatched', access: 'account' };

/** The start of the paths of requests about accounts. */
export const ACCOUNT_PATHS = '/platform/';

/** The route that stands for a path without a route. It decides what the request costs. */
export function unmatchedAt(path: string): MatchedRoute {
  return path.startsWith(ACCOUNT_PATHS) ? UNMATCHED_ACCOUNT : UNMATCHED;
}

/** The path of an absolute URL, without its query. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', 8);
  const end = url.indexOf('?', start);
  return start === -1 ? '/' : url.slice(start, end === -1 ? undefined : end);
}
