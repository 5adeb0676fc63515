// Times of the tape for callers who may not see the sharp bookmaker. The exact ones are often times of its
// changes, so these callers see only the periods in which the log gets a chunk in any case.

import { SETTLED_STEP_MS } from '../tape-source.ts';
import type { Gap } from '../tick.ts';

/** When the period of the log begins in which an instant lies, Unix ms. */
export function periodBegin(atMs: number): number {
  return Math.floor(atMs / SETTLED_STEP_MS) * SETTLED_STEP_MS;
}

/**
 * The gaps with limits between two periods. After a kill, an overrun or a clock that was set back, a gap
 * begins and ends with a chunk of the log or a change. A lost feed is reported by its sources, so its times
 * stay.
 */
export function gapsInWholePeriods(gaps: readonly Gap[]): Gap[] {
  const whole: Gap[] = [];
  for (const gap of gaps) {
    if (gap.reason === 'feed_lost') {
      whole.push(gap);
      continue;
    }
    const toMs = gap.toMs === null ? null : periodEnd(gap.toMs);
    const beforeMs = whole.at(-1)?.toMs ?? Number.NEGATIVE_INFINITY;
    // A period in which one gap ends and another begins belongs to the first one.
    const isShared = beforeMs > periodBegin(gap.fromMs) && beforeMs <= periodEnd(gap.fromMs);
    const fromMs = isShared ? beforeMs : periodBegin(gap.fromMs);
    if (toMs === null || fromMs < toMs) whole.push({ ...gap, fromMs, toMs });
  }
  return whole;
}

/** When the period of the log ends in which an instant lies, Unix ms. */
function periodEnd(atMs: number): number {
  return Math.ceil(atMs / SETTLED_STEP_MS) * SETTLED_STEP_MS;
}
