// A quarter line settles as its two halves, and real lines as an exchange settled them.

import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { SPORT_KEYS } from '../../src/domain/catalogue.ts';
import type { SettledResult } from '../../src/domain/handicap.ts';
import { explainHandicap, LINE_BOUNDS } from '../../src/domain/handicap.ts';
import { settlementOf } from '../../src/domain/settled-line.ts';
import { ServiceError, ValidationError } from '../../src/errors.ts';

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

describe('a line is settled as its halves are', () => {
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

test('a bet without a settlement is refused', () => {
  const score = { home: 1, away: 0 };
  const ask = (question: object) => () =>
    settlementOf({ sport: 'football', market_type: 'totals', score, ...question });
  expect(ask({})).toThrow(ValidationError);
  expect(ask({ line: 2.3 })).toThrow(ValidationError);
  expect(ask({ line: -0.5 })).toThrow(ValidationError);
  expect(ask({ line: LINE_BOUNDS.football.totals.max + 0.25 })).toThrow(ValidationError);
  expect(ask({ line: 2.5, from_score: { home: 2, away: 0 } })).toThrow(ValidationError);
  expect(ask({ market_type: '1x2', line: 0 })).toThrow(ServiceError);
});

const SETTLED = '../shared/data/series/settlement/settled-2020-24.json';
const isThere = existsSync(SETTLED);

/**
 * Market, period, line, side, how the exchange settled the bet, and how the definition of the line settles
 * it.
 */
type Row = readonly [string, string, number | null, string, string, SettledResult];
interface SettledEvent {
  readonly sport: 'football' | 'basketball';
  readonly score: readonly [number, number];
  readonly half_time: readonly [number, number] | null;
  readonly rows: readonly Row[];
}

test.skipIf(!isThere)(`real lines are settled as the exchange did (skipped without ${SETTLED})`, () => {
  const { events } = JSON.parse(readFileSync(SETTLED, 'utf8')) as { events: SettledEvent[] };
  const seen = new Map<string, number>();
  for (const { sport, score, half_time, rows } of events) {
    for (const [market, period, line, side, , expected] of rows) {
      const ended = period === 'half_time' ? half_time : score;
      if (ended == null || !(market in SETTLED_MARKETS)) continue;
      const market_type = market as keyof typeof SETTLED_MARKETS;
      const { outcomes } = settlementOf({
        sport,
        market_type,
        ...(line === null ? {} : { line }),
        score: { home: ended[0], away: ended[1] },
      });
      const one = outcomes.find(({ outcome }) => outcome === side);
      expect([market, line, side, ended, one?.result]).toEqual([market, line, side, ended, expected]);
      seen.set(market, (seen.get(market) ?? 0) + 1);
    }
  }
  for (const market of Object.keys(SETTLED_MARKETS)) expect(seen.get(market)).toBeGreaterThan(300);
});

const SETTLED_MARKETS = { '1x2': true, asian_handicap: true, totals: true };
