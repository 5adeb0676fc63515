// Gaps that overlap are cut into gaps that follow each other and cover the same times.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { gapsApart } from '../../../src/history/past/whole-periods.ts';
import { GAP_REASONS, type Gap } from '../../../src/history/tick.ts';

const gap = fc.record({
  fromMs: fc.nat(20),
  length: fc.option(fc.integer({ min: 1, max: 12 }), { freq: 6 }),
  reason: fc.constantFrom(...GAP_REASONS),
});
const isIn = ({ fromMs, toMs }: Gap, atMs: number): boolean =>
  fromMs <= atMs && (toMs === null || atMs < toMs);

test('overlapping gaps are cut so that each time is in one of them', () => {
  fc.assert(
    fc.property(fc.array(gap, { maxLength: 6 }), (drawn) => {
      const gaps = drawn.map(
        ({ fromMs, length, reason }): Gap => ({
          ...{ fromMs, reason },
          toMs: length === null ? null : fromMs + length,
        }),
      );
      const apart = gapsApart(gaps);
      for (let atMs = 0; atMs <= 40; atMs++) {
        const holding = gaps.filter((one) => isIn(one, atMs));
        const listed = apart.filter((one) => isIn(one, atMs));
        expect(listed.length).toBe(Math.min(1, holding.length));
        if (listed.length > 0) expect(holding.map(({ reason }) => reason)).toContain(listed[0]!.reason);
      }
      expect(gapsApart(gaps.toReversed())).toEqual(apart);
    }),
  );
});
