// Rows of the record, from signals made up here.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { recordRows } from '../../src/record/record-rows.ts';
import type { GradedSignal } from '../../src/record/recorded-signal.ts';

test('the median life is exact: half the sum of the two middle lives, in seconds, without a rounding error', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 86_400_000 }), { minLength: 1 }), (livesMs) => {
      const [row] = recordRows(livesMs.map(openFor), null);
      const sorted = livesMs.toSorted((one, other) => one - other);
      const twiceMs = sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!;
      expect(row!.median_life_s).toBe(Number(`${BigInt(twiceMs) * 5n}e-4`));
    }),
  );
});

function openFor(lifeMs: number): GradedSignal {
  const openedMs = Date.UTC(2026, 2, 1);
  return {
    ...({ edge_pct: 2, clv_pct: null, unit_return: null, event_id: 'evt_1' } as GradedSignal),
    opened_at: new Date(openedMs).toISOString(),
    closed_at: new Date(openedMs + lifeMs).toISOString(),
  };
}
