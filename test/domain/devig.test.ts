// De-vigging compared with bisection, an oracle that shares nothing with Newton's method, and with the
// properties from the papers.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { devigPower, devigProportional, devigShin, overround } from '../../src/domain/devig.ts';

/** Prices of a market with a margin, generated from weights of its outcomes. */
const market = fc
  .tuple(
    fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 2, maxLength: 24 }),
    fc.double({ min: 1, max: 1.4, noNaN: true }),
  )
  .map(([weights, sum]) => {
    const total = weights.reduce((left, right) => left + right, 0);
    return weights.map((weight) => total / (weight * sum));
  })
  .filter((decimals) => decimals.every((decimal) => decimal > 1.0001));

const EXTREME_PRICES = [
  [1.0001, 1.0001],
  [1.001, 501, 1_001],
  [1.01, 1.01, 1.01],
  [2, 2],
  [3, 3, 3],
];

function bisect(decimals: readonly number[]): number {
  let low = 0.5;
  let high = 100_000;
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2;
    const sum = decimals.reduce((total, decimal) => total + (1 / decimal) ** middle, 0);
    if (sum > 1) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function probabilitiesOf(result: ReturnType<typeof devigPower>): number[] {
  if (!result.ok) throw new Error(result.reason);
  return result.probabilities;
}

describe('devigPower', () => {
  test('equals bisection for 2 to 24 outcomes and sums to 1', () => {
    fc.assert(
      fc.property(market, (decimals) => {
        const probabilities = probabilitiesOf(devigPower(decimals));
        const exponent = bisect(decimals);
        const sum = probabilities.reduce((left, right) => left + right, 0);
        expect(Math.abs(sum - 1)).toBeLessThan(1e-9);
        decimals.forEach((decimal, index) => {
          expect(Math.abs(probabilities[index]! - (1 / decimal) ** exponent)).toBeLessThan(1e-8);
        });
      }),
      { numRuns: 2_000, examples: EXTREME_PRICES.map((prices) => [prices]) },
    );
  });

  test('leaves a fair market unchanged', () => {
    expect(probabilitiesOf(devigPower([2, 4, 4]))).toEqual([0.5, 0.25, 0.25]);
  });
});

test.each([[devigPower], [devigShin]])(
  '%p sums to 1, keeps the order of prices and takes relatively more from longshots than the proportional method',
  (devig) => {
    fc.assert(
      fc.property(market, (decimals) => {
        const fair = probabilitiesOf(devig(decimals));
        const proportional = probabilitiesOf(devigProportional(decimals));
        expect(fair.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
        const favourite = decimals.indexOf(Math.min(...decimals));
        const longshot = decimals.indexOf(Math.max(...decimals));
        expect(fair[favourite]!).toBeGreaterThanOrEqual(proportional[favourite]! - 1e-9);
        expect(fair[longshot]!).toBeLessThanOrEqual(proportional[longshot]! + 1e-9);
      }),
    );
  },
);

describe('devigProportional', () => {
  test('scales to 1', () => {
    expect(probabilitiesOf(devigProportional([1.9, 1.9]))).toEqual([0.5, 0.5]);
    const [home, away] = probabilitiesOf(devigProportional([1.5, 2.7]));
    expect(home! / away!).toBeCloseTo(2.7 / 1.5, 12);
    expect(home! + away!).toBeCloseTo(1, 12);
  });
});

describe('prices that cannot be de-vigged', () => {
  test('give the reason', () => {
    for (const devig of [devigPower, devigProportional, devigShin]) {
      expect(devig([2])).toEqual({ ok: false, reason: 'too_few_outcomes' });
      expect(devig([])).toEqual({ ok: false, reason: 'too_few_outcomes' });
      for (const bad of [1, 0.5, 0, -2, Number.NaN, Infinity]) {
        expect(devig([bad, 1.5])).toEqual({ ok: false, reason: 'price_not_above_one' });
      }
      expect(devig([2.1, 2.1])).toEqual({ ok: false, reason: 'inverse_sum_below_one' });
    }
  });
});

describe('overround', () => {
  test('overround is the inverse sum minus 1, or null', () => {
    expect(overround([1.9, 1.9])!).toBeCloseTo(2 / 1.9 - 1, 15);
    expect(overround([2.1, 2.1])!).toBeLessThan(0);
    expect(overround([0, 1.9])).toBeNull();
    expect(overround([1, 1.9])).toBeNull();
  });
});

describe('devigShin', () => {
  test('gives the numbers published with the shin package', () => {
    // The README of the Python package shin: 2.6, 2.4, 4.3 with z = 0.016943.
    const published = [0.37299406033208965, 0.4047794109200184, 0.2222265287474275];
    const probabilities = probabilitiesOf(devigShin([2.6, 2.4, 4.3]));
    probabilities.forEach((value, index) => {
      expect(value).toBeCloseTo(published[index]!, 11);
    });
  });

  test('takes the same amount off both prices of a two-way market', () => {
    // For two outcomes, Shin's method equals the additive method (Clarke, Kovalchik and Ingram 2017).
    const [first, second] = probabilitiesOf(devigShin([1.5, 2.74]));
    expect(1 / 1.5 - first!).toBeCloseTo(1 / 2.74 - second!, 11);
  });
});
