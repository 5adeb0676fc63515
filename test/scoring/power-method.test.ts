import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { devigPower } from '../../src/domain/devig.ts';
import { powerFair } from '../../src/scoring/power-method.ts';
import { runs } from '../support/runs.ts';

const decimal = fc.oneof(
  fc.double({ min: 1.0001, max: 5, noNaN: true }),
  fc.double({ min: 1.0001, max: 200_000, noNaN: true }),
  fc.constantFrom(1.0001, 1.5, 2, 3, 200_000),
);
const decimals = fc
  .oneof(fc.tuple(decimal, decimal), fc.tuple(decimal, decimal, decimal))
  .filter((prices) => prices.reduce((sum, price) => sum + 1 / price, 0) >= 1);

test('powerFair agrees with devigPower and sums to 1', () => {
  fc.assert(
    fc.property(decimals, (prices) => {
      const fair = new Float64Array(3);
      prices.forEach((price, outcome) => {
        fair[outcome] = 1 / price;
      });
      powerFair(fair);
      const expected = devigPower(prices);
      expect(expected.ok).toBe(true);
      if (!expected.ok) return;
      expected.probabilities.forEach((probability, outcome) => {
        // At prices of 1.0001, the rounding of 1/price alone changes the logarithm by a relative 1e-12.
        expect(Math.abs(fair[outcome]! - probability)).toBeLessThan(1e-10);
      });
      expect(Math.abs(fair[0]! + fair[1]! + fair[2]! - 1)).toBeLessThan(1e-14);
    }),
    { numRuns: runs(1_000) },
  );
});
