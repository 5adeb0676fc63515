// The reply to a request about the past, from the bytes that the history thread has made. A whole slate is
// converted to MessagePack piece by piece: in one go, that would stop the thread for half a second.

import type { FixtureCuts, PastAnswer } from '../query/lists/history-calls.ts';
import { PACKED_ARRAY_32, PACKED_MAP } from '../query/odds/odds-delta.ts';
import { packed } from './kit/forms.ts';
import { MadePieces, PIECE_BYTES, piecesOf } from './kit/pieces.ts';
import { Reply } from './kit/reply.ts';
import { headOf } from './kit/sent-body.ts';

/**
 * An answer for an instant of the past never changes, so a client may keep it for a year without asking.
 */
const KEPT_FOR_EVER = 'private, max-age=31536000, immutable';
const DECODER = new TextDecoder();

export function pastReply({ bytes, etag, isFinal, fixtures }: PastAnswer): Reply {
  const options = isFinal ? { etag, cacheControl: KEPT_FOR_EVER } : { etag };
  if (fixtures === undefined || bytes.length <= PIECE_BYTES) return new Reply(bytes, options);
  const body = new MadePieces({
    json: () => piecesOf(bytes),
    packed: () => packedSlate(bytes, fixtures),
    heldBytes: bytes.length,
  });
  return new Reply(body, options);
}

/** Converts the slate from JSON to MessagePack, each part of its list when it is sent. */
function* packedSlate(json: Uint8Array, { count, parts }: FixtureCuts): Generator<Uint8Array> {
  const [start] = parts[0]!;
  const [, end] = parts.at(-1)!;
  const around = DECODER.decode(json.subarray(0, start)) + DECODER.decode(json.subarray(end));
  const { fixtures: _none, ...fields } = JSON.parse(around) as Record<string, unknown>;
  const entries = Object.entries(fields);
  yield Uint8Array.of(PACKED_MAP | (entries.length + 1));
  for (const [name, value] of entries) yield Buffer.concat([packed(name), packed(value)]);
  yield packed('fixtures');
  yield headOf(PACKED_ARRAY_32, count);
  for (const [from, to] of parts) {
    const list = JSON.parse(`[${DECODER.decode(json.subarray(from, to))}]`) as readonly unknown[];
    yield Buffer.concat(list.map(packed));
  }
}
