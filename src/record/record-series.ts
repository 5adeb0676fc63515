// The record as two charts: how the profit of a stake of one unit on each signal has grown, and how closing
// line values are distributed. Both have a bounded number of points however long the record is.

import { toIsoText } from '../clock.ts';
import type { ClvBin, GrowthPoint, RecordSeries } from '../contract/record/signal-record.ts';
import { CLV_BIN_FROM_PCT, CLV_BIN_TO_PCT, GROWTH_POINTS_MAX } from '../domain/signal-gate.ts';
import { rounded } from './record-rows.ts';
import type { GradedSignal } from './recorded-signal.ts';
import {
  type MatchValue,
  matchesInOrder,
  middleOf,
  RESAMPLES,
  resampled,
  type StepMeter,
} from './resampling.ts';

interface Settled extends MatchValue {
  readonly openedAtMs: number;
}

/** The points of both charts. Add signals of one reference only, in the order in which they opened. */
export class SeriesTally {
  readonly #settled: Settled[] = [];
  readonly #clvs: MatchValue[] = [];

  add({ event_id: match, opened_at, clv_pct, unit_return }: GradedSignal): void {
    if (clv_pct !== null) this.#clvs.push({ match, value: clv_pct });
    if (unit_return !== null) {
      this.#settled.push({ match, openedAtMs: Date.parse(opened_at), value: unit_return });
    }
  }

  /** The points, made in steps, so that the caller can do other work between two steps. */
  *series(meter: StepMeter): Generator<void, RecordSeries> {
    return { growth: yield* growthOf(this.#settled, meter), clv: clvOf(this.#clvs) };
  }
}

function* growthOf(settled: readonly Settled[], meter: StepMeter): Generator<void, GrowthPoint[]> {
  const pointCount = Math.min(settled.length, GROWTH_POINTS_MAX);
  const ends = Array.from({ length: pointCount }, (_, point) =>
    Math.floor(((point + 1) * settled.length) / pointCount),
  );
  const bands = yield* bandsOf(settled, ends, meter);
  let units = 0;
  return ends.map((end, point) => {
    for (let index = point === 0 ? 0 : ends[point - 1]!; index < end; index++) units += settled[index]!.value;
    const [low, high] = bands?.[point] ?? [null, null];
    return {
      at: toIsoText(settled[end - 1]!.openedAtMs),
      settled: end,
      units: rounded(units),
      units_low: low === null ? null : rounded(low),
      units_high: high === null ? null : rounded(high),
    };
  });
}

/** The part of a point's returns that one match contributes. */
interface Portion {
  readonly match: number;
  sum: number;
}

/**
 * For each point, the middle 95 % of the resampled growth up to it.
 * @param ends for each point, the number of settled signals up to and including it
 * @returns null for a single match
 */
function* bandsOf(
  settled: readonly Settled[],
  ends: readonly number[],
  meter: StepMeter,
): Generator<void, (readonly [number, number])[] | null> {
  const matches = matchesInOrder(settled);
  if (matches.length < 2) return null;
  const indexOf = new Map(matches.map((match, index) => [match, index]));
  let from = 0;
  const points = ends.map((end) => {
    const portions = new Map<number, Portion>();
    for (; from < end; from++) {
      const { match: id, value } = settled[from]!;
      const match = indexOf.get(id)!;
      portions.getOrInsertComputed(match, () => ({ match, sum: 0 })).sum += value;
    }
    return [...portions.values()];
  });
  const growths = points.map(() => new Float64Array(RESAMPLES));
  const useSteps = points.reduce((sum, portions) => sum + portions.length, 0);
  yield* resampled({ matchCount: matches.length, useSteps, meter }, (weights, resample) => {
    let units = 0;
    for (const [point, portions] of points.entries()) {
      for (const { match, sum } of portions) units += weights[match]! * sum;
      growths[point]![resample] = units;
    }
  });
  const bands: (readonly [number, number])[] = [];
  for (const growth of growths) {
    bands.push(middleOf(growth));
    yield;
  }
  return bands;
}

function clvOf(values: readonly MatchValue[]): RecordSeries['clv'] {
  if (values.length === 0) return { signals: 0, mean_pct: null, standard_error_pct: null, bins: [] };
  const mean = values.reduce((sum, { value }) => sum + value, 0) / values.length;
  const error = standardErrorOf(values, mean);
  return {
    signals: values.length,
    mean_pct: rounded(mean),
    standard_error_pct: error === null ? null : rounded(error),
    bins: binsOf(values),
  };
}

/**
 * The standard error when values depend on each other within a match (Liang and Zeger 1986): deviations are
 * summed by match before they are squared. @returns null for a single match
 */
function standardErrorOf(values: readonly MatchValue[], mean: number): number | null {
  const byMatch = new Map<string, number>();
  for (const { match, value } of values) byMatch.set(match, (byMatch.get(match) ?? 0) + value - mean);
  const matches = byMatch.size;
  if (matches < 2) return null;
  const squares = matchesInOrder(values).reduce((sum, match) => sum + byMatch.get(match)! ** 2, 0);
  return Math.sqrt((squares * matches) / (matches - 1)) / values.length;
}

/**
 * The bins from the lowest one with a value to the highest. Values outside the range of all bins are in the
 * two at its ends.
 */
function binsOf(values: readonly MatchValue[]): ClvBin[] {
  const counts = new Map<number, number>();
  for (const { value } of values) {
    const bin = Math.min(Math.max(Math.floor(value), CLV_BIN_FROM_PCT - 1), CLV_BIN_TO_PCT);
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  const lowest = Math.min(...counts.keys());
  const highest = Math.max(...counts.keys());
  return Array.from({ length: highest - lowest + 1 }, (_, index) => {
    const from = lowest + index;
    return {
      from_pct: from < CLV_BIN_FROM_PCT ? null : from,
      to_pct: from >= CLV_BIN_TO_PCT ? null : from + 1,
      signals: counts.get(from) ?? 0,
    };
  });
}
