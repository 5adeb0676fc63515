// Calls from one thread to another over a message port. Requests and answers are plain values, known errors
// arrive with their own class, and every call has a deadline. A call carries the id of the request that it is
// made for.

import { ALL_KEYS, type FairShares, type Holder } from '../../access/quotas/fair-shares.ts';
import { holderNow } from '../../access/quotas/holder-now.ts';
import type { Clock } from '../../clock.ts';
import { type EnvelopeCode, ServiceError, type ValidationDetail, ValidationError } from '../../errors.ts';
import { createPlaces } from '../../http/kit/in-flight.ts';
import { forRequest, requestIdNow } from '../../log.ts';
import { StorageError, storageErrorOf } from '../../storage/storage-errors.ts';

/** The calls that a thread answers, by name. Each takes one plain value. */
export type Calls = Readonly<Record<string, (request: never) => Promise<unknown>>>;

interface CallMessage {
  readonly id: number;
  readonly name: string;
  readonly request: unknown;
  /** Null if the call is not made for a request. */
  readonly requestId: string | null;
}

type AnswerMessage =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: FailureMessage };

type FailureMessage =
  | {
      readonly kind: 'service';
      readonly code: EnvelopeCode;
      readonly message: string;
      readonly options: object;
    }
  | { readonly kind: 'validation'; readonly detail: readonly ValidationDetail[] }
  | { readonly kind: 'unexpected'; readonly text: string };

/**
 * Answers the calls that arrive over `port` with `calls`. @param onStorageError called with the cause if the
 * storage fails
 */
export function serveCalls(
  port: MessagePort,
  calls: Calls,
  onStorageError: (cause: unknown) => void = () => {},
): void {
  port.onmessage = (event) => {
    const message = event.data as CallMessage;
    void (message.requestId === null
      ? answer(message)
      : forRequest(message.requestId, () => answer(message)));
  };

  async function answer({ id, name, request }: CallMessage): Promise<void> {
    try {
      const call = calls[name];
      if (call === undefined) throw new Error(`Cannot answer call "${name}": there is none of that name`);
      port.postMessage({ id, answer: await call(request as never) } satisfies AnswerMessage);
    } catch (error) {
      const storageError = error instanceof StorageError ? error : storageErrorOf(error);
      if (storageError !== null) onStorageError(storageError.cause);
      port.postMessage({ id, failure: toFailure(storageError ?? error) } satisfies AnswerMessage);
    }
  }
}

export interface CallerOptions {
  readonly clock: Clock;
  /** The name of the callee, for errors. */
  readonly whom: string;
  /** The longest wait for an answer. Later: 503. */
  readonly deadlineMs: number;
  /** Calls not answered yet, divided among callers like requests in flight. Full: 503. */
  readonly pendingMax: number;
  /** The most such calls of one caller; by default its fair share. */
  readonly perCallerMax?: number;
}

interface PendingCall {
  readonly holder: Holder;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly dueAtMs: number;
}

const LOOK_EVERY_MS = 250;

/**
 * The calling side. It outlives the thread it calls: if that thread is replaced, the main thread hands over a
 * new port.
 */
export class ThreadCaller {
  readonly #options: CallerOptions;
  readonly #places: FairShares;
  readonly #pending = new Map<number, PendingCall>();
  readonly #timer: ReturnType<typeof setInterval>;
  #port: MessagePort | null = null;
  #lastId = 0;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#places = createPlaces(options.pendingMax, options.perCallerMax);
    this.#timer = setInterval(() => this.#dropOverdue(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** Sends calls to this port from now on. Calls that the previous thread left unanswered are rejected. */
  connect(port: MessagePort): void {
    this.#port?.close();
    for (const id of [...this.#pending.keys()])
      this.#take(id)?.reject(this.#unavailable('its thread was replaced'));
    this.#port = port;
    port.onmessage = (event) => this.#receive(event.data as AnswerMessage);
  }

  /** @throws ServiceError `upstream_unavailable` if no answer comes in time or too many calls are waiting */
  call(name: string, request: unknown): Promise<unknown> {
    const { clock, deadlineMs } = this.#options;
    if (this.#port === null) return Promise.reject(this.#unavailable('its thread is starting'));
    const holder = holderNow() ?? ALL_KEYS;
    if (!this.#places.reserve(holder, 1))
      return Promise.reject(this.#unavailable('too many requests wait for it'));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const id = ++this.#lastId;
    this.#pending.set(id, { holder, resolve, reject, dueAtMs: clock.monotonicMs() + deadlineMs });
    this.#port.postMessage({ id, name, request, requestId: requestIdNow() } satisfies CallMessage);
    return promise;
  }

  /** The calls of these names as functions. */
  functions<Calls>(names: readonly (keyof Calls & string)[]): Calls {
    return Object.fromEntries(
      names.map((name) => [name, (request: unknown) => this.call(name, request)]),
    ) as Calls;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#port?.close();
    this.#port = null;
  }

  #receive(message: AnswerMessage): void {
    const call = this.#take(message.id);
    if (call === null) return;
    if ('failure' in message) call.reject(toError(message.failure));
    else call.resolve(message.answer);
  }

  /** Removes a call from those that wait. */
  #take(id: number): PendingCall | null {
    const call = this.#pending.get(id);
    if (call === undefined) return null;
    this.#pending.delete(id);
    this.#places.release(call.holder, 1);
    return call;
  }

  #unavailable(state: string): ServiceError {
    return new ServiceError('upstream_unavailable', `Cannot reach ${this.#options.whom}: ${state}`, {
      retryAfterSeconds: 1,
    });
  }

  #dropOverdue(): void {
    const nowMs = this.#options.clock.monotonicMs();
    for (const [id, call] of this.#pending) {
      // Calls are in the order of their deadlines.
      if (call.dueAtMs > nowMs) return;
      this.#take(id);
      call.reject(this.#unavailable('it did not answer in time'));
    }
  }
}

function toFailure(error: unknown): FailureMessage {
  if (error instanceof ValidationError) return { kind: 'validation', detail: error.detail };
  if (error instanceof ServiceError) {
    const { code, message, fix, retryAfterSeconds, status, headers } = error;
    return { kind: 'service', code, message, options: { fix, retryAfterSeconds, status, headers } };
  }
  return {
    kind: 'unexpected',
    text: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}

function toError(failure: FailureMessage): Error {
  switch (failure.kind) {
    case 'validation':
      return new ValidationError(failure.detail);
    case 'service':
      return new ServiceError(failure.code, failure.message, failure.options);
    case 'unexpected':
      return new Error(failure.text);
  }
}
