// A MessagePack reader for feed frames: plain maps, arrays, numbers, text, booleans, null and bytes. It
// reads what msgpackr reads without its extensions, and is faster for a feed. Short texts are cached
// (short-texts.ts), quotes have a scanner of their own (quote-scanner.ts), and the keys of a map are first
// expected where the previous map had them.

import { QuoteScanner } from './quote-scanner.ts';
import { isTextAt, ShortTexts } from './short-texts.ts';

/** Maximum levels of nested maps and arrays. A frame with more is refused. */
const DEPTH_MAX = 16;
/**
 * How deep in a frame a message may be: the frame is one message, or one array of messages.
 */
const MESSAGE_DEPTH_MAX = 1;
/** How many keys of the previous map are remembered. */
const REMEMBERED_KEYS_MAX = 32;

export class MessagePackReader {
  readonly #texts = new ShortTexts();
  readonly #quotes = new QuoteScanner(this.#texts);
  readonly #keysAt: string[] = new Array<string>(REMEMBERED_KEYS_MAX).fill('');
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  #at = 0;

  /**
   * The one value in `bytes`.
   * @throws RangeError when it is truncated, has an extension, or is followed by more bytes; TypeError when a
   * text is not UTF-8
   */
  read(bytes: Uint8Array): unknown {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = 0;
    this.#quotes.begin(bytes, this.#view);
    const value = this.#value(0);
    if (this.#at !== bytes.length) throw new RangeError('Cannot read MessagePack: bytes after the value');
    return value;
  }

  #value(depth: number): unknown {
    const at = this.#at;
    const head = this.#bytes[at];
    if (head === undefined) throw cutShort();
    this.#at = at + 1;
    if (head < 0x80) return head;
    if (head < 0x90) return this.#map(head & 0x0f, depth);
    if (head < 0xa0) return this.#array(head & 0x0f, depth);
    if (head < 0xc0) return this.#text(head & 0x1f);
    if (head >= 0xe0) return head - 0x100;
    switch (head) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
        return this.#binary(this.#uint(1));
      case 0xc5:
        return this.#binary(this.#uint(2));
      case 0xc6:
        return this.#binary(this.#uint(4));
      case 0xd9:
        return this.#text(this.#uint(1));
      case 0xda:
        return this.#text(this.#uint(2));
      case 0xdb:
        return this.#text(this.#uint(4));
      case 0xdc:
        return this.#array(this.#uint(2), depth);
      case 0xdd:
        return this.#array(this.#uint(4), depth);
      case 0xde:
        return this.#map(this.#uint(2), depth);
      case 0xdf:
        return this.#map(this.#uint(4), depth);
      default:
        return this.#number(head);
    }
  }

  /** A number that does not fit into its first byte. */
  #number(head: number): number {
    const at = this.#at;
    switch (head) {
      case 0xca:
        this.#at = at + 4;
        return this.#view.getFloat32(at);
      case 0xcb:
        this.#at = at + 8;
        return this.#view.getFloat64(at);
      case 0xcc:
        return this.#uint(1);
      case 0xcd:
        return this.#uint(2);
      case 0xce:
        return this.#uint(4);
      case 0xcf:
        this.#at = at + 8;
        return Number(this.#view.getBigUint64(at));
      case 0xd0:
        this.#at = at + 1;
        return this.#view.getInt8(at);
      case 0xd1:
        this.#at = at + 2;
        return this.#view.getInt16(at);
      case 0xd2:
        this.#at = at + 4;
        return this.#view.getInt32(at);
      case 0xd3:
        this.#at = at + 8;
        return Number(this.#view.getBigInt64(at));
      default:
        throw new RangeError('Cannot read MessagePack: an extension');
    }
  }

  #uint(size: 1 | 2 | 4): number {
    const at = this.#at;
    this.#at = at + size;
    if (size === 1) return this.#view.getUint8(at);
    return size === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  #array(count: number, depth: number): unknown[] {
    this.#checkRoom(count, depth);
    const values: unknown[] = [];
    for (let index = 0; index < count; index++) values.push(this.#value(depth + 1));
    return values;
  }

  #map(count: number, depth: number): Record<string, unknown> {
    this.#checkRoom(2 * count, depth);
    const quote = depth <= MESSAGE_DEPTH_MAX ? this.#quotes.read(this.#at, count) : null;
    if (quote !== null) {
      this.#at = this.#quotes.end;
      return quote;
    }
    const map: Record<string, unknown> = {};
    for (let index = 0; index < count; index++) {
      const key = this.#key(index);
      const value = this.#value(depth + 1);
      if (key === '__proto__') define(map, key, value);
      else map[key] = value;
    }
    return map;
  }

  /** A frame that claims to hold more than its bytes is refused before memory is allocated for it. */
  #checkRoom(count: number, depth: number): void {
    if (count > this.#bytes.length - this.#at) throw cutShort();
    if (depth >= DEPTH_MAX) throw new RangeError(`Cannot read MessagePack: deeper than ${DEPTH_MAX}`);
  }

  #key(index: number): string {
    const at = this.#at;
    const head = this.#bytes[at]!;
    if ((head & 0xe0) === 0xa0 && index < REMEMBERED_KEYS_MAX) {
      const count = head & 0x1f;
      const remembered = this.#keysAt[index]!;
      if (remembered.length === count && isTextAt(this.#bytes, at + 1, remembered)) {
        this.#at = at + 1 + count;
        return remembered;
      }
      this.#at = at + 1;
      const key = this.#text(count);
      // Keys that are not ASCII are longer in bytes than in UTF-16 units and would never be found, so they
      // are not remembered.
      this.#keysAt[index] = key.length === count ? key : '';
      return key;
    }
    const key = this.#value(DEPTH_MAX);
    if (typeof key !== 'string' && typeof key !== 'number') {
      throw new RangeError('Cannot read MessagePack: a key is not text');
    }
    return String(key);
  }

  #text(count: number): string {
    const start = this.#at;
    const end = start + count;
    if (end > this.#bytes.length) throw cutShort();
    this.#at = end;
    return this.#texts.read(this.#bytes, start, end);
  }

  #binary(count: number): Uint8Array {
    const start = this.#at;
    if (start + count > this.#bytes.length) throw cutShort();
    this.#at = start + count;
    return this.#bytes.slice(start, this.#at);
  }
}

/** Defines the property, because assigning `__proto__` would change what the map inherits. */
function define(map: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
}

function cutShort(): RangeError {
  return new RangeError('Cannot read MessagePack: cut short');
}
