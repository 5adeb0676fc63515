// Scoreline fits compared with a brute-force oracle: a plain grid with the four taus of the paper, in which
// every bet is settled cell by cell and half by half. From the oracle's prices, the fit must recover the
// rates.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { boundedRho, type GoalRates, topScorelines } from '../../src/domain/goal-model.ts';
import {
  fitScoreline,
  RHO_DEFAULT,
  returnedShare,
  type ScorelineMarkets,
} from '../../src/domain/scoreline.ts';
import { runs } from '../support/runs.ts';
import { type Cell, oracleGrid, sumOf } from './goal-grid.ts';

/**
 * The shares of one unit that win and lose when `goals` is compared with `quarters` / 4. A quarter line is
 * settled in halves.
 */
function shares(goals: number, quarters: number): { won: number; lost: number } {
  const lines = quarters % 2 === 0 ? [quarters, quarters] : [quarters - 1, quarters + 1];
  const won = lines.filter((line) => goals * 4 > line).length / 2;
  const lost = lines.filter((line) => goals * 4 < line).length / 2;
  return { won, lost };
}

/**
 * Fair probability that the result is above a line: 1 / the decimal price at which a stake has an expected
 * gain of 0.
 */
function fairProbability(cells: readonly Cell[], quarters: number, goalsOf: (cell: Cell) => number): number {
  let won = 0;
  let lost = 0;
  for (const cell of cells) {
    const share = shares(goalsOf(cell), quarters);
    won += cell.probability * share.won;
    lost += cell.probability * share.lost;
  }
  return won / (won + lost);
}

interface Case {
  readonly rates: GoalRates;
  readonly score: { home: number; away: number };
  readonly totalQuarters: number;
  readonly handicapQuarters: number;
}

function marketsOf(match: Case): ScorelineMarkets {
  const cells = oracleGrid(match.rates);
  const { home, away } = match.score;
  return {
    score: match.score,
    result: {
      home: sumOf(cells, (cell) => home + cell.home > away + cell.away),
      draw: sumOf(cells, (cell) => home + cell.home === away + cell.away),
      away: sumOf(cells, (cell) => home + cell.home < away + cell.away),
    },
    totals: {
      lineQuarters: match.totalQuarters,
      over: fairProbability(cells, match.totalQuarters, (cell) => home + away + cell.home + cell.away),
    },
    handicap: {
      lineQuarters: match.handicapQuarters,
      home: fairProbability(cells, -match.handicapQuarters, (cell) => cell.home - cell.away),
    },
  };
}

/** Random matches: rates, lines near them, and a rho for which every tau is positive. */
function matches(leads: readonly number[]): fc.Arbitrary<Case> {
  return fc
    .record({
      lambdaHome: fc.double({ min: 0.15, max: 3.5, noNaN: true }),
      lambdaAway: fc.double({ min: 0.15, max: 3.5, noNaN: true }),
      rho: fc.double({ min: -0.2, max: 0.2, noNaN: true }),
      lead: fc.constantFrom(...leads),
      goals: fc.integer({ min: 0, max: 2 }),
      totalStep: fc.integer({ min: -3, max: 3 }),
      handicapStep: fc.integer({ min: -3, max: 3 }),
    })
    .map(({ lambdaHome, lambdaAway, rho, lead, goals, totalStep, handicapStep }) => {
      const score = { home: goals + Math.max(0, lead), away: goals + Math.max(0, -lead) };
      const remaining = Math.max(1, Math.round(4 * (lambdaHome + lambdaAway)) + totalStep);
      return {
        rates: { lambdaHome, lambdaAway, rho: boundedRho(rho, lambdaHome, lambdaAway) },
        score,
        totalQuarters: remaining + 4 * (score.home + score.away),
        handicapQuarters: Math.round(4 * (lambdaAway - lambdaHome)) + handicapStep,
      };
    });
}

