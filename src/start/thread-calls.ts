// Calls from one thread to another over a message port: requests and answers are plain values, errors of the registry
// arrive as what they were, and neither side waits for ever. The id of the request that a call is made for goes along.

import type { Clock } from '../clock.ts';
import { type EnvelopeCode, ServiceError, type ValidationDetail, ValidationError } from '../errors.ts';
import { forRequest, requestIdNow } from '../log.ts';
import { StorageError, storageErrorOf } from '../storage-errors.ts';

/** What a thread can be asked, by name. Each takes one plain value. */
export type Calls = Readonly<Record<string, (request: never) => Promise<unknown>>>;

interface CallMessage {
  readonly id: number;
  readonly name: string;
  readonly request: unknown;
  /** Null when it is made for none. */
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

/** Answers the calls that come over `port` with `calls`. @param onStorageError told of failures of the disk */
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
  /** What is called, as errors name it. */
  readonly whom: string;
  /** Longest wait for an answer. Later: 503. */
  readonly deadlineMs: number;
  /** Calls without an answer yet. Full: 503. */
  readonly pendingMax: number;
}

interface PendingCall {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly dueAtMs: number;
}

const LOOK_EVERY_MS = 250;

/** The calling side. It outlives the thread it calls: main hands it a new port when that thread was replaced. */
export class ThreadCaller {
  readonly #options: CallerOptions;
  readonly #pending = new Map<number, PendingCall>();
  readonly #timer: ReturnType<typeof setInterval>;
  #port: MessagePort | null = null;
  #lastId = 0;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#dropOverdue(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** Calls go to this port from now on. What the thread before left unanswered is refused. */
  connect(port: MessagePort): void {
    this.#port?.close();
    for (const call of this.#pending.values()) call.reject(this.#unavailable('its thread was replaced'));
    this.#pending.clear();
    this.#port = port;
    port.onmessage = (event) => this.#receive(event.data as AnswerMessage);
  }

  /** @throws ServiceError `upstream_unavailable` when nobody answers in time or too many calls wait */
  call(name: string, request: unknown): Promise<unknown> {
    const { clock, deadlineMs, pendingMax } = this.#options;
    if (this.#port === null) return Promise.reject(this.#unavailable('its thread is starting'));
    if (this.#pending.size >= pendingMax)
      return Promise.reject(this.#unavailable('too many requests wait for it'));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const id = ++this.#lastId;
    this.#pending.set(id, { resolve, reject, dueAtMs: clock.monotonicMs() + deadlineMs });
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
    const call = this.#pending.get(message.id);
    if (call === undefined) return;
    this.#pending.delete(message.id);
    if ('failure' in message) call.reject(toError(message.failure));
    else call.resolve(message.answer);
  }

  #unavailable(state: string): ServiceError {
    return new ServiceError('upstream_unavailable', `Cannot reach ${this.#options.whom}: ${state}`, {
      retryAfterSeconds: 1,
    });
  }

  #dropOverdue(): void {
    const nowMs = this.#options.clock.monotonicMs();
    for (const [id, call] of this.#pending) {
      // Deadlines are in the order of the calls.
      if (call.dueAtMs > nowMs) return;
      this.#pending.delete(id);
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
