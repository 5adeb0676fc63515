// API-Football through its adapter and the real ingest parts, each rule separately.

import { afterEach, describe, expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import {
  close,
  fixture,
  liveItem,
  odds,
  open,
  quotes,
  run,
  START_S,
  side,
  standIn,
  winner,
} from './api-football-scene.ts';
import { ApiFootballStandIn } from './stand-in.ts';

afterEach(close);

describe('api-football', () => {
  test('reads handicaps of both sides as the home line, prices as text, only mapped bookmakers, and every page', async () => {
    open();
    fixture(1);
    const asian = ['Home -0.75', 'Away -0.75', 'Home +0', 'Away +0', 'Over 9'].map((value, index) => ({
      value,
      odd: ['1.92', '1.85', '1.26', '3.56', '2'][index],
    }));
    const totals = ['Over 2.0', 'Under 2.0', 'Over 0.5', 'Under 0.5', 'Over 2.3', 'Under 2.3'].map(
      (value, index) => ({
        value,
        odd: ['1.50', '2.52', '1.00', '15.00', '2', '2'][index],
      }),
    );
    const whole = winner(2, ['1.73', '3.80', '4.95']);
    whole.bets.push(
      { id: 4, name: 'Asian Handicap', values: asian },
      { id: 5, name: 'Goals Over/Under', values: totals },
    );
    standIn.odds = [odds(1, [whole, winner(99, ['1', '2', '3']), winner(2, ['9', '9', '9'])])];
    for (let id = 2; id <= 15; id++) {
      fixture(id);
      standIn.odds.push(odds(id, [winner(5, ['2', '3.5', '4'])]));
    }
    await run.for(HOUR_MS);
    expect(quotes('1')).toEqual({
      'crown|1x2|full_time|': '1.73 3.8 4.95 open',
      'crown|asian_handicap|full_time|-0.75': '1.92 1.85 0 open',
      'crown|asian_handicap|full_time|0': '1.26 3.56 0 open',
      'crown|totals|full_time|2': '1.5 2.52 0 open',
    });
    expect(quotes('15')).toEqual({ 'sbobet|1x2|full_time|': '2 3.5 4 open' });
    const { counts, unmapped } = run.poller.status();
    expect([...counts.keys()]).toEqual(
      expect.arrayContaining(['price_pulled', 'bad_line', 'duplicate_bookmaker', 'unmapped_bookmaker']),
    );
    expect([...unmapped.keys()]).toEqual(['Bookmaker 99']);
  });

  test('reads the odds of the chosen leagues only, by league and season', async () => {
    open({ sports: ['football:Premier League', 'football:140'] });
    standIn.left = 7_500;
    fixture(1);
    fixture(2, { league: 140, leagueName: 'La Liga' });
    standIn.odds = [1, 2].map((id) => odds(id, [winner(5, ['2', '3.5', '4'])]));
    for (let id = 10; id < 60; id++) {
      fixture(id, { league: 61, leagueName: 'Ligue 1' });
      standIn.odds.push(odds(id, [winner(5, ['2', '3.5', '4'])]));
    }
    await run.for(HOUR_MS);
    const asked = standIn.asked.filter(({ path }) => path === 'odds').map(({ query }) => query);
    expect(new Set(asked.map(({ league, season }) => `${league} ${season}`))).toEqual(
      new Set(['39 2026', '140 2026']),
    );
    expect(asked.some(({ page }) => page !== undefined)).toBe(false);
    expect([quotes('1'), quotes('2')].map((found) => Object.keys(found).length)).toEqual([1, 1]);
  });

  test('requests prices often enough to keep them fresh if the quota allows it, because an answer that repeats prices confirms them', async () => {
    open();
    standIn.left = 7_500;
    fixture(1);
    standIn.odds = [odds(1, [winner(5, ['2', '3.5', '4'])])];
    await run.for(10 * MINUTE_MS);
    let oldestMs = 0;
    await run.for(2 * HOUR_MS, (nowMs) => {
      const { reader } = run.desk;
      const eventNumber = reader.columns.eventNumber[reader.pageOf(0)]!;
      const own = reader.readEvent(eventNumber, (page) => reader.ownConfirmationsOf(page));
      oldestMs = Math.max(oldestMs, nowMs - Math.max(...own!));
    });
    expect(oldestMs).toBeLessThan(300_000);
  });

  test('reads state, clock, score and red cards in play, removes prices from before the match, then reads the result', async () => {
    open({ forcedEveryMs: MINUTE_MS });
    standIn.left = 10_000;
    const game = fixture(1, { kickoff: START_S + 600 });
    standIn.odds = [odds(1, [winner(2, ['1.73', '3.80', '4.95'])])];
    await run.for(5 * MINUTE_MS);
    expect(Object.keys(quotes('1'))).toHaveLength(1);
    await run.for(6 * MINUTE_MS);
    const card = { team: { id: 12 }, type: 'Card', detail: 'Red Card' };
    Object.assign(game, {
      short: '1H',
      elapsed: 12,
      goals: [1, 0],
      events: [card, { ...card, detail: 'Yellow Card' }],
    });
    await run.for(2 * MINUTE_MS);
    expect(run.slate(['1'])['1']).toMatchObject({
      status: 'live',
      clock: '1h 12',
      score: [1, 0],
      cards: [0, 1],
      quotes: {},
    });
    game.events = [];
    await run.for(2 * MINUTE_MS);
    expect(run.slate(['1'])['1']).toMatchObject({ cards: [0, 0] });
    await run.for(100 * MINUTE_MS);
    Object.assign(game, { short: 'FT', elapsed: 90, goals: [2, 0] });
    await run.for(2 * MINUTE_MS);
    expect(run.slate(['1'])['1']).toMatchObject({ status: 'finished', score: [2, 0] });
    expect(run.wire.filter(({ type }) => type === 'result')).toMatchObject([{ event: '1', score: [2, 0] }]);
  });

  test('reads live odds only if a bookmaker is mapped to them, converts handicaps to the present score, and suspends prices by any flag', async () => {
    open({ live: true, forcedEveryMs: MINUTE_MS });
    standIn.left = 10_000;
    fixture(1, { kickoff: START_S - 3_600, short: '2H', elapsed: 62, goals: [1, 0] });
    const values = [
      side('Home', '2.05', '-1'),
      side('Away', '1.80', '1'),
      side('Home', '1.5', '-0.5', { suspended: true }),
      side('Away', '2.5', '0.5'),
    ];
    standIn.liveOdds = [liveItem(1, [1, 0], values)];
    await run.for(3 * MINUTE_MS);
    expect(quotes('1')).toEqual({
      'macau|asian_handicap|full_time|0': '2.05 1.8 0 open',
      'macau|asian_handicap|full_time|0.5': '1.5 2.5 0 suspended',
    });
    standIn.liveOdds = [liveItem(1, [1, 0], values, { blocked: true })];
    await run.for(2 * MINUTE_MS);
    expect(Object.values(quotes('1')).every((text) => text.endsWith('suspended'))).toBe(true);
  });

  test('reads no live odds if no bookmaker is mapped to them', async () => {
    open({ forcedEveryMs: MINUTE_MS });
    standIn.left = 10_000;
    fixture(1, { kickoff: START_S - 3_600, short: '2H', elapsed: 62, goals: [1, 0] });
    await run.for(10 * MINUTE_MS);
    expect(standIn.asked.some(({ path }) => path === 'odds/live')).toBe(false);
  });

  test.each([
    [{ token: 'Error/Missing application key.' }, 200, 'stopped', 'bad_key'],
    [{ requests: 'You have reached the request limit for the day' }, 200, 'stopped', 'quota_spent'],
    [{ requests: 'You have reached the request limit for the day' }, 429, 'stopped', 'quota_spent'],
    [{ rateLimit: 'Too many requests.' }, 200, 'failing', 'throttled'],
    [{ rateLimit: 'Too many requests.' }, 429, 'failing', 'throttled'],
    [{ plan: 'Free plans do not have access to this date' }, 200, 'failing', 'not_paid'],
  ])(
    'reports the error %p with status %p, keeps the slate, and recovers',
    async (errors, status, state, reason) => {
      open({ forcedEveryMs: MINUTE_MS });
      standIn.left = 10_000;
      fixture(1);
      standIn.odds = [odds(1, [winner(2, ['1.73', '3.80', '4.95'])])];
      await run.for(MINUTE_MS);
      standIn.fault = (path) =>
        path === 'status' || path === 'fixtures'
          ? new Response(standIn.error(errors as Record<string, string>).body, { status })
          : null;
      await run.for(3 * MINUTE_MS);
      expect(run.poller.status()).toMatchObject({ state: state as 'stopped', reason: reason as 'bad_key' });
      expect(Object.keys(quotes('1'))).toHaveLength(1);
      expect(run.logged.join('')).not.toContain(ApiFootballStandIn.KEY);
      standIn.fault = () => null;
      await run.for(35 * MINUTE_MS);
      expect(run.poller.status()).toMatchObject({ state: 'ok', reason: null });
      expect(Object.keys(quotes('1'))).toHaveLength(1);
    },
  );

  test('treats an unreadable answer as a missing answer, so the slate stays', async () => {
    open({ forcedEveryMs: MINUTE_MS });
    standIn.left = 10_000;
    fixture(1);
    standIn.odds = [odds(1, [winner(2, ['1.73', '3.80', '4.95'])])];
    await run.for(MINUTE_MS);
    const before = quotes('1');
    const body = { errors: [], response: [{ id: 1 }, null], paging: { current: 1, total: 1 } };
    standIn.fault = (path) => (path === 'odds' ? Response.json(body) : null);
    await run.for(3 * MINUTE_MS);
    expect(run.poller.status()).toMatchObject({ state: 'failing', reason: 'wrong_shape' });
    expect(quotes('1')).toEqual(before);
  });

  test('spreads the hundred requests of the free plan until midnight, at most ten a minute', async () => {
    open();
    standIn.perMinute = 10;
    for (let id = 1; id <= 60; id++) {
      fixture(id, { kickoff: START_S + 1_200 * id });
      standIn.odds.push(odds(id, [winner(2, ['1.73', '3.80', '4.95'])]));
    }
    await run.to(Date.parse('2026-11-07T23:50:00.000Z'));
    expect(standIn.left).toBeGreaterThanOrEqual(0);
    const paid = standIn.asked.filter(({ path }) => path !== 'status');
    expect(paid.at(-1)!.atMs).toBeGreaterThan(Date.parse('2026-11-07T23:00:00.000Z'));
    for (const [index, { atMs }] of paid.entries()) {
      if (index >= 10) expect(atMs - paid[index - 10]!.atMs).toBeGreaterThanOrEqual(54_000);
    }
    expect(run.poller.status().failures.size).toBe(0);
  });
});
