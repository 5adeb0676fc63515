// The messages of calls from one thread to another over a message port. Requests and answers are plain
// values, and known errors arrive with their own class. The bytes of a body are transferred, not copied.

import {
  type EnvelopeCode,
  ServiceError,
  stackOf,
  type ValidationDetail,
  ValidationError,
} from '../../errors.ts';

/** Messages that the caller sends. `id` is the caller's own number for the call. */
export type ToCallee =
  | {
      readonly type: 'call';
      readonly id: number;
      readonly name: string;
      readonly request: unknown;
      /** The id of the request that the call is made for; null without one. */
      readonly requestId: string | null;
    }
  /** The caller can take the next piece. */
  | { readonly type: 'pull'; readonly id: number }
  /** The caller no longer waits for the answer, or for its next piece. */
  | { readonly type: 'leave'; readonly id: number };

/** Messages that the callee sends. */
export type FromCallee =
  | {
      readonly type: 'answer';
      readonly id: number;
      readonly answer: unknown;
      /**
       * Undefined: the answer is not a WithBody. Null: it is a WithBody without a body. `pieces`: the pieces
       * of its body follow, each on request.
       */
      readonly body: Uint8Array<ArrayBuffer> | 'pieces' | null | undefined;
    }
  | { readonly type: 'failure'; readonly id: number; readonly failure: FailureMessage }
  /** The next piece; null after the last one. */
  | { readonly type: 'piece'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> | null }
  /** No further piece can be made. */
  | { readonly type: 'broken'; readonly id: number };

/** An answer with a body: bytes that travel with it, or a stream whose pieces are requested one by one. */
export class WithBody<Answer> {
  readonly answer: Answer;
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;

  constructor(answer: Answer, body: WithBody<Answer>['body']) {
    this.answer = answer;
    this.body = body;
  }
}

export type FailureMessage =
  | {
      readonly kind: 'service';
      readonly code: EnvelopeCode;
      readonly message: string;
      readonly options: object;
    }
  | { readonly kind: 'validation'; readonly detail: readonly ValidationDetail[] }
  | { readonly kind: 'unexpected'; readonly text: string };

export function toFailure(error: unknown): FailureMessage {
  if (error instanceof ValidationError) return { kind: 'validation', detail: error.detail };
  if (error instanceof ServiceError) {
    const { code, message, fix, retryAfterSeconds, status, headers } = error;
    return { kind: 'service', code, message, options: { fix, retryAfterSeconds, status, headers } };
  }
  return {
    kind: 'unexpected',
    text: stackOf(error),
  };
}

export function toError(failure: FailureMessage): Error {
  switch (failure.kind) {
    case 'validation':
      return new ValidationError(failure.detail);
    case 'service':
      return new ServiceError(failure.code, failure.message, failure.options);
    case 'unexpected':
      return new Error(failure.text);
  }
}
