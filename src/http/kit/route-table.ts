// Finds the routes of a path without Elysia, with the router that Elysia itself uses, from the same route
// definitions. HTTP threads need it: their heap has no Elysia, which keeps garbage collection short, and they
// refuse a request by its headers, before its body is received.

import { Memoirist } from 'memoirist';
import { ServiceError } from '../../errors.ts';
import { bodyBytesMaxOf, type Route, type RouteAccess } from './route.ts';

/** What an HTTP thread knows about a route of the query thread: plain values, sent to it in a message. */
export interface RouteSign {
  readonly method: string;
  /** Path template. */
  readonly path: string;
  readonly access: RouteAccess;
  readonly takesTicket: boolean;
  readonly bodyBytesMax: number;
  /** Whether the body has a schema and must therefore be JSON. */
  readonly takesJson: boolean;
}

export function signOf(route: Route): RouteSign {
  const { method, path, access, takesTicket = false } = route;
  return {
    method,
    path,
    access,
    takesTicket,
    bodyBytesMax: bodyBytesMaxOf(route),
    takesJson: route.body !== null,
  };
}

/** The routes of one path, and its parameters as they were sent, still percent-encoded. */
export interface MatchedPath<Entry> {
  readonly store: readonly Entry[];
  readonly params: Readonly<Record<string, string>>;
}

export class RouteTable<Entry extends { readonly path: string }> {
  readonly #router = new Memoirist<readonly Entry[]>();

  constructor(entries: readonly Entry[]) {
    for (const [path, routes] of Map.groupBy(entries, (entry) => entry.path)) {
      this.#router.add(ANY_METHOD, path, routes);
    }
  }

  /**
   * The routes whose template matches the raw path; null without any. A fixed part that is percent-encoded
   * does not match.
   */
  at(path: string): MatchedPath<Entry> | null {
    return this.#router.find(ANY_METHOD, path);
  }
}

/** A path has one entry for all its methods, so that a refusal can list them. */
const ANY_METHOD = 'any';

/** The value of the Allow header for the routes of one path. */
export function allowOf(routes: readonly Pick<RouteSign, 'method'>[]): string {
  const methods = new Set<string>();
  for (const { method } of routes) {
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
  }
  return [...methods, 'OPTIONS'].join(', ');
}

export function wrongMethod(allow: string): ServiceError {
  return new ServiceError('invalid_request', 'Cannot use this method here: the path allows others', {
    status: 405,
    fix: `Use one of: ${allow}`,
    headers: { allow },
  });
}

export function noRoute(): ServiceError {
  return new ServiceError('not_found', 'Cannot find a route: no such path', {
    fix: 'See /openapi.json for every path',
  });
}
