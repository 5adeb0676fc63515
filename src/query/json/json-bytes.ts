// Functions that write JSON bytes into a caller's buffer: each takes the offset to write at and returns the
// offset after it. The caller reserves room for a whole block once, so nothing here checks bounds. Everything
// written is ASCII or was encoded before, so nothing is encoded again.

import { DAY_MS } from '../../clock.ts';
import { TextTable } from './text-table.ts';

const DIGIT_ZERO = 48;
const POINT = 46;
const LETTER_Z = 90;
const DAY_CHARS = 11; // "2026-03-01T"
const TIME_CHARS = 13; // "12:00:00.000Z"

/** Characters of an instant's text, for the years 0 to 9999. */
export const INSTANT_CHARS = DAY_CHARS + TIME_CHARS;

/** Maximum number of cached days. When the cache is full, it is cleared. */
const DAYS_MAX = 64;

/**
 * Prepared texts that end in a calendar day ("...2026-03-01T"), made once for each day. The stamps of one
 * answer nearly always fall on a few days.
 */
export class DayTexts {
  readonly table = new TextTable();
  readonly #texts: readonly string[];
  readonly #byDay = new Map<number, readonly number[]>();
  startMs = Number.NaN;
  /** The texts with the day that starts at `startMs`, in the order in which the constructor got them. */
  handles: readonly number[] = [];

  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  /** Sets `startMs` and `handles` to the day of `ms`. */
  moveTo(ms: number): void {
    if (ms >= this.startMs && ms < this.startMs + DAY_MS) return;
    const startMs = Math.floor(ms / DAY_MS) * DAY_MS;
    this.startMs = startMs;
    this.handles = this.#byDay.get(startMs) ?? this.#make(startMs);
  }

  #make(startMs: number): readonly number[] {
    if (this.#byDay.size === DAYS_MAX) {
      this.#byDay.clear();
      this.table.clear();
    }
    const day = new Date(startMs).toISOString().slice(0, DAY_CHARS);
    const handles = this.#texts.map((text) => this.table.add(text + day));
    this.#byDay.set(startMs, handles);
    return handles;
  }
}

/** Writes ASCII text. */
export function putAscii(bytes: Uint8Array, at: number, text: string): number {
  const count = text.length;
  for (let index = 0; index < count; index++) bytes[at + index] = text.charCodeAt(index);
  return at + count;
}

/** Writes a count of ten-thousandths, not negative, as the shortest decimal text: 19500 is 1.95. */
export function putTenThousandths(bytes: Uint8Array, at: number, value: number): number {
  // Multiplies by a fraction instead of dividing, here and below. As a double each fraction is slightly above
  // the true value: enough that whole quotients stay whole, and too little to round any other quotient up.
  const whole = (value * 0.0001) | 0;
  const fraction = value - whole * 10_000;
  let end = at;
  if (whole < 10) bytes[end++] = DIGIT_ZERO + whole;
  else end = putInteger(bytes, at, whole);
  if (fraction === 0) return end;
  bytes[end++] = POINT;
  const high = (fraction * 0.01) | 0;
  const low = fraction - high * 100;
  end = putTwoDigits(bytes, end, high);
  if (low > 0) end = putTwoDigits(bytes, end, low);
  return bytes[end - 1] === DIGIT_ZERO ? end - 1 : end;
}

/** Writes the text of `days` at `index`, then Unix `ms` as ISO-8601 in UTC with milliseconds. */
export function putInstant(view: DataView, at: number, ms: number, days: DayTexts, index: number): number {
  days.moveTo(ms);
  const time = days.table.put(view, at, days.handles[index]!);
  const inDay = (ms - days.startMs) | 0;
  const seconds = (inDay * 0.001) | 0;
  const minutes = ((seconds + 0.5) * (1 / 60)) | 0;
  view.setFloat64(time, MINUTES[minutes]!, true);
  view.setInt16(time + 6, SECONDS[seconds - minutes * 60]!, true);
  view.setInt32(time + 8, MILLISECONDS[inDay - seconds * 1_000]!, true);
  view.setUint8(time + 12, LETTER_Z);
  return time + TIME_CHARS;
}

function putInteger(bytes: Uint8Array, at: number, value: number): number {
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

/** Writes a number from 0 to 99. */
function putTwoDigits(bytes: Uint8Array, at: number, value: number): number {
  bytes[at] = TWO_DIGITS[value * 2]!;
  bytes[at + 1] = TWO_DIGITS[value * 2 + 1]!;
  return at + 2;
}

/** "00" to "99" in one text, because a table look-up is cheaper than a division. */
const TWO_DIGITS = Uint8Array.from({ length: 200 }, (_, index) => {
  const value = index >> 1;
  return DIGIT_ZERO + (index % 2 === 0 ? Math.floor(value / 10) : value % 10);
});

/** "00:00:" to "23:59:", each followed by two padding bytes. */
const MINUTES = new Float64Array(
  wordsOf(1_440, (minute) => `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}:00`),
);
/** "00" to "59". */
const SECONDS = new Int16Array(wordsOf(60, twoDigits));
/** ".000" to ".999". */
const MILLISECONDS = new Int32Array(wordsOf(1_000, (value) => `.${String(value).padStart(3, '0')}`));

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** Texts of one length, one after the other, as memory. */
function wordsOf(count: number, textOf: (index: number) => string): ArrayBuffer {
  const texts = Array.from({ length: count }, (_, index) => textOf(index));
  return new TextEncoder().encode(texts.join('')).buffer;
}
