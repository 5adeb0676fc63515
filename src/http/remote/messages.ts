// What an HTTP thread and the query thread say to each other of a request that the query thread answers. Bytes are
// transferred, not copied.

/** From an HTTP thread. `id` is its own count of such requests. */
export type ToQuery =
  | {
      readonly type: 'request';
      readonly id: number;
      readonly method: string;
      readonly url: string;
      /** With `x-request-id`, which the HTTP thread has decided. */
      readonly headers: readonly (readonly [string, string])[];
      readonly hasBody: boolean;
      /** After trusted proxies. */
      readonly clientAddress: string;
    }
  /** The next part of the body, of which others follow unless it is the last; null when it broke off. */
  | {
      readonly type: 'body';
      readonly id: number;
      readonly bytes: Uint8Array<ArrayBuffer> | null;
      readonly isLast: boolean;
    }
  /** The client can take the next piece. */
  | { readonly type: 'pull'; readonly id: number }
  /** Nobody waits for the answer, or for its next piece, any more. */
  | { readonly type: 'leave'; readonly id: number };

/**
 * How the body of an answer comes: with it, in pieces that are pulled, or not at all, since it is the answer to a HEAD whose
 * GET would come in pieces.
 */
export type BodyKind = 'whole' | 'pieces' | 'length_unknown';

/** From the query thread. */
export type FromQuery =
  /** The next part of the body can be taken; the caller was admitted. */
  | { readonly type: 'want_body'; readonly id: number }
  | {
      readonly type: 'answer';
      readonly id: number;
      readonly status: number;
      readonly headers: readonly (readonly [string, string])[];
      readonly kind: BodyKind;
      readonly body: Uint8Array<ArrayBuffer> | null;
    }
  /** Nothing could be made of the request, not even an error: a bug of ours. */
  | { readonly type: 'failed'; readonly id: number; readonly error: string }
  /** The next piece; null after the last one. */
  | { readonly type: 'piece'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> | null }
  /** No further piece can be made. */
  | { readonly type: 'broken'; readonly id: number };
