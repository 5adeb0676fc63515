// The HTTP thread's side of requests that the query thread answers: it hands them over, gives them their bodies when
// they are wanted, and passes the answers on. The query thread decides everything else, as it does where one thread does
// all: who is admitted, what is counted and what is logged.

import type { Clock } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import { REQUEST_DEADLINE_MS } from '../../limits.ts';
import { withoutLength } from '../kit/reply.ts';
import type { FromQuery, ToQuery } from './messages.ts';

/** Requests of one HTTP thread that wait for the query thread. Full: 503 and retry. */
const PENDING_MAX = 1_024;
/** The query thread answers within the deadline of requests itself. Later it stands still: 503 and retry. */
const ANSWERED_WITHIN_MS = REQUEST_DEADLINE_MS + 1_000;
const LOOK_EVERY_MS = 250;

export interface RemoteRequest {
  readonly requestId: string;
  readonly clientAddress: string;
}

/** Who answers requests to paths that this thread has no route for. */
export interface RemoteApp {
  /** Requests whose body is on its way. */
  readonly receivingCount: number;
  /** @throws ServiceError `upstream_unavailable` when it cannot be answered; Error for a bug of the query thread */
  answer(request: Request, as: RemoteRequest): Promise<Response>;
}

interface Pending {
  readonly request: Request;
  readonly dueAtMs: number;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
  /** Of its body, once that is wanted. */
  body: ByteReader | null;
}

/** What is used of the reader of a stream: two libraries of types name its whole differently. */
interface ByteReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array<ArrayBuffer> | undefined }>;
  cancel(): Promise<void>;
}

/** An answer whose pieces are still coming. */
interface OpenBody {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  /** Called when the piece that was pulled has come. */
  taken: (() => void) | null;
}

export class QueryCaller implements RemoteApp {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #pendingMax: number;
  readonly #pending = new Map<number, Pending>();
  readonly #bodies = new Map<number, OpenBody>();
  readonly #timer: ReturnType<typeof setInterval>;
  #port: MessagePort | null = null;
  #lastId = 0;
  #receivingCount = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'>, pendingMax = PENDING_MAX) {
    this.#clock = clock;
    this.#pendingMax = pendingMax;
    this.#timer = setInterval(() => this.#dropOverdue(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** Requests go to this port from now on. What the thread before left unanswered is refused. */
  connect(port: MessagePort): void {
    this.disconnect();
    this.#port = port;
    port.onmessage = (event) => this.#receive(event.data as FromQuery);
  }

  /** The query thread is gone: nothing waits for it. */
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

  get receivingCount(): number {
    return this.#receivingCount;
  }

  close(): void {
    clearInterval(this.#timer);
    this.disconnect();
  }

  answer(request: Request, { requestId, clientAddress }: RemoteRequest): Promise<Response> {
    if (this.#port === null) return Promise.reject(unavailable('their thread is starting'));
    if (this.#pending.size >= this.#pendingMax) return Promise.reject(unavailable('too many wait'));
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const dueAtMs = this.#clock.monotonicMs() + ANSWERED_WITHIN_MS;
    this.#pending.set(id, { request, resolve, reject, dueAtMs, body: null });
    const { headers, method, url, signal } = request;
    const sent = [...headers].filter(([name]) => name !== 'x-request-id');
    sent.push(['x-request-id', requestId]);
    this.#post({
      type: 'request',
      id,
      method,
      url,
      headers: sent,
      hasBody: request.body !== null,
      clientAddress,
    });
    signal.addEventListener('abort', () => this.#leave(id), { once: true });
    return promise;
  }

  #post(message: ToQuery, transfer: ArrayBuffer[] = []): void {
    this.#port?.postMessage(message, transfer);
  }

  #receive(message: FromQuery): void {
    if (message.type === 'want_body') void this.#sendBody(message.id);
    else if (message.type === 'answer') this.#answered(message);
    else if (message.type === 'failed') this.#settle(message.id)?.reject(new Error(message.error));
    else this.#take(message);
  }

  async #sendBody(id: number): Promise<void> {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    if (pending.body === null) {
      pending.body = (pending.request.body ?? new Blob().stream()).getReader();
      this.#receivingCount += 1;
    }
    try {
      const { done, value } = await pending.body.read();
      // A copy: what is transferred must be nobody else's.
      const bytes = new Uint8Array(value ?? []);
      this.#post({ type: 'body', id, bytes, isLast: done }, [bytes.buffer]);
    } catch {
      // The client left, or its chunks are malformed: the other side says so.
      this.#post({ type: 'body', id, bytes: null, isLast: true });
    }
  }

  /** Takes a request out of those that wait. */
  #settle(id: number): Pending | null {
    const pending = this.#pending.get(id);
    if (pending === undefined) return null;
    this.#pending.delete(id);
    if (pending.body !== null) {
      this.#receivingCount -= 1;
      // Of a body that was refused the rest is not read.
      pending.body.cancel().catch(() => {});
    }
    return pending;
  }

  #answered({ id, status, headers, kind, body }: Extract<FromQuery, { type: 'answer' }>): void {
    const pending = this.#settle(id);
    if (pending === null) return; // it has been told that nobody waits
    const init = { status, headers: headers as [string, string][] };
    const response = new Response(kind === 'pieces' ? this.#pieces(id) : body, init);
    pending.resolve(kind === 'length_unknown' ? withoutLength(response) : response);
  }

  /** A body that is pulled from the query thread as the socket takes it. */
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

  /** The client has gone. The edge still waits for an answer to count the request as ended, so it is given a 503. */
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
      // Deadlines are in the order of the requests.
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