function fitted(markets: ScorelineMarkets) {
  const fit = fitScoreline(markets);
  if (!fit.ok) throw new Error(fit.reason);
  return fit;
}

describe('fitScoreline', () => {
  test('recovers rates and rho from oracle prices, at level scores or a goal apart, on any quarter line', () => {
    fc.assert(
      fc.property(matches([0, 0, 1, -1]), (match) => {
        const markets = marketsOf(match);
        const fit = fitted(markets);
        expect(Math.abs(fit.rates.lambdaHome - match.rates.lambdaHome)).toBeLessThan(1e-5);
        expect(Math.abs(fit.rates.lambdaAway - match.rates.lambdaAway)).toBeLessThan(1e-5);
        expect(Math.abs(fit.rates.rho - match.rates.rho)).toBeLessThan(1e-4);
        expect(Math.abs(fit.implied.home - markets.result!.home)).toBeLessThan(1e-7);
        expect(Math.abs(fit.implied.draw - markets.result!.draw)).toBeLessThan(1e-7);
        expect(Math.abs(fit.handicapExpectedValue!)).toBeLessThan(1e-5);
      }),
      { numRuns: runs(150) },
    );
  });

  test('at a lead of two or more, uses the default rho and recovers the rates', () => {
    fc.assert(
      fc.property(matches([2, -2, 3]), (drawn) => {
        const { lambdaHome, lambdaAway } = drawn.rates;
        const rates = { lambdaHome, lambdaAway, rho: RHO_DEFAULT };
        const markets = marketsOf({ ...drawn, rates });
        const fit = fitted(markets);
        expect(Math.abs(fit.rates.rho - RHO_DEFAULT)).toBeLessThan(1e-9);
        // When a result is nearly certain, it hardly depends on the rates: then only the prices must be
        // recovered.
        expect(Math.abs(fit.implied.home - markets.result!.home)).toBeLessThan(1e-6);
        const open = Math.min(markets.result!.home, 1 - markets.result!.home) > 0.01;
        if (open) expect(Math.abs(fit.rates.lambdaHome - lambdaHome)).toBeLessThan(1e-3);
      }),
      {
        numRuns: 200,
        // In this example the search passes through the lowest allowed rate before it finds the fit.
        examples: [
          [
            {
              rates: { lambdaHome: 0.15, lambdaAway: 0.9295122750581696, rho: 0 },
              score: { home: 3, away: 0 },
              totalQuarters: 13,
              handicapQuarters: 3,
            },
          ],
        ],
      },
    );
  });

  test('without a 1x2, the fit uses the handicap on the goals still to come, so no market is left to check it', () => {
    fc.assert(
      fc.property(matches([0, 1, -2]), (drawn) => {
        const rates = { ...drawn.rates, rho: RHO_DEFAULT };
        const markets = marketsOf({ ...drawn, rates });
        const over = markets.handicap!.home;
        if (over < 0.02 || over > 0.98) return;
        const fit = fitted({ ...markets, result: null });
        expect(fit.handicapExpectedValue).toBeNull();
        expect(Math.abs(fit.rates.lambdaHome - rates.lambdaHome)).toBeLessThan(1e-4);
        expect(Math.abs(fit.rates.lambdaAway - rates.lambdaAway)).toBeLessThan(1e-4);
        expect(Math.abs(fit.implied.draw - markets.result!.draw)).toBeLessThan(1e-4);
      }),
      { numRuns: runs(100) },
    );
  });

  test('gives the reason when no fit is possible', () => {
    const markets = marketsOf({
      rates: { lambdaHome: 1.4, lambdaAway: 1.1, rho: -0.1 },
      score: { home: 0, away: 0 },
      totalQuarters: 10,
      handicapQuarters: -1,
    });
    expect(fitScoreline({ ...markets, result: null, handicap: null })).toEqual({
      ok: false,
      reason: 'no_supremacy_market',
    });
    expect(fitScoreline({ ...markets, score: { home: 3, away: 0 } })).toEqual({
      ok: false,
      reason: 'totals_decided',
    });
    // Home is two goals ahead, yet priced as the certain loser with hardly a goal to come.
    const absurd = {
      ...markets,
      score: { home: 2, away: 0 },
      result: { home: 0.01, draw: 0.04, away: 0.95 },
      totals: { lineQuarters: 10, over: 0.05 },
    };
    expect(fitScoreline(absurd)).toEqual({ ok: false, reason: 'inconsistent_prices' });
    expect(() => fitScoreline({ ...markets, totals: { lineQuarters: 10, over: Number.NaN } })).toThrow(
      'Assertion',
    );
  });

  test('any fair probabilities give finite rates or a reason, never NaN and never a negative probability', () => {
    const unit = fc.double({ min: 0.0005, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.tuple(unit, unit, unit),
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: -3, max: 3 }),
        ([first, second, third], over, lineQuarters, lead) => {
          const sum = first + second + third;
          const score = { home: Math.max(0, lead), away: Math.max(0, -lead) };
          const fit = fitScoreline({
            score,
            result: { home: first / sum, draw: second / sum, away: third / sum },
            totals: { lineQuarters, over },
            handicap: { lineQuarters: -1, home: 0.5 },
          });
          if (!fit.ok) return;
          const { scorelines, covered } = topScorelines(fit.rates, score, 10);
          expect(scorelines.every(({ probability }) => probability >= 0 && probability <= 1)).toBe(true);
          expect(covered).toBeLessThanOrEqual(1);
          expect(Number.isFinite(fit.handicapExpectedValue!)).toBe(true);
          expect(Math.abs(fit.implied.home + fit.implied.draw + fit.implied.away - 1)).toBeLessThan(1e-9);
        },
      ),
      { numRuns: runs(1_000) },
    );
  });
});

