// Decodes texts of MessagePack. A feed repeats the same short texts, so each short ASCII text is made once
// and then found by its bytes.

const TEXT_BYTES_MAX = 48;
/** Cached texts, one per slot. A new text replaces the one in its slot. */
const SLOTS = 16_384;

export class ShortTexts {
  readonly #texts: string[] = new Array<string>(SLOTS).fill('');
  /** A byte order mark at the beginning is part of the text, as in JSON. */
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  /**
   * The text of the UTF-8 bytes from `start` to `end`, which lie within `bytes`.
   * @throws TypeError when they are not UTF-8
   */
  read(bytes: Uint8Array, start: number, end: number): string {
    const count = end - start;
    if (count > TEXT_BYTES_MAX) return this.#decoder.decode(bytes.subarray(start, end));
    let hash = count;
    let isAscii = 0;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      isAscii |= byte;
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    if (isAscii > 0x7f) return this.#decoder.decode(bytes.subarray(start, end));
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const known = this.#texts[slot]!;
    if (known.length === count && isTextAt(bytes, start, known)) return known;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, count).toString('latin1');
    this.#texts[slot] = text;
    return text;
  }
}

/** Whether the bytes from `start` on equal the text, which is ASCII. */
export function isTextAt(bytes: Uint8Array, start: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[start + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}
