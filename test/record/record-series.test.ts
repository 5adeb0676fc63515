// The record as charts: growth with its band, and closing line values in bins. Each is computed here a second
// time, in the plainest way.

import { describe, expect, test } from 'bun:test';
import { Random } from '../../src/domain/random.ts';
import { recordAnswers } from '../../src/record/record-answers.ts';
import { recordRows } from '../../src/record/record-rows.ts';
import { SeriesTally } from '../../src/record/record-series.ts';
import type { GradedSignal } from '../../src/record/recorded-signal.ts';
import { StepMeter } from '../../src/record/resampling.ts';
import { untimedTurns } from '../history/tape-folder.ts';

const BEGIN_MS = Date.UTC(2026, 0, 1);

function seriesOf(signals: readonly GradedSignal[]) {
  const tally = new SeriesTally();
  for (const signal of signals) tally.add(signal);
  const work = tally.series(new StepMeter());
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

function signalOf(index: number, over: Partial<GradedSignal>): GradedSignal {
  const opened_at = new Date(BEGIN_MS + index * 60_000).toISOString();
  return {
    ...{ id: `s${index}@${opened_at}`, kind: 'value', event_id: `evt_${index}`, league: 'L', sport: 0 },
    ...{ market_type: 'totals', period: 'full_time', line: 2.5, outcome: 'over', bookmaker: 'crown' },
    ...{ price: 2, fair_price: 1.9, reference: 'sharp', edge_pct: 5, ev_pct: 5, in_play: false },
    ...{ from_score: { home: 0, away: 0 }, opened_at, closed_at: null },
    ...{ clv_pct: null, result: null, unit_return: null },
    ...over,
  } as GradedSignal;
}

/** Several signals of each match, some graded, some settled. */
function randomSignals(count: number, seed: number): GradedSignal[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, index) =>
    signalOf(index, {
      event_id: `evt_${random.index(Math.max(2, count >> 2))}`,
      clv_pct: random.unit() < 0.8 ? random.between(-30, 30) : null,
      unit_return: random.unit() < 0.7 ? (random.unit() < 0.5 ? -1 : 0.95) : null,
    }),
  );
}

/**
 * The growth and its band at every settled signal; each resampled record is drawn and summed match by match.
 */
function plainGrowth(signals: readonly GradedSignal[]) {
  const settled = signals.filter(({ unit_return }) => unit_return !== null);
  const matches = [...new Set(settled.map(({ event_id }) => event_id))].sort();
  const random = new Random(20_260_101);
  const growths: number[][] = settled.map(() => []);
  for (let resample = 0; resample < 2_000; resample++) {
    const drawn = matches.map(() => matches[Math.floor(random.unit() * matches.length)]!);
    let units = 0;
    for (const [index, { event_id, unit_return }] of settled.entries()) {
      units += drawn.filter((match) => match === event_id).length * unit_return!;
      growths[index]!.push(units);
    }
  }
  return settled.map(({ opened_at }, index) => {
    const sorted = growths[index]!.toSorted((one, other) => one - other);
    const units = settled.slice(0, index + 1).reduce((sum, { unit_return }) => sum + unit_return!, 0);
    return { at: opened_at, settled: index + 1, units, units_low: sorted[50]!, units_high: sorted[1_949]! };
  });
}

describe('growth', () => {
  test('growth has a point for each settled signal, with a band from resampling whole matches', () => {
    const signals = randomSignals(40, 1);
    const { growth } = seriesOf(signals);
    const plain = plainGrowth(signals);
    expect(growth.map(({ at, settled }) => ({ at, settled }))).toEqual(
      plain.map(({ at, settled }) => ({ at, settled })),
    );
    for (const [index, point] of growth.entries()) {
      expect(point.units).toBeCloseTo(plain[index]!.units, 2);
      expect(point.units_low).toBeCloseTo(plain[index]!.units_low, 2);
      expect(point.units_high).toBeCloseTo(plain[index]!.units_high, 2);
    }
  });

  test('growth of a long record has 200 points, and ends where the yield does', () => {
    const signals = randomSignals(3_000, 2);
    const { growth } = seriesOf(signals);
    const [row] = recordRows(signals, null);
    expect(growth.length).toBe(200);
    const last = growth.at(-1)!;
    expect(last.settled).toBe(row!.settled);
    expect((last.units / last.settled) * 100).toBeCloseTo(row!.yield_pct!, 1);
    expect(growth.every(({ settled }, index) => settled > (growth[index - 1]?.settled ?? 0))).toBe(true);
    expect(last.units_low!).toBeLessThan(last.units);
    expect(last.units_high!).toBeGreaterThan(last.units);
  });

  test('growth is empty without settled signals, and has no band if they are all of one match', () => {
    expect(seriesOf([signalOf(0, {})]).growth).toEqual([]);
    const one = { event_id: 'evt_1', unit_return: 1 };
    expect(seriesOf([signalOf(0, one), signalOf(1, one)]).growth.at(-1)).toEqual({
      ...{ at: '2026-01-01T00:01:00.000Z', settled: 2, units: 2, units_low: null, units_high: null },
    });
  });
});

