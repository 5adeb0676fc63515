// Events as messages of a WebSocket: `{id, event, cursor, data}` as JSON text or MessagePack. The id is the reader's own,
// all else is encoded once for each frame and wire and shared by its readers.

import { Packr } from 'msgpackr';
import type { Frame } from './frames.ts';

/** What a connection speaks. */
export type SocketWire = 'json' | 'msgpack';
export type SocketPayload = string | Uint8Array<ArrayBuffer>;

const DECODER = new TextDecoder();
const PACKER = new Packr({ useRecords: false, variableMapSize: true });
/** A MessagePack map of four entries, and its first key. */
const MAP_OF_FOUR_AND_ID = Uint8Array.of(0x84, ...PACKER.pack('id'));

/** What a frame is on one wire, but for the id; and the whole message of the reader before, who often has the same id. */
interface Encoded {
  readonly rest: SocketPayload;
  id: string | null;
  message: SocketPayload | null;
}

/** Kept as long as their frames are. */
const ENCODED: Readonly<Record<SocketWire, WeakMap<Frame, Encoded>>> = {
  json: new WeakMap(),
  msgpack: new WeakMap(),
};

/** @param id the reader's name of its subscription; null for an event of the connection itself */
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
  return new Uint8Array(packed.subarray(1)); // without the byte that says a map of three entries
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
 * Reads a message of a client.
 * @returns what it says; undefined when it is nothing that the wire knows
 */
export function readSocketMessage(message: string | Uint8Array, wire: SocketWire): unknown {
  try {
    if (wire === 'json') return typeof message === 'string' ? (JSON.parse(message) as unknown) : undefined;
    return typeof message === 'string' ? undefined : (PACKER.unpack(message) as unknown);
  } catch {
    return undefined; // whatever a parser says of it, it is not a message
  }
}
