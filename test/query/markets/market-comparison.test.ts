// The edge of a fair probability over an external one, and the verdict about it.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { probabilityEdge } from '../../../src/query/markets/market-comparison.ts';

describe('probabilityEdge()', () => {
  test('verdicts include their bounds, whatever binary rounding does to the difference', () => {
    const tenThousandths = fc.integer({ min: 1, max: 9_999 });
    const near = fc.constantFrom(-201, -1, 0, 1, 99, 100, 101, 199, 200, 201, 5_000);
    fc.assert(
      fc.property(tenThousandths, near, (external, distance) => {
        const fair = external + distance;
        fc.pre(fair >= 1 && fair <= 9_999);
        const { verdict } = probabilityEdge({
          fair: fair / 10_000,
          external: external / 10_000,
          maxEdge: Number.POSITIVE_INFINITY,
        });
        expect(verdict).toBe(distance >= 200 ? 'good' : distance >= 100 ? 'marginal' : 'no_edge');
      }),
    );
  });
});
