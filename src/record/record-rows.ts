// The record in numbers: signals in groups, with their closing line value, and the yield of one unit on each.

import type { RecordRow } from '../contract/record/signal-record.ts';
import type { RecordGroup } from '../domain/signal-gate.ts';
import { medianOf } from '../query/averages.ts';
import type { GradedSignal } from './recorded-signal.ts';
import { middleOf, RESAMPLES, resampled, StepMeter } from './resampling.ts';

const EDGE_STEPS = [0, 1, 2, 3, 5, 10] as const;

/** @param signals of one kind @param groupBy null puts all of them into one row */
export function recordRows(signals: readonly GradedSignal[], groupBy: RecordGroup | null): RecordRow[] {
  const tally = new RowTally(groupBy);
  for (const signal of signals) tally.add(signal);
  const work = tally.rows(new StepMeter());
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** The numbers of a group. They are added up signal by signal, so that no signal is kept. */
interface GroupSums {
  signals: number;
  edgePct: number;
  closed: number;
  clvPct: number;
  beatClosePct: number;
  settled: number;
  yieldPct: number;
  readonly matches: Map<string, MatchReturns>;
  readonly livesMs: number[];
}

/** The returns of the signals of one match. */
interface MatchReturns {
  sum: number;
  count: number;
}

/** Signals of one kind, added up in groups. */
export class RowTally {
  readonly #groupBy: RecordGroup | null;
  readonly #groups = new Map<string, GroupSums>();

  /** @param groupBy null puts all signals into one row */
  constructor(groupBy: RecordGroup | null) {
    this.#groupBy = groupBy;
  }

  add(signal: GradedSignal): void {
    const key = keyOf(signal, this.#groupBy);
    addTo(this.#groups.getOrInsertComputed(key, emptyGroup), signal);
  }

  /** The rows, made in steps, so that the caller can do other work between two steps. */
  *rows(meter: StepMeter): Generator<void, RecordRow[]> {
    const rows: RecordRow[] = [];
    for (const [key, group] of [...this.#groups].sort(([one], [other]) => (one < other ? -1 : 1))) {
      rows.push(yield* rowOf(key, group, meter));
      if (meter.isStepOver(group.signals)) yield;
    }
    return rows;
  }
}

function emptyGroup(): GroupSums {
  return {
    ...{ signals: 0, edgePct: 0, closed: 0, clvPct: 0, beatClosePct: 0, settled: 0, yieldPct: 0 },
    ...{ matches: new Map(), livesMs: [] },
  };
}

function addTo(group: GroupSums, signal: GradedSignal): void {
  const { event_id: match, opened_at, closed_at, edge_pct, clv_pct, unit_return } = signal;
  group.signals++;
  group.edgePct += edge_pct;
  if (clv_pct !== null) {
    group.closed++;
    group.clvPct += clv_pct;
    if (clv_pct > 0) group.beatClosePct += 100;
  }
  if (unit_return !== null) {
    group.settled++;
    group.yieldPct += unit_return * 100;
    const returns = group.matches.getOrInsertComputed(match, () => ({ sum: 0, count: 0 }));
    returns.sum += unit_return;
    returns.count++;
  }
  if (closed_at !== null) group.livesMs.push(Date.parse(closed_at) - Date.parse(opened_at));
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

function* rowOf(key: string, group: GroupSums, meter: StepMeter): Generator<void, RecordRow> {
  const { signals, closed, settled } = group;
  const interval = yield* bootstrap(group.matches, meter);
  const lifeMs = medianOf(group.livesMs);
  return {
    key,
    signals,
    mean_edge_pct: rounded(group.edgePct / signals),
    closed_with_clv: closed,
    mean_clv_pct: roundedMean(group.clvPct, closed),
    beat_close_pct: roundedMean(group.beatClosePct, closed),
    settled,
    yield_pct: roundedMean(group.yieldPct, settled),
    yield_low_pct: interval === null ? null : rounded(interval[0] * 100),
    yield_high_pct: interval === null ? null : rounded(interval[1] * 100),
    median_life_s: lifeMs === null ? null : lifeMs / 1_000,
  };
}

/** The middle 95 % of the yields of resampled matches. @returns null with fewer than two matches */
function* bootstrap(
  byMatch: ReadonlyMap<string, MatchReturns>,
  meter: StepMeter,
): Generator<void, readonly [number, number] | null> {
  if (byMatch.size < 2) return null;
  const matches = [...byMatch.keys()].sort().map((match) => byMatch.get(match)!);
  const yields = new Float64Array(RESAMPLES);
  const work = { matchCount: matches.length, useSteps: matches.length, meter };
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

/** Null without values. */
function roundedMean(sum: number, count: number): number | null {
  return count === 0 ? null : rounded(sum / count);
}
