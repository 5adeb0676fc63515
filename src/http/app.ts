// Puts routes on Elysia: one named plugin per group, one error handler registered first, and an answer in the envelope
// for everything, unknown paths and wrong methods included.

import { Elysia } from 'elysia';
import { ServiceError } from '../errors.ts';
import { dispatchOf } from './kit/dispatch.ts';
import { preflightHeaders } from './kit/headers.ts';
import { Reply } from './kit/reply.ts';
import type { RequestContext } from './kit/request-context.ts';
import type { Route, RouteGroup } from './kit/route.ts';
import { type MatchedRoute, unmatchedAt } from './kit/server-parts.ts';

/** The application without a socket. */
export interface HttpApp {
  /** Every route, in order, for OpenAPI and for tests that walk the surface. */
  readonly routes: readonly Route[];
  /** What answers a request, or null: it is for none of these routes, and another thread answers. */
  find(request: Request): Handle | null;
}

/** Answers one request. Never throws and never rejects. */
export type Handle = (context: RequestContext) => Response | Promise<Response>;

type RoutesByPath = ReadonlyMap<string, readonly Route[]>;

/** An application that answers everything. */
export interface WholeApp extends HttpApp {
  find(request: Request): Handle;
}

/** Builds the application from its route groups. Schemas are compiled here, once. */
export function createApp(groups: readonly RouteGroup[]): WholeApp {
  const current = new CurrentRequest();
  const app = new Elysia({ name: 'overround' }).onError(({ request, error, path }) => {
    const context = current.of(request) ?? lost();
    return isNotFound(error) ? unmatched(context, path) : context.fail(error);
  });
  const byPath = Map.groupBy(
    groups.flatMap((group) => group.routes),
    (route) => route.path,
  );
  for (const group of groups) app.use(pluginOf(group, byPath, current));
  app.compile();
  function handle(context: RequestContext): Response | Promise<Response> {
    current.set(context);
    return app.fetch(context.request);
  }
  return { routes: groups.flatMap((group) => group.routes), find: () => handle };
}

/**
 * Hands a request's context through Elysia, which passes only the request to handlers. Elysia calls the handler before
 * `fetch` returns, so at any moment there is one context under way and one field holds it.
 */
class CurrentRequest {
  #context: RequestContext | null = null;

  set(context: RequestContext): void {
    this.#context = context;
  }

  /** Null when it is not that of `request`. */
  of(request: Request): RequestContext | null {
    return this.#context?.request === request ? this.#context : null;
  }
}

function lost(): never {
  throw new Error('Assertion failed: Elysia calls the handler before fetch returns');
}

/**
 * One Elysia instance for one routes file. Elysia reads the text of a handler: when it says `return f(…)`, Elysia takes
 * it for asynchronous and awaits every answer (`isAsync` in its compose). The conditional in our handlers avoids that,
 * so that an answer that is ready at once is sent at once.
 */
function pluginOf(group: RouteGroup, byPath: RoutesByPath, current: CurrentRequest): Elysia {
  const plugin = new Elysia({ name: group.name });
  for (const route of group.routes) {
    const dispatch = dispatchOf(route);
    plugin.route(route.method, route.path, ({ request, params }) => {
      const context = current.of(request);
      return context === null ? lost() : dispatch(context, params);
    });
    const onPath = byPath.get(route.path) ?? [];
    if (onPath[0] !== route) continue;
    const allow = allowOf(onPath);
    const isAccount = onPath.some(({ access }) => access === 'account');
    const matched: MatchedRoute = { path: route.path, access: isAccount ? 'account' : 'metered' };
    plugin.all(route.path, ({ request }) => {
      const context = current.of(request);
      return context === null ? lost() : wrongMethod(context, matched, allow);
    });
  }
  return plugin;
}

function allowOf(routes: readonly Route[]): string {
  const methods = new Set<string>();
  for (const route of routes) {
    methods.add(route.method);
    if (route.method === 'GET') methods.add('HEAD');
  }
  return [...methods, 'OPTIONS'].join(', ');
}

/** OPTIONS names the methods and answers preflights; any other method is 405. */
function wrongMethod(context: RequestContext, matched: MatchedRoute, allow: string): Response {
  try {
    context.match(matched);
    const isShared = matched.access !== 'account';
    if (context.request.method === 'OPTIONS') {
      return context.respond(new Reply(null, { status: 204, headers: preflightHeaders(allow, isShared) }));
    }
    context.admit();
    throw new ServiceError('invalid_request', 'Cannot use this method here: the path has others', {
      status: 405,
      fix: `Use one of: ${allow}`,
      headers: { allow },
    });
  } catch (error) {
    return context.fail(error);
  }
}

function unmatched(context: RequestContext, path: string): Response {
  try {
    context.match(unmatchedAt(path));
    context.admit();
    throw new ServiceError('not_found', 'Cannot find a route: no such path', {
      fix: 'See /openapi.json for every path',
    });
  } catch (error) {
    return context.fail(error);
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'NOT_FOUND';
}
