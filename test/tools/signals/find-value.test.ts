// find_value: the bound of the edge is exact to the last bit; implausible edges are dropped and counted; a
// note explains why no value can be found.

import { describe, expect, test } from 'bun:test';
import { football, quote } from '../made-up-slate.ts';
import { over } from '../misleading-scene.ts';

interface Bet {
  readonly outcome: string;
  readonly bookmaker: string;
  readonly edge_pct: number;
}

describe('find_value', () => {
  // The sharp bookmaker's fair price is 2.00 on both sides, so 2.02 is an edge of 1 % and 2.2 one of 10 %.
  const fair = [football('a', 'Reading', 'Stoke'), ...quote('a', 'pinnacle', 'totals', 2.5, [2, 2])];

  test('an edge of exactly the minimum is included; a lower one is not', async () => {
    const ask = over([...fair, ...quote('a', 'crown', 'totals', 2.5, [2.02, 1.9])]);
    for (const [min_edge_pct, count] of [
      [1, 1],
      [0.99, 1],
      [1.000001, 0],
      [0, 2], // the sharp bookmaker's own 2.00 has an edge of exactly 0
    ] as const) {
      const { value_bets } = await ask('find_value', { query: 'Reading', min_edge_pct });
      expect([min_edge_pct, (value_bets as Bet[]).length]).toEqual([min_edge_pct, count]);
    }
    const { value_bets } = await ask('find_value', { query: 'Reading' });
    expect(value_bets).toMatchObject([{ outcome: 'over', bookmaker: 'crown', fair_price: 2, edge_pct: 1 }]);
  });

  test('an edge of exactly 10 % is included; a higher one is dropped, counted and mentioned', async () => {
    const ask = over([
      ...fair,
      ...quote('a', 'crown', 'totals', 2.5, [2.2, 1.9]),
      ...quote('a', 'pinnacle', '1x2', null, [3, 3, 3]),
      ...quote('a', 'crown', '1x2', null, [3.4, 3.4, 3.0]),
    ]);
    const answer = await ask('find_value', { query: 'Reading' });
    expect((answer.value_bets as Bet[]).map((bet) => bet.edge_pct)).toEqual([10]);
    expect(answer.note).toBe('2 implausibly large edges were left out; most often such a price is an error.');
    expect(answer.summary).toContain(String(answer.note));
  });

  test('explains why there is no value: no sharp quote in these markets', async () => {
    const ask = over([...fair, ...quote('a', 'crown', '1x2', null, [2, 3, 4])]);
    const answer = await ask('find_value', { query: 'Reading', markets: ['1x2'] });
    expect(answer).toMatchObject({ value_bets: [], fair_source: null });
    expect(answer.note).toBe(
      "Pinnacle has no open quote in these markets, so there is no fair price to compare with. Left out: 1 line with one owner's prices alone.",
    );
    expect(answer.summary).toBe(`Reading vs Stoke: value cannot be judged. ${answer.note}`);
  });
});
