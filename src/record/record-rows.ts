// The record in numbers: signals in groups, with their closing line value, and the yield of one unit on each.

import { Random } from '../domain/random.ts';
import type { GradedSignal } from './recorded-signal.ts';

export const RECORD_GROUPS = ['bookmaker', 'league', 'market_type', 'edge', 'reference', 'day'] as const;
export type RecordGroup = (typeof RECORD_GROUPS)[number];

/** Null where nothing of the group is known yet. */
export interface RecordRow {
  readonly key: string;
  readonly signals: number;
  readonly mean_edge_pct: number;
  readonly closed_with_clv: number;
  readonly mean_clv_pct: number | null;
  readonly beat_close_pct: number | null;
  readonly settled: number;
  readonly yield_pct: number | null;
  /** 95 % of the bootstrap lie between these two. */
  readonly yield_low_pct: number | null;
  readonly yield_high_pct: number | null;
  readonly median_life_s: number | null;
}

const EDGE_STEPS = [0, 1, 2, 3, 5, 10] as const;
const RESAMPLES = 2_000;
const SEED = 20_260_101;

/** @param signals value signals @param groupBy null puts all of them into one row */
export function recordRows(signals: readonly GradedSignal[], groupBy: RecordGroup | null): RecordRow[] {
  const groups = Map.groupBy(signals, (signal) => keyOf(signal, groupBy));
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, group]) => rowOf(key, group));
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

function rowOf(key: string, signals: readonly GradedSignal[]): RecordRow {
  const clvs = signals.flatMap(({ clv_pct }) => (clv_pct === null ? [] : [clv_pct]));
  const returns = signals.flatMap(({ event_id, unit_return }) =>
    unit_return === null ? [] : [{ match: event_id, value: unit_return }],
  );
  const interval = bootstrap(returns);
  const lives = signals.flatMap(({ opened_at, closed_at }) =>
    closed_at === null ? [] : [(Date.parse(closed_at) - Date.parse(opened_at)) / 1_000],
  );
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
    median_life_s: medianOf(lives),
  };
}

/**
 * The middle 95 % of the yield when whole matches are drawn again with replacement (Efron, B. and Tibshirani,
 * R. J., 1993, "An Introduction to the Bootstrap", chapter 13): bets on one match are not independent, so a
 * resample of single bets would be too sure. Matches are in the order of their ids, so the same returns give
 * the same interval in whatever order they come.
 * @returns null with fewer than two matches
 */
function bootstrap(
  returns: readonly { readonly match: string; readonly value: number }[],
): readonly [number, number] | null {
  const byMatch = [...Map.groupBy(returns, ({ match }) => match)];
  const matches = byMatch
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, own]) => ({
      sum: own.reduce((sum, { value }) => sum + value, 0),
      count: own.length,
    }));
  if (matches.length < 2) return null;
  const random = new Random(SEED);
  const yields = Float64Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    let count = 0;
    for (let draw = 0; draw < matches.length; draw++) {
      const match = matches[Math.floor(random.unit() * matches.length)]!;
      sum += match.sum;
      count += match.count;
    }
    return sum / count;
  }).sort();
  return [yields[Math.floor(RESAMPLES * 0.025)]!, yields[Math.ceil(RESAMPLES * 0.975) - 1]!];
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function rounded(value: number): number {
  return Number(value.toFixed(2)) + 0;
}

function roundedOrNull(value: number | null): number | null {
  return value === null ? null : rounded(value);
}
