// Calls from one thread to another over a message port. Every call has a deadline, counts against the caller
// that it is made for, and carries the id of its request.

import { ALL_KEYS, type FairShares, type Holder } from '../../access/quotas/fair-shares.ts';
import { holderNow } from '../../access/quotas/holder-now.ts';
import type { Clock } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import { requestIdNow } from '../../log.ts';
import { createPlaces } from '../kit/in-flight.ts';
import { type FromCallee, type ToCallee, toError, WithBody } from './calls.ts';

export interface CallerOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** The name of the callee, for errors. */
  readonly whom: string;
  /** The longest wait for an answer. After it, the call fails with 503. */
  readonly deadlineMs: number;
  /**
   * Maximum number of calls not answered yet, divided among callers like requests in flight. A further call
   * fails with 503.
   */
  readonly pendingMax: number;
  /** The most unanswered calls of one caller; by default its fair share. */
  readonly perCallerMax?: number;
}

export interface CallOptions {
  /** The caller whose share of the waiting calls this call uses. Default: the one that this thread serves. */
  readonly holder?: Holder;
  /** Aborted once nobody waits for the answer any more. The call is then rejected. */
  readonly signal?: AbortSignal;
  /** Bytes of the request that are moved to the other thread instead of copied. */
  readonly transfer?: ArrayBuffer[];
}

interface PendingCall {
  readonly holder: Holder;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly dueAtMs: number;
}

/** An answer whose pieces are still being received. */
interface OpenBody {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  /** Called when the requested piece has arrived. */
  taken: (() => void) | null;
}

const CHECK_EVERY_MS = 250;
/**
 * Advice for a caller without a key. The places of such callers may be taken by many others, and a key has
 * places of its own.
 */
const SHARED_PLACES = 'Use a key, or retry after retry_after_seconds';
const NO_OPTIONS: CallOptions = {};

/**
 * The calling side. It outlives the thread it calls: if that thread is replaced, the main thread hands over a
 * new port.
 */
export class ThreadCaller {
  readonly #options: CallerOptions;
  readonly #places: FairShares;
  readonly #pending = new Map<number, PendingCall>();
  readonly #bodies = new Map<number, OpenBody>();
  readonly #timer: ReturnType<typeof setInterval>;
  #port: MessagePort | null = null;
  #lastId = 0;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#places = createPlaces(options.pendingMax, options.perCallerMax);
    this.#timer = setInterval(() => this.#dropOverdue(), CHECK_EVERY_MS);
    this.#timer.unref();
  }

  /** Sends calls to this port from now on. Calls that the previous thread left unanswered are rejected. */
  connect(port: MessagePort): void {
    this.disconnect();
    this.#port = port;
    port.onmessage = (event) => this.#receive(event.data as FromCallee);
  }

  /** The callee is gone: rejects the calls that wait for it, and aborts the bodies that it was sending. */
  disconnect(): void {
    this.#port?.close();
    this.#port = null;
    const error = this.#unavailable('its thread was replaced');
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(error);
    for (const { controller, taken } of this.#bodies.values()) {
      controller.error(error);
      taken?.();
    }
    this.#bodies.clear();
  }

  close(): void {
    clearInterval(this.#timer);
    this.disconnect();
  }

  /**
   * Calls the other thread. If the callee answers with a body, the result is a WithBody.
   * @throws ServiceError `upstream_unavailable` if no answer comes in time or too many calls are waiting;
   * anything else that the callee throws
   */
  call(name: string, request: unknown, options: CallOptions = NO_OPTIONS): Promise<unknown> {
    const { clock, deadlineMs } = this.#options;
    const { holder = holderNow() ?? ALL_KEYS, signal, transfer = [] } = options;
    if (this.#port === null) return Promise.reject(this.#unavailable('its thread is starting'));
    if (!this.#places.reserve(holder, 1)) {
      const fix = holder.hasKey ? 'Wait for answers before you send more requests' : SHARED_PLACES;
      return Promise.reject(this.#unavailable('too many requests wait for it', fix));
    }
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#pending.set(id, { holder, resolve, reject, dueAtMs: clock.monotonicMs() + deadlineMs });
    this.#post({ type: 'call', id, name, request, requestId: requestIdNow() }, transfer);
    signal?.addEventListener('abort', () => this.#leave(id), { once: true });
    return promise;
  }

  /**
   * The calls of the other thread as functions. @param asReceived makes the result of a call from its answer
   */
  functions<Calls extends object>(asReceived: (answer: unknown) => unknown = (answer) => answer): Calls {
    const functionOf = (name: string) => (request: unknown) => this.call(name, request).then(asReceived);
    // `await` reads `then` to find out whether this object is a promise. So `then` must not be a call to the
    // other thread.
    const get = (_calls: object, name: string | symbol) =>
      name === 'then' ? undefined : functionOf(String(name));
    return new Proxy({}, { get }) as Calls;
  }

  #post(message: ToCallee, transfer: ArrayBuffer[] = []): void {
    this.#port?.postMessage(message, transfer);
  }

  #receive(message: FromCallee): void {
    if (message.type === 'answer') this.#answered(message);
    else if (message.type === 'failure') this.#settle(message.id)?.reject(toError(message.failure));
    else this.#take(message);
  }

  #answered({ id, answer, body }: Extract<FromCallee, { type: 'answer' }>): void {
    const call = this.#settle(id);
    if (call === null) return; // the call was given up, and the callee has been notified
    if (body === undefined) call.resolve(answer);
    else call.resolve(new WithBody(answer, body === 'pieces' ? this.#pieces(id) : body));
  }

  /** A body whose pieces are requested from the callee as its reader takes them. */
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
        cancel: () => this.#leave(id),
      },
      { highWaterMark: 0 },
    );
  }

  #take(message: Extract<FromCallee, { type: 'piece' | 'broken' }>): void {
    const body = this.#bodies.get(message.id);
    if (body === undefined) return;
    if (message.type === 'piece' && message.bytes !== null) body.controller.enqueue(message.bytes);
    else {
      this.#bodies.delete(message.id);
      if (message.type === 'piece') body.controller.close();
      else body.controller.error(this.#unavailable('the answer broke off'));
    }
    body.taken?.();
  }

  /** Removes a call from those that wait, and frees its place. */
  #settle(id: number): PendingCall | null {
    const call = this.#pending.get(id);
    if (call === undefined) return null;
    this.#pending.delete(id);
    this.#places.release(call.holder, 1);
    return call;
  }

  /** Nobody waits for the answer or its next piece any more. */
  #leave(id: number): void {
    const call = this.#settle(id);
    if (call !== null) call.reject(this.#unavailable('nobody waits for the answer any more'));
    else if (!this.#bodies.delete(id)) return;
    this.#post({ type: 'leave', id });
  }

  #unavailable(state: string, fix = 'Retry after retry_after_seconds'): ServiceError {
    return new ServiceError('upstream_unavailable', `Cannot reach ${this.#options.whom}: ${state}`, {
      fix,
      retryAfterSeconds: 1,
    });
  }

  #dropOverdue(): void {
    const nowMs = this.#options.clock.monotonicMs();
    for (const [id, call] of this.#pending) {
      // Calls are in the order of their deadlines, so all further ones have time left.
      if (call.dueAtMs > nowMs) return;
      this.#settle(id);
      call.reject(this.#unavailable('it did not answer in time'));
      this.#post({ type: 'leave', id });
    }
  }
}