test('growth is refused for answers that are not about exactly one reference', async () => {
  const turns = untimedTurns();
  const calls = recordAnswers({ store: { page: async () => [] }, turns });
  const principal = { tier: 'enterprise', seesSharp: true, keyId: null } as const;
  const asked = (words: object) => ({
    ...{ principal, nowMs: 0, words: { kind: 'value', min_edge_pct: 0, series: true, ...words } as const },
  });
  for (const words of [{ kind: 'arbitrage' }, { group_by: 'reference' }]) {
    await expect(calls.record(asked(words))).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(calls.requireRecord(asked(words))).rejects.toMatchObject({ code: 'invalid_request' });
  }
  const { bytes } = await calls.record(asked({ group_by: 'bookmaker' }));
  const empty = { growth: [], clv: { signals: 0, mean_pct: null, standard_error_pct: null, bins: [] } };
  expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({ data: [], series: empty });
});

describe('closing line values', () => {
  test('closing line values are counted in contiguous bins of one per cent; values beyond 20 % are counted in the bins at the ends', () => {
    const clvs = [-50, -20.01, -20, -19.5, 19.99, 20, 90];
    const { clv } = seriesOf(clvs.map((clv_pct, index) => signalOf(index, { clv_pct })));
    expect(clv.bins.length).toBe(42);
    expect(clv.bins.filter(({ signals }) => signals > 0)).toEqual([
      { from_pct: null, to_pct: -20, signals: 2 },
      { from_pct: -20, to_pct: -19, signals: 2 },
      { from_pct: 19, to_pct: 20, signals: 1 },
      { from_pct: 20, to_pct: null, signals: 2 },
    ]);
    const near = seriesOf([-0.5, 0, 2.5].map((clv_pct, index) => signalOf(index, { clv_pct })));
    expect(near.clv.bins.map(({ from_pct, signals }) => [from_pct, signals])).toEqual([
      [-1, 1],
      [0, 1],
      [1, 0],
      [2, 1],
    ]);
  });

  test('the mean closing line value is that of the row, and its standard error treats each match as one sample', () => {
    const signals = randomSignals(500, 3);
    const { clv } = seriesOf(signals);
    const [row] = recordRows(signals, null);
    expect([clv.signals, clv.mean_pct]).toEqual([row!.closed_with_clv, row!.mean_clv_pct]);
    expect(clv.bins.reduce((sum, bin) => sum + bin.signals, 0)).toBe(clv.signals);
    // With one signal per match, the result is the standard error of the mean. Counting each signal twice
    // does not change it.
    const single = [1, 4, -2, 7].map((clv_pct, index) => signalOf(index, { clv_pct }));
    const deviations = [1, 4, -2, 7].map((value) => (value - 2.5) ** 2);
    const expected = Math.sqrt(deviations.reduce((sum, value) => sum + value, 0) / 3 / 4);
    expect(seriesOf(single).clv.standard_error_pct).toBeCloseTo(expected, 2);
    expect(seriesOf([...single, ...single]).clv.standard_error_pct).toBeCloseTo(expected, 2);
    expect(seriesOf(single.slice(0, 1)).clv.standard_error_pct).toBeNull();
    expect(seriesOf([]).clv).toEqual({ signals: 0, mean_pct: null, standard_error_pct: null, bins: [] });
  });
});
