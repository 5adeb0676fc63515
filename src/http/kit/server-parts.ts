// What the requests of one server share, and the id of a request.

import type { Gate } from '../../access/gate.ts';
import type { FairShares } from '../../access/quotas/fair-shares.ts';
import type { FairTurns } from '../../access/quotas/fair-turns.ts';
import type { FreePace } from '../../access/quotas/free-pace.ts';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { SocketHandler } from '../../stream/connections/socket-handler.ts';
import type { LoggedRequest } from '../../telemetry/access-log.ts';
import type { Forms } from './forms.ts';
import type { AnswerHeaders } from './headers.ts';
import type { MatchedRoute } from './matched-route.ts';
import type { Questions } from './questions.ts';
import type { Negotiator } from './representation.ts';
import type { ReadyAnswers } from './route.ts';

/** What the start of the program hands to the HTTP layer. */
export interface HttpDeps {
  readonly clock: Clock;
  readonly gate: Gate;
  /** Base of links in answers, without a trailing slash. */
  readonly publicUrl: string;
  /** Where failures are logged that no caller has caused. Fields never contain a secret. */
  readonly log: Pick<Log, 'error'>;
  /** A new request id, for a request without a usable one. */
  nextRequestId(): string;
  /** Counts every answer. @param route its path template */
  count(route: string, status: number, latencyMs: number): void;
  /** Whether `observe` must be called. */
  readonly reportsRequests: boolean;
  /** Called with every answer, for the log. */
  observe(finished: LoggedRequest): void;
}

/**
 * The route and the validated input of a URL. They do not change while the server runs. `Context` stands for
 * RequestContext, whose type refers to this one.
 */
export interface OpenPlan<Context> {
  readonly route: MatchedRoute;
  /** Answers a request to the URL with its route, starting with admission. */
  run(context: Context): Response | Promise<Response>;
  /** The answers that the route keeps for the URL; null for most routes. */
  keep(): ReadyAnswers | null;
}

/** What all requests of one server share. */
export interface ServerParts {
  readonly deps: HttpDeps;
  /** Places of requests whose answer is being made or sent. */
  readonly inFlight: FairShares;
  /** See `createPagePlaces`. */
  readonly pagePlaces: FairShares;
  /** The memory budget, for answers that wait in memory to be read. */
  readonly budget: FairShares;
  readonly freePace: FreePace;
  readonly headers: AnswerHeaders;
  readonly negotiator: Negotiator;
  readonly forms: Forms;
  /**
   * Whether large Blobs are sent in pieces, because another thread has the connections. Bun sends a Blob on a
   * connection of its own thread without a copy.
   */
  readonly cutsBlobs: boolean;
  /** The turns in which questions are answered and the pieces of large answers are made. */
  readonly turns: FairTurns;
  /** Null on a thread that does not answer in turns. */
  readonly questions: Questions | null;
  /** The client's address, as seen through trusted proxies. */
  readonly peerOf: (request: Request) => string;
  /** Removes the time-out of a request's connection. The returned function sets it again. */
  readonly keepOpen: (request: Request, onStuck: () => void) => () => void;
  /** Makes the connection of a request a WebSocket; false when the request is not a handshake. */
  readonly upgrade: (request: Request, handler: SocketHandler, headers: Record<string, string>) => boolean;
}

/** Callers' request ids that are echoed and logged. Any other is replaced by one of ours. */
const PLAIN_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The request's own id if it is a plain one, otherwise a new one. */
export function requestIdOf(request: Request, deps: Pick<HttpDeps, 'nextRequestId'>): string {
  const given = request.headers.get('x-request-id');
  return given !== null && PLAIN_REQUEST_ID.test(given) ? given : deps.nextRequestId();
}
