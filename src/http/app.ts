// Puts routes on Elysia: one named plugin per group, one error handler registered first, and an answer in the envelope
// for everything, unknown paths and wrong methods included.

import type { TObject } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { compileInput, type InputParser } from '../contract/input.ts';
import { ServiceError } from '../errors.ts';
import { ACCOUNT_BODY_BYTES_MAX, BODY_BYTES_MAX } from '../limits.ts';
import { preflightHeaders } from './kit/headers.ts';
import { Reply, toReply } from './kit/reply.ts';
import type { RequestContext } from './kit/request-context.ts';
import { NO_INPUT, paramsReaderOf, queryReaderOf, readJsonBody } from './kit/request-input.ts';
import type { Route, RouteGroup, UntypedInput } from './kit/route.ts';
import { type MatchedRoute, type OpenPlan, UNMATCHED, UNMATCHED_ACCOUNT } from './kit/server-parts.ts';

/** The application without a socket. */
export interface HttpApp {
  /** Every route, in order, for OpenAPI and for tests that walk the surface. */
  readonly routes: readonly Route[];
  /** Whether some route has the path of an URL. One with other characters than those of paths and ids may be missed. */
  hasPath(path: string): boolean;
  /** Answers one request. Never throws and never rejects. */
  handle(context: RequestContext): Response | Promise<Response>;
}

/** Matches the paths of a template such as `/v1/events/:event_id`. */
function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
}

type RoutesByPath = ReadonlyMap<string, readonly Route[]>;
type Dispatch = (context: RequestContext, params: unknown) => Response | Promise<Response>;

/** Builds the application from its route groups. Schemas are compiled here, once. */
export function createApp(groups: readonly RouteGroup[]): HttpApp {
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
  const patterns = [...byPath.keys()].map(patternOf);
  return {
    routes: groups.flatMap((group) => group.routes),
    hasPath: (path) => patterns.some((pattern) => pattern.test(path)),
    handle(context) {
      current.set(context);
      return app.fetch(context.request);
    },
  };
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

/** The steps of one route: admit, validate, handle, answer. Of a GET, what was read is the plan of its URL. */
function dispatchOf(route: Route): Dispatch {
  const readParams = paramsReaderOf(route.params);
  const readRouteQuery = queryReaderOf(route.query);
  const bodyParser = route.body === null ? null : compileInput(route.body, 'body');
  return (context, rawParams) => {
    try {
      context.match(route);
      context.admit();
      const params = readParams(rawParams);
      const query = readRouteQuery(context.request.url);
      if (bodyParser !== null) return answerBody(route, context, { params, query, bodyParser });
      const input = { params, query, body: NO_INPUT };
      if (context.request.method === 'GET') context.planned(planOf(route, input));
      return answerInput(route, context, input);
    } catch (error) {
      return context.fail(error);
    }
  };
}

function planOf(route: Route, input: UntypedInput): OpenPlan {
  return {
    route,
    keep: () => route.keep?.(input) ?? null,
    run(context) {
      try {
        context.match(route);
        context.admit();
        return answerInput(route, context, input);
      } catch (error) {
        return context.fail(error);
      }
    },
  };
}

/** @throws what the handler throws at once */
function answerInput(
  route: Route,
  context: RequestContext,
  input: UntypedInput,
): Response | Promise<Response> {
  const result = route.handle(input, context);
  if (result instanceof Promise) return settle(result, context);
  return context.respond(toReply(result));
}

interface BodyInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly bodyParser: InputParser<TObject>;
}

async function answerBody(route: Route, context: RequestContext, input: BodyInput): Promise<Response> {
  try {
    const bytesMax = route.access === 'account' ? ACCOUNT_BODY_BYTES_MAX : BODY_BYTES_MAX;
    const body = input.bodyParser.parse(await receive(context, bytesMax));
    const result = await route.handle({ params: input.params, query: input.query, body }, context);
    return context.respond(toReply(result));
  } catch (error) {
    return context.fail(error);
  }
}

/** The JSON of a body. While it is on its way the request has a place of its own kind. */
async function receive(context: RequestContext, bytesMax: number): Promise<unknown> {
  context.beginBody();
  try {
    return await readJsonBody(context.request, bytesMax);
  } finally {
    context.endBody();
  }
}

async function settle(result: Promise<unknown>, context: RequestContext): Promise<Response> {
  try {
    return context.respond(toReply(await result));
  } catch (error) {
    return context.fail(error);
  }
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
    context.match(path.startsWith('/platform/') ? UNMATCHED_ACCOUNT : UNMATCHED);
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
