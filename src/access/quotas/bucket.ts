// One token bucket and one daily count, each a single Int32 word changed by compare-and-swap.
//
// A bucket is stored as the time at which it will be full again (the generic cell rate algorithm, ITU-T
// I.371). With one token every `intervalMs`, a bucket that will be full in `ahead` ms holds (windowMs -
// ahead) / intervalMs tokens. That is exact in whole milliseconds and needs no refill step. Equal words mean
// equal states, so a value that changed and changed back cannot mislead compare-and-swap. Times are Int32
// shared milliseconds, compared by their wrapped difference.
//
// A daily count is `day << 16 | count`, where the day is the UTC day number modulo 2^15.

import { DAY_MS } from '../../clock.ts';
import { KEYLESS_REQUESTS_PER_DAY, TIERS } from '../../domain/tiers.ts';
import { assert } from '../../errors.ts';

/** A rate: one token every `intervalMs`. A bucket holds at most `windowMs / intervalMs` tokens. */
export interface Pace {
  readonly intervalMs: number;
  readonly windowMs: number;
}

/** The clocks of two threads differ by less than this. A time further ahead has wrapped and is long past. */
const SLACK_MS = 60_000;
const DAYS = 1 << 15;
const COUNT_MASK = 0xffff;

/** The pace of each tier, in the order of TIERS. */
export const PACES: readonly Pace[] = TIERS.map(paceOf);
/** Every bucket of every tier is full again within this time. */
export const FULL_WITHIN_MS = Math.max(...PACES.map((pace) => pace.windowMs));

for (const perDay of [KEYLESS_REQUESTS_PER_DAY, ...TIERS.map((tier) => tier.perDay)]) {
  assert(perDay === null || perDay <= COUNT_MASK, "a day's volume fits the bits of a daily count");
}

/** The pace of a tier. */
export function paceOf(tier: { readonly perMinute: number; readonly burst: number }): Pace {
  const intervalMs = 60_000 / tier.perMinute;
  assert(Number.isInteger(intervalMs), 'a tier refills one token in whole milliseconds');
  return { intervalMs, windowMs: intervalMs * tier.burst };
}

/** Milliseconds until the bucket is full. */
export function untilFullMs(fullAtMs: number, pace: Pace, nowMs: number): number {
  const aheadMs = (fullAtMs - nowMs) | 0;
  return aheadMs > 0 && aheadMs <= pace.windowMs + SLACK_MS ? aheadMs : 0;
}

/**
 * Takes one token from the bucket at `index`. Returns false and takes nothing if no token is left. Any thread
 * may call this.
 */
export function takeToken(words: Int32Array, index: number, pace: Pace, nowMs: number): boolean {
  for (;;) {
    const before = Atomics.load(words, index);
    const aheadMs = untilFullMs(before, pace, nowMs) + pace.intervalMs;
    if (aheadMs > pace.windowMs) return false;
    if (Atomics.compareExchange(words, index, before, (nowMs + aheadMs) | 0) === before) return true;
  }
}

/** Gives back a token that was taken. */
export function returnToken(words: Int32Array, index: number, pace: Pace): void {
  Atomics.sub(words, index, pace.intervalMs);
}

/** UTC day number of a wall-clock moment, modulo 2^15. */
export function dayOf(wallMs: number): number {
  return Math.floor(wallMs / DAY_MS) % DAYS;
}

/** First moment of the next UTC day. */
export function nextDayMs(wallMs: number): number {
  return (Math.floor(wallMs / DAY_MS) + 1) * DAY_MS;
}

/** The word for `count` requests on `day`. */
export function packDaily(day: number, count: number): number {
  return (day << 16) | count;
}

/** The day of a daily word. */
export function dayOfDaily(word: number): number {
  return word >>> 16;
}

/**
 * How many requests a daily word holds for `day` or the day after (see countsFor); 0 if it holds another day.
 */
export function countOn(word: number, day: number): number {
  return countsFor(word, day) ? word & COUNT_MASK : 0;
}

/**
 * Counts one request on `day`. Returns false and counts nothing if `max` requests are counted already. Any
 * thread may call this.
 */
export function takeDaily(words: Int32Array, index: number, limit: { day: number; max: number }): boolean {
  for (;;) {
    const before = Atomics.load(words, index);
    const sameDay = countsFor(before, limit.day);
    const count = sameDay ? before & COUNT_MASK : 0;
    if (count >= limit.max) return false;
    const after = packDaily(sameDay ? dayOfDaily(before) : limit.day, count + 1);
    if (Atomics.compareExchange(words, index, before, after) === before) return true;
  }
}

/** Takes back one counted request, on whichever day the word holds now. */
export function returnDaily(words: Int32Array, index: number): void {
  for (;;) {
    const before = Atomics.load(words, index);
    if ((before & COUNT_MASK) === 0) return;
    if (Atomics.compareExchange(words, index, before, before - 1) === before) return;
  }
}

/**
 * Whether the word's day is `day` or the day after. A thread that read its clock just before midnight
 * continues the new day's count and does not reset it.
 */
function countsFor(word: number, day: number): boolean {
  const stored = dayOfDaily(word);
  return stored === day || stored === (day + 1) % DAYS;
}
