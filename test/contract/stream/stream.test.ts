import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { tickStepOf } from '../../../src/contract/stream/stream.ts';
import { TIERS } from '../../../src/domain/tiers.ts';

test('tickStepOf is never faster than requested, gives at most eleven tick lengths, and each tier’s own is one of them', () => {
  const steps = new Set<number>();
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60_000 }), (tickMs) => {
      const stepMs = tickStepOf(tickMs);
      expect(stepMs).toBeGreaterThanOrEqual(tickMs);
      expect(tickStepOf(stepMs)).toBe(stepMs);
      steps.add(stepMs);
    }),
    { numRuns: 2_000 },
  );
  expect(steps.size).toBeLessThanOrEqual(11);
  for (const { tickMs } of TIERS) expect(tickStepOf(tickMs)).toBe(tickMs);
});
