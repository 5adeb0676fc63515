// The day of the price history that `writeOldTape` writes, which the attackers' thread needs too.

import { HOUR_MS } from '../../src/clock.ts';
import { dayOf, dayStartMs } from '../../src/history/tick.ts';

export const OLD_DAY = dayOf(Date.now() - 12 * HOUR_MS);

/** The part of the history that callers without a key see. */
export const OLD_TAPE = {
  fromMs: Math.max(dayStartMs(OLD_DAY) + 60_000, Date.now() - 23 * HOUR_MS),
  toMs: Math.min(dayStartMs(OLD_DAY) + 24 * HOUR_MS, Date.now()) - 60_000,
};
