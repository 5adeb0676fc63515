// The HTTP thread's side of requests that the query thread answers. It forwards requests with their bodies,
// and returns the answers. The query thread does everything else, as it would in a server with one thread:
// admission, counting and logging.

import type { FairShares, Holder } from '../../access/quotas/fair-shares.ts';
import type { TurnCaller } from '../../access/quotas/fair-turns.ts';
import type { Clock } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import { REQUEST_DEADLINE_MS } from '../../limits.ts';
import { createPlaces } from '../kit/in-flight.ts';
import { withoutLength } from '../kit/reply.ts';
import { type RouteSign, RouteTable } from '../kit/route-table.ts';
import type { FromQuery, ToQuery } from './messages.ts';

/**
 * Requests of one HTTP thread that wait for the query thread. Callers without a key share a quarter, and one
 * address may use an eighth of that; one key may use a third of the rest. Full: 503 and retry.
 */
const PENDING_MAX = 2_048;
/** The query thread keeps the deadline of requests itself. Later: it is considered stuck, 503 and retry. */
const ANSWERED_WITHIN_MS = REQUEST_DEADLINE_MS + 1_000;
const LOOK_EVERY_MS = 250;

export interface RemoteRequest {
  readonly requestId: string;
  readonly clientAddress: string;
  /** The holder that the request's place counts against. */
  readonly holder: Holder;
  /** The full body; null for a request without one. */
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/** Answers requests to paths that have no route on this thread. */
export interface RemoteApp {
  /** The routes that it answers; null until they are known. */
  readonly routes: RouteTable<RouteSign> | null;
  /**
   * @throws ServiceError `upstream_unavailable` when the request cannot be answered; Error for a bug of the
   * query thread
   */
  answer(request: Request, as: RemoteRequest): Promise<Response>;
}

interface Pending {
  readonly dueAtMs: number;
  readonly holder: Holder;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

/** An answer whose pieces are still being received. */
interface OpenBody {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  /** Called when the requested piece has arrived. */
  taken: (() => void) | null;
}

export class QueryCaller implements RemoteApp {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #places: FairShares;
  readonly #pending = new Map<number, Pending>();
  readonly #bodies = new Map<number, OpenBody>();
  readonly #timer: ReturnType<typeof setInterval>;
  #port: MessagePort | null = null;
  #lastId = 0;
  #routes: RouteTable<RouteSign> | null = null;

  constructor(clock: Pick<Clock, 'monotonicMs'>, pendingMax = PENDING_MAX) {
    this.#clock = clock;
    this.#places = createPlaces(pendingMax);
    this.#timer = setInterval(() => this.#dropOverdue(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** Sends further requests to this port. Unanswered requests to the previous thread are refused. */
  connect(port: MessagePort): void {
    this.disconnect();
    this.#port = port;
    port.onmessage = (event) => this.#receive(event.data as FromQuery);
  }

  /** The query thread is gone: refuses all requests that wait for it. */
  disconnect(): void {
    this.#port?.close();
    this.#port = null;
    for (const id of [...this.#pending.keys()]) this.#refuse(id, 'their thread was replaced');
    for (const { controller, taken } of this.#bodies.values()) {
      controller.error(unavailable('their thread was replaced'));
      taken?.();
    }
    this.#bodies.clear();
  }

  get routes(): RouteTable<RouteSign> | null {
    return this.#routes;
  }

  close(): void {
    clearInterval(this.#timer);
    this.disconnect();
  }

  answer(request: Request, { requestId, clientAddress, holder, body }: RemoteRequest): Promise<Response> {
    if (this.#port === null) return Promise.reject(unavailable('their thread is starting'));
    if (!this.#places.reserve(holder, 1)) return Promise.reject(unavailable('too many wait'));
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const dueAtMs = this.#clock.monotonicMs() + ANSWERED_WITHIN_MS;
    this.#pending.set(id, { holder, resolve, reject, dueAtMs });
    const { headers, method, url, signal } = request;
    const sent = [...headers].filter(([name]) => name !== 'x-request-id');
    sent.push(['x-request-id', requestId]);
    const caller = turnCallerOf(holder);
    const message = { type: 'request', id, method, url, headers: sent, body, clientAddress, caller } as const;
    this.#post(message, body === null ? [] : [body.buffer]);
    signal.addEventListener('abort', () => this.#leave(id), { once: true });
    return promise;
  }

  #post(message: ToQuery, transfer: ArrayBuffer[] = []): void {
    this.#port?.postMessage(message, transfer);
  }

  #receive(message: FromQuery): void {
    if (message.type === 'routes') this.#routes = new RouteTable(message.routes);
    else if (message.type === 'answer') this.#answered(message);
    else if (message.type === 'failed') this.#settle(message.id)?.reject(new Error(message.error));
    else this.#take(message);
  }

  /** Removes a request from those that wait, and frees its place. */
  #settle(id: number): Pending | null {
    const pending = this.#pending.get(id);
    if (pending === undefined) return null;
    this.#pending.delete(id);
    this.#places.release(pending.holder, 1);
    return pending;
  }

  #answered({ id, status, headers, kind, body }: Extract<FromQuery, { type: 'answer' }>): void {
    const pending = this.#settle(id);
    if (pending === null) return; // the request was given up, and the query thread has been notified
    const init = { status, headers: headers as [string, string][] };
    const response = new Response(kind === 'pieces' ? this.#pieces(id) : body, init);
    pending.resolve(kind === 'length_unknown' ? withoutLength(response) : response);
  }

  /** A body whose pieces are requested from the query thread as the socket takes them. */
  #pieces(id: number): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#bodies.set(id, { controller, taken: null });
        },
        pull: () => {
          const body = this.#bodies.get(id);
          if (body === undefined) return;
          return new Promise<void>((resolve) => {
            body.taken = resolve;
            this.#post({ type: 'pull', id });
          });
        },
        cancel: () => {
          this.#bodies.delete(id);
          this.#post({ type: 'leave', id });
        },
      },
      { highWaterMark: 0 },
    );
  }

  #take(message: Extract<FromQuery, { type: 'piece' | 'broken' }>): void {
    const body = this.#bodies.get(message.id);
    if (body === undefined) return;
    if (message.type === 'piece' && message.bytes !== null) body.controller.enqueue(message.bytes);
    else {
      this.#bodies.delete(message.id);
      if (message.type === 'piece') body.controller.close();
      else body.controller.error(unavailable('the answer broke off'));
    }
    body.taken?.();
  }

  /**
   * The client has disconnected. Its request must still be answered, so that it counts as finished: answer it
   * with a 503.
   */
  #leave(id: number): void {
    const pending = this.#settle(id);
    if (pending !== null) pending.resolve(new Response(null, { status: 503 }));
    else if (!this.#bodies.delete(id)) return;
    this.#post({ type: 'leave', id });
  }

  #refuse(id: number, state: string): void {
    this.#settle(id)?.reject(unavailable(state));
  }

  #dropOverdue(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [id, pending] of this.#pending) {
      // Requests are in the order of their deadlines.
      if (pending.dueAtMs > nowMs) return;
      this.#refuse(id, 'they were not answered in time');
      this.#post({ type: 'leave', id });
    }
  }
}

function unavailable(state: string): ServiceError {
  return new ServiceError('upstream_unavailable', `Cannot answer queries: ${state}`, {
    retryAfterSeconds: 1,
  });
}

function turnCallerOf({ hasKey, subjects }: Holder): TurnCaller {
  const [subject] = subjects;
  return { name: subject === undefined ? '' : `${subject.high} ${subject.low}`, hasKey };
}
