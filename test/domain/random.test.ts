// The distribution function of normal numbers.

import { expect, test } from 'bun:test';
import { normalBelow, normalQuantile } from '../../src/domain/random.ts';

test('the normal distribution agrees with printed tables, and the quantile is its inverse', () => {
  expect(normalBelow(0)).toBeCloseTo(0.5, 6);
  expect(normalBelow(1.96)).toBeCloseTo(0.975, 4);
  expect(normalBelow(-1)).toBeCloseTo(0.158_655, 5);
  for (const probability of [0.02, 0.4, 0.5, 0.9]) {
    expect(normalBelow(normalQuantile(probability))).toBeCloseTo(probability, 6);
  }
});
