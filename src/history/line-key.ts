// The key of one bookmaker's line within its fixture, as text, for maps.

import type { TickLine } from './tick.ts';

/** Equal for the same line of the same bookmaker. */
export function lineKeyOf({ bookmaker, marketType, period, line }: TickLine): string {
  return `${bookmaker}|${marketType}|${period}|${line ?? ''}`;
}
