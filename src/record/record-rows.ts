// The record in numbers: signals in groups, with their closing line value, and the yield of one unit on each.

import type { RecordRow } from '../contract/record/signal-record.ts';
import type { RecordGroup } from '../domain/signal-gate.ts';
import { meanOf, medianOf } from '../query/averages.ts';
import type { GradedSignal } from './recorded-signal.ts';
import { type MatchValue, matchesInOrder, middleOf, RESAMPLES, resampled } from './resampling.ts';

const EDGE_STEPS = [0, 1, 2, 3, 5, 10] as const;

/** @param signals of one kind @param groupBy null puts all of them into one row */
export function recordRows(signals: readonly GradedSignal[], groupBy: RecordGroup | null): RecordRow[] {
  const work = recordRowsInSteps(signals, groupBy);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** `recordRows` in steps, so that a caller can do other work between two of them. */
export function* recordRowsInSteps(
  signals: readonly GradedSignal[],
  groupBy: RecordGroup | null,
): Generator<void, RecordRow[]> {
  const groups = Map.groupBy(signals, (signal) => keyOf(signal, groupBy));
  const rows: RecordRow[] = [];
  for (const [key, group] of [...groups].sort(([one], [other]) => (one < other ? -1 : 1))) {
    rows.push(yield* rowOf(key, group));
  }
  return rows;
}

function keyOf(signal: GradedSignal, groupBy: RecordGroup | null): string {
  if (groupBy === null) return 'all';
  if (groupBy === 'day') return signal.opened_at.slice(0, 10);
  if (groupBy !== 'edge') return String(signal[groupBy]);
  const step = EDGE_STEPS.findLast((least) => signal.edge_pct >= least) ?? 0;
  const next = EDGE_STEPS[EDGE_STEPS.indexOf(step) + 1];
  // Two digits, so that texts sort as numbers do.
  const text = (edge: number) => String(edge).padStart(2, '0');
  return next === undefined ? `${text(step)}+` : `${text(step)}-${text(next)}`;
}

function* rowOf(key: string, signals: readonly GradedSignal[]): Generator<void, RecordRow> {
  const clvs = signals.flatMap(({ clv_pct }) => (clv_pct === null ? [] : [clv_pct]));
  const returns = signals.flatMap(({ event_id, unit_return }) =>
    unit_return === null ? [] : [{ match: event_id, value: unit_return }],
  );
  const interval = yield* bootstrap(returns);
  const livesMs = signals.flatMap(({ opened_at, closed_at }) =>
    closed_at === null ? [] : [Date.parse(closed_at) - Date.parse(opened_at)],
  );
  const lifeMs = medianOf(livesMs);
  return {
    key,
    signals: signals.length,
    mean_edge_pct: rounded(meanOf(signals.map(({ edge_pct }) => edge_pct))!),
    closed_with_clv: clvs.length,
    mean_clv_pct: roundedOrNull(meanOf(clvs)),
    beat_close_pct: roundedOrNull(meanOf(clvs.map((clv) => (clv > 0 ? 100 : 0)))),
    settled: returns.length,
    yield_pct: roundedOrNull(meanOf(returns.map(({ value }) => value * 100))),
    yield_low_pct: interval === null ? null : rounded(interval[0] * 100),
    yield_high_pct: interval === null ? null : rounded(interval[1] * 100),
    median_life_s: lifeMs === null ? null : lifeMs / 1_000,
  };
}

/** The middle 95 % of the yields of resampled matches. @returns null with fewer than two matches */
function* bootstrap(returns: readonly MatchValue[]): Generator<void, readonly [number, number] | null> {
  const byMatch = Map.groupBy(returns, ({ match }) => match);
  if (byMatch.size < 2) return null;
  const matches = matchesInOrder(returns).map((match) => {
    const own = byMatch.get(match)!;
    return { sum: own.reduce((sum, { value }) => sum + value, 0), count: own.length };
  });
  const yields = new Float64Array(RESAMPLES);
  const work = { matchCount: matches.length, useSteps: matches.length };
  yield* resampled(work, (weights, resample) => {
    let sum = 0;
    let count = 0;
    for (let index = 0; index < matches.length; index++) {
      sum += weights[index]! * matches[index]!.sum;
      count += weights[index]! * matches[index]!.count;
    }
    yields[resample] = sum / count;
  });
  return middleOf(yields);
}

export function rounded(value: number): number {
  return Number(value.toFixed(2)) + 0;
}

function roundedOrNull(value: number | null): number | null {
  return value === null ? null : rounded(value);
}
