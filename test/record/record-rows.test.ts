// Rows of the record, computed from made-up signals.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { RowTally, recordRows } from '../../src/record/record-rows.ts';
import type { GradedSignal } from '../../src/record/recorded-signal.ts';
import { StepMeter } from '../../src/record/resampling.ts';

test('the median duration is exact: half the sum of the two middle durations, in seconds, without a rounding error', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 86_400_000 }), { minLength: 1 }), (livesMs) => {
      const [row] = recordRows(
        livesMs.map((lifeMs) => openFor(lifeMs)),
        null,
      );
      const sorted = livesMs.toSorted((one, other) => one - other);
      const twiceMs = sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!;
      expect(row!.median_life_s).toBe(Number(`${BigInt(twiceMs) * 5n}e-4`));
    }),
  );
});

function openFor(lifeMs: number, day = 0): GradedSignal {
  const openedMs = Date.UTC(2026, 2, 1 + day);
  return {
    ...({ edge_pct: 2, clv_pct: null, unit_return: null, event_id: 'evt_1' } as GradedSignal),
    opened_at: new Date(openedMs).toISOString(),
    closed_at: new Date(openedMs + lifeMs).toISOString(),
  };
}

test('many small rows are made in steps, with pauses between them', () => {
  const tally = new RowTally('day');
  const [days, matches] = [50, 10];
  for (let day = 0; day < days; day++) {
    for (let match = 0; match < matches; match++) {
      const signal = openFor(1_000, day);
      tally.add({ ...signal, event_id: `evt_${match}`, unit_return: match % 2 === 0 ? 1 : -1 });
    }
  }
  const work = tally.rows(new StepMeter());
  let pauses = 0;
  let step = work.next();
  for (; step.done !== true; step = work.next()) pauses++;
  expect(step.value.length).toBe(days);
  // A step is 100,000 units of work. Each of the 2,000 resamples of a row draws its matches and adds them up.
  const units = days * 2_000 * matches * 2;
  expect(pauses).toBeGreaterThanOrEqual(units / 100_000 - 1);
});
