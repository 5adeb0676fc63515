import { describe, expect, test } from 'bun:test';
import * as fc from 'fast-check';
import { MARKET_ASIAN_HANDICAP, MARKET_TOTALS, SPORT_FOOTBALL } from '../../../src/domain/catalogue.ts';
import { boundedRho, type GoalRates } from '../../../src/domain/goal-model.ts';
import { settle, sharesOf } from '../../../src/domain/settlement.ts';
import {
  emptyTable,
  GoalTables,
  MIDDLE_EXPECTED,
  MIDDLE_WORDS,
  type MiddlePair,
  middleExpected,
  middleValue,
  type ResultTable,
  setPointTable,
} from '../../../src/scoring/kinds/middle-value.ts';
import { poisson, tau } from '../../domain/goal-grid.ts';

const GOALS = 30;

interface Leg {
  readonly market: number;
  readonly lineQuarters: number;
  readonly outcome: 'home' | 'away' | 'over' | 'under';
  readonly decimal: number;
}

/** The value of a pair of bets, computed by settling both bets at every score. */
function bruteForce(legs: readonly [Leg, Leg], rates: GoalRates) {
  const parts = legs.map(({ decimal }) => 1 / decimal);
  const units = parts[0]! + parts[1]!;
  const found = { bothWin: 0, noLoss: 0, expected: 0, worst: Number.POSITIVE_INFINITY };
  for (let home = 0; home <= GOALS; home++) {
    for (let away = 0; away <= GOALS; away++) {
      const plain = poisson(home, rates.lambdaHome) * poisson(away, rates.lambdaAway);
      const probability = plain * tau(home, away, rates);
      const shares = legs.map(({ market, lineQuarters, outcome }) =>
        sharesOf(
          settle(
            {
              ...{ sport: SPORT_FOOTBALL, market, lineQuarters },
              score: { home, away },
              fromScore: { home: 0, away: 0 },
            },
            outcome,
          ),
        ),
      );
      let returned = -1;
      for (const [index, { win, push }] of shares.entries())
        returned += (parts[index]! / units) * (win * legs[index]!.decimal + push);
      if (shares.every(({ win }) => win > 0)) found.bothWin += probability;
      if (shares.some(({ win }) => win > 0) && shares.every(({ loss }) => loss === 0))
        found.noLoss += probability;
      found.expected += probability * returned;
      found.worst = Math.min(found.worst, returned);
    }
  }
  return found;
}

function worthOf(table: ResultTable, pair: MiddlePair) {
  const out = new Float64Array(MIDDLE_WORDS);
  middleValue(table, pair, out);
  expect(middleExpected(table, pair)).toBeCloseTo(out[MIDDLE_EXPECTED]!, 10);
  const [bothWin = 0, noLoss = 0, expected = 0, worst = 0] = out;
  return { bothWin, noLoss, expected, worst };
}

const price = fc.integer({ min: 10_500, max: 80_000 });
const rate = fc.double({ min: 0.1, max: 3.5, noNaN: true });
const rates = fc
  .tuple(rate, rate, fc.double({ min: -0.2, max: 0.2, noNaN: true }))
  .map(([home, away, rho]) => ({ lambdaHome: home, lambdaAway: away, rho: boundedRho(rho, home, away) }));

describe('middleValue', () => {
  /** Checks that the value of a pair equals the one computed by settling both bets at every score. */
  function isWorthItsSettlements(drawn: GoalRates, legs: readonly [Leg, Leg], pair: MiddlePair): void {
    const tables = new GoalTables();
    tables.set(drawn);
    const table = legs[0].market === MARKET_TOTALS ? tables.totals : tables.margins;
    const value = worthOf(table, pair);
    const plain = bruteForce(legs, drawn);
    for (const key of ['bothWin', 'noLoss', 'expected', 'worst'] as const)
      expect(value[key]).toBeCloseTo(plain[key], 9);
  }
  const gaps = fc.integer({ min: 1, max: 12 });

  test('a pair of totals has the value that settling both bets at every score gives, with quarter lines as two halves', () => {
    fc.assert(
      fc.property(
        rates,
        fc.integer({ min: 1, max: 24 }),
        gaps,
        price,
        price,
        (drawn, line, gap, over, under) =>
          isWorthItsSettlements(
            drawn,
            [
              { market: MARKET_TOTALS, lineQuarters: line, outcome: 'over', decimal: over / 10_000 },
              { market: MARKET_TOTALS, lineQuarters: line + gap, outcome: 'under', decimal: under / 10_000 },
            ],
            { aboveQuarters: line, abovePriceE4: over, belowQuarters: line + gap, belowPriceE4: under },
          ),
      ),
      { numRuns: 60 },
    );
  });

  test('a pair of handicaps has the value that settling both bets at every score gives', () => {
    const market = MARKET_ASIAN_HANDICAP;
    fc.assert(
      fc.property(
        rates,
        fc.integer({ min: -10, max: 10 }),
        gaps,
        price,
        price,
        (drawn, line, gap, home, away) =>
          isWorthItsSettlements(
            drawn,
            [
              { market, lineQuarters: line, outcome: 'home', decimal: home / 10_000 },
              { market, lineQuarters: line - gap, outcome: 'away', decimal: away / 10_000 },
            ],
            { aboveQuarters: -line, abovePriceE4: home, belowQuarters: -(line - gap), belowPriceE4: away },
          ),
      ),
      { numRuns: 60 },
    );
  });
});

describe('setPointTable', () => {
  test('the probabilities sum to one, around the mean, and a match without ties never ends level', () => {
    const table = emptyTable();
    setPointTable(table, { mean: 4.5, deviation: 12.5, hasTies: false });
    const entries = [...table.probabilities].map((value, index) => [table.first + index, value] as const);
    expect(entries.reduce((sum, [, value]) => sum + value, 0)).toBeCloseTo(1, 12);
    expect(entries.reduce((sum, [points, value]) => sum + points * value, 0)).toBeCloseTo(4.6, 0);
    expect(table.probabilities[-table.first]).toBe(0);
  });
});
