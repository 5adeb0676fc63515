// The closing price of a line, found on the tape: the last open price published strictly before the
// kickoff, unless its bookmaker had withdrawn or suspended it for longer than ten minutes by then.

import { compareTickLines, lineKeyOf, type Tick } from './tick.ts';

/** How long a line may have been gone at the kickoff and still have a closing price. */
export const CLOSE_GONE_MAX_MS = 10 * 60_000;

/** The kickoff of a fixture by its ticks: when it was first in play, else the last one stated. */
export function kickoffOf(ticks: readonly Tick[]): number | null {
  let firstInPlayMs: number | null = null;
  let lastStatedMs: number | null = null;
  for (const { inPlay, receivedAtMs, kickoffMs } of ticks) {
    if (inPlay && firstInPlayMs === null) firstInPlayMs = receivedAtMs;
    if (kickoffMs !== null) lastStatedMs = kickoffMs;
  }
  // What was in play before its stated kickoff began early; later ticks may be the first ones seen in play.
  if (firstInPlayMs === null) return lastStatedMs;
  return lastStatedMs === null ? firstInPlayMs : Math.min(firstInPlayMs, lastStatedMs);
}

/**
 * The tick of each line's closing price, in the order of odds.
 * @param ticks of one fixture, in the order of publishing
 */
export function closingTicks(ticks: readonly Tick[], kickoffMs: number): Tick[] {
  const open = new Map<string, Tick>();
  /** By line: since when its last price before the kickoff has not been open. */
  const goneSinceMs = new Map<string, number>();
  for (const tick of ticks) {
    if (tick.receivedAtMs >= kickoffMs) continue;
    const line = lineKeyOf(tick);
    if (tick.status === 'open') {
      open.set(line, tick);
      goneSinceMs.delete(line);
    } else if (!goneSinceMs.has(line)) {
      goneSinceMs.set(line, tick.receivedAtMs);
    }
  }
  return [...open]
    .filter(([line]) => kickoffMs - (goneSinceMs.get(line) ?? kickoffMs) <= CLOSE_GONE_MAX_MS)
    .map(([, tick]) => tick)
    .sort(compareTickLines);
}
