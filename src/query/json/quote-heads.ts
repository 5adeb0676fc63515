// The JSON before the first price of a quote: everything that follows from its key. It is made once for each
// key of a sport and found through a hash table of plain numbers, since an answer looks up one per quote.

import { OUTCOMES_MAX, outcomesOf } from '../../domain/catalogue.ts';
import { assert } from '../../errors.ts';
import { marketOfKey } from '../../store/quote-key.ts';
import { nameOfKey } from '../odds/odds.ts';
import { INSTANT_CHARS } from './json-bytes.ts';
import { PRICE_CHARS_MAX } from './price-texts.ts';
import { TextTable } from './text-table.ts';

/** Room for one quote of the longest kind; asserted where heads are made. */
export const QUOTE_BYTES_MAX = 512;
/** Labels, tail and end of a quote, and the padding after it. */
const AROUND_PRICES_BYTES_MAX = 128;

/**
 * Maximum number of heads cached per sport. When the cache is full, it is cleared, which is cheap and never
 * happens on real slates.
 */
const HEADS_MAX = 20_000;
const PLACES = 32_768;
const PLACE_SHIFT = 32 - Math.log2(PLACES);
const SPREAD = 0x9e3779b1;

export class QuoteHeads {
  readonly #sport: number;
  readonly #texts = new TextTable();
  /** Hash table of two words per slot: the key plus one (0 if empty), then the handle of the head. */
  readonly #places = new Int32Array(2 * PLACES);
  #count = 0;

  /** @param sport index into SPORTS */
  constructor(sport: number) {
    this.#sport = sport;
  }

  /** Writes the head of a quote, and a few padding bytes after it. @returns the offset after the head */
  put(view: DataView, at: number, key: number): number {
    const places = this.#places;
    let place = Math.imul(key, SPREAD) >>> PLACE_SHIFT;
    for (;;) {
      const found = places[2 * place]!;
      if (found === key + 1) return this.#texts.put(view, at, places[2 * place + 1]!);
      if (found === 0) return this.#texts.put(view, at, this.#make(key, place));
      place = (place + 1) & (PLACES - 1);
    }
  }

  /** @param free the empty slot where the search for the key ended @returns the handle of the head */
  #make(key: number, free: number): number {
    let place = free;
    if (this.#count === HEADS_MAX) {
      this.#count = 0;
      this.#places.fill(0);
      this.#texts.clear();
      place = Math.imul(key, SPREAD) >>> PLACE_SHIFT;
    }
    const handle = this.#texts.add(headOf(this.#sport, key));
    this.#places[2 * place] = key + 1;
    this.#places[2 * place + 1] = handle;
    this.#count += 1;
    return handle;
  }
}

function headOf(sport: number, key: number): string {
  const name = JSON.stringify(nameOfKey(key)).slice(0, -1);
  const head = `${name},"prices":{"${outcomesOf(sport, marketOfKey(key))[0]!}":`;
  const pricesAndStamp = OUTCOMES_MAX * PRICE_CHARS_MAX + INSTANT_CHARS + AROUND_PRICES_BYTES_MAX;
  assert(
    head.length + pricesAndStamp <= QUOTE_BYTES_MAX,
    'the room reserved for a quote holds the longest one',
  );
  return head;
}
