// A growing buffer of JSON bytes. Everything it writes is ASCII or was encoded before, so nothing is re-encoded.

const BYTES_FIRST = 16 * 1024;
const DIGIT_ZERO = 48;
const POINT = 46;
const DAY_MS = 86_400_000;

export class JsonBytes {
  #bytes = new Uint8Array(BYTES_FIRST);
  #length = 0;
  /** The calendar day written last: stamps of one answer are nearly always of one day. */
  #dayNumber = Number.NaN;
  readonly #dayText = new Uint8Array(11); // "2026-03-01T"

  clear(): void {
    this.#length = 0;
  }

  /** A copy of what was written. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  /** Bytes made before, such as a prepared fragment. */
  bytes(fragment: Uint8Array): void {
    const count = fragment.length;
    this.#reserve(count);
    this.#bytes.set(fragment, this.#length);
    this.#length += count;
  }

  /** One ASCII character by its code. */
  code(code: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = code;
  }

  /** ASCII text. */
  ascii(text: string): void {
    this.#reserve(text.length);
    for (let index = 0; index < text.length; index++) this.#bytes[this.#length++] = text.charCodeAt(index);
  }

  /** A count of ten-thousandths as the shortest decimal text: 19500 is 1.95. Not negative. */
  tenThousandths(value: number): void {
    this.#reserve(16);
    const bytes = this.#bytes;
    const whole = (value / 10_000) | 0;
    let fraction = value - whole * 10_000;
    this.#integer(whole);
    if (fraction === 0) return;
    bytes[this.#length++] = POINT;
    for (let unit = 1_000; fraction > 0; unit = (unit / 10) | 0) {
      const digit = (fraction / unit) | 0;
      bytes[this.#length++] = DIGIT_ZERO + digit;
      fraction -= digit * unit;
    }
  }

  /** Unix ms as ISO-8601 UTC with milliseconds, without quotes: 24 characters for the years 0 to 9999. */
  instant(ms: number): void {
    this.#reserve(24);
    const dayNumber = Math.floor(ms / DAY_MS);
    if (dayNumber !== this.#dayNumber) this.#setDay(dayNumber);
    const bytes = this.#bytes;
    bytes.set(this.#dayText, this.#length);
    let at = this.#length + 11;
    const inDay = Math.floor(ms - dayNumber * DAY_MS);
    at = twoDigits(bytes, at, (inDay / 3_600_000) | 0);
    bytes[at++] = 58;
    at = twoDigits(bytes, at, ((inDay / 60_000) | 0) % 60);
    bytes[at++] = 58;
    at = twoDigits(bytes, at, ((inDay / 1_000) | 0) % 60);
    bytes[at++] = POINT;
    const milliseconds = inDay % 1_000;
    bytes[at++] = DIGIT_ZERO + ((milliseconds / 100) | 0);
    at = twoDigits(bytes, at, milliseconds % 100);
    bytes[at++] = 90;
    this.#length = at;
  }

  #integer(value: number): void {
    let unit = 1;
    while (value >= unit * 10) unit *= 10;
    for (let rest = value; unit >= 1; unit = (unit / 10) | 0) {
      const digit = (rest / unit) | 0;
      this.#bytes[this.#length++] = DIGIT_ZERO + digit;
      rest -= digit * unit;
    }
  }

  #setDay(dayNumber: number): void {
    const text = new Date(dayNumber * DAY_MS).toISOString();
    for (let index = 0; index < 11; index++) this.#dayText[index] = text.charCodeAt(index);
    this.#dayNumber = dayNumber;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }
}

function twoDigits(bytes: Uint8Array, at: number, value: number): number {
  const tens = (value / 10) | 0;
  bytes[at] = DIGIT_ZERO + tens;
  bytes[at + 1] = DIGIT_ZERO + value - tens * 10;
  return at + 2;
}
