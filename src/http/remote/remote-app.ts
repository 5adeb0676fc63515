// The HTTP thread's side of requests that the query thread answers. It forwards requests with their bodies,
// and returns the answers. The query thread does everything else, as it would in a server with one thread:
// admission, counting and logging.

import type { Holder } from '../../access/quotas/fair-shares.ts';
import type { TurnCaller } from '../../access/quotas/fair-turns.ts';
import type { Clock } from '../../clock.ts';
import { REQUEST_DEADLINE_MS } from '../../limits.ts';
import { withoutLength } from '../kit/reply.ts';
import { type RouteSign, RouteTable } from '../kit/route-table.ts';
import type { WithBody } from './calls.ts';
import { ThreadCaller } from './thread-caller.ts';

/**
 * Maximum number of requests of one HTTP thread that wait for the query thread, divided as in
 * kit/in-flight.ts. A request beyond a share gets 503 and may be retried.
 */
const PENDING_MAX = 2_048;
/**
 * How long to wait for an answer. The query thread refuses a request itself at its deadline, so if it has not
 * answered by this time, it is considered stuck, and the request gets 503.
 */
const ANSWERED_WITHIN_MS = REQUEST_DEADLINE_MS + 1_000;
/** How soon the query thread is asked for its routes again when it did not answer in time. */
const ASK_AGAIN_MS = 250;

export interface RemoteRequest {
  readonly requestId: string;
  readonly clientAddress: string;
  /** The caller whose share of the waiting requests this request uses. */
  readonly holder: Holder;
  /** The full body; null for a request without one. */
  readonly body: Uint8Array<ArrayBuffer> | null;
  /**
   * Wraps a body that arrived as bytes, so that its place stays taken until the client has read it, unless
   * the status is an error. Not called for streams. If this is absent, the bytes are sent as they are.
   */
  readonly untilRead?: (
    bytes: Uint8Array<ArrayBuffer>,
    status: number,
  ) => Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** A request as it is sent to the query thread. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  /** Including `x-request-id`, which the HTTP thread has set. */
  readonly headers: [string, string][];
  /** The full body; null for a request without one. */
  readonly body: Uint8Array<ArrayBuffer> | null;
  /** The client's address, as seen through trusted proxies. */
  readonly clientAddress: string;
  /** The caller in whose turn the request is started. */
  readonly caller: TurnCaller;
}

/** An answer without its body. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: [string, string][];
  /** Whether the answer is to a HEAD whose GET would be sent in pieces. */
  readonly isLengthUnknown: boolean;
}

/** Answers requests to paths that have no route on this thread. */
export class RemoteApp {
  readonly #calls: ThreadCaller;
  #routes: RouteTable<RouteSign> | null = null;
  readonly #routed = Promise.withResolvers<void>();
  /**
   * Changes when a query thread connects or disconnects, so that an earlier thread is no longer asked for its
   * routes.
   */
  #connection = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'>, pendingMax = PENDING_MAX) {
    const deadlineMs = ANSWERED_WITHIN_MS;
    this.#calls = new ThreadCaller({ clock, whom: 'the query thread', pendingMax, deadlineMs });
  }

  /** The routes that the query thread answers; null until they are known. */
  get routes(): RouteTable<RouteSign> | null {
    return this.#routes;
  }

  /** Resolves once the routes are known. */
  get whenRouted(): Promise<void> {
    return this.#routed.promise;
  }

  /** Sends further requests to this port. Unanswered requests to the previous thread are refused. */
  connect(port: MessagePort): void {
    this.#calls.connect(port);
    this.#connection += 1;
    this.#askForRoutes(this.#connection);
  }

  /**
   * Asks the thread of this connection for its routes until it answers. Until then, bodies are not refused
   * early.
   */
  #askForRoutes(connection: number): void {
    if (connection !== this.#connection) return;
    this.#calls.call('routes', null).then(
      (signs) => {
        this.#routes = new RouteTable(signs as RouteSign[]);
        this.#routed.resolve();
      },
      () => setTimeout(() => this.#askForRoutes(connection), ASK_AGAIN_MS).unref(),
    );
  }

  /** The query thread is gone: refuses all requests that wait for it. */
  disconnect(): void {
    this.#connection += 1;
    this.#calls.disconnect();
  }

  close(): void {
    this.#connection += 1;
    this.#calls.close();
  }

  /**
   * @throws ServiceError `upstream_unavailable` when the request cannot be answered; Error for a bug of the
   * query thread
   */
  async answer(request: Request, as: RemoteRequest): Promise<Response> {
    const { requestId, clientAddress, holder, body, untilRead = (bytes) => bytes } = as;
    const { method, url, signal } = request;
    const headers = [...request.headers].filter(([name]) => name !== 'x-request-id');
    headers.push(['x-request-id', requestId]);
    const sent: SentRequest = { method, url, headers, body, clientAddress, caller: turnCallerOf(holder) };
    const transfer = body === null ? [] : [body.buffer];
    try {
      const answered = await this.#calls.call('request', sent, { holder, signal, transfer });
      return toResponse(answered as WithBody<AnswerHead>, untilRead);
    } catch (error) {
      // The client has disconnected. Its request must still be answered, so that it counts as finished.
      if (signal.aborted) return new Response(null, { status: 503 });
      throw error;
    }
  }
}

function toResponse(
  { answer, body }: WithBody<AnswerHead>,
  untilRead: NonNullable<RemoteRequest['untilRead']>,
): Response {
  const { status, headers, isLengthUnknown } = answer;
  const response = new Response(body instanceof Uint8Array ? untilRead(body, status) : body, {
    status,
    headers,
  });
  return isLengthUnknown ? withoutLength(response) : response;
}

function turnCallerOf({ hasKey, isFree = false, subjects }: Holder): TurnCaller {
  const [subject] = subjects;
  return { name: subject === undefined ? '' : `${subject.high} ${subject.low}`, hasKey, isFree };
}
