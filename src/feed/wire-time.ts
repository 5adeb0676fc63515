// Times of wire messages: ISO-8601 with a zone, from 1970 to 9999. Any other text is refused.
//
// Most libraries refuse two of these times. 24:00:00 is the midnight at the end of its day. Second 60 is a
// leap second, which exists only at the end of a month in UTC; any other is refused. Unix time has no leap
// seconds, so the whole second counts as the last millisecond before midnight, and the messages after it are
// not older.

import { DAY_MS } from '../clock.ts';

const WIRE_TIME = /^(\d{4}-\d\d-(\d\d)T\d\d:\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
/** The first instant whose year has five digits, which the timestamps of answers could not show. */
const YEAR_10_000_MS = 253_402_300_800_000;
/** Every month has at least this many days. */
const MONTH_DAYS_MIN = 28;

/** Unix ms of a time, NaN for anything else. */
export function wireTimeMs(value: unknown): number {
  if (typeof value !== 'string') return Number.NaN;
  if (value === lastTime) return lastTimeMs;
  lastTimeMs = readUsualTime(value) ?? readAnyTime(value);
  lastTime = value;
  return lastTimeMs;
}

/** The time read last. It is kept, because messages that were sent together have the same time. */
let lastTime = '';
let lastTimeMs = Number.NaN;

/** Whether an instant can be written in the protocol. */
export function isWireTime(ms: number): boolean {
  return ms >= 0 && ms < YEAR_10_000_MS;
}

/**
 * Reads, digit by digit, the form that `toISOString` writes. It is several times as fast as the general
 * reader. Null for any other form, and for values that only the general reader can judge (hour 24, second 60,
 * a date that may not exist).
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
  // A character that is not a digit makes its number NaN, and every comparison with it false.
  if (!isPlain || !(hour < 24 && minute < 60 && second < 60 && ms >= 0) || !isDigit(text, 22)) return null;
  return Date.UTC(year, month - 1, day, hour, minute, second, ms);
}

const DIGIT_ZERO = 48;

function isDigit(text: string, at: number): boolean {
  const digit = text.charCodeAt(at) - DIGIT_ZERO;
  return digit >= 0 && digit <= 9;
}

/** The number of two digits, NaN when they are not digits. */
function twoDigits(text: string, at: number): number {
  if (!isDigit(text, at) || !isDigit(text, at + 1)) return Number.NaN;
  return 10 * (text.charCodeAt(at) - DIGIT_ZERO) + text.charCodeAt(at + 1) - DIGIT_ZERO;
}

function readAnyTime(text: string): number {
  const found = WIRE_TIME.exec(text);
  if (found === null) return Number.NaN;
  const [, minute, day, second, zone] = found;
  if (Number(day) > MONTH_DAYS_MIN && !hasDay(text, Number(day))) return Number.NaN;
  const isLeap = second === '60';
  const ms = Date.parse(isLeap ? `${minute}:59.999${zone}` : text);
  return isWireTime(ms) && (!isLeap || isMonthEnd(ms + 1)) ? ms : Number.NaN;
}

/** Whether a month ends at this instant, in UTC. */
function isMonthEnd(ms: number): boolean {
  return ms % DAY_MS === 0 && new Date(ms).getUTCDate() === 1;
}

/** Date.parse turns the 30th of February into the 2nd of March, so the day is checked. */
function hasDay(text: string, day: number): boolean {
  return new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1, day)).getUTCDate() === day;
}
