import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { boundedRho, lowScoreShift, topScorelines } from '../../src/domain/goal-model.ts';
import { runs } from '../support/runs.ts';
import { oracleGrid, poisson, sumOf, tau } from './goal-grid.ts';

const rate = fc.double({ min: 0.15, max: 3.5, noNaN: true });
const goals = fc.integer({ min: 0, max: 4 });
const matches = fc
  .record({ home: rate, away: rate, rho: fc.double({ min: -0.2, max: 0.2, noNaN: true }) })
  .map(({ home, away, rho }) => ({ lambdaHome: home, lambdaAway: away, rho: boundedRho(rho, home, away) }));

describe('topScorelines', () => {
  test('the scorelines are the most probable cells of the oracle, in order, each with the current score added', () => {
    fc.assert(
      fc.property(
        matches,
        goals,
        goals,
        fc.integer({ min: 1, max: 10 }),
        (rates, homeGoals, awayGoals, count) => {
          const score = { home: homeGoals, away: awayGoals };
          const best = oracleGrid(rates)
            .toSorted((left, right) => right.probability - left.probability)
            .slice(0, count);
          const { scorelines, covered } = topScorelines(rates, score, count);
          expect(scorelines).toHaveLength(count);
          let sum = 0;
          scorelines.forEach(({ home, away, probability }, index) => {
            expect(Math.abs(probability - best[index]!.probability)).toBeLessThan(1e-10);
            expect(home).toBeGreaterThanOrEqual(score.home);
            expect(away).toBeGreaterThanOrEqual(score.away);
            sum += probability;
          });
          expect(covered).toBeCloseTo(sum, 12);
          expect(new Set(scorelines.map(({ home, away }) => `${home}-${away}`)).size).toBe(count);
        },
      ),
      { numRuns: runs(100) },
    );
  });
});

describe('lowScoreShift', () => {
  test('lowScoreShift is the probability that each tau adds or removes, so that the total stays 1', () => {
    const rates = { lambdaHome: 1.3, lambdaAway: 0.9, rho: -0.12 };
    const shift = lowScoreShift(rates);
    for (const [home, away, sign] of [
      [0, 0, -1],
      [0, 1, 1],
      [1, 0, 1],
      [1, 1, -1],
    ] as const) {
      const plain = poisson(home, rates.lambdaHome) * poisson(away, rates.lambdaAway);
      expect(plain * tau(home, away, rates) - plain).toBeCloseTo(sign * shift, 14);
    }
    expect(sumOf(oracleGrid(rates), () => true)).toBeCloseTo(1, 12);
  });
});
