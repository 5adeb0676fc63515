// A cache of prices as JSON texts, because a slate has a few thousand different prices and writes them
// millions of times. A text is kept as two words of four bytes, so that writing one is two stores instead of
// a conversion.

import type { OddsFormat } from '../../domain/catalogue.ts';
import { priceInFormat } from '../../domain/odds-format.ts';
import { putAscii, putTenThousandths } from './json-bytes.ts';

/** Longest text of a price in any format. */
export const PRICE_CHARS_MAX = 32;
/**
 * Number of texts cached per format, by the hash of the price. A new text replaces the old one in its slot.
 */
const TEXTS = 4_096;
const SLOT_WORDS = 4;
const SLOT_SHIFT = 32 - Math.log2(TEXTS);
const SPREAD = 0x9e3779b1;
/** Longest text that is cached, in bytes. A longer one is made again at every use. */
const KEPT_CHARS_MAX = 8;
const MINUS = 45;

export class PriceTexts {
  readonly #format: OddsFormat;
  readonly #malayDecimals: number;
  /** Four words per slot: the price (-1 for an empty slot), the two words of its text, the text's length. */
  readonly #slots = new Int32Array(SLOT_WORDS * TEXTS).fill(-1);
  readonly #made = new Uint8Array(PRICE_CHARS_MAX);
  readonly #madeView = new DataView(this.#made.buffer);

  /** @param malayDecimals only for `malay` */
  constructor(format: OddsFormat, malayDecimals: number) {
    this.#format = format;
    this.#malayDecimals = malayDecimals;
  }

  /**
   * Writes a price, and up to KEPT_CHARS_MAX padding bytes after it.
   * @param priceE4 in ten-thousandths, not negative
   * @returns the offset after the price
   */
  put(view: DataView, at: number, priceE4: number): number {
    const slots = this.#slots;
    const slot = SLOT_WORDS * (Math.imul(priceE4, SPREAD) >>> SLOT_SHIFT);
    if (slots[slot] !== priceE4) {
      const length = this.#make(slot, priceE4);
      if (length > KEPT_CHARS_MAX) {
        for (let index = 0; index < length; index++) view.setUint8(at + index, this.#made[index]!);
        return at + length;
      }
    }
    view.setInt32(at, slots[slot + 1]!, true);
    view.setInt32(at + 4, slots[slot + 2]!, true);
    return at + slots[slot + 3]!;
  }

  /** Makes the text, and caches it if it is short enough. @returns its length */
  #make(slot: number, priceE4: number): number {
    const price = priceInFormat(priceE4, this.#format, this.#malayDecimals);
    const length = putPrice(this.#made, price, this.#format);
    if (length > KEPT_CHARS_MAX) return length;
    this.#slots[slot] = priceE4;
    this.#slots[slot + 1] = this.#madeView.getInt32(0, true);
    this.#slots[slot + 2] = this.#madeView.getInt32(4, true);
    this.#slots[slot + 3] = length;
    return length;
  }
}

/**
 * Writes the text of `String(price)`, which is slow for numbers with decimals. There are at most four
 * decimals. American prices are whole, and may be too large for `putTenThousandths`.
 * @returns its length
 */
function putPrice(bytes: Uint8Array, price: number, format: OddsFormat): number {
  if (format === 'american') return putAscii(bytes, 0, String(price));
  let at = 0;
  if (price < 0) bytes[at++] = MINUS;
  return putTenThousandths(bytes, at, Math.round(Math.abs(price) * 10_000));
}
