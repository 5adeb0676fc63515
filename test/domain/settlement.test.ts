// Settlement compared with lines that an exchange settled.

import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import type { SettledResult } from '../../src/domain/handicap.ts';
import { LINE_BOUNDS } from '../../src/domain/handicap.ts';
import { settlementOf } from '../../src/domain/settled-line.ts';
import { ServiceError, ValidationError } from '../../src/errors.ts';

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
