// Registers the routes with Elysia, after an error handler. Every request gets an answer in the API's
// envelope, including unknown paths and wrong methods.

import { Elysia } from 'elysia';
import { codeOf } from '../errors.ts';
import { dispatchOf, type WhenMet } from './kit/dispatch.ts';
import { preflightHeaders } from './kit/headers.ts';
import { type MatchedRoute, unmatchedAt } from './kit/matched-route.ts';
import { Reply } from './kit/reply.ts';
import type { RequestContext } from './kit/request/request-context.ts';
import type { Route } from './kit/route.ts';
import { allowOf, noRoute, wrongMethod } from './kit/route-table.ts';

/** An application: its routes, and the functions that answer requests. It opens no port. */
export interface HttpApp {
  /** Every route, in order of registration: for the OpenAPI document, and for tests that call each route. */
  readonly routes: readonly Route[];
  /**
   * The function that answers a request. Null if none of these routes fits, so that another thread must
   * answer.
   */
  find(request: Request): Handle | null;
}

/** Answers one request. Never throws and never rejects. */
export type Handle = (context: RequestContext) => Response | Promise<Response>;

/** An application that answers every request. */
export interface WholeApp extends HttpApp {
  find(request: Request): Handle;
}

/**
 * Builds the application from its routes. Schemas are compiled here, once. Elysia reads the source text of a
 * handler: if it contains `return f(…)`, Elysia considers it asynchronous and awaits every answer (`isAsync`
 * in its compose). The conditional in our handlers avoids that, so that an answer that is ready immediately
 * is sent immediately.
 * @param whenMet by default, everything that routes wait for counts as ready
 */
export function createApp(routes: readonly Route[], whenMet: WhenMet = () => null): WholeApp {
  const current = new CurrentRequest();
  const app = new Elysia({ name: 'overround' }).onError(({ request, error, path }) => {
    const context = current.of(request) ?? lost();
    return isNotFound(error) ? unmatched(context, path) : context.fail(error);
  });
  for (const route of routes) {
    const dispatch = dispatchOf(route, whenMet);
    app.route(route.method, route.path, ({ request, params }) => {
      const context = current.of(request);
      return context === null ? lost() : dispatch(context, params);
    });
  }
  for (const [path, onPath] of Map.groupBy(routes, (route) => route.path)) {
    const allow = allowOf(onPath);
    const isAccount = onPath.some(({ access }) => access === 'account');
    const matched: MatchedRoute = { path, access: isAccount ? 'account' : 'metered' };
    app.all(path, ({ request }) => {
      const context = current.of(request);
      return context === null ? lost() : answerMethod(context, matched, allow);
    });
  }
  app.compile();
  function handle(context: RequestContext): Response | Promise<Response> {
    current.set(context);
    return app.fetch(context.request);
  }
  return { routes, find: () => handle };
}

/**
 * Passes a request's context through Elysia, which hands only the request to handlers. Elysia calls the
 * handler before `fetch` returns, so there is never more than one context in progress, and one field is
 * enough.
 */
class CurrentRequest {
  #context: RequestContext | null = null;

  set(context: RequestContext): void {
    this.#context = context;
  }

  /** The context of a request; null when the current context belongs to another request. */
  of(request: Request): RequestContext | null {
    return this.#context?.request === request ? this.#context : null;
  }
}

function lost(): never {
  throw new Error('Assertion failed: Elysia calls the handler before fetch returns');
}

/** OPTIONS lists the methods and answers preflights; any other method is answered with 405. */
function answerMethod(context: RequestContext, matched: MatchedRoute, allow: string): Response {
  try {
    context.match(matched);
    const isShared = matched.access !== 'account';
    if (context.request.method === 'OPTIONS') {
      return context.respond(new Reply(null, { status: 204, headers: preflightHeaders(allow, isShared) }));
    }
    context.admit();
    throw wrongMethod(allow);
  } catch (error) {
    return context.fail(error);
  }
}

function unmatched(context: RequestContext, path: string): Response {
  try {
    context.match(unmatchedAt(path));
    context.admit();
    throw noRoute();
  } catch (error) {
    return context.fail(error);
  }
}

function isNotFound(error: unknown): boolean {
  return codeOf(error) === 'NOT_FOUND';
}
