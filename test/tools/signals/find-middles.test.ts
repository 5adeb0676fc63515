// What find_middles reports. sharp-gate.test.ts also checks that the sharp bookmaker's prices change nothing
// for callers who may not see them.

import { describe, expect, test } from 'bun:test';
import type { LowHold, Middle } from '../../../src/contract/signals/kinds.ts';
import { basketball, football, quote, T0 } from '../made-up-slate.ts';
import { toolsOver } from '../scanning-slate.ts';
import { type Answer, PAID, type Wire, WireSlate } from '../wire-slate.ts';

async function middlesOf(wires: readonly Wire[], more: Record<string, unknown> = {}) {
  const slate = new WireSlate();
  slate.feed(wires, T0);
  const answer: Answer = await toolsOver(slate)('find_middles', { query: 'Reading', ...more }, T0, PAID);
  return {
    middles: answer.middles as Middle[],
    lowHolds: answer.low_holds as LowHold[],
    summary: answer.summary as string,
    excluded: answer.excluded as Record<string, number>,
  };
}

const GRID = [
  football('a', 'Reading', 'Stoke'),
  ...quote('a', 'pinnacle', '1x2', null, [2.5, 3.3, 3]),
  ...quote('a', 'pinnacle', 'totals', 2.5, [1.95, 1.95]),
];

describe('find_middles', () => {
  test('two owners at two lines make a middle; its expected return is that of both bets together', async () => {
    const wires = [
      ...GRID,
      ...quote('a', 'crown', 'totals', 2, [1.6, 2.3]),
      ...quote('a', 'hkjc', 'totals', 3, [2.3, 1.7]),
    ];
    const { middles, summary } = await middlesOf(wires, { min_ev_pct: -10 });
    const widest = middles.find(({ legs }) => legs[0]!.line === 2 && legs[1]!.line === 3)!;
    expect(widest.legs.map(({ outcome, bookmaker }) => `${outcome} ${bookmaker}`)).toEqual([
      'over crown',
      'under hkjc',
    ]);
    // No total lies strictly between 2 and 3. At 2 and at 3, one bet is returned and the other one wins.
    expect(widest.both_win_prob).toBe(0);
    expect(widest.no_loss_prob).toBeGreaterThan(0.4);
    expect(widest.worst_pct).toBe(-17.58);
    expect(middles.map(({ ev_pct }) => ev_pct)).toEqual(
      middles.map(({ ev_pct }) => ev_pct).toSorted((left, right) => right - left),
    );
    expect(summary).toContain('middle');
  });

  test('a single bookmaker, or handicaps in the wrong order, make no middle', async () => {
    const alone = [
      ...GRID.slice(0, 2),
      ...quote('a', 'crown', 'totals', 2.5, [1.95, 1.95]),
      ...quote('a', 'crown', 'totals', 3.5, [3, 1.4]),
    ];
    expect((await middlesOf(alone, { min_ev_pct: -10 })).middles).toEqual([]);
    const handicaps = [
      ...GRID,
      ...quote('a', 'crown', 'asian_handicap', -0.5, [2.4, 1.01]),
      ...quote('a', 'hkjc', 'asian_handicap', 0.5, [1.01, 2.7]),
    ];
    // Home -0.5 needs a home win. The line +0.5 is away -0.5, which needs an away win. So both bets lose on a
    // draw.
    expect((await middlesOf(handicaps, { min_ev_pct: -10 })).middles).toEqual([]);
  });

  test('basketball has middles by points before the match, and none in play', async () => {
    const wires = [
      basketball('a', 'Reading', 'Stoke'),
      ...quote('a', 'crown', 'totals', 210.5, [1.95, 1.9]),
      ...quote('a', 'hkjc', 'totals', 214.5, [1.9, 1.95]),
    ];
    const { middles } = await middlesOf(wires, { min_ev_pct: -10 });
    expect(middles).toHaveLength(1);
    expect(middles[0]!.both_win_prob).toBeCloseTo(0.094, 2);
    const live = {
      type: 'state',
      seq: 1,
      at: wires[0]!.at,
      event: 'a',
      status: 'live',
      clock: 'q1',
      score: [1, 2],
    };
    expect((await middlesOf([...wires, { ...live, cards: null }], { min_ev_pct: -10 })).middles).toEqual([]);
  });

  test('a line is a low hold if its best prices are at most that far from fair, including exactly at the bound', async () => {
    const wires = [
      ...GRID,
      ...quote('a', 'crown', 'totals', 2.5, [2, 1.7]),
      ...quote('a', 'hkjc', 'totals', 2.5, [1.7, 1.96]),
    ];
    const { lowHolds } = await middlesOf(wires, { max_hold_pct: 1.02 });
    expect(lowHolds.map(({ market_type, line, hold_pct }) => [market_type, line, hold_pct])).toEqual([
      ['totals', 2.5, 1.01],
    ]);
    expect((await middlesOf(wires, { max_hold_pct: 1 })).lowHolds).toEqual([]);
  });
});
