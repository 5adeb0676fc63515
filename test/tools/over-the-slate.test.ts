// list_movers, compare_books and list_leagues over a made-up slate, compared with figures computed here from
// the same prices.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { football, quoteOf, state, T0 } from './made-up-slate.ts';
import { fairOf, inverseSum } from './oracle/odds.ts';
import { type Args, ToolService } from './tool-service.ts';
import type { Wire } from './wire-slate.ts';

const NOW = new Date(T0).toISOString();

function at(wire: Wire, secondsAgo: number): Wire {
  return { ...wire, at: new Date(T0 - secondsAgo * 1_000).toISOString() };
}

const OPENED = 1_200;

/**
 * Prices of Arsenal rise at every bookmaker, those of Leeds do not move, and the total of Everton moves to
 * another line.
 */
function wires(): Wire[] {
  return [
    football('ars', 'Arsenal', 'Chelsea'),
    football('lee', 'Leeds', 'Wolves'),
    {
      ...football('eve', 'Everton', 'Fulham', '2026-03-02T20:00:00Z'),
      league: { key: 'other', name: 'Other League' },
    },
    at(quoteOf('ars', 'pinnacle', '1x2', null, [2, 3.6, 4]), OPENED),
    at(quoteOf('ars', 'crown', '1x2', null, [1.95, 3.5, 3.9]), OPENED),
    at(quoteOf('lee', 'pinnacle', '1x2', null, [2.4, 3.3, 3]), OPENED),
    at(quoteOf('lee', 'crown', '1x2', null, [2.3, 3.2, 2.9]), OPENED),
    at(quoteOf('eve', 'pinnacle', 'totals', 2.5, [1.95, 1.95]), OPENED),
    at(quoteOf('ars', 'pinnacle', '1x2', null, [2.3, 3.5, 3.3]), 100),
    at(quoteOf('ars', 'crown', '1x2', null, [2.2, 3.4, 3.2]), 40),
    at(quoteOf('eve', 'pinnacle', 'totals', 2.5, [1.95, 1.95], { status: 'suspended' }), 90),
    at(quoteOf('eve', 'pinnacle', 'totals', 2.75, [1.97, 1.93]), 90),
    state('lee', 'live', [1, 0], '1h 20'),
  ].sort((left, right) => String(left.at ?? NOW).localeCompare(String(right.at ?? NOW)) || 0);
}

let service: ToolService;
beforeAll(async () => {
  const all = wires();
  // Fixtures come first, because a quote needs its fixture.
  const fixtures = all.filter(({ type }) => type === 'event' || type === 'fixture');
  service = await ToolService.play([...fixtures, ...all.filter((wire) => !fixtures.includes(wire))], NOW);
});
afterAll(() => service[Symbol.asyncDispose]());

interface Mover {
  readonly home_team: string;
  readonly bookmaker: string;
  readonly line_from: number | null;
  readonly line_to: number | null;
  readonly prob_from: number;
  readonly prob_to: number;
  readonly change_pp: number | null;
  readonly from_at: string;
}

async function ask<Answer>(tool: string, args: Args, asker: 'enterprise' | 'free' = 'enterprise') {
  return (await service.answer(asker, tool, args)) as Answer;
}

describe('list_movers', () => {
  test('since opening: uses the sharp book if the caller sees it, shows the outcome that moved most, and leaves out matches that did not move', async () => {
    const answer = await ask<{ movers: Mover[]; summary: string; fair_method: string }>('list_movers', {});
    const { movers, summary, fair_method } = answer;
    expect(movers.map(({ home_team }) => home_team)).toEqual(['Arsenal']);
    const [arsenal] = movers as [Mover];
    const before = fairOf('1x2', [2, 3.6, 4])![0]!;
    const after = fairOf('1x2', [2.3, 3.5, 3.3])![0]!;
    expect([arsenal.bookmaker, fair_method]).toEqual(['pinnacle', 'power']);
    expect(arsenal.prob_from).toBeCloseTo(before, 4);
    expect(arsenal.prob_to).toBeCloseTo(after, 4);
    expect(arsenal.change_pp).toBeCloseTo((after - before) * 100, 1);
    expect(arsenal.from_at).toBe(new Date(T0 - OPENED * 1_000).toISOString());
    expect(summary).toContain('Arsenal vs Chelsea');
    const free = await ask<{ movers: Mover[] }>('list_movers', {}, 'free');
    expect(free.movers.map(({ bookmaker }) => bookmaker)).toEqual(['crown']);
  });

  test('a total that moved to another line has no change of probability', async () => {
    const { movers } = await ask<{ movers: Mover[] }>('list_movers', { market_type: 'totals' });
    expect(movers).toHaveLength(1);
    expect(movers[0]).toMatchObject({
      home_team: 'Everton',
      line_from: 2.5,
      line_to: 2.75,
      change_pp: null,
    });
  });
});

test('compare_books reports margin, presence and who moved first, as computed from the prices', async () => {
  const answer = await ask<{ books: Record<string, unknown>[]; count: number; summary: string }>(
    'compare_books',
    { status: 'scheduled' },
  );
  expect(answer.count).toBe(2);
  expect(answer.books.map(({ bookmaker }) => bookmaker)).toEqual(['pinnacle', 'crown']);
  expect(answer.books[0]!.overround).toBeCloseTo(inverseSum([2.3, 3.5, 3.3]) - 1, 4);
  expect(answer.books[0]).toMatchObject({
    availability_pct: 50,
    suspended_pct: 0,
    tightest_count: 1,
    best_price_count: 3,
    lag_s: 0,
    first_pct: 100,
    shared_moves: 1,
  });
  expect(answer.books[1]).toMatchObject({ tightest_count: 0, best_price_count: 0, lag_s: 60, first_pct: 0 });
  expect(answer.summary).toContain('Pinnacle is tightest');
  const free = await ask<{ books: { bookmaker: string }[] }>('compare_books', {}, 'free');
  expect(free.books.map(({ bookmaker }) => bookmaker)).toEqual(['crown']);
});

test('list_leagues reports the fixtures, the live ones and the next kickoff of each league', async () => {
  const { leagues, count } = await ask<{ leagues: Record<string, unknown>[]; count: number }>(
    'list_leagues',
    {},
  );
  expect(count).toBe(2);
  expect(leagues.map(({ matches, live, next_kickoff }) => [matches, live, next_kickoff])).toEqual([
    [2, 1, '2026-03-01T15:00:00.000Z'],
    [1, 0, '2026-03-02T20:00:00.000Z'],
  ]);
  const tomorrow = await ask<{ leagues: { name: string }[] }>('list_leagues', { date: 'tomorrow' });
  expect(tomorrow.leagues.map(({ name }) => name)).toEqual(['Other League']);
});
