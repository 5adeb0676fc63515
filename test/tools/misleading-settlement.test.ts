// How much of a stake a settlement may return: half of it on quarter lines, all of it on whole lines. Also a
// goal grid that contradicts the handicap (docs/reference/signals.md).

import { describe, expect, test } from 'bun:test';
import { quoteOf } from './made-up-slate.ts';
import { betsOf, match, over, valuePair } from './misleading-scene.ts';
import type { Answer, Wire } from './wire-slate.ts';

describe('settlement', () => {
  /**
   * A match with a goal grid, and value of 4 % on three totals: one on a whole, one on a quarter and one on a
   * half line.
   */
  const priced = [
    match('a', 'Reading', 'Stoke', 180),
    quoteOf('a', 'pinnacle', '1x2', null, [2.0, 3.6, 4.1]),
    ...[2.5, 2.75, 3].flatMap((line) => [
      quoteOf('a', 'pinnacle', 'totals', line, [1.95 + (line - 2.5) * 0.6, 1.95 - (line - 2.5) * 0.6]),
      quoteOf('a', 'crown', 'totals', line, [1.3, 2.08 - (line - 2.5) * 0.6]),
    ]),
  ];

  test('the expected return is the edge on the part of the stake that is not returned', async () => {
    const answer = await over(priced)('find_value', { query: 'Reading', markets: ['totals'] });
    const bets = betsOf(answer).toSorted((left, right) => Number(left.line) - Number(right.line));
    const shares = bets.map((bet) => Number(bet.ev_pct) / Number(bet.edge_pct));
    expect(bets.map((bet) => bet.line)).toEqual([2.5, 2.75, 3]);
    expect(shares[0]).toBe(1);
    // About one match in five ends with three goals. Then a whole line returns the stake, and a quarter line
    // half of it.
    expect(shares[2]).toBeWithin(0.75, 0.82);
    expect(shares[1]! - (1 + shares[2]!) / 2).toBeWithin(-0.01, 0.01);
  });

  test('min_ev_pct limits the expected return, not the edge', async () => {
    const ask = over(priced);
    const all = betsOf(await ask('find_value', { query: 'Reading', markets: ['totals'] }));
    const least = Number(all.find((bet) => bet.line === 2.75)!.ev_pct);
    const some = betsOf(
      await ask('find_value', { query: 'Reading', markets: ['totals'], min_ev_pct: least - 0.01 }),
    );
    expect(some.map((bet) => bet.line).toSorted()).toEqual([2.5, 2.75]);
    const scan = await ask('scan_slate', { markets: ['totals'], min_ev_pct: least - 0.01 });
    expect((scan.entries as Answer[])[0]).toMatchObject({ value_count: 2 });
    const none = await ask('scan_slate', { markets: ['totals'], min_ev_pct: 50 });
    expect((none.entries as Answer[])[0]).toMatchObject({ value_count: 0, best_value: null });
  });

  test('without a goal grid there is no expected return, so min_ev_pct excludes every bet', async () => {
    const ask = over([match('a', 'Reading', 'Stoke', 180), ...valuePair('a')]);
    expect(betsOf(await ask('find_value', { query: 'Reading' }))).toMatchObject([{ ev_pct: null }]);
    expect(betsOf(await ask('find_value', { query: 'Reading', min_ev_pct: 0 }))).toEqual([]);
  });
});

describe('a goal grid that the handicap contradicts', () => {
  const wires = (handicapLine: number): Wire[] => [
    match('a', 'Reading', 'Stoke', 180),
    quoteOf('a', 'pinnacle', '1x2', null, [2.0, 3.6, 4.1]),
    quoteOf('a', 'pinnacle', 'totals', 2.75, [1.95, 1.95]),
    quoteOf('a', 'crown', 'totals', 2.75, [1.3, 2.05]),
    quoteOf('a', 'pinnacle', 'asian_handicap', handicapLine, [1.95, 1.95]),
  ];

  test('a contradicted goal grid causes safe_to_proceed to be false with the reason, in score_prob and wherever min_ev_pct uses the grid', async () => {
    const agreed = over(wires(-0.5));
    const scores = await agreed('score_prob', { query: 'Reading' });
    expect(Math.abs(Number(scores.ah_ev_check))).toBeLessThan(0.1);
    expect(scores.decision).toMatchObject({ safe_to_proceed: true, ask_user: null });
    expect((await agreed('find_value', { query: 'Reading', min_ev_pct: 0 })).decision).toMatchObject({
      safe_to_proceed: true,
    });

    const contradicted = over(wires(-1.5));
    const doubtful = await contradicted('score_prob', { query: 'Reading' });
    expect(Math.abs(Number(doubtful.ah_ev_check))).toBeGreaterThan(0.1);
    expect(doubtful.decision).toMatchObject({ safe_to_proceed: false });
    expect((doubtful.decision as Answer).ask_user).toContain('The Asian handicap disagrees');
    expect(doubtful.summary).toContain('The Asian handicap disagrees with these scores');
    const value = await contradicted('find_value', { query: 'Reading', min_ev_pct: 0 });
    expect(value.decision).toMatchObject({ safe_to_proceed: false });
    expect(value.note).toContain('ev_pct is rough');
    // A price whose edge alone is judged needs no grid.
    const byEdge = await contradicted('find_value', { query: 'Reading' });
    expect(byEdge.decision).toMatchObject({ safe_to_proceed: true });
  });
});
