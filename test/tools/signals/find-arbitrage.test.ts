// The bounds of arbitrage, and which arbitrage is dropped and counted.

import { describe, expect, test } from 'bun:test';
import { football, quote, quoteOf } from '../made-up-slate.ts';
import { over } from '../misleading-scene.ts';
import type { Wire } from '../wire-slate.ts';

describe('find_arbitrage', () => {
  test('margin bounds are inclusive; an inverse sum of exactly 1, or a single book, is no arbitrage', async () => {
    const pair = (crown: number[], hkjc: number[], line = 2.5, status = 'open') => [
      ...quote('a', 'crown', 'totals', 2.5, crown),
      ...quote('a', 'hkjc', 'totals', line, hkjc, status),
    ];
    const cases: [Wire[], number, number][] = [
      // Two prices of 2.1 make 5 %.
      [pair([2.1, 1.7], [1.7, 2.1]), 5, 1],
      [pair([2.1, 1.7], [1.7, 2.1]), 5.0001, 0],
      [pair([2.2, 1.7], [1.7, 2.2]), 0, 1],
      [pair([2.21, 1.7], [1.7, 2.2]), 0, 0],
      [pair([2, 1.7], [1.7, 2]), 0, 0],
      [pair([1.25, 1.7], [1.2, 5]), 0, 0],
      [quote('a', 'crown', 'totals', 2.5, [2.1, 2.1]), 0, 0],
      [pair([2.1, 1.7], [1.7, 2.1], 2.75), 0, 0],
      [pair([2.1, 1.7], [1.7, 2.1], 2.5, 'suspended'), 0, 0],
    ];
    for (const [wires, min_margin_pct, count] of cases) {
      const ask = over([football('a', 'Reading', 'Stoke'), ...wires]);
      const { opportunities } = await ask('find_arbitrage', { query: 'Reading', min_margin_pct });
      expect([JSON.stringify(wires), (opportunities as unknown[]).length]).toEqual([
        JSON.stringify(wires),
        count,
      ]);
    }
  });

  test('the sentence names teams, bookmakers, lines and the margin', async () => {
    const ask = over([
      football('a', 'Reading', 'Stoke'),
      ...quote('a', 'crown', 'asian_handicap', -0.25, [2.1, 1.7]),
      ...quote('a', 'hkjc', 'asian_handicap', -0.25, [1.7, 2.06]),
      quoteOf('a', 'crown', '1x2', null, [9, 9, 9], { period: 'half_time' }),
      quoteOf('a', 'hkjc', '1x2', null, [2, 3, 4], { period: 'half_time' }),
    ]);
    expect((await ask('find_arbitrage', { query: 'Reading' })).summary).toBe(
      'Reading vs Stoke: 1 arbitrage; the best is Reading -0.25 at 2.1 with Crown and Stoke +0.25 at 2.06 with HKJC (full-time Asian handicap), a margin of 3.99% (2% at worst, when the result lands on the line). 1 implausibly large margin was left out; most often such a price is an error.',
    );
  });
});
