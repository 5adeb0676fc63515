// What a route is: its method and path, its schemas, its price and its handler, as data. The server, the validator and
// the OpenAPI document are made from it. A routes file exports a function of its services that returns a RouteGroup.

import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Principal } from '../../domain/tiers.ts';
import type { ErrorCode } from '../../errors.ts';
import type { Instant } from '../../query/fixture-watch.ts';
import type { FormedAnswer } from './forms.ts';
import { JSON_CONTENT_TYPE, type Reply } from './reply.ts';
import type { SocketHandler } from './socket.ts';

export type RouteMethod = 'GET' | 'POST' | 'DELETE';

/**
 * What a request costs and needs. `open`: nothing. `metered`: one unit, keyless allowed. `key`: one unit and a key.
 * `account`: nothing; its Authorization header holds a session, or the operator's token, and is not shown to the gate; no
 * CORS.
 */
export type RouteAccess = 'open' | 'metered' | 'key' | 'account';

/**
 * Which thread answers. `http`: the one that has the connection, for what is polled and pushed and takes well under a
 * millisecond. `query`: another, so that it holds up no poll.
 */
export type RouteThread = 'http' | 'query';

/** What a route may keep for one URL, so that its answer is found without its handler. */
export interface ReadyAnswers {
  /** The answer of the handler at this instant, if it is ready; else null, and the handler makes it. Never throws. */
  ready(principal: Principal, instant: Instant): FormedAnswer | null;
  /** Whether tags, none of which is that of the answer, are of what this node has yet to hear. */
  isAhead(principal: Principal, tags: string): boolean;
}

/** What a handler knows besides its input. */
export interface HandlerContext {
  /** Wall clock when the request came. */
  readonly nowMs: number;
  /** Monotonic clock when the request came. */
  readonly monotonicMs: number;
  readonly principal: Principal;
  readonly clientAddress: string;
  readonly requestId: string;
  /** The If-None-Match header. The kit answers 304 itself; handlers need it only to skip work. */
  readonly ifNoneMatch: string | null;
  /** The request itself, for routes that stream or speak another protocol. Its body is unread unless `body` is set. */
  readonly request: Request;
  /** Whether the caller may still be served, for answers that go on for long: false once its key has died. */
  allowance(): () => boolean;
  /**
   * Takes the time-out off the connection, for an answer that is sent as things happen. Call what it returns at the end:
   * a client that does not read would else keep its connection for ever.
   * @param onStuck called when the client has taken nothing for long of what the system holds for it
   */
  keepOpen(onStuck: () => void): () => void;
  /**
   * Makes a WebSocket of the connection: then what the handler returns is not sent.
   * @returns false when the request is no handshake of one
   */
  upgrade(handler: SocketHandler, headers: Readonly<Record<string, string>>): boolean;
  /** One request header, or null. */
  header(name: string): string | null;
}

/** The validated parts of a request; a part without a schema is an empty object. */
export interface RouteInput<Params extends TObject, Query extends TObject, Body extends TObject> {
  readonly params: Static<Params>;
  readonly query: Static<Query>;
  readonly body: Static<Body>;
}

/** What every route has, whatever it takes and answers. */
interface RouteFacts {
  readonly method: RouteMethod;
  /** Elysia path, such as `/v1/events/:event_id`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly access: RouteAccess;
  /** Default `query`. Routes of one path have the same. */
  readonly thread?: RouteThread;
  /** Whether its `ticket` parameter may stand for the key, for callers who can send no header. */
  readonly takesTicket?: boolean;
  /** Codes this route adds to those its access and its parameters bring anyway. */
  readonly errors: readonly ErrorCode[];
}

export interface RouteDefinition<
  Params extends TObject,
  Query extends TObject,
  Body extends TObject,
  Response extends TSchema,
