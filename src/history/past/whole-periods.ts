// Times of the tape for callers who may not see the sharp bookmaker. The exact times are often those of that
// bookmaker's changes, so these callers see only whole periods. The log gets a chunk in every period, whether
// or not a line changed.

import { firstIndex } from '../../query/first-index.ts';
import { SETTLED_STEP_MS } from '../tape-source.ts';
import { GAP_REASONS, type Gap } from '../tick.ts';

/** The beginning of the log's period in which an instant lies, Unix ms. */
export function periodBegin(atMs: number): number {
  return Math.floor(atMs / SETTLED_STEP_MS) * SETTLED_STEP_MS;
}

/**
 * The gaps widened to whole periods. A gap after a kill, an overrun or a clock that was set back begins and
 * ends with a chunk of the log or a change.
 */
export function gapsInWholePeriods(gaps: readonly Gap[]): Gap[] {
  return gaps.map(({ fromMs, toMs, reason }) => ({
    ...{ fromMs: periodBegin(fromMs), toMs: toMs === null ? null : periodEnd(toMs), reason },
  }));
}

/**
 * The gaps in order, cut so that none overlap. A time that two gaps share belongs to the one that began
 * first.
 */
export function gapsApart(gaps: readonly Gap[]): Gap[] {
  const endOf = ({ toMs }: Gap): number => toMs ?? Number.POSITIVE_INFINITY;
  const sorted = gaps.toSorted(
    (left, right) =>
      left.fromMs - right.fromMs ||
      endOf(right) - endOf(left) ||
      GAP_REASONS.indexOf(left.reason) - GAP_REASONS.indexOf(right.reason),
  );
  const apart: Gap[] = [];
  for (const gap of sorted) {
    const last = apart.at(-1);
    const fromMs = last === undefined ? gap.fromMs : Math.max(gap.fromMs, endOf(last));
    if (fromMs < endOf(gap)) apart.push({ ...gap, fromMs });
  }
  return apart;
}

/**
 * The times that were recorded twice because the clock was set back, for callers who do not see the sharp
 * bookmaker. Which part answers for a repeated time depends on when the parts were begun. A change of the
 * sharp bookmaker may begin one, so these callers get the state from just before that time.
 */
export class RepeatedTimes {
  /** In order; none touches another. */
  readonly #times: { readonly fromMs: number; readonly toMs: number }[] = [];

  constructor(gaps: readonly Gap[]) {
    const repeated = gapsInWholePeriods(gaps.filter(({ reason }) => reason === 'overrun'));
    for (const { fromMs, toMs } of repeated.sort((left, right) => left.fromMs - right.fromMs)) {
      const last = this.#times.at(-1);
      const endMs = toMs ?? Number.POSITIVE_INFINITY;
      if (last === undefined || last.toMs < fromMs) this.#times.push({ fromMs, toMs: endMs });
      else this.#times[this.#times.length - 1] = { ...last, toMs: Math.max(last.toMs, endMs) };
    }
  }

  /** The instant whose state is the answer for an instant. */
  before(atMs: number): number {
    const times = this.#times;
    const time = times[firstIndex(times.length, (at) => times[at]!.fromMs > atMs) - 1];
    return time === undefined || atMs >= time.toMs ? atMs : time.fromMs - 1;
  }
}

/** The end of the log's period in which an instant lies, Unix ms. */
function periodEnd(atMs: number): number {
  return Math.ceil(atMs / SETTLED_STEP_MS) * SETTLED_STEP_MS;
}
