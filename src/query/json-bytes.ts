// A growing buffer of JSON bytes. Everything it writes is ASCII or was encoded before, so nothing is re-encoded.

const BYTES_FIRST = 16 * 1024;
const DIGIT_ZERO = 48;
const POINT = 46;
const COLON = 58;
const LETTER_Z = 90;
const DAY_MS = 86_400_000;
const DAY_CHARS = 11;
const SHORT_BYTES = 10;

export class JsonBytes {
  #bytes = new Uint8Array(BYTES_FIRST);
  #length = 0;
  /** The calendar day written last: stamps of one answer are nearly always of one day. */
  #dayStartMs = Number.NaN;
  readonly #dayText = new Uint8Array(DAY_CHARS); // "2026-03-01T"

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
    const bytes = this.#bytes;
    const start = this.#length;
    // A call of `set` costs as much as some ten bytes one by one.
    if (count > SHORT_BYTES) bytes.set(fragment, start);
    else for (let index = 0; index < count; index++) bytes[start + index] = fragment[index]!;
    this.#length = start + count;
  }

  /** One ASCII character by its code. */
  code(code: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = code;
  }

  /** ASCII text. */
  ascii(text: string): void {
    const count = text.length;
    this.#reserve(count);
    const bytes = this.#bytes;
    const start = this.#length;
    for (let index = 0; index < count; index++) bytes[start + index] = text.charCodeAt(index);
    this.#length = start + count;
  }

  /** A count of ten-thousandths as the shortest decimal text: 19500 is 1.95. Not negative. */
  tenThousandths(value: number): void {
    this.#reserve(16);
    const bytes = this.#bytes;
    // Multiplied, not divided, here and below: tests hold any price and every second of a day to the exact quotient.
    const whole = (value * 0.0001) | 0;
    const fraction = value - whole * 10_000;
    let at = this.#length;
    if (whole < 10) bytes[at++] = DIGIT_ZERO + whole;
    else at = integer(bytes, at, whole);
    if (fraction > 0) {
      bytes[at++] = POINT;
      const high = (fraction * 0.01) | 0;
      const low = fraction - high * 100;
      at = twoDigits(bytes, at, high);
      if (low > 0) at = twoDigits(bytes, at, low);
      if (bytes[at - 1] === DIGIT_ZERO) at--;
    }
    this.#length = at;
  }

  /** Unix ms as ISO-8601 UTC with milliseconds, without quotes: 24 characters for the years 0 to 9999. */
  instant(ms: number): void {
    this.#reserve(24);
    if (!(ms >= this.#dayStartMs && ms < this.#dayStartMs + DAY_MS)) this.#setDay(ms);
    const bytes = this.#bytes;
    const day = this.#dayText;
    let at = this.#length;
    for (let index = 0; index < DAY_CHARS; index++) bytes[at + index] = day[index]!;
    at += DAY_CHARS;
    const inDay = (ms - this.#dayStartMs) | 0;
    const seconds = (inDay * 0.001) | 0;
    const minutes = (seconds * (1 / 60)) | 0;
    const hours = (minutes * (1 / 60)) | 0;
    const milliseconds = inDay - seconds * 1_000;
    const hundreds = (milliseconds * 0.01) | 0;
    at = twoDigits(bytes, at, hours);
    bytes[at++] = COLON;
    at = twoDigits(bytes, at, minutes - hours * 60);
    bytes[at++] = COLON;
    at = twoDigits(bytes, at, seconds - minutes * 60);
    bytes[at++] = POINT;
    bytes[at++] = DIGIT_ZERO + hundreds;
    at = twoDigits(bytes, at, milliseconds - hundreds * 100);
    bytes[at++] = LETTER_Z;
    this.#length = at;
  }

  #setDay(ms: number): void {
    const startMs = Math.floor(ms / DAY_MS) * DAY_MS;
    const text = new Date(startMs).toISOString();
    for (let index = 0; index < DAY_CHARS; index++) this.#dayText[index] = text.charCodeAt(index);
    this.#dayStartMs = startMs;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }
}

function integer(bytes: Uint8Array, at: number, value: number): number {
  let unit = 1;
  while (value >= unit * 10) unit *= 10;
  let end = at;
  for (let rest = value; unit >= 1; unit = (unit / 10) | 0) {
    const digit = (rest / unit) | 0;
    bytes[end++] = DIGIT_ZERO + digit;
    rest -= digit * unit;
  }
  return end;
}

/** 0 to 99. */
function twoDigits(bytes: Uint8Array, at: number, value: number): number {
  bytes[at] = TWO_DIGITS[value * 2]!;
  bytes[at + 1] = TWO_DIGITS[value * 2 + 1]!;
  return at + 2;
}

/** "000102" to "99": a look-up is cheaper than a division. */
const TWO_DIGITS = Uint8Array.from({ length: 200 }, (_, index) => {
  const value = index >> 1;
  return DIGIT_ZERO + (index % 2 === 0 ? Math.floor(value / 10) : value % 10);
});
