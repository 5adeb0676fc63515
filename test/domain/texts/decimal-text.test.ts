import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { roundHalfAwayFromZero } from '../../../src/domain/texts/decimal-text.ts';
import { runs } from '../../support/runs.ts';
import { divide, ONE, unitsOf } from '../long-division.ts';

describe('roundHalfAwayFromZero', () => {
  test('decides ties on the shortest decimal text', () => {
    expect(roundHalfAwayFromZero(1.005, 2)).toBe(1.01);
    expect(roundHalfAwayFromZero(-1.005, 2)).toBe(-1.01);
    expect(roundHalfAwayFromZero(2.675, 2)).toBe(2.68);
    expect(roundHalfAwayFromZero(8.345, 2)).toBe(8.35);
    expect(roundHalfAwayFromZero(0.5, 0)).toBe(1);
    expect(roundHalfAwayFromZero(1.004999999999, 2)).toBe(1);
    expect(roundHalfAwayFromZero(5e-5, 4)).toBe(0.0001);
    expect(Object.is(roundHalfAwayFromZero(-0.00001, 3), 0)).toBe(true);
    expect(roundHalfAwayFromZero(1e300, 4)).toBe(1e300);
    expect(roundHalfAwayFromZero(5e-324, 4)).toBe(0);
    expect(roundHalfAwayFromZero(12345678901.23455, 4)).toBe(12345678901.2346);
  });

  test('equals long division of the text', () => {
    fc.assert(
      fc.property(
        fc.nat(99_999_999_999),
        fc.integer({ min: 0, max: 8 }),
        fc.integer({ min: 0, max: 6 }),
        (digits, places, decimals) => {
          const text = (digits / 10 ** places).toFixed(places);
          expect(roundHalfAwayFromZero(Number(text), decimals)).toBe(
            Number(divide(unitsOf(text), ONE, decimals)),
          );
        },
      ),
      { numRuns: runs(2_000) },
    );
  });

  test('refuses NaN and infinities as a bug of our own code', () => {
    for (const bad of [Number.NaN, Infinity, -Infinity]) {
      expect(() => roundHalfAwayFromZero(bad, 2)).toThrow('Assertion');
    }
  });
});
