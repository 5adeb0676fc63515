// The Odds API through its adapter and the real ingest parts: how answers are read, what is spent and what
// they confirm.

import { afterEach, describe, expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import { hash52 } from '../../../src/domain/ids.ts';
import { book, close, fixture, iso, open, quotes, run, START_MS, standIn } from './odds-api-scene.ts';

afterEach(close);

describe('the-odds-api', () => {
  test('reads outcomes by name, the home side as the line and only mapped bookmakers, and requests no others', async () => {
    open();
    standIn.fixtures = [
      fixture('a', START_MS + 30 * HOUR_MS, [
        book('pinnacle', [2.1, 3.4, 3.6], { line: -0.25, total: 2.75 }),
        book('unibet', [2, 3, 4]),
      ]),
    ];
    await run.for(MINUTE_MS);
    expect(quotes()).toEqual({
      'pinnacle|1x2|full_time|': '2.1 3.4 3.6 open',
      'pinnacle|asian_handicap|full_time|-0.25': '1.9 1.95 0 open',
      'pinnacle|totals|full_time|2.75': '1.84 2.02 0 open',
    });
    expect(standIn.asked.map(({ path }) => path)).toEqual(['/v4/sports', '/v4/sports/soccer_epl/odds']);
    expect(standIn.asked[1]!.query).toMatchObject({
      bookmakers: 'pinnacle,matchbook',
      markets: 'h2h,spreads,totals',
    });
    expect(standIn.creditsUsed).toBe(3);
  });

  test('suspends a quote that is missing once, closes it the third time, and closes at once a quote whose line moved', async () => {
    open({ forcedEveryMs: MINUTE_MS });
    const kickoffMs = START_MS + 30 * HOUR_MS;
    const both = [book('pinnacle', [2.1, 3.4, 3.6], { line: -0.25 }), book('matchbook', [2.2, 3.5, 3.7])];
    standIn.fixtures = [fixture('a', kickoffMs, both)];
    await run.for(1_000);
    standIn.fixtures = [fixture('a', kickoffMs, [book('pinnacle', [2.1, 3.4, 3.6], { line: -0.5 })])];
    await run.for(MINUTE_MS);
    expect(quotes()).toEqual({
      'pinnacle|1x2|full_time|': '2.1 3.4 3.6 open',
      'pinnacle|asian_handicap|full_time|-0.5': '1.9 1.95 0 open',
      'sbobet|1x2|full_time|': '2.2 3.5 3.7 suspended',
    });
    await run.for(MINUTE_MS);
    expect(quotes()['sbobet|1x2|full_time|']).toBe('2.2 3.5 3.7 suspended');
    await run.for(MINUTE_MS);
    expect(quotes()['sbobet|1x2|full_time|']).toBeUndefined();
    // The quote comes back with a stamp from before its suspension. It must not be ignored as an older quote.
    const back = book('matchbook', [2.3, 3.5, 3.7]);
    back.markets[0]!.last_update = iso(START_MS);
    standIn.fixtures = [fixture('a', kickoffMs, [back])];
    await run.for(MINUTE_MS);
    expect(quotes()['sbobet|1x2|full_time|']).toBe('2.3 3.5 3.7 open');
  });

  test('treats a price of 1 as withdrawn, and 0, negative, huge and text as bad; none of them moves another quote', async () => {
    open({ forcedEveryMs: MINUTE_MS });
    const kickoffMs = START_MS + 30 * HOUR_MS;
    standIn.fixtures = [
      fixture('a', kickoffMs, [book('pinnacle', [2.1, 3.4, 3.6]), book('matchbook', [2.2, 3.5, 3.7])]),
    ];
    await run.for(1_000);
    for (const price of [1, 0, -2, 1_001, 'NaN', null]) {
      standIn.fixtures = [
        fixture('a', kickoffMs, [book('pinnacle', [price, 3.4, 3.6]), book('matchbook', [2.2, 3.5, 3.7])]),
      ];
      await run.for(MINUTE_MS);
      expect(quotes()['sbobet|1x2|full_time|']).toBe('2.2 3.5 3.7 open');
      expect(quotes()['pinnacle|1x2|full_time|'] ?? 'closed').not.toContain('open');
    }
    const { counts } = run.poller.status();
    expect(counts.get('price_pulled')).toBe(2); // 1 and 0
    expect(counts.get('bad_price')).toBe(4);
  });

  test('reads a moved kickoff, a fixture that disappears, a match in play and its result', async () => {
    open({ forcedEveryMs: MINUTE_MS });
    const kickoffMs = START_MS + 10 * MINUTE_MS;
    const live = fixture('a', kickoffMs, [book('pinnacle', [2.1, 3.4, 3.6], { line: -0.25 })]);
    standIn.fixtures = [live, { ...fixture('b', START_MS + HOUR_MS, []), home_team: 'Leeds' }];
    await run.for(1_000);
    expect(Object.keys(run.slate(['a', 'b']))).toEqual(['a', 'b']);
    live.commence_time = iso(kickoffMs + 19_000);
    standIn.fixtures = [live];
    await run.for(MINUTE_MS);
    expect(run.slate(['a', 'b'])).toMatchObject({
      a: { scheduledAtMs: kickoffMs + 19_000, status: 'scheduled' },
    });
    expect(run.slate(['b'])).toEqual({});
    const score = { ...live, bookmakers: undefined, completed: false, last_update: iso(kickoffMs) };
    standIn.scores = [
      {
        ...score,
        scores: [
          { name: 'Fulham', score: '1' },
          { name: 'Brentford', score: '0' },
        ],
      },
    ];
    await run.for(15 * MINUTE_MS);
    expect(run.slate(['a']).a).toMatchObject({ status: 'live', score: [0, 1] });
    // In play, the score at which the handicap begins to count is not known.
    expect(Object.keys(quotes())).toEqual(['pinnacle|1x2|full_time|']);
    expect(run.poller.status().counts.get('handicap_scope_unknown')).toBeGreaterThan(5);
    await run.for(95 * MINUTE_MS);
    standIn.fixtures = [];
    standIn.scores = [{ ...standIn.scores[0]!, completed: true, last_update: iso(run.nowMs) }];
    await run.for(3 * MINUTE_MS);
    expect(run.slate(['a']).a).toMatchObject({ status: 'finished', score: [0, 1], quotes: {} });
    expect(run.wire.find(({ type }) => type === 'result')).toMatchObject({ event: 'a', score: [0, 1] });
  });

  for (const [side, team] of [
    ['home', 'home_team'],
    ['away', 'away_team'],
  ] as const) {
    test(`a score that has the key of a match but another ${side} team does not change that match`, async () => {
      open({ forcedEveryMs: MINUTE_MS });
      const kickoffMs = START_MS + 10 * MINUTE_MS;
      const held = fixture('a', kickoffMs, [book('pinnacle', [2.1, 3.4, 3.6])]);
      standIn.fixtures = [held];
      await run.for(1_000);
      const other = { ...held, [team]: 'Leeds', bookmakers: undefined, last_update: iso(kickoffMs) };
      const scores = [other.home_team, other.away_team].map((name) => ({ name, score: '1' }));
      standIn.scores = [{ ...other, completed: false, scores }];
      await run.for(25 * MINUTE_MS);
      expect(run.slate(['a']).a).toMatchObject({ score: null });
      standIn.scores = [{ ...other, completed: true, scores }];
      await run.for(95 * MINUTE_MS);
      expect(run.slate(['a']).a).toMatchObject({ home: 'Brentford', away: 'Fulham', score: null });
      expect(run.wire.filter(({ type }) => type === 'result')).toEqual([]);
    });
  }

  test('reads a fixture whose teams change as another match, and keeps nothing of the old one', async () => {
    open({ forcedEveryMs: MINUTE_MS });
    const kickoffMs = START_MS + 30 * HOUR_MS;
    standIn.fixtures = [
      fixture('a', kickoffMs, [book('pinnacle', [2.1, 3.4, 3.6]), book('matchbook', [2.2, 3.5, 3.7])]),
    ];
    await run.for(1_000);
    const swapped = fixture('a', kickoffMs, [book('pinnacle', [2.1, 3.4, 3.6])]);
    standIn.fixtures = [{ ...swapped, home_team: 'Fulham', away_team: 'Brentford' }];
    await run.for(MINUTE_MS);
    // The new match has its own id: clients with the old id do not see it, and it gets none of the old
    // openings.
    const own = `a~${hash52('Fulham|Brentford').toString(36)}`;
    expect(run.slate(['a'])).toEqual({});
    expect(run.slate([own])[own]!.home).toBe('Fulham');
    expect(quotes(own)).toEqual({ 'pinnacle|1x2|full_time|': '3.6 3.4 2.1 open' });
    expect(run.poller.status().counts.get('changed_teams')).toBe(1);
  });
});

describe('the-odds-api on the free plan', () => {
  test('asks for each sport once, then spends at most a credit in 90 minutes on average', async () => {
    open({ sports: ['soccer_epl', 'basketball_nba'] });
    const dayMs = 24 * HOUR_MS;
    // A match every day, so that scores are requested as well.
    const publish = (nowMs: number): void => {
      const days = Array.from({ length: 40 }, (_, day) => START_MS + day * dayMs + 5 * HOUR_MS);
      standIn.fixtures = days
        .filter((kickoffMs) => kickoffMs > nowMs - 2 * HOUR_MS && kickoffMs < nowMs + 7 * dayMs)
        .flatMap((kickoffMs) => [
          fixture(`f${kickoffMs}`, kickoffMs, [book('pinnacle', [2.1, 3.4, 3.6])]),
          { ...fixture(`b${kickoffMs}`, kickoffMs, []), sport_key: 'basketball_nba', sport_title: 'NBA' },
        ]);
    };
    publish(START_MS);
    await run.for(1_000, publish);
    expect(standIn.creditsUsed).toBe(6);
    const paces = run.logged.map((line) => JSON.parse(line)).filter(({ event }) => event === 'source_pace');
    expect(paces.map(({ request }) => request)).toEqual(['odds:soccer_epl', 'odds:basketball_nba']);
    for (let day = 0; day < 8; day++) {
      await run.for(dayMs, publish);
      const elapsedMs = run.nowMs - START_MS;
      expect(standIn.creditsUsed - 6).toBeLessThanOrEqual(elapsedMs / (90 * MINUTE_MS) + 1);
    }
    // Most of the allowance is used.
    expect(standIn.creditsUsed).toBeGreaterThan(0.8 * ((8 * dayMs) / (90 * MINUTE_MS)));
    expect(run.poller.status()).toMatchObject({ state: 'ok', creditsLeft: standIn.creditsLeft });
  }, 120_000);

  test('pauses when the credits are spent, checks again for free, and begins a new epoch when they are back', async () => {
    open({ forcedEveryMs: MINUTE_MS });
    standIn.fixtures = [fixture('a', START_MS + 30 * HOUR_MS, [book('pinnacle', [2.1, 3.4, 3.6])])];
    standIn.creditsLeft = 7;
    await run.for(10 * MINUTE_MS);
    expect(standIn.creditsLeft).toBe(1);
    expect(run.poller.status()).toMatchObject({ state: 'stopped', reason: 'quota_spent' });
    expect(run.connections.at(-1)).toBe(false);
    expect(quotes()).toEqual({ 'pinnacle|1x2|full_time|': '2.1 3.4 3.6 open' });
    await run.for(HOUR_MS);
    const looked = standIn.asked.filter(({ atMs }) => atMs > START_MS + 10 * MINUTE_MS);
    expect(looked.map(({ path }) => path)).toEqual(Array(4).fill('/v4/sports'));
    standIn.creditsLeft = 400;
    standIn.fixtures = [fixture('b', START_MS + 30 * HOUR_MS, [book('pinnacle', [2.5, 3.4, 2.9])])];
    await run.for(20 * MINUTE_MS);
    expect(run.poller.status()).toMatchObject({ state: 'ok', reason: null, epochs: 2 });
    expect(run.slate(['a', 'b']).a).toBeUndefined();
    expect(quotes('b')).toEqual({ 'pinnacle|1x2|full_time|': '2.5 3.4 2.9 open' });
    expect(run.connections.at(-1)).toBe(true);
  });
});

describe('the-odds-api confirms', () => {
  test('confirms the events of an answer at once, even while another sport is requested more rarely', async () => {
    open({ sports: ['soccer_epl', 'basketball_nba'] });
    standIn.creditsLeft = 5_000_000;
    const rare = { ...fixture('b', START_MS + 100 * HOUR_MS, []), sport_key: 'basketball_nba' };
    standIn.fixtures = [fixture('a', START_MS + HOUR_MS, [book('pinnacle', [2.1, 3.4, 3.6])]), rare];
    for (let minute = 0; minute < 30; minute++) {
      standIn.fixtures[0]!.bookmakers = [book('pinnacle', [2.1 + minute / 100, 3.4, 3.6])];
      await run.for(MINUTE_MS);
    }
    const confirmedMs = run.wire
      .filter(({ type, event }) => type === 'heartbeat' && event === 'a')
      .map(({ at }) => Date.parse(String(at)));
    expect(confirmedMs.length).toBeGreaterThan(12);
    for (const [index, ms] of confirmedMs.entries())
      expect(ms - (confirmedMs[index - 1] ?? START_MS)).toBeLessThanOrEqual(2 * MINUTE_MS + 2_000);
  });

  test('confirms each answer with a heartbeat, without waiting for the next heartbeat that is due', async () => {
    open({ forcedEveryMs: 4_000 });
    standIn.fixtures = [fixture('a', START_MS + 30 * HOUR_MS, [book('pinnacle', [2.1, 3.4, 3.6])])];
    await run.for(MINUTE_MS);
    expect(run.wire.filter(({ type }) => type === 'heartbeat').length).toBeGreaterThanOrEqual(14);
  });
});
