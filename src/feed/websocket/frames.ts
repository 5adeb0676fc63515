// Frames of the protocol: text frames hold NDJSON, binary frames hold MessagePack of one message or an array.
// Pure.

import { Packr } from 'msgpackr/pack';
import { FEED_LINE_BYTES_MAX } from '../../limits.ts';
import { jsonOrUndefined } from '../../parse-json.ts';
import { MessagePackReader } from './message-pack.ts';

const messagePack = new MessagePackReader();
/** Plain maps, as the protocol requires: no record extension. */
const packr = new Packr({ useRecords: false });

/** Receives the messages of a frame. */
export interface FrameReader {
  /** @returns false to stop reading, because there is no room */
  message(wire: unknown): boolean;
  /** Called when a line or a frame could not be decoded. */
  undecodable(): void;
}

/** Reads one text frame, line by line. @returns false when the reader stopped it */
export function readTextFrame(text: string, reader: FrameReader): boolean {
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    if (end - start > FEED_LINE_BYTES_MAX) reader.undecodable();
    else if (!isBlank(text, start, end)) {
      const wire = jsonOrUndefined(text.slice(start, end));
      if (wire === undefined) reader.undecodable();
      else if (!reader.message(wire)) return false;
    }
    start = end + 1;
  }
  return true;
}

/** Reads one binary frame: a message, or an array of messages. @returns false when the reader stopped it */
export function readBinaryFrame(bytes: Uint8Array, reader: FrameReader): boolean {
  let value: unknown;
  try {
    value = messagePack.read(bytes);
  } catch {
    reader.undecodable(); // counted as bad_json, like a broken line
    return true;
  }
  if (!Array.isArray(value)) return reader.message(value);
  for (const wire of value as readonly unknown[]) if (!reader.message(wire)) return false;
  return true;
}

/** A binary frame of these messages. */
export function writeBinaryFrame(wires: readonly unknown[]): Uint8Array {
  return packr.pack(wires);
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (text.charCodeAt(index) > 32) return false;
  return true;
}
