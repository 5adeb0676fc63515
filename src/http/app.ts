// Puts routes on Elysia: one named plugin per group, one error handler registered first, and an answer in the envelope
// for everything, unknown paths and wrong methods included.

import type { TObject } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { compileInput, type InputParser } from '../contract/input.ts';
import { ServiceError } from '../errors.ts';
import { BODY_BYTES_MAX } from '../limits.ts';
import { type Exchange, type Place, UNMATCHED, UNMATCHED_ACCOUNT } from './kit/exchange.ts';
import { preflightHeaders } from './kit/headers.ts';
import { readJsonBody } from './kit/json-body.ts';
import { Reply, toReply } from './kit/reply.ts';
import { NO_INPUT, paramsReaderOf, queryReaderOf } from './kit/request-input.ts';
import type { Route, RouteGroup } from './kit/route.ts';

/** The application without a socket. */
export interface HttpApp {
  /** Every route, in order, for OpenAPI and for tests that walk the surface. */
  readonly routes: readonly Route[];
  /** Answers one request. Never throws and never rejects. */
  handle(exchange: Exchange): Response | Promise<Response>;
}

type RoutesByPath = ReadonlyMap<string, readonly Route[]>;
type Dispatch = (exchange: Exchange, params: unknown) => Response | Promise<Response>;

/** Builds the application from its route groups. Schemas are compiled here, once. */
export function createApp(groups: readonly RouteGroup[]): HttpApp {
  const current = new CurrentExchange();
  const app = new Elysia({ name: 'overround' }).onError(({ request, error, path }) => {
    const exchange = current.of(request) ?? lost();
    return isNotFound(error) ? unmatched(exchange, path) : exchange.fail(error);
  });
  const byPath = Map.groupBy(
    groups.flatMap((group) => group.routes),
    (route) => route.path,
  );
  for (const group of groups) app.use(pluginOf(group, byPath, current));
  app.compile();
  return {
    routes: groups.flatMap((group) => group.routes),
    handle(exchange) {
      current.set(exchange);
      return app.fetch(exchange.request);
    },
  };
}

/**
 * Hands the exchange through Elysia, which knows only the request. Elysia calls the handler before `fetch` returns, so
 * one place is enough, and nothing has to be looked up or collected.
 */
class CurrentExchange {
  #exchange: Exchange | null = null;

  set(exchange: Exchange): void {
    this.#exchange = exchange;
  }

  /** Null when it is not the exchange of `request`. */
  of(request: Request): Exchange | null {
    return this.#exchange?.request === request ? this.#exchange : null;
  }
}

function lost(): never {
  throw new Error('Assertion failed: Elysia calls the handler before fetch returns');
}

/**
 * One Elysia instance for one routes file. Elysia takes a handler whose text returns a call for an asynchronous one and
 * awaits every answer (`isAsync` in its compose); the conditional keeps answers that are ready at once synchronous.
 */
function pluginOf(group: RouteGroup, byPath: RoutesByPath, current: CurrentExchange): Elysia {
  const plugin = new Elysia({ name: group.name });
  for (const route of group.routes) {
    const dispatch = dispatchOf(route);
    plugin.route(route.method, route.path, ({ request, params }) => {
      const exchange = current.of(request);
      return exchange === null ? lost() : dispatch(exchange, params);
    });
    const onPath = byPath.get(route.path) ?? [];
    if (onPath[0] !== route) continue;
    const allow = allowOf(onPath);
    const isAccount = onPath.some(({ access }) => access === 'account');
    const place: Place = { path: route.path, access: isAccount ? 'account' : 'metered' };
    plugin.all(route.path, ({ request }) => {
      const exchange = current.of(request);
      return exchange === null ? lost() : wrongMethod(exchange, place, allow);
    });
  }
  return plugin;
}

/** The steps of one route: admit, validate, handle, answer. */
function dispatchOf(route: Route): Dispatch {
  const readParams = paramsReaderOf(route.params);
  const readRouteQuery = queryReaderOf(route.query);
  const bodyParser = route.body === null ? null : compileInput(route.body, 'body');
  return (exchange, rawParams) => {
    try {
      exchange.enter(route);
      exchange.admit();
      const params = readParams(rawParams);
      const query = readRouteQuery(exchange.request.url);
      if (bodyParser !== null) return answerBody(route, exchange, { params, query, bodyParser });
      const result = route.handle({ params, query, body: NO_INPUT }, exchange);
      if (result instanceof Promise) return settle(result, exchange);
      return exchange.respond(toReply(result));
    } catch (error) {
      return exchange.fail(error);
    }
  };
}

interface BodyInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly bodyParser: InputParser<TObject>;
}

async function answerBody(route: Route, exchange: Exchange, input: BodyInput): Promise<Response> {
  try {
    const body = input.bodyParser.parse(await readJsonBody(exchange.request, BODY_BYTES_MAX));
    const result = await route.handle({ params: input.params, query: input.query, body }, exchange);
    return exchange.respond(toReply(result));
  } catch (error) {
    return exchange.fail(error);
  }
}

async function settle(result: Promise<unknown>, exchange: Exchange): Promise<Response> {
  try {
    return exchange.respond(toReply(await result));
  } catch (error) {
    return exchange.fail(error);
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
function wrongMethod(exchange: Exchange, place: Place, allow: string): Response {
  try {
    exchange.enter(place);
    const isShared = place.access !== 'account';
    if (exchange.request.method === 'OPTIONS') {
      return exchange.respond(new Reply(null, { status: 204, headers: preflightHeaders(allow, isShared) }));
    }
    exchange.admit();
    throw new ServiceError('invalid_request', 'Cannot use this method here: the path has others', {
      status: 405,
      fix: `Use one of: ${allow}`,
      headers: { allow },
    });
  } catch (error) {
    return exchange.fail(error);
  }
}

function unmatched(exchange: Exchange, path: string): Response {
  try {
    exchange.enter(path.startsWith('/platform/') ? UNMATCHED_ACCOUNT : UNMATCHED);
    exchange.admit();
    throw new ServiceError('not_found', 'Cannot find a route: no such path', {
      fix: 'See /openapi.json for every path',
    });
  } catch (error) {
    return exchange.fail(error);
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'NOT_FOUND';
}
