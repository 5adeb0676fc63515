// The definition of a route as data: method and path, schemas, price and handler. The server, the validator
// and the OpenAPI document are made from it. A routes file exports a function that takes its services and
// returns its routes.

import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Principal } from '../../domain/tiers.ts';
import type { ErrorCode } from '../../errors.ts';
import { ACCOUNT_BODY_BYTES_MAX, BODY_BYTES_MAX } from '../../limits.ts';
import type { Instant } from '../../query/slate/fixture-watch.ts';
import type { FormedAnswer } from './forms.ts';
import { JSON_CONTENT_TYPE, type Reply } from './reply.ts';
import type { HandlerContext } from './request/handler-context.ts';

export type RouteMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * What a request costs and needs. `open`: costs nothing. `metered`: costs one unit, works without a key.
 * `key`: costs one unit, needs a key. `account`: costs nothing; its Authorization header is a session or the
 * operator's token, so the gate does not see it; no CORS.
 */
export type RouteAccess = 'open' | 'metered' | 'key' | 'account';

/**
 * The thread that answers. `http`: the thread that has the connection, for polled and pushed data that takes
 * well under a millisecond. `query`: another thread, so that the work delays no poll.
 */
export type RouteThread = 'http' | 'query';

/**
 * What a new slate may not have yet when a request arrives. `names`: the index of its names. `lists`: its
 * sorted fixtures.
 */
export type RouteNeed = 'names' | 'lists';

/** Answers that a route keeps for one URL, so that a request is answered without its handler. */
export interface ReadyAnswers {
  /**
   * The handler's answer at this instant if it is ready; otherwise null, and the handler must make it. Never
   * throws.
   */
  ready(principal: Principal, instant: Instant): FormedAnswer | null;
  /**
   * Whether one of these tags comes from a state that this node has not reached yet. Call it only if no tag
   * matches the answer.
   */
  isAhead(principal: Principal, tags: string): boolean;
}

/** The validated parts of a request. A part without a schema is an empty object. */
export interface RouteInput<Params extends TObject, Query extends TObject, Body extends TObject> {
  readonly params: Static<Params>;
  readonly query: Static<Query>;
  readonly body: Static<Body>;
}

/** Announces the end of a route: its answers say so in headers, and the OpenAPI document marks it. */
export interface Deprecation {
  /** When the route became deprecated, in ms since 1970. */
  readonly sinceMs: number;
  /** When the route stops answering; null while no date is set. */
  readonly sunsetMs: number | null;
  /** The page that says what to use instead. */
  readonly url: string;
}

/**
 * Error codes that a route declares. Every other code can occur on every route, or follows from its input.
 */
type DeclaredError = Exclude<
  ErrorCode,
  'invalid_request' | 'internal' | 'upstream_unavailable' | 'validation_error'
>;

/** The facts of every route, whatever its input and answer. */
interface RouteFacts {
  readonly method: RouteMethod;
  /** Elysia path, such as `/v1/events/:event_id`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly access: RouteAccess;
  /** The thread that answers; default `query`. All routes of one path must have the same. */
  readonly thread?: RouteThread;
  /** Whether the route's `ticket` parameter may replace the key, for callers that cannot send headers. */
  readonly takesTicket?: boolean;
  /**
   * Whether the route's handler calls `inTurn` itself, as a handler does that first reads a body. Default:
   * no.
   */
  readonly takesTurns?: boolean;
  /**
   * Maximum bytes of its body; a larger one gets 413. Default: BODY_BYTES_MAX, or ACCOUNT_BODY_BYTES_MAX for
   * account routes.
   */
  readonly bodyBytesMax?: number;
  /** Default: it is not deprecated. */
  readonly deprecation?: Deprecation;
  /**
   * Error codes besides those that every route has and those that follow from `access` and the parameters.
   */
  readonly errors: readonly DeclaredError[];
}

export interface RouteDefinition<
  Params extends TObject,
  Query extends TObject,
  Body extends TObject,
  Response extends TSchema,
> extends Omit<RouteFacts, 'errors'> {
  /** Default: none. */
  readonly errors?: readonly DeclaredError[];
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /**
   * What the handler needs. The request waits until the slate has it, without delaying other requests.
   * Default: nothing.
   */
  readonly waitsFor?: RouteNeed | ((input: RouteInput<Params, Query, Body>) => RouteNeed);
  /** Default JSON. */
  readonly contentType?: string;
  /** Schema of the 200 body, or of one event if the body is a stream of events. */
  readonly response: Response;
  handle(
    input: RouteInput<Params, Query, Body>,
    context: HandlerContext,
  ): RouteResult<Static<Response>> | Promise<RouteResult<Static<Response>>>;
  /** Keeps answers for one URL. Called each time that the URL gets a plan (url-cache.ts). */
  keep?(input: RouteInput<Params, Query, Body>): ReadyAnswers | null;
}

