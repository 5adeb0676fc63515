// An hour of API-Football with faults, compared with an independent reading of its answers.

import { afterEach, expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import { Random } from '../../../src/domain/random.ts';
import { close, fixture, odds, open, quotes, run, START_MS, standIn, winner } from './api-football-scene.ts';

afterEach(close);

test.each([1, 2])(
  'after an hour with faults, the slate equals an independent reading (seed %p)',
  async (seed) => {
    open({ forcedEveryMs: 30_000 });
    standIn.left = 1_000_000;
    standIn.perMinute = 60_000;
    const random = new Random(seed);
    const price = (): unknown => {
      const unit = random.unit();
      if (unit < 0.03) return '1.00';
      return unit < 0.06 ? 'x' : ((150 + random.index(300)) / 100).toFixed(2);
    };
    for (let id = 1; id <= 23; id++) fixture(id);
    const publish = (nowMs: number): void => {
      if (nowMs < START_MS + HOUR_MS - 2 * MINUTE_MS) {
        standIn.odds = standIn.fixtures
          .filter(() => random.unit() > 0.05)
          .map(({ id }) =>
            odds(
              id,
              [2, 5, 7]
                .filter(() => random.unit() > 0.2)
                .map((book) => winner(book, [price(), price(), price()])),
            ),
          );
      }
      const fault = nowMs < START_MS + HOUR_MS - 12 * MINUTE_MS ? random.unit() : 1;
      standIn.fault = (path) => {
        if (path !== 'odds' || fault > 0.2) return null;
        if (fault < 0.05) return new Response('', { status: 499 });
        if (fault < 0.1) return standIn.error({ rateLimit: 'Too many requests.' });
        return new Response('{"get":"odds","errors":[],"response":[{"le', { status: 200 });
      };
    };
    await run.for(HOUR_MS, publish);
    for (const { id, bookmakers } of standIn.odds) {
      const expected: Record<string, string> = {};
      for (const { id: book, bets } of bookmakers) {
        const name = { 2: 'crown', 5: 'sbobet' }[book];
        const prices = bets[0]!.values.map(({ odd }) => Number(odd));
        if (name !== undefined && prices.every((value) => value > 1)) {
          expected[`${name}|1x2|full_time|`] = `${prices.join(' ')} open`;
        }
      }
      expect([id, quotes(String(id))]).toEqual([id, expected]);
    }
    const named = new Set(standIn.odds.map(({ id }) => id));
    for (const { id } of standIn.fixtures.filter((known) => !named.has(known.id))) {
      expect(Object.values(quotes(String(id))).filter((text) => text.endsWith('open'))).toEqual([]);
    }
    expect(run.desk.fixtureCount).toBe(23);
  },
);
