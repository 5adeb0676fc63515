// Where the chart marks a bookmaker's close, by the rule of /closing.

import { MINUTE_MS } from '../../../../clock.ts';

/** A point of a line; its price is null while the line is suspended or withdrawn. */
export interface ClosePoint {
  readonly atMs: number;
  readonly price: number | null;
}

/** How long before the kickoff a line may have been suspended or withdrawn and still have a close. */
const CLOSE_SETTLING_MS = 10 * MINUTE_MS;

/** When the closing price was published; null if the points have none. */
export function closeMsOf(points: readonly ClosePoint[], kickoffMs: number | null): number | null {
  if (kickoffMs === null) return null;
  const before = points.filter(({ atMs }) => atMs < kickoffMs);
  const last = before.findLastIndex(({ price }) => price !== null);
  const gone = before[last + 1];
  if (gone !== undefined && kickoffMs - gone.atMs > CLOSE_SETTLING_MS) return null;
  return before[last]?.atMs ?? null;
}
