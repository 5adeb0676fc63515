// Checks a MessagePack message of a client before it is decoded. With extensions, a few hundred bytes can
// stand for more objects than fit in memory, or make msgpackr compile code. If more bytes follow the value,
// msgpackr formats the whole value for its error. No client needs any of this.

import { JSON_FIELDS_MAX } from '../../parse-json.ts';

const CUT_SHORT = 'Cannot read MessagePack: it is cut short';
const EXTENSION = 'Cannot read MessagePack: an extension';

/**
 * Walks over the one value in `bytes` without decoding it.
 * @throws RangeError when it has an extension or more fields than a JSON message may have, is cut short, or
 * is followed by more bytes
 */
export function requirePlainMessage(bytes: Uint8Array): void {
  const walk = new MessageWalk(bytes);
  for (let waiting = 1; waiting > 0; ) waiting += walk.partsOfNext() - 1;
  walk.requireEnd();
}

class MessageWalk {
  readonly #bytes: Uint8Array;
  #at = 0;
  #fieldCount = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Reads one head, and a text or number that follows it. @returns how many values follow as its parts */
  partsOfNext(): number {
    const head = this.#bytes[this.#at++];
    if (head === undefined) throw new RangeError(CUT_SHORT);
    if (head < 0x80 || head >= 0xe0) return 0;
    if (head < 0x90) return this.#map(head & 0x0f);
    if (head < 0xa0) return head & 0x0f;
    if (head < 0xc0) return this.#skip(head & 0x1f);
    switch (head) {
      case 0xc0: // null, false, true
      case 0xc2:
      case 0xc3:
        return 0;
      case 0xc4: // bytes and texts
      case 0xd9:
        return this.#skip(this.#uint(1));
      case 0xc5:
      case 0xda:
        return this.#skip(this.#uint(2));
      case 0xc6:
      case 0xdb:
        return this.#skip(this.#uint(4));
      case 0xcc: // numbers of 1, 2, 4 and 8 bytes
      case 0xd0:
        return this.#skip(1);
      case 0xcd:
      case 0xd1:
        return this.#skip(2);
      case 0xca:
      case 0xce:
      case 0xd2:
        return this.#skip(4);
      case 0xcb:
      case 0xcf:
      case 0xd3:
        return this.#skip(8);
      case 0xdc: // arrays and maps
        return this.#uint(2);
      case 0xdd:
        return this.#uint(4);
      case 0xde:
        return this.#map(this.#uint(2));
      case 0xdf:
        return this.#map(this.#uint(4));
      case 0xd4: // msgpackr's `undefined`, which it packs for a field that is not set
        if (this.#bytes[this.#at] === 0) return this.#skip(2);
        throw new RangeError(EXTENSION);
      default:
        throw new RangeError(EXTENSION);
    }
  }

  requireEnd(): void {
    const { length } = this.#bytes;
    if (this.#at > length) throw new RangeError(CUT_SHORT);
    if (this.#at < length) throw new RangeError('Cannot read MessagePack: bytes after the value');
  }

  #uint(size: number): number {
    let value = 0;
    for (const end = this.#at + size; this.#at < end; this.#at++) {
      value = value * 0x100 + (this.#bytes[this.#at] ?? 0);
    }
    return value;
  }

  #map(count: number): number {
    this.#fieldCount += count;
    if (this.#fieldCount > JSON_FIELDS_MAX) throw new RangeError('Cannot read MessagePack: too many fields');
    return 2 * count;
  }

  /** Passes over a text, bytes or a number. */
  #skip(size: number): number {
    this.#at += size;
    return 0;
  }
}
