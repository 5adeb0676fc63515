// Puts routes on Elysia: one named plugin per group, one error handler registered first, and an answer in the envelope
// for everything, unknown paths and wrong methods included.

import type { TObject } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { compileInput, type InputParser } from '../contract/input.ts';
import { assert, ServiceError } from '../errors.ts';
import { BODY_BYTES_MAX } from '../limits.ts';
import { type Exchange, type Place, UNMATCHED, UNMATCHED_ACCOUNT } from './exchange.ts';
import { preflightHeaders } from './headers.ts';
import { readJsonBody } from './json-body.ts';
import { rawQueryOf, readQuery } from './query-string.ts';
import { Reply, toReply } from './reply.ts';
import type { Route, RouteGroup } from './route.ts';

/** The application without a socket. */
export interface HttpApp {
  /** Every route, in order, for OpenAPI and for tests that walk the surface. */
  readonly routes: readonly Route[];
  /** Answers one request. Never throws and never rejects. */
  handle(exchange: Exchange): Response | Promise<Response>;
}

type Dispatch = (exchange: Exchange, params: unknown) => Response | Promise<Response>;

const NOTHING = Object.freeze({});

/** Builds the application from its route groups. Schemas are compiled here, once. */
export function createApp(groups: readonly RouteGroup[]): HttpApp {
  const current = new CurrentExchange();
  const app = new Elysia({ name: 'overround' }).onError(({ request, error, path }) => {
    const exchange = current.of(request);
    return isNotFound(error) ? unmatched(exchange, path) : exchange.fail(error);
  });
  for (const group of groups) app.use(pluginOf(group, current));
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
 * one place is enough; a map keyed by requests was seen to cost more than the whole rest of the way.
 */
class CurrentExchange {
  #exchange: Exchange | null = null;

  set(exchange: Exchange): void {
    this.#exchange = exchange;
  }

  of(request: Request): Exchange {
    const exchange = this.#exchange;
    assert(exchange?.request === request, 'Elysia calls the handler before fetch returns');
    return exchange as Exchange;
  }
}

/** One Elysia instance for one routes file. */
function pluginOf(group: RouteGroup, current: CurrentExchange): Elysia {
  const plugin = new Elysia({ name: group.name });
  const byPath = Map.groupBy(group.routes, (route) => route.path);
  for (const [path, routes] of byPath) {
    for (const route of routes) {
      const dispatch = dispatchOf(route);
      plugin.route(route.method, path, ({ request, params }) => dispatch(current.of(request), params));
    }
    const allow = allowOf(routes);
    const isAccount = routes.some((route) => route.access === 'account');
    const place: Place = { path, access: isAccount ? 'account' : 'metered' };
    plugin.all(path, ({ request }) => wrongMethod(current.of(request), place, allow));
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
      const result = route.handle({ params, query, body: NOTHING }, exchange);
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

function paramsReaderOf(schema: TObject | null): (params: unknown) => unknown {
  if (schema === null) return () => NOTHING;
  const parser = compileInput(schema, 'path');
  return (params) => parser.parse(params);
}

/** A request without a query string reads as the frozen defaults, computed once. */
function queryReaderOf(schema: TObject | null): (url: string) => unknown {
  if (schema === null) return () => NOTHING;
  const parser = compileInput(schema, 'query');
  const names = new Set(Object.keys(schema.properties));
  const hasRequired = (schema.required ?? []).length > 0;
  const defaults = hasRequired ? null : Object.freeze(parser.parse({}));
  return (url) => {
    const raw = rawQueryOf(url);
    if (raw === '' && defaults !== null) return defaults;
    return parser.parse(readQuery(raw, names));
  };
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
