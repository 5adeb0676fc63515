// Bounds of value and arbitrage: included to the last bit, implausible hits dropped and counted, order and
// counts of a scan, and the limits of its arguments.

import { describe, expect, test } from 'bun:test';
import { ValidationError } from '../../../src/errors.ts';
import { football, quote, quoteOf, state, T0 } from '../made-up-slate.ts';
import { toolsOver } from '../scanning-slate.ts';
import { type Wire, WireSlate } from '../wire-slate.ts';

function over(wires: readonly Wire[]) {
  const slate = new WireSlate();
  slate.feed(wires, T0);
  const ask = toolsOver(slate);
  return (tool: string, input: Record<string, unknown>) => ask(tool, input, T0);
}

interface Bet {
  readonly outcome: string;
  readonly bookmaker: string;
  readonly edge_pct: number;
}

describe('find_value', () => {
  // The sharp bookmaker is fair at 2.00 on both sides, so a price of 2.02 is an edge of 1 % and one of 2.2 is
  // one of 10 %.
  const fair = [football('a', 'Reading', 'Stoke'), ...quote('a', 'pinnacle', 'totals', 2.5, [2, 2])];

  test('an edge of exactly the least is in, anything less is out', async () => {
    const ask = over([...fair, ...quote('a', 'crown', 'totals', 2.5, [2.02, 1.9])]);
    for (const [min_edge_pct, count] of [
      [1, 1],
      [0.99, 1],
      [1.000001, 0],
      [0, 2], // the sharp bookmaker's own 2.00 is an edge of exactly nothing
    ] as const) {
      const { value_bets } = await ask('find_value', { query: 'Reading', min_edge_pct });
      expect([min_edge_pct, (value_bets as Bet[]).length]).toEqual([min_edge_pct, count]);
    }
    const { value_bets } = await ask('find_value', { query: 'Reading' });
    expect(value_bets).toMatchObject([{ outcome: 'over', bookmaker: 'crown', fair_price: 2, edge_pct: 1 }]);
  });

  test('an edge of exactly 10 % is in, more is dropped, counted and said', async () => {
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

  test('says why there is nothing: no sharp quote in these markets', async () => {
    const ask = over([...fair, ...quote('a', 'crown', '1x2', null, [2, 3, 4])]);
    const answer = await ask('find_value', { query: 'Reading', markets: ['1x2'] });
    expect(answer).toMatchObject({ value_bets: [], fair_source: null });
    expect(answer.note).toBe(
      "Pinnacle has no open quote in these markets, so there is no fair price to compare with. Left out: 1 line with one owner's prices alone.",
    );
    expect(answer.summary).toBe(`Reading vs Stoke: value cannot be judged. ${answer.note}`);
  });
});

describe('find_arbitrage', () => {
  test('margin bounds are included; a sum of exactly 1 and a single book are no arbitrage', async () => {
    const cases: [Wire[], number, number][] = [
      // 1/2.5 + 1/1.6666.. would be 1; 2.1 and 2.1 make 5 %.
      [
        [...quote('a', 'crown', 'totals', 2.5, [2.1, 1.7]), ...quote('a', 'hkjc', 'totals', 2.5, [1.7, 2.1])],
        5,
        1,
      ],
      [
        [...quote('a', 'crown', 'totals', 2.5, [2.1, 1.7]), ...quote('a', 'hkjc', 'totals', 2.5, [1.7, 2.1])],
        5.0001,
        0,
      ],
      [
        [...quote('a', 'crown', 'totals', 2.5, [2.2, 1.7]), ...quote('a', 'hkjc', 'totals', 2.5, [1.7, 2.2])],
        0,
        1,
      ],
      [
        [
          ...quote('a', 'crown', 'totals', 2.5, [2.21, 1.7]),
          ...quote('a', 'hkjc', 'totals', 2.5, [1.7, 2.2]),
        ],
        0,
        0,
      ],
      [
        [...quote('a', 'crown', 'totals', 2.5, [2, 1.7]), ...quote('a', 'hkjc', 'totals', 2.5, [1.7, 2])],
        0,
        0,
      ],
      [
        [...quote('a', 'crown', 'totals', 2.5, [1.25, 1.7]), ...quote('a', 'hkjc', 'totals', 2.5, [1.2, 5])],
        0,
        0,
      ],
      [quote('a', 'crown', 'totals', 2.5, [2.1, 2.1]), 0, 0],
      [
        [
          ...quote('a', 'crown', 'totals', 2.5, [2.1, 1.7]),
          ...quote('a', 'hkjc', 'totals', 2.75, [1.7, 2.1]),
        ],
        0,
        0,
      ],
      [
        [
          ...quote('a', 'crown', 'totals', 2.5, [2.1, 1.7]),
          ...quote('a', 'hkjc', 'totals', 2.5, [1.7, 2.1], 'suspended'),
        ],
        0,
        0,
      ],
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

  test('the sentence names teams, books, lines and the margin', async () => {
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

describe('scan_slate', () => {
  /** 130 fixtures, the later the kickoff the higher the number; every 13th has value, number 5 is live. */
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

  test('scores live first, then the soonest hundred; counts the whole slate; signals first, strongest first', async () => {
    const answer = await ask('scan_slate', { limit: 100 });
    // The finished numbers 0 to 2 (kickoff more than 150 minutes ago) are not among the hundred.
    expect(answer).toMatchObject({ count: 130, with_signal: 7, returned: 100, truncated: false });
    expect(answer.not_scored).toBe(30);
    const homes = homesOf(answer);
    expect(homes.slice(0, 7)).toEqual([91, 78, 65, 52, 39, 26, 13].map((number) => `Home ${number}`));
    expect(homes.slice(7, 10)).toEqual(['Home 5', 'Home 3', 'Home 4']);
    expect(answer.summary).toStartWith(
      'Scored 100 of 130 fixtures, 7 of them show value or arbitrage; the strongest is Home 91 vs Away 91. Arbitrage: over 2.5 at 2.1091 with Crown and',
    );
  });

  test('only_signal leaves out the rest and is whole when all signals fit', async () => {
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

  test('a signal at the bound of 0 comes before none', async () => {
    const even = over([
      football('soon', 'Soon', 'Other', '2026-03-01T13:00:00Z'),
      ...quote('soon', 'crown', 'totals', 2.5, [1.9, 1.9]),
      football('late', 'Late', 'Other', '2026-03-01T18:00:00Z'),
      ...quote('late', 'pinnacle', 'totals', 2.5, [2, 2]),
    ]);
    expect(homesOf(await even('scan_slate', { min_edge_pct: 0 }))).toEqual(['Late', 'Soon']);
  });

  test('status live leaves out what is over by elapsed time', async () => {
    expect(homesOf(await ask('scan_slate', { status: 'live' }))).toEqual(['Home 5']);
    expect((await ask('scan_slate', { status: 'finished' })).count).toBe(3);
  });

  test('arguments have bounds', async () => {
    for (const input of [
      { limit: 0 },
      { limit: 101 },
      { limit: 1.5 },
      { min_edge_pct: -0.001 },
      { min_margin_pct: -1 },
      { only_signal: 'yes' },
    ]) {
      const failure = await ask('scan_slate', input).then(
        () => null,
        (error: unknown) => error,
      );
      expect([input, failure instanceof ValidationError]).toEqual([input, true]);
    }
    expect((await ask('scan_slate', {})).returned).toBe(20);
    expect((await ask('scan_slate', { limit: 1 })).returned).toBe(1);
  });
});