export type RouteResult<Answer> = Answer | Reply;

/**
 * A route without the types of its input and answer. A route without an operation id is not in the OpenAPI
 * document.
 */
export interface Route extends RouteFacts {
  readonly params: TObject | null;
  readonly query: TObject | null;
  readonly body: TObject | null;
  /** Null for pages and for WebSockets. */
  readonly response: TSchema | null;
  /** The content type of the 200 body. */
  readonly contentType: string;
  /** What the handler needs; null when it needs nothing that may still be missing. */
  readonly waitsFor: RouteNeed | ((input: UntypedInput) => RouteNeed) | null;
  handle(input: UntypedInput, context: HandlerContext): unknown;
  readonly keep: ((input: UntypedInput) => ReadyAnswers | null) | null;
}

export interface UntypedInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** What a route has unless its definition says otherwise. */
const BARE = {
  ...{ params: null, query: null, body: null, response: null, contentType: JSON_CONTENT_TYPE },
  ...{ errors: [], waitsFor: null, keep: null },
};

/**
 * Checks a route's types where it is defined. The returned route has no such types, so that all routes fit
 * one list.
 */
export function defineRoute<
  Response extends TSchema,
  Params extends TObject = TObject<Record<never, never>>,
  Query extends TObject = TObject<Record<never, never>>,
  Body extends TObject = TObject<Record<never, never>>,
>(definition: RouteDefinition<Params, Query, Body, Response>): Route {
  const { waitsFor = null } = definition;
  return {
    ...BARE,
    ...definition,
    waitsFor:
      typeof waitsFor === 'function'
        ? (input) => waitsFor(input as RouteInput<Params, Query, Body>)
        : waitsFor,
    handle: (input, context) => definition.handle(input as RouteInput<Params, Query, Body>, context),
    keep:
      definition.keep === undefined
        ? null
        : (input) => definition.keep!(input as RouteInput<Params, Query, Body>),
  };
}

/** Defines a WebSocket route. It is in the OpenAPI document; its messages are in the AsyncAPI document. */
export function defineSocket(
  socket: Omit<RouteFacts, 'method' | 'errors'> & {
    readonly query: TObject;
    handle(context: HandlerContext): Reply;
  },
): Route {
  return {
    ...BARE,
    ...socket,
    method: 'GET',
    handle: (_input, context) => socket.handle(context),
  };
}

/** What a list of fixtures waits for: filtering by league needs the index of names. */
export function needOfList({ league }: { readonly league?: string }): RouteNeed {
  return league === undefined ? 'lists' : 'names';
}

/** The maximum body of a route, in bytes. */
export function bodyBytesMaxOf({ access, bodyBytesMax }: Pick<Route, 'access' | 'bodyBytesMax'>): number {
  return bodyBytesMax ?? (access === 'account' ? ACCOUNT_BODY_BYTES_MAX : BODY_BYTES_MAX);
}

/** Whether the route is answered by the thread that has the connection. */
export function isOnHttpThread({ thread }: Pick<Route, 'thread'>): boolean {
  return thread === 'http';
}

/**
 * The paths of the routes, those of HTTP threads first. So a path has the same number on every thread,
 * although HTTP threads have only their own routes.
 */
export function pathsByThread(routes: readonly Route[]): readonly string[] {
  const others = routes.filter((route) => !isOnHttpThread(route));
  return [...routes.filter(isOnHttpThread), ...others].map(({ path }) => path);
}

/** Whether a route is in the documents: all are, except pages and other protocols. */
export function isDescribed({ operationId }: Route): boolean {
  return operationId !== '';
}

/** Defines a page, a text or another protocol: it has no schemas and is not in the OpenAPI document. */
export function definePage(page: {
  readonly path: string;
  readonly method?: RouteMethod;
  readonly access?: RouteAccess;
  readonly takesTicket?: boolean;
  readonly takesTurns?: boolean;
  readonly waitsFor?: RouteNeed;
  handle(context: HandlerContext): Reply | Promise<Reply>;
}): Route {
  return {
    ...BARE,
    ...{ method: 'GET', operationId: '', summary: '', description: '', tags: [], access: 'open' },
    ...page,
    handle: (_input, context) => page.handle(context),
  };
}
