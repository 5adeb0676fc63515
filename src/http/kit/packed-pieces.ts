// A large value as MessagePack, in pieces. To convert it in one step would stop the thread for a tenth of a
// second.

import { packed } from './forms.ts';

/** Values with longer lists in them are converted part by part. */
const WHOLE_ITEMS_MAX = 16;
/** Above this size of its parts, a piece is sent. */
const PIECE_BYTES = 32 * 1024;
const MAP_32 = 0xdf;
const ARRAY_32 = 0xdd;

/**
 * Encodes a JSON-compatible value as `packed` does, except that long lists, and what holds them, are counted
 * in 32 bits.
 */
export function* packedPieces(value: unknown): Generator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let byteCount = 0;
  for (const part of partsOf(value)) {
    parts.push(part);
    byteCount += part.byteLength;
    if (byteCount < PIECE_BYTES) continue;
    yield Buffer.concat(parts);
    parts = [];
    byteCount = 0;
  }
  yield Buffer.concat(parts);
}

function* partsOf(value: unknown): Generator<Uint8Array> {
  if (!hasLongList(value)) yield packed(value);
  else if (Array.isArray(value)) {
    yield headOf(ARRAY_32, value.length);
    for (const item of value) yield* partsOf(item);
  } else {
    const entries = Object.entries(value);
    yield headOf(MAP_32, entries.length);
    for (const [name, field] of entries) {
      yield packed(name);
      yield* partsOf(field);
    }
  }
}

/** Whether a value is a long list or has one in it. */
function hasLongList(value: unknown): value is object {
  if (Array.isArray(value)) return value.length > WHOLE_ITEMS_MAX || value.some(hasLongList);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLongList);
}

function headOf(kind: number, count: number): Uint8Array {
  const head = new DataView(new ArrayBuffer(5));
  head.setUint8(0, kind);
  head.setUint32(1, count);
  return new Uint8Array(head.buffer);
}
