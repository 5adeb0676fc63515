// A fast reader for the usual quote in MessagePack. Nearly every message of a feed is one, and most of its
// fields are byte for byte those of the previous quote. Any other message is left to the general reader, so
// this one may give up at any byte. If it returns a quote, the general reader would return the same.

import { isTextAt, type ShortTexts } from './short-texts.ts';

/** The fields of a quote without openings. The last one, which a 1x2 does not have, may be missing. */
const FIELDS = 'type seq at event bookmaker market_type period prices status line'.split(' ');
const TYPE = FIELDS.indexOf('type');
const SEQ = FIELDS.indexOf('seq');
const AT = FIELDS.indexOf('at');
const EVENT = FIELDS.indexOf('event');
const BOOKMAKER = FIELDS.indexOf('bookmaker');
const MARKET_TYPE = FIELDS.indexOf('market_type');
const PERIOD = FIELDS.indexOf('period');
const PRICES = FIELDS.indexOf('prices');
const STATUS = FIELDS.indexOf('status');
const LINE = FIELDS.indexOf('line');
const ALL = 2 ** FIELDS.length - 1;
const ALL_BUT_LINE = ALL >> 1;
/** Returned in place of an end position if the bytes are not those of a usual quote. */
const NONE = -1;

export class QuoteScanner {
  readonly #texts: ShortTexts;
  /** The field that the previous map had at each position, as an index into FIELDS. */
  readonly #fields = Int32Array.from(FIELDS.keys());
  /** Where the bytes of the field at each position were, key and value. An empty range must be read again. */
  readonly #starts = new Int32Array(FIELDS.length);
  readonly #ends = new Int32Array(FIELDS.length);
  /** The value of the field at each position. */
  readonly #values: unknown[] = new Array<unknown>(FIELDS.length).fill(null);
  /** The position of each field in the current map. */
  readonly #places = new Int32Array(FIELDS.length);
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  /** Where the last value ends, or NONE. */
  #end = 0;

  constructor(texts: ShortTexts) {
    this.#texts = texts;
  }

  /** Sets the bytes to read, of which `view` is a view. The previous bytes are not read again. */
  begin(bytes: Uint8Array, view: DataView): void {
    this.#bytes = bytes;
    this.#view = view;
    this.#ends.fill(0);
    this.#starts.fill(0);
  }

  /** Where the last quote ends. */
  get end(): number {
    return this.#end;
  }

  /**
   * The map of `count` fields whose first key is at `start`; null when it is not a usual quote. Quotes with
   * the same prices may share their array.
   */
  read(start: number, count: number): Record<string, unknown> | null {
    if (count !== FIELDS.length && count !== FIELDS.length - 1) return null;
    let at = start;
    let seen = 0;
    for (let place = 0; place < count; place++) {
      if (this.#isSame(place, at)) at += this.#ends[place]! - this.#starts[place]!;
      else at = this.#readField(place, at);
      if (at === NONE) return null;
      const field = this.#fields[place]!;
      this.#places[field] = place;
      seen |= 1 << field;
    }
    this.#end = at;
    // An object literal, because setting the keys one by one would take as long as everything else here.
    if (seen === ALL) {
      return {
        type: this.#value(TYPE),
        seq: this.#value(SEQ),
        at: this.#value(AT),
        event: this.#value(EVENT),
        bookmaker: this.#value(BOOKMAKER),
        market_type: this.#value(MARKET_TYPE),
        period: this.#value(PERIOD),
        line: this.#value(LINE),
        prices: this.#value(PRICES),
        status: this.#value(STATUS),
      };
    }
    if (seen !== ALL_BUT_LINE) return null;
    return {
      type: this.#value(TYPE),
      seq: this.#value(SEQ),
      at: this.#value(AT),
      event: this.#value(EVENT),
      bookmaker: this.#value(BOOKMAKER),
      market_type: this.#value(MARKET_TYPE),
      period: this.#value(PERIOD),
      prices: this.#value(PRICES),
      status: this.#value(STATUS),
    };
  }

  #value(field: number): unknown {
    return this.#values[this.#places[field]!];
  }

  /** Whether the bytes at `at` are those that the previous map has at this position. */
  #isSame(place: number, at: number): boolean {
    const view = this.#view;
    const start = this.#starts[place]!;
    const last = this.#ends[place]! - start - 4;
    if (last < 0 || at + last + 4 > view.byteLength) return false;
    for (let index = 0; index < last; index += 4) {
      if (view.getInt32(start + index) !== view.getInt32(at + index)) return false;
    }
    return view.getInt32(start + last) === view.getInt32(at + last);
  }

  /** Reads the key and the value at a position. @returns where they end, or NONE */
  #readField(place: number, start: number): number {
    let field = this.#fields[place]!;
    if (!this.#isKey(start, FIELDS[field]!)) field = FIELDS.findIndex((key) => this.#isKey(start, key));
    if (field < 0) return NONE;
    const at = start + 1 + FIELDS[field]!.length;
    const head = this.#bytes[at]!;
    if ((head & 0xf0) === 0x90) this.#values[place] = this.#numbers(at + 1, head & 0x0f);
    else if ((head & 0xe0) === 0xa0) this.#values[place] = this.#text(at + 1, head & 0x1f);
    else this.#values[place] = this.#number(at);
    this.#fields[place] = field;
    this.#starts[place] = start;
    this.#ends[place] = this.#end;
    return this.#end;
  }

  #isKey(at: number, key: string): boolean {
    return this.#bytes[at] === (0xa0 | key.length) && isTextAt(this.#bytes, at + 1, key);
  }

  #numbers(at: number, count: number): unknown {
    this.#end = at;
    if (count === 2) return [this.#number(at), this.#number(this.#end)];
    if (count === 3) return [this.#number(at), this.#number(this.#end), this.#number(this.#end)];
    return this.#none();
  }

  #text(at: number, count: number): string | null {
    if (at + count > this.#bytes.length) return this.#none();
    this.#end = at + count;
    return this.#texts.read(this.#bytes, at, this.#end);
  }

  /** A number of one of the widths that quotes have, or null. */
  #number(at: number): number | null {
    if (at === NONE) return null;
    const head = this.#bytes[at]!;
    const room = this.#bytes.length - at;
    if (head === 0xcb && room >= 9) {
      this.#end = at + 9;
      return this.#view.getFloat64(at + 1);
    }
    if (head === 0xce && room >= 5) {
      this.#end = at + 5;
      return this.#view.getUint32(at + 1);
    }
    if (head === 0xcd && room >= 3) {
      this.#end = at + 3;
      return this.#view.getUint16(at + 1);
    }
    this.#end = at + 1;
    if (head < 0x80) return head;
    if (head >= 0xe0) return head - 0x100;
    return head === 0xc0 ? null : this.#none();
  }

  #none(): null {
    this.#end = NONE;
    return null;
  }
}
