// The order, counts and arguments of a scan.

import { describe, expect, test } from 'bun:test';
import { football, quote, state, T0 } from '../made-up-slate.ts';
import { over } from '../misleading-scene.ts';

describe('scan_slate', () => {
  /**
   * 130 fixtures; the higher its number, the later a fixture kicks off. Every 13th has value, and number 5 is
   * live.
   */
  const wires = Array.from({ length: 130 }, (_, index) => {
    const event = `f${index}`;
    const kickoff = new Date(T0 + (index - 5) * 3_600_000 - 60_000).toISOString();
    return [
      football(event, `Home ${index}`, `Away ${index}`, kickoff),
      ...quote(event, 'pinnacle', 'totals', 2.5, [2, 2]),
      ...quote(event, 'crown', 'totals', 2.5, [index % 13 === 0 ? 2.1 + index / 10_000 : 1.9, 1.9]),
      ...(index === 5 ? [state(event, 'live', [0, 0], '1h 1')] : []),
    ];
  }).flat();
  const ask = over(wires);
  const homesOf = (answer: Record<string, unknown>) =>
    (answer.entries as { home_team: string }[]).map((entry) => entry.home_team);

  test('scores a hundred fixtures: the live ones and those that kick off soonest; counts the whole slate; lists the strongest signals first', async () => {
    expect((await ask('scan_slate', {})).returned).toBe(20);
    const answer = await ask('scan_slate', { limit: 100 });
    // The finished fixtures 0 to 2, which kicked off more than 150 minutes ago, are not among the hundred.
    expect(answer).toMatchObject({ count: 130, with_signal: 7, returned: 100, truncated: false });
    expect(answer.not_scored).toBe(30);
    const homes = homesOf(answer);
    expect(homes.slice(0, 7)).toEqual([91, 78, 65, 52, 39, 26, 13].map((number) => `Home ${number}`));
    expect(homes.slice(7, 10)).toEqual(['Home 5', 'Home 3', 'Home 4']);
    expect(answer.summary).toStartWith(
      'Scored 100 of 130 fixtures, 7 of them show value or arbitrage; the strongest is Home 91 vs Away 91. Arbitrage: over 2.5 at 2.1091 with Crown and',
    );
  });

  test('only_signal leaves out fixtures without a signal, and is complete if all signals fit', async () => {
    const signalled = await ask('scan_slate', { only_signal: true, status: 'scheduled' });
    expect(signalled.returned).toBe(7);
    const two = await ask('scan_slate', { only_signal: true, limit: 2 });
    expect([two.returned, two.with_signal, two.truncated, homesOf(two)]).toEqual([
      2,
      7,
      true,
      ['Home 91', 'Home 78'],
    ]);
  });

  test('a fixture with a signal at the bound of 0 comes before one without a signal', async () => {
    const even = over([
      football('soon', 'Soon', 'Other', '2026-03-01T13:00:00Z'),
      ...quote('soon', 'crown', 'totals', 2.5, [1.9, 1.9]),
      football('late', 'Late', 'Other', '2026-03-01T18:00:00Z'),
      ...quote('late', 'pinnacle', 'totals', 2.5, [2, 2]),
    ]);
    expect(homesOf(await even('scan_slate', { min_edge_pct: 0 }))).toEqual(['Late', 'Soon']);
  });
});