describe('full-time result and handicap check of a fit', () => {
  test('equals the oracle at the fitted rates, cell by cell', () => {
    fc.assert(
      fc.property(
        matches([0, 1, -1, 2, -3]),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        (match, price) => {
          const handicap = { lineQuarters: match.handicapQuarters, home: price };
          const fit = fitScoreline({ ...marketsOf(match), handicap });
          if (!fit.ok) return;
          const implied = marketsOf({ ...match, rates: fit.rates }).result!;
          for (const outcome of ['home', 'draw', 'away'] as const) {
            expect(Math.abs(fit.implied[outcome] - implied[outcome])).toBeLessThan(1e-10);
          }
          let expected = 0;
          for (const { home, away, probability } of oracleGrid(fit.rates)) {
            const { won, lost } = shares(home - away, -match.handicapQuarters);
            expected += probability * (won * (1 / price - 1) - lost);
          }
          expect(Math.abs(fit.handicapExpectedValue! - expected)).toBeLessThan(1e-9);
        },
      ),
      { numRuns: runs(100) },
    );
  });
});

test('returnedShare equals the expected return computed from a grid, on every line of the margin and of the total', () => {
  const rate = fc.double({ min: 0.05, max: 3, noNaN: true });
  fc.assert(
    fc.property(
      rate,
      rate,
      fc.double({ min: -0.2, max: 0.2, noNaN: true }),
      fc.integer({ min: -16, max: 24 }),
      (lambdaHome, lambdaAway, wanted, quarters) => {
        const rates = { lambdaHome, lambdaAway, rho: boundedRho(wanted, lambdaHome, lambdaAway) };
        const grid = oracleGrid(rates);
        for (const settledOn of ['margin', 'total'] as const) {
          const returned = grid.reduce((sum, { home, away, probability }) => {
            const { won, lost } = shares(settledOn === 'margin' ? home - away : home + away, quarters);
            return sum + probability * (1 - won - lost);
          }, 0);
          expect(returnedShare(rates, settledOn, quarters)).toBeCloseTo(returned, 9);
        }
      },
    ),
    { numRuns: 20 },
  );
});
