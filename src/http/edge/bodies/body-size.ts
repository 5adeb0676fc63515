// The size of a request's body, as the headers state it before the body is read, and what that size decides.

import { BODY_BYTES_MAX } from '../../../limits.ts';

/**
 * The size of a request's body according to its headers: null without a body, infinite if it is sent in
 * chunks.
 */
export function bodySizeOf({ headers }: Request): number | null {
  if (headers.get('transfer-encoding') !== null) return Number.POSITIVE_INFINITY;
  const length = headers.get('content-length');
  return length === null || length === '0' ? null : Number(length);
}

/** Whether a body is large, or in chunks and thus of unknown size. */
export function isLong(bodySize: number | null): boolean {
  return bodySize !== null && bodySize > BODY_BYTES_MAX;
}

/** Whether a body has a known size and is large. */
export function isLarge(bodySize: number | null): boolean {
  return bodySize !== null && Number.isFinite(bodySize) && bodySize > BODY_BYTES_MAX;
}

/**
 * Ends the connection after an answer to a request whose body is unread and may be large, because Bun would
 * keep reading it. A small body is read to its end, so that the client gets the answer and can reuse the
 * connection.
 */
export function closeIfLarge(response: Response, bodySize: number): Response {
  if (isLong(bodySize)) response.headers.set('connection', 'close');
  return response;
}
