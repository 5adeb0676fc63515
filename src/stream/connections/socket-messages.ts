// Stream events as WebSocket messages: `{id, event, cursor, data}` as JSON text or MessagePack. The id is the
// client's name for its subscription. The rest is encoded once for each frame and encoding, and shared by all
// readers.

import { Packr } from 'msgpackr/pack';
import { parseJson } from '../../parse-json.ts';
import type { Frame } from '../frames.ts';
import { requirePlainMessage } from './plain-message.ts';

/** The encoding of a connection's messages. */
export type SocketWire = 'json' | 'msgpack';
export type SocketPayload = string | Uint8Array<ArrayBuffer>;

const DECODER = new TextDecoder();
const PACKER = new Packr({ useRecords: false, variableMapSize: true });
/** The start of a MessagePack map with four entries, and its first key. */
const MAP_OF_FOUR_AND_ID = Uint8Array.of(0x84, ...PACKER.pack('id'));

/**
 * A frame in one encoding, without the id (`rest`). Also the whole message that was last made of it, with its
 * id, because the next reader often uses the same id.
 */
interface Encoded {
  readonly rest: SocketPayload;
  id: string | null;
  message: SocketPayload | null;
}

/** Cached encodings of frames. An entry is freed together with its frame. */
const ENCODED: Readonly<Record<SocketWire, WeakMap<Frame, Encoded>>> = {
  json: new WeakMap(),
  msgpack: new WeakMap(),
};

/** @param id the client's name for its subscription; null for an event of the connection itself */
export function socketMessageOf(frame: Frame, wire: SocketWire, id: string | null): SocketPayload {
  let encoded = ENCODED[wire].get(frame);
  if (encoded === undefined) {
    encoded = { rest: wire === 'json' ? jsonRestOf(frame) : packedRestOf(frame), id: null, message: null };
    ENCODED[wire].set(frame, encoded);
  }
  if (encoded.message !== null && encoded.id === id) return encoded.message;
  encoded.message = withId(encoded.rest, id);
  encoded.id = id;
  return encoded.message;
}

function jsonRestOf({ event, cursor, data }: Frame): string {
  return `,"event":"${event}","cursor":${JSON.stringify(cursor)},"data":${DECODER.decode(data)}}`;
}

function packedRestOf({ event, cursor, data }: Frame): Uint8Array<ArrayBuffer> {
  const packed = PACKER.pack({ event, cursor, data: JSON.parse(DECODER.decode(data)) as unknown });
  return new Uint8Array(packed.subarray(1)); // without the first byte, which announces a map of three entries
}

function withId(rest: SocketPayload, id: string | null): SocketPayload {
  if (typeof rest === 'string') return `{"id":${JSON.stringify(id)}${rest}`;
  const packedId = PACKER.pack(id);
  const bytes = new Uint8Array(MAP_OF_FOUR_AND_ID.length + packedId.length + rest.length);
  bytes.set(MAP_OF_FOUR_AND_ID);
  bytes.set(packedId, MAP_OF_FOUR_AND_ID.length);
  bytes.set(rest, MAP_OF_FOUR_AND_ID.length + packedId.length);
  return bytes;
}

/**
 * Decodes a message from a client.
 * @returns the decoded value; undefined when the message cannot be decoded
 */
export function readSocketMessage(message: string | Uint8Array, wire: SocketWire): unknown {
  try {
    if (wire === 'json') return typeof message === 'string' ? parseJson(message) : undefined;
    if (typeof message === 'string') return undefined;
    requirePlainMessage(message);
    return PACKER.unpack(message) as unknown;
  } catch {
    return undefined; // any parse error means that this is not a message
  }
}
