// The plain values inside wire messages: names, times, clocks, counts, words of closed lists. For the validator, and for
// sources that must look at a value themselves. Pure; what is not exactly such a value is refused, never guessed.

import { indexIn } from '../domain/catalogue.ts';
import { CLOCK_BYTES_MAX, NAME_CHARS_MAX } from '../limits.ts';
import type { NamedKey } from './protocol.ts';

/** A decoded wire message before it is validated. */
export type Wire = Readonly<Record<string, unknown>>;

/** Goals, points or cards of one side: any more is garbage. */
const COUNT_MAX = 9_999;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const CONTROL = /[\u0000-\u001f\u007f]/;

/** ISO-8601 with its zone. Whether the calendar has that day is checked apart. */
const WIRE_TIME = /^\d{4}-\d\d-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;
/** The first instant whose year has five digits, which the answers' timestamps could not show. */
const YEAR_10_000_MS = 253_402_300_800_000;
const NO_WORD = -1;
/** Every month has this many days. */
const MONTH_DAYS_MIN = 28;

/** A key with its name, or null. */
export function namedKey(value: unknown): NamedKey | null {
  if (typeof value !== 'object' || value === null) return null;
  const { key, name } = value as Wire;
  return isName(key) && isName(name) ? { key, name } : null;
}

/** Unix ms of an ISO-8601 time of 1970 to 9999 that carries its zone, NaN for anything else. */
export function wireTimeMs(value: unknown): number {
  if (typeof value !== 'string') return Number.NaN;
  if (value === lastTime) return lastTimeMs;
  lastTimeMs = readUsualTime(value) ?? readWireTime(value);
  lastTime = value;
  return lastTimeMs;
}

/** The time read last: messages that were sent together say the same one. */
let lastTime = '';
let lastTimeMs = Number.NaN;

/**
 * The form that `toISOString` writes, read by its digits: several times as fast as the general one. Null for any other
 * form, and for what only the general reader knows how to judge (hour 24, a date that may not exist).
 */
function readUsualTime(text: string): number | null {
  if (text.length !== 24 || text[4] !== '-' || text[7] !== '-' || text[10] !== 'T') return null;
  if (text[13] !== ':' || text[16] !== ':' || text[19] !== '.' || text[23] !== 'Z') return null;
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  const ms = 10 * twoDigits(text, 20) + text.charCodeAt(22) - DIGIT_ZERO;
  const isPlain = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= MONTH_DAYS_MIN;
  // A character that is no digit makes its number NaN, and every comparison with it false.
  if (!isPlain || !(hour < 24 && minute < 60 && second < 60 && ms >= 0) || !isDigit(text, 22)) return null;
  return Date.UTC(year, month - 1, day, hour, minute, second, ms);
}

const DIGIT_ZERO = 48;

function isDigit(text: string, at: number): boolean {
  const digit = text.charCodeAt(at) - DIGIT_ZERO;
  return digit >= 0 && digit <= 9;
}

/** The number of two digits, NaN when they are none. */
function twoDigits(text: string, at: number): number {
  if (!isDigit(text, at) || !isDigit(text, at + 1)) return Number.NaN;
  return 10 * (text.charCodeAt(at) - DIGIT_ZERO) + text.charCodeAt(at + 1) - DIGIT_ZERO;
}

function readWireTime(value: string): number {
  const day = WIRE_TIME.exec(value)?.[1];
  if (day === undefined || (Number(day) > MONTH_DAYS_MIN && !hasDay(value, Number(day)))) return Number.NaN;
  const ms = Date.parse(value);
  return isWireTime(ms) ? ms : Number.NaN;
}

/** Whether an instant can be written in the protocol. */
export function isWireTime(ms: number): boolean {
  return ms >= 0 && ms < YEAR_10_000_MS;
}

/** Two counts, home first, or undefined. */
export function countPair(value: unknown): readonly [number, number] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [home, away] = value as [unknown, unknown];
  return isCount(home) && isCount(away) ? [home, away] : undefined;
}

/** Whether a value is a name or a key: printable text that is not empty and not long. */
export function isName(value: unknown): value is string {
  return (
    typeof value === 'string' && value.length > 0 && value.length <= NAME_CHARS_MAX && isPrintable(value)
  );
}

/** Whether a value is clock text. */
export function isClock(value: unknown): value is string {
  return typeof value === 'string' && Buffer.byteLength(value) <= CLOCK_BYTES_MAX && isPrintable(value);
}

/**
 * Whether text has no control characters and no half of a surrogate pair: JSON can escape one and UTF-8 has none, so that two
 * names that differ in it would become one.
 */
function isPrintable(text: string): boolean {
  return !CONTROL.test(text) && text.isWellFormed();
}

/** Whether a field was left out, which null says too. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** A closed list of words. */
export class Words {
  readonly #words: readonly string[];
  /** The word looked up last: messages in a row mostly say the same one. */
  #last = '';
  #lastIndex = NO_WORD;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  /** Index of a word in the list, -1 when it is no word of it. */
  indexOf(value: unknown): number {
    if (value === this.#last) return this.#lastIndex;
    if (typeof value !== 'string') return NO_WORD;
    this.#lastIndex = indexIn(this.#words, value);
    this.#last = value;
    return this.#lastIndex;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= COUNT_MAX;
}

/** Date.parse takes the 30th of February for the 2nd of March, so the day is looked up. */
function hasDay(text: string, day: number): boolean {
  return new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1, day)).getUTCDate() === day;
}
