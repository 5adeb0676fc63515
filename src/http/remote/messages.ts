// The messages between an HTTP thread and the query thread about requests that the query thread answers.
// Bytes are transferred, not copied.

import type { TurnCaller } from '../../access/quotas/fair-turns.ts';
import type { RouteSign } from '../kit/route-table.ts';

/** Messages from an HTTP thread. `id` is the thread's own number for the request. */
export type ToQuery =
  | {
      readonly type: 'request';
      readonly id: number;
      readonly method: string;
      readonly url: string;
      /** Including `x-request-id`, which the HTTP thread has set. */
      readonly headers: readonly (readonly [string, string])[];
      /** The full body; null for a request without one. */
      readonly body: Uint8Array<ArrayBuffer> | null;
      /** As seen through trusted proxies. */
      readonly clientAddress: string;
      /** The caller in whose turn the request is started. */
      readonly caller: TurnCaller;
    }
  /** The client can take the next piece. */
  | { readonly type: 'pull'; readonly id: number }
  /** The client no longer waits for the answer, or for its next piece. */
  | { readonly type: 'leave'; readonly id: number };

/**
 * How an answer's body is sent: with the answer, in pieces on request, or not at all because the request is a
 * HEAD whose GET would be sent in pieces.
 */
export type BodyKind = 'whole' | 'pieces' | 'length_unknown';

/** Messages from the query thread. */
export type FromQuery =
  /** The first message: the routes that it answers. */
  | { readonly type: 'routes'; readonly routes: readonly RouteSign[] }
  | {
      readonly type: 'answer';
      readonly id: number;
      readonly status: number;
      readonly headers: readonly (readonly [string, string])[];
      readonly kind: BodyKind;
      readonly body: Uint8Array<ArrayBuffer> | null;
    }
  /** The request could not be answered, not even with an error. This is a bug of ours. */
  | { readonly type: 'failed'; readonly id: number; readonly error: string }
  /** The next piece; null after the last one. */
  | { readonly type: 'piece'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> | null }
  /** No further piece can be made. */
  | { readonly type: 'broken'; readonly id: number };
