// What requests of one server share, and what is known of one besides its own words: its route, its plan and its id.

import type { FreePace } from '../../access/free-pace.ts';
import type { Gate } from '../../access/gate.ts';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { FinishedRequest } from '../../telemetry/access-log.ts';
import type { Forms } from './forms.ts';
import type { AnswerHeaders } from './headers.ts';
import type { BodyPlaces, InFlight } from './in-flight.ts';
import type { Negotiator } from './representation.ts';
import type { RequestContext } from './request-context.ts';
import type { ReadyAnswers, RouteAccess } from './route.ts';
import type { SocketHandler } from './socket.ts';

/** What main hands to the HTTP layer. */
export interface HttpDeps {
  readonly clock: Clock;
  readonly gate: Gate;
  /** Base of links in answers, no trailing slash. */
  readonly publicUrl: string;
  /** Where failures that are no caller's are told. Fields never hold a secret. */
  readonly log: Pick<Log, 'error'>;
  /** A fresh request id, for requests that bring none. */
  nextRequestId(): string;
  /** Counts every answer. @param route a path template */
  count(route: string, status: number, latencyMs: number): void;
  /** Whether `observe` wants to be told of answers. */
  readonly tellsRequests: boolean;
  /** Told of every answer, for the log. */
  observe(finished: FinishedRequest): void;
}

/** What an URL means: its route and input, read and found good. It does not change while the server runs. */
export interface OpenPlan {
  readonly route: MatchedRoute;
  /** Answers a request to the URL as its route does, from the admission on. */
  run(context: RequestContext): Response | Promise<Response>;
  /** What the route keeps ready for the URL; null for most routes. */
  keep(): ReadyAnswers | null;
}

/** What all requests of one server share. */
export interface ServerParts {
  readonly deps: HttpDeps;
  readonly inFlight: InFlight;
  readonly bodies: BodyPlaces;
  readonly freePace: FreePace;
  readonly headers: AnswerHeaders;
  readonly negotiator: Negotiator;
  readonly forms: Forms;
  /** The client's address, after trusted proxies. */
  readonly peerOf: (request: Request) => string;
  /** Takes the time-out off the connection of a request; what it returns puts it back. */
  readonly keepOpen: (request: Request, onStuck: () => void) => () => void;
  /** Makes a WebSocket of the connection of a request; false when that is no handshake of one. */
  readonly upgrade: (request: Request, handler: SocketHandler, headers: Record<string, string>) => boolean;
}

/** The route a request matched: its path template, which is a bounded label, and what it costs and needs. */
export interface MatchedRoute {
  readonly path: string;
  readonly access: RouteAccess;
  /** Whether its `ticket` parameter may stand for the key. */
  readonly takesTicket?: boolean;
}

/** No such path, or none that is known yet: it costs a unit like any other request. */
export const UNMATCHED: MatchedRoute = { path: 'unmatched', access: 'metered' };
const UNMATCHED_ACCOUNT: MatchedRoute = { path: 'unmatched', access: 'account' };

/** What a path without a route counts as. */
export function unmatchedAt(path: string): MatchedRoute {
  return path.startsWith('/platform/') ? UNMATCHED_ACCOUNT : UNMATCHED;
}

/** Ids of callers that are echoed and logged; any other is replaced by one of ours. */
const PLAIN_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The request's own id where it is a plain one, else a fresh one. */
export function requestIdOf(request: Request, deps: Pick<HttpDeps, 'nextRequestId'>): string {
  const given = request.headers.get('x-request-id');
  return given !== null && PLAIN_REQUEST_ID.test(given) ? given : deps.nextRequestId();
}

/** The path of an absolute URL, without its query. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', 8);
  const end = url.indexOf('?', start);
  return start === -1 ? '/' : url.slice(start, end === -1 ? undefined : end);
}