> extends Omit<RouteFacts, 'errors'> {
  /** Default: none. */
  readonly errors?: readonly ErrorCode[];
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Default JSON. */
  readonly contentType?: string;
  /** Schema of the 200 body; of one event where the body is a stream of them. */
  readonly response: Response;
  handle(
    input: RouteInput<Params, Query, Body>,
    context: HandlerContext,
  ): RouteResult<Static<Response>> | Promise<RouteResult<Static<Response>>>;
  /** For answers that are kept ready: called once for an URL that is asked for again and again. */
  keep?(input: RouteInput<Params, Query, Body>): ReadyAnswers;
}

export type RouteResult<Answer> = Answer | Reply;

/** A route without the types of its own input and answer. One without an operation id is not in OpenAPI. */
export interface Route extends RouteFacts {
  readonly params: TObject | null;
  readonly query: TObject | null;
  readonly body: TObject | null;
  /** Null for pages, and for what makes a WebSocket of its connection. */
  readonly response: TSchema | null;
  /** Of the 200 body. */
  readonly contentType: string;
  handle(input: UntypedInput, context: HandlerContext): unknown;
  readonly keep: ((input: UntypedInput) => ReadyAnswers) | null;
}

export interface UntypedInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** The routes of one file; `name` is the name of their Elysia plugin. */
export interface RouteGroup {
  readonly name: string;
  readonly routes: readonly Route[];
}

/** Checks a route's types where it is defined. The route that it returns has none, so that all routes fit one list. */
export function defineRoute<
  Response extends TSchema,
  Params extends TObject = TObject<Record<never, never>>,
  Query extends TObject = TObject<Record<never, never>>,
  Body extends TObject = TObject<Record<never, never>>,
>(definition: RouteDefinition<Params, Query, Body, Response>): Route {
  return {
    ...definition,
    errors: definition.errors ?? [],
    params: definition.params ?? null,
    query: definition.query ?? null,
    body: definition.body ?? null,
    contentType: definition.contentType ?? JSON_CONTENT_TYPE,
    handle: (input, context) => definition.handle(input as RouteInput<Params, Query, Body>, context),
    keep:
      definition.keep === undefined
        ? null
        : (input) => definition.keep!(input as RouteInput<Params, Query, Body>),
  };
}

/** A route that makes a WebSocket of its connection. It is in the OpenAPI document, its messages are in AsyncAPI. */
export function defineSocket(
  socket: Omit<RouteFacts, 'method' | 'errors'> & {
    readonly query: TObject;
    handle(context: HandlerContext): Reply;
  },
): Route {
  return {
    ...socket,
    method: 'GET',
    params: null,
    body: null,
    response: null,
    contentType: JSON_CONTENT_TYPE,
    errors: [],
    handle: (_input, context) => socket.handle(context),
    keep: null,
  };
}

/** Whether the thread that has the connection answers. */
export function isOnHttpThread({ thread }: Pick<Route, 'thread'>): boolean {
  return thread === 'http';
}

/**
 * The paths of routes, those of HTTP threads first: so a thread that has those alone and one that has all give each path the
 * same number.
 */
export function pathsByThread(routes: readonly Route[]): readonly string[] {
  const others = routes.filter((route) => !isOnHttpThread(route));
  return [...routes.filter(isOnHttpThread), ...others].map(({ path }) => path);
}

/** Whether a route is in the documents: all but pages and other protocols. */
export function isDescribed({ operationId }: Route): boolean {
  return operationId !== '';
}

/** A route that is a page, a text or another protocol: no schemas, and not part of the OpenAPI document. */
export function definePage(page: {
  readonly path: string;
  readonly method?: RouteMethod;
  readonly access?: RouteAccess;
  readonly takesTicket?: boolean;
  handle(context: HandlerContext): Reply | Promise<Reply>;
}): Route {
  return {
    method: page.method ?? 'GET',
    path: page.path,
    operationId: '',
    summary: '',
    description: '',
    tags: [],
    access: page.access ?? 'open',
    takesTicket: page.takesTicket ?? false,
    params: null,
    query: null,
    body: null,
    response: null,
    contentType: JSON_CONTENT_TYPE,
    errors: [],
    handle: (_input, context) => page.handle(context),
    keep: null,
  };
}
