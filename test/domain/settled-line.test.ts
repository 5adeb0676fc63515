// A quarter line settles as its two halves.

import { describe, expect, test } from 'bun:test';
import { SPORT_KEYS } from '../../src/domain/catalogue.ts';
import type { SettledResult } from '../../src/domain/handicap.ts';
import { explainHandicap } from '../../src/domain/handicap.ts';
import { settlementOf } from '../../src/domain/settled-line.ts';

const RESULTS: readonly SettledResult[] = ['loss', 'half_loss', 'push', 'half_win', 'win'];

const SHARES = {
  win: [1, 0, 0],
  half_win: [0.5, 0.5, 0],
  push: [0, 1, 0],
  half_loss: [0, 0.5, 0.5],
  loss: [0, 0, 1],
};

const SCORES = [0, 1, 2, 3, 4, 5, 9].flatMap((home) => [0, 1, 2, 3, 4, 7].map((away) => ({ home, away })));

/** The result of a stake that is split over two lines, from the sum of what each half wins: 1, 0 or -1. */
function halves(line: number, lead: number): SettledResult {
  const parts = explainHandicap(line).handicap_components;
  const both = parts.length === 1 ? [parts[0]!, parts[0]!] : parts;
  return RESULTS[both.reduce((sum, part) => sum + Math.sign(lead + part), 2)]!;
}

describe('a line settles as its halves do', () => {
  for (const sport of SPORT_KEYS) {
    test(`in ${sport} handicaps and totals, with every share`, () => {
      for (let line = -12; line <= 12; line += 0.25) {
        for (const score of SCORES) {
          const [home, away] = settlementOf({ sport, market_type: 'asian_handicap', line, score }).outcomes;
          const lead = score.home - score.away;
          expect([home!.result, away!.result]).toEqual([halves(line, lead), halves(-line, -lead)]);
          for (const one of [home!, away!]) expect([one.win, one.push, one.loss]).toEqual(SHARES[one.result]);
          if (line < 0) continue;
          const [over, under] = settlementOf({ sport, market_type: 'totals', line, score }).outcomes;
          const total = score.home + score.away;
          expect([over!.result, under!.result]).toEqual([halves(-line, total), halves(line, -total)]);
        }
      }
    });
  }

  test('only an in-play football handicap leaves out the goals scored before the bet', () => {
    const asked = { line: -0.5, score: { home: 3, away: 2 }, from_score: { home: 2, away: 1 } } as const;
    const resultOf = (sport: 'football' | 'basketball', market_type: 'asian_handicap' | 'totals') =>
      settlementOf({ sport, market_type, ...asked, line: market_type === 'totals' ? 4.5 : -0.5 }).outcomes[0]!
        .result;
    expect(resultOf('football', 'asian_handicap')).toBe('loss');
    expect(resultOf('basketball', 'asian_handicap')).toBe('win');
    expect(resultOf('football', 'totals')).toBe('win');
  });

  test('a level 1x2 is a draw in football and a push in basketball', () => {
    const score = { home: 2, away: 2 };
    const resultsOf = (sport: 'football' | 'basketball') =>
      settlementOf({ sport, market_type: '1x2', score }).outcomes.map(({ outcome, result }) => [
        outcome,
        result,
      ]);
    expect(resultsOf('football')).toEqual([
      ['home', 'loss'],
      ['draw', 'win'],
      ['away', 'loss'],
    ]);
    expect(resultsOf('basketball')).toEqual([
      ['home', 'push'],
      ['away', 'push'],
    ]);
  });
});
