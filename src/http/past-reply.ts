// The reply to a request about the past, from the bytes that the history thread has made.

import type { PastAnswer } from '../query/lists/history-calls.ts';
import { Reply } from './kit/reply.ts';

/**
 * An answer for an instant of the past never changes, so a client may keep it for a year without asking.
 */
const KEPT_FOR_EVER = 'private, max-age=31536000, immutable';

export function pastReply({ bytes, etag, isFinal }: PastAnswer): Reply {
  return new Reply(bytes, isFinal ? { etag, cacheControl: KEPT_FOR_EVER } : { etag });
}
