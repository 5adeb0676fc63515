// iSports through its adapter and the real ingest parts: signs, prices, slots and states one by one.

import { afterEach, describe, expect, test } from 'bun:test';
import { MINUTE_MS } from '../../../src/clock.ts';
import { change, close, match, open, place, quotes, run, START_MS, START_S } from './isports-scene.ts';

afterEach(close);

describe('isports', () => {
  test('reads handicaps with the opposite sign, Hong Kong prices beside decimal ones, openings and half-time markets', async () => {
    open();
    match('7');
    place('7', 'handicap', [0.75, 0.9, 0.94], { init: [1, 1.04, 0.8] });
    place('7', 'handicap', [0.5, 0.7, 1.16], { index: 2 });
    place('7', 'europeOdds', [1.73, 4, 3.5]);
    place('7', 'overUnder', [2.25, '0.88', '0.98']);
    place('7', 'handicapHalf', [-0.25, 0.8, 1.08]);
    place('7', 'overUnderHalf', [1, 0.95, 0.85], { company: 31 });
    place('7', 'overUnder', [2.5, 0.9, 0.9], { company: 999 });
    await run.for(1_000);
    expect(quotes('football-7')).toEqual({
      'crown|asian_handicap|full_time|-0.75': '1.9 1.94 0 open',
      'crown|asian_handicap|full_time|-0.5': '1.7 2.16 0 open',
      'crown|1x2|full_time|': '1.73 4 3.5 open',
      'crown|totals|full_time|2.25': '1.88 1.98 0 open',
      'crown|asian_handicap|half_time|0.25': '1.8 2.08 0 open',
      'sbobet|totals|half_time|1': '1.95 1.85 0 open',
    });
    const main = run.wire.find(({ type, line }) => type === 'quote' && line === -0.75);
    expect(main).toMatchObject({ opening: [2.04, 1.8], opening_line: -1 });
    expect(run.poller.status().unmapped.get('999')).toBeGreaterThan(0);
  });

  test('reads basketball totals by their own company ids, and no moneyline in play', async () => {
    open();
    const game = match('9', { sport: 'basketball', leagueName: 'NBA' });
    place('9', 'spread', [-5.5, 0.876, 0.924]);
    place('9', 'moneyLine', [2.65, 1.35], { company: 1 });
    place('9', 'total', [156, 0.899, 0.861], { company: 6 });
    place('9', 'total', [156.5, 0.9, 0.86], { company: 34 });
    await run.for(1_000);
    const before = {
      'crown|asian_handicap|full_time|5.5': '1.876 1.924 0 open',
      'macau|1x2|full_time|': '2.65 1.35 0 open',
      'crown|totals|full_time|156': '1.899 1.861 0 open',
      'sbobet|totals|full_time|156.5': '1.9 1.86 0 open',
    };
    expect(quotes('basketball-9', 1)).toEqual(before);
    change(game, { status: 1, quarterLeft: '06:55', score: [10, 8] });
    await run.for(4_000);
    const { 'macau|1x2|full_time|': _gone, ...inPlay } = before;
    expect(quotes('basketball-9', 1)).toEqual(inPlay);
    expect(run.slate(['basketball-9'], 1)).toMatchObject({
      'basketball-9': { status: 'live', clock: 'q1 6:55', score: [10, 8] },
    });
  });

  test('reads closing and maintenance as suspension; a line that left its slot is removed, unless another slot shows it', async () => {
    open(['football']);
    match('7');
    const main = place('7', 'handicap', [0.75, 0.9, 0.94]);
    place('7', 'handicap', [1, 1.2, 0.66], { index: 2 });
    await run.for(3_000);
    change(main, { now: [1, 1.22, 0.64] });
    await run.for(4_000);
    expect(quotes('football-7')).toEqual({ 'crown|asian_handicap|full_time|-1': '2.22 1.64 0 open' });
    change(main, { maintenance: true });
    await run.for(4_000);
    expect(quotes('football-7')).toEqual({ 'crown|asian_handicap|full_time|-1': '2.22 1.64 0 suspended' });
    change(main, { maintenance: false, close: true });
    await run.for(4_000);
    expect(quotes('football-7')['crown|asian_handicap|full_time|-1']).toContain('suspended');
  });

  test('reads clock, score, cards and result from livescores; prices from before the match leave at its start', async () => {
    open(['football']);
    const game = match('7');
    place('7', 'handicap', [0.75, 0.9, 0.94]);
    place('7', 'europeOdds', [1.5, 4, 6], { type: 3, changedAt: START_S + 3_600 });
    await run.for(2_000);
    expect(Object.keys(quotes('football-7'))).toEqual(['crown|asian_handicap|full_time|-0.75']);
    await run.to(START_MS + 3_700_000);
    change(game, { status: 1, halfStart: START_S + 3_660 });
    await run.for(3 * MINUTE_MS);
    expect(run.slate(['football-7'])['football-7']).toMatchObject({
      status: 'live',
      clock: '1h 3',
      score: [0, 0],
    });
    expect(Object.keys(quotes('football-7'))).toEqual(['crown|1x2|full_time|']);
    change(game, { score: [0, 1], reds: [1, 0] });
    await run.for(4_000);
    expect(run.slate(['football-7'])['football-7']).toMatchObject({ score: [0, 1], cards: [1, 0] });
    change(game, { status: -1 });
    await run.for(4_000);
    expect(run.wire.filter(({ type }) => type === 'result')).toMatchObject([
      { score: [0, 1], red_cards: [1, 0] },
    ]);
    expect(quotes('football-7')).toEqual({});
  });

  test('reads only the leagues that the settings give by name or id; a postponed match leaves the slate', async () => {
    open(['football:english premier league', 'basketball:122']);
    const game = match('7');
    match('8', { leagueId: '5', leagueName: 'Other' });
    match('9', { sport: 'basketball', leagueId: '122', leagueName: 'WNBA' });
    for (const id of ['7', '8']) place(id, 'europeOdds', [1.73, 4, 3.5]);
    place('9', 'spread', [-5.5, 0.876, 0.924]);
    await run.for(1_000);
    expect(run.desk.fixtureCount).toBe(2);
    change(game, { status: -14 });
    await run.for(4_000);
    expect(run.desk.fixtureCount).toBe(1);
  });
});
