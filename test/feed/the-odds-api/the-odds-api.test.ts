// The Odds API through its adapter and the real ingest parts: each rule by itself, then an hour with faults on the way
// against an independent reading of the answers.

import { afterEach, describe, expect, test } from 'bun:test';
import { hash52 } from '../../../src/domain/ids.ts';
import { Random } from '../../../src/domain/random.ts';
import { theOddsApi } from '../../../src/feed/the-odds-api/client.ts';
import { PollRun } from '../poll/poll-run.ts';
import { OddsApiStandIn, type OddsBookmaker, type OddsFixture } from './stand-in.ts';

const START_MS = Date.parse('2026-11-02T10:00:00.000Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BOOKMAKERS = new Map([
  ['pinnacle', 'pinnacle'],
  ['matchbook', 'sbobet'],
]);

let standIn: OddsApiStandIn;
let run: PollRun;

function open(options: { sports?: string[]; forcedEveryMs?: number | null } = {}): void {
  const { sports = ['soccer_epl'], forcedEveryMs = null } = options;
  const clockOf = { nowMs: START_MS };
  standIn = new OddsApiStandIn(() => run?.nowMs ?? clockOf.nowMs);
  standIn.sports = [...sports];
  run = new PollRun({
    startMs: START_MS,
    forcedEveryMs,
    source: (clock) =>
      theOddsApi({
        baseUrl: standIn.url,
        apiKey: OddsApiStandIn.KEY,
        sports,
        bookmakers: BOOKMAKERS,
        nowMs: () => clock.wallMs(),
      }),
  });
}

afterEach(async () => {
  await run[Symbol.asyncDispose]();
  standIn[Symbol.dispose]();
});

function iso(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

function book(
  key: string,
  prices: readonly unknown[],
  extra: { line?: number; total?: number } = {},
): OddsBookmaker {
  const [home, draw, away] = prices;
  const last_update = iso(run.nowMs);
  const markets = [
    {
      key: 'h2h',
      last_update,
      // The order is not fixed: away first here.
      outcomes: [
        { name: 'Fulham', price: away },
        { name: 'Brentford', price: home },
        { name: 'Draw', price: draw },
      ],
    },
  ];
  const { line, total } = extra;
  const spreads = {
    key: 'spreads',
    last_update,
    outcomes: [
      { name: 'Fulham', price: 1.95, point: -(line ?? 0) },
      { name: 'Brentford', price: 1.9, point: line },
    ],
  };
  const totals = {
    key: 'totals',
    last_update,
    outcomes: [
      { name: 'Under', price: 2.02, point: total },
      { name: 'Over', price: 1.84, point: total },
    ],
  };
  return {
    key,
    title: key,
    last_update,
    markets: [...markets, ...(line === undefined ? [] : [spreads]), ...(total === undefined ? [] : [totals])],
  };
}

function fixture(id: string, kickoffMs: number, bookmakers: OddsBookmaker[]): OddsFixture {
  return {
    id,
    sport_key: 'soccer_epl',
    sport_title: 'EPL',
    commence_time: iso(kickoffMs),
    home_team: 'Brentford',
    away_team: 'Fulham',
    bookmakers,
  };
}

function quotes(id = 'a'): Record<string, string> {
  const seen = run.slate([id])[id];
  return Object.fromEntries(
    Object.entries(seen?.quotes ?? {}).map(([key, { pricesE4, status }]) => [
      key,
      `${pricesE4.map((price) => price / 10_000).join(' ')} ${status}`,
    ]),
  );
}

describe('the-odds-api reads', () => {
  test('outcomes by name, the home side as the line, only mapped bookmakers, and asks for no others', async () => {
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
    expect(run.rejected).toEqual([]);
  });

  test('a missing quote as suspended once, closed the third time; one that moved its line is closed at once', async () => {
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
    // It comes back with a stamp older than its suspension: still the newest there is.
    const back = book('matchbook', [2.3, 3.5, 3.7]);
    back.markets[0]!.last_update = iso(START_MS);
    standIn.fixtures = [fixture('a', kickoffMs, [back])];
    await run.for(MINUTE_MS);
    expect(quotes()['sbobet|1x2|full_time|']).toBe('2.3 3.5 3.7 open');
    expect(run.rejected).toEqual([]);
  });

  test('a price of 1 as pulled, and 0, negative, huge and text as bad: none moves another quote', async () => {
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
    expect(run.rejected).toEqual([]);
  });

  test('a moved kickoff, a vanished fixture, a match in play and its result', async () => {
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
    // In play it is not known what the handicap counts from.
    expect(Object.keys(quotes())).toEqual(['pinnacle|1x2|full_time|']);
    expect(run.poller.status().counts.get('handicap_scope_unknown')).toBeGreaterThan(5);
    await run.for(95 * MINUTE_MS);
    standIn.fixtures = [];
    standIn.scores = [{ ...standIn.scores[0]!, completed: true, last_update: iso(run.nowMs) }];
    await run.for(3 * MINUTE_MS);
    expect(run.slate(['a']).a).toMatchObject({ status: 'finished', score: [0, 1], quotes: {} });
    expect(run.wire.find(({ type }) => type === 'result')).toMatchObject({ event: 'a', score: [0, 1] });
    expect(run.rejected).toEqual([]);
  });

  test('a fixture that changes its teams as another match: nothing of the old one stays', async () => {
    open({ forcedEveryMs: MINUTE_MS });
    const kickoffMs = START_MS + 30 * HOUR_MS;
    standIn.fixtures = [
      fixture('a', kickoffMs, [book('pinnacle', [2.1, 3.4, 3.6]), book('matchbook', [2.2, 3.5, 3.7])]),
    ];
    await run.for(1_000);
    const swapped = fixture('a', kickoffMs, [book('pinnacle', [2.1, 3.4, 3.6])]);
    standIn.fixtures = [{ ...swapped, home_team: 'Fulham', away_team: 'Brentford' }];
    await run.for(MINUTE_MS);
    // A match of its own: nobody who kept the id of the one before is shown another, and no opening is taken over.
    const own = `a~${hash52('Fulham|Brentford').toString(36)}`;
    expect(run.slate(['a'])).toEqual({});
    expect(run.slate([own])[own]!.home).toBe('Fulham');
    expect(quotes(own)).toEqual({ 'pinnacle|1x2|full_time|': '3.6 3.4 2.1 open' });
    expect(run.poller.status().counts.get('changed_teams')).toBe(1);
    expect(run.rejected).toEqual([]);
  });
});

describe('the-odds-api on the free plan', () => {
  test('asks for each sport once, then spends at most a credit in 90 minutes on average', async () => {
    open({ sports: ['soccer_epl', 'basketball_nba'] });
    const dayMs = 24 * HOUR_MS;
    // A match every day, so that scores are wanted as well.
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
    // What is allowed is used, too.
    expect(standIn.creditsUsed).toBeGreaterThan(0.8 * ((8 * dayMs) / (90 * MINUTE_MS)));
    expect(run.poller.status()).toMatchObject({ state: 'ok', creditsLeft: standIn.creditsLeft });
    expect(run.rejected).toEqual([]);
  }, 60_000);

  test('rests when the credits are spent, looks again without paying, and begins a new epoch when they are back', async () => {
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
    expect(run.rejected).toEqual([]);
  });
});

describe('the-odds-api confirms', () => {
  test('at once what an answer named, also while another sport is asked more rarely', async () => {
    open({ sports: ['soccer_epl', 'basketball_nba'] });
    standIn.creditsLeft = 5_000_000;
    const rare = { ...fixture('b', START_MS + 100 * HOUR_MS, []), sport_key: 'basketball_nba' };
    standIn.fixtures = [fixture('a', START_MS + HOUR_MS, [book('pinnacle', [2.1, 3.4, 3.6])]), rare];
    for (let minute = 0; minute < 30; minute++) {
      standIn.fixtures[0]!.bookmakers = [book('pinnacle', [2.1 + minute / 100, 3.4, 3.6])];
      await run.for(MINUTE_MS);
    }
    const confirmedMs = run.wire
      .filter(({ type, event }) => type === 'event' && event === 'a')
      .map(({ at }) => Date.parse(String(at)));
    expect(confirmedMs.length).toBeGreaterThan(12);
    for (const [index, ms] of confirmedMs.entries())
      expect(ms - (confirmedMs[index - 1] ?? START_MS)).toBeLessThanOrEqual(2 * MINUTE_MS + 2_000);
  });

  test('with a heartbeat for each answer, not with the next one that is due anyway', async () => {
    open({ forcedEveryMs: 4_000 });
    standIn.fixtures = [fixture('a', START_MS + 30 * HOUR_MS, [book('pinnacle', [2.1, 3.4, 3.6])])];
    await run.for(MINUTE_MS);
    expect(run.wire.filter(({ type }) => type === 'heartbeat').length).toBeGreaterThanOrEqual(14);
  });
});

describe('the-odds-api refused', () => {
  test.each([
    [401, { error_code: 'INVALID_KEY' }, 'stopped', 'bad_key', 15 * MINUTE_MS],
    [401, { error_code: 'OUT_OF_USAGE_CREDITS' }, 'stopped', 'quota_spent', 15 * MINUTE_MS],
    [403, '<html>no</html>', 'stopped', 'forbidden', 15 * MINUTE_MS],
    [429, { error_code: 'EXCEEDED_FREQ_LIMIT', message: null }, 'failing', 'throttled', 2_000],
    [500, '<html>oops</html>', 'failing', 'server_error', 1_000],
    [302, '', 'failing', 'redirected', 1_000],
    [200, '<html>hello</html>', 'failing', 'not_json', 1_000],
    [200, '', 'failing', 'empty', 1_000],
    [200, '[{"id":"a","bookmak', 'failing', 'cut_short', 1_000],
    [200, '{"message":"what"}', 'failing', 'wrong_shape', 1_000],
    [200, '"text"', 'failing', 'wrong_shape', 1_000],
    [200, '[[[]]]', 'failing', 'wrong_shape', 1_000],
    [200, '[{"id":"a","sport_key":"soccer_epl"},null]', 'failing', 'wrong_shape', 1_000],
  ])('with %p %p: is %s for %s, and what was served stays', async (status, body, state, reason, leastMs) => {
    open({ forcedEveryMs: MINUTE_MS });
    standIn.fixtures = [fixture('a', START_MS + 30 * HOUR_MS, [book('pinnacle', [2.1, 3.4, 3.6])])];
    await run.for(1_000);
    const before = quotes();
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    standIn.fault = (path) =>
      path.endsWith('/odds') || path === '/v4/sports'
        ? new Response(text, { status, headers: { location: 'http://127.0.0.1:1/' } })
        : null;
    await run.for(MINUTE_MS);
    const status_ = run.poller.status();
    expect(status_).toMatchObject({ state: state as 'stopped', reason: reason as 'bad_key' });
    expect(status_.nextTryAtMs! - run.nowMs + 1_000).toBeGreaterThanOrEqual(leastMs - 1_000);
    expect(status_.failures.get(reason as 'bad_key')).toBeGreaterThanOrEqual(1);
    expect(quotes()).toEqual(before);
    // No key in what is logged.
    expect(run.logged.join('\n')).not.toContain(OddsApiStandIn.KEY);
    standIn.fault = () => null;
    await run.for(20 * MINUTE_MS);
    expect(run.poller.status()).toMatchObject({ state: 'ok', reason: null, nextTryAtMs: null });
    expect(quotes()).toEqual(before);
    expect(run.rejected).toEqual([]);
  });

  test.each([['{}'], ['{"message": null, "error_code": "EXCEEDED_FREQ_LIMIT"}'], ['<html>']])(
    'with 429, %s and Retry-After: nothing is asked before',
    async (body) => {
      open({ sports: ['soccer_epl', 'basketball_nba'], forcedEveryMs: MINUTE_MS });
      standIn.fixtures = [fixture('a', START_MS + 30 * HOUR_MS, [book('pinnacle', [2.1, 3.4, 3.6])])];
      await run.for(1_000);
      let isBusy = true;
      standIn.fault = (path) => {
        if (!isBusy || !path.includes('soccer_epl')) return null;
        isBusy = false;
        return new Response(body, { status: 429, headers: { 'retry-after': '600' } });
      };
      const before = standIn.asked.length;
      await run.for(9 * MINUTE_MS);
      expect(standIn.asked.length - before).toBeLessThanOrEqual(2);
      expect(run.poller.status()).toMatchObject({ state: 'failing', reason: 'throttled' });
      await run.for(5 * MINUTE_MS);
      expect(run.poller.status()).toMatchObject({ state: 'ok', epochs: 1 });
      expect(Object.keys(quotes())).toHaveLength(1);
    },
  );

  test('an upstream whose clock is wrong: counted, and no stamp is ahead of ours', async () => {
    open({ forcedEveryMs: MINUTE_MS });
    const early = book('pinnacle', [2.1, 3.4, 3.6]);
    early.markets[0]!.last_update = iso(START_MS + 3 * HOUR_MS);
    standIn.fixtures = [fixture('a', START_MS + 30 * HOUR_MS, [early])];
    standIn.skewMs = 3 * HOUR_MS;
    await run.for(3 * MINUTE_MS);
    expect(run.poller.status().counts.get('clock_skew')).toBeGreaterThan(2);
    for (const { type, at } of run.wire)
      if (type === 'quote') expect(Date.parse(at as string)).toBeLessThanOrEqual(run.nowMs);
    expect(Object.keys(quotes())).toHaveLength(1);
    expect(run.rejected).toEqual([]);
  });

  test('parts of an answer one by one, each counted, and no other quote moves', async () => {
    open({ forcedEveryMs: MINUTE_MS });
    const kickoffMs = START_MS + 30 * HOUR_MS;
    const good = book('pinnacle', [2.1, 3.4, 3.6], { line: -0.25, total: 2.5 });
    standIn.fixtures = [fixture('a', kickoffMs, [good])];
    await run.for(1_000);
    const before = quotes();
    const bad = (change: (made: OddsBookmaker) => void): OddsBookmaker => {
      const made = book('matchbook', [2.2, 3.5, 3.7], { line: -0.25, total: 2.5 });
      change(made);
      return made;
    };
    const market = (made: OddsBookmaker, key: string) =>
      made.markets.find((candidate) => candidate.key === key)!;
    const parts: [string, OddsBookmaker][] = [
      [
        'bad_line',
        bad((made) =>
          market(made, 'totals').outcomes.map((outcome) => Object.assign(outcome, { point: 2.3 })),
        ),
      ],
      [
        'bad_line',
        bad((made) =>
          market(made, 'totals').outcomes.map((outcome) => Object.assign(outcome, { point: -2.5 })),
        ),
      ],
      ['bad_outcomes', bad((made) => Object.assign(market(made, 'spreads').outcomes[0]!, { point: 0.75 }))],
      ['bad_outcomes', bad((made) => Object.assign(market(made, 'h2h').outcomes[0]!, { name: 'Nobody' }))],
      ['bad_outcomes', bad((made) => market(made, 'h2h').outcomes.pop())],
      ['bad_time', bad((made) => Object.assign(market(made, 'h2h'), { last_update: 'yesterday' }))],
      ['bad_row', bad((made) => Object.assign(market(made, 'h2h'), { outcomes: 'none' }))],
      ['bad_row', bad((made) => Object.assign(made, { markets: null }))],
      ['duplicate_market', bad((made) => made.markets.push(structuredClone(market(made, 'h2h'))))],
    ];
    for (const [reason, part] of parts) {
      const count = run.poller.status().counts.get(reason as 'bad_row') ?? 0;
      standIn.fixtures = [fixture('a', kickoffMs, [good, part])];
      await run.for(MINUTE_MS);
      expect([reason, run.poller.status().counts.get(reason as 'bad_row')]).toEqual([reason, count + 1]);
      expect(quotes()).toMatchObject(before);
    }
    standIn.fixtures = [
      fixture('a', kickoffMs, [good, book('pinnacle', [9, 9, 9])]),
      fixture('a', kickoffMs, []),
      { ...fixture('b', kickoffMs, []), commence_time: 'soon' },
      { ...fixture('c', kickoffMs, []), away_team: 'Brentford' },
    ];
    await run.for(MINUTE_MS);
    expect(quotes()).toMatchObject(before);
    // Named without anything else: it has not left, but nothing confirms its prices.
    standIn.fixtures = [
      { ...fixture('a', kickoffMs, [good]), commence_time: 'soon' },
      fixture('d', kickoffMs, [good]),
    ];
    await run.for(MINUTE_MS);
    expect(Object.values(quotes()).join()).toContain('suspended');
    standIn.fixtures = [fixture('a', kickoffMs, [good])];
    await run.for(MINUTE_MS);
    const counts = Object.fromEntries(run.poller.status().counts);
    expect(counts).toMatchObject({ duplicate_bookmaker: 1, duplicate_fixture: 1, bad_fixture: 3 });
    expect(run.desk.fixtureCount).toBe(1);
    expect(run.rejected).toEqual([]);
  });

  test('for one unknown sport alone: the other goes on', async () => {
    open({ sports: ['soccer_epl', 'soccer_moon'], forcedEveryMs: MINUTE_MS });
    standIn.sports = ['soccer_epl'];
    standIn.fixtures = [fixture('a', START_MS + 30 * HOUR_MS, [book('pinnacle', [2.1, 3.4, 3.6])])];
    await run.for(1_000);
    expect(run.poller.status()).toMatchObject({ state: 'failing', reason: 'unknown_product', epochs: 1 });
    await run.for(10 * MINUTE_MS);
    expect(Object.keys(quotes())).toHaveLength(1);
    const moon = standIn.asked.filter(({ path }) => path.includes('moon'));
    expect(moon).toHaveLength(1);
  });
});

/** What the slate must hold after these answers, read with none of the service's code. */
function independentReading(answers: readonly OddsFixture[][]): Record<string, Record<string, string>> {
  let held: Record<string, Record<string, { prices: string; missed: number }>> = {};
  for (const answer of answers) {
    const next: typeof held = {};
    for (const event of answer) {
      const quoted: (typeof held)[string] = {};
      for (const { key, markets } of event.bookmakers) {
        const ours = key === 'pinnacle' ? 'pinnacle' : key === 'matchbook' ? 'sbobet' : null;
        for (const { key: market, outcomes } of ours === null ? [] : markets) {
          const price = (name: string): number =>
            outcomes.find((outcome) => outcome.name === name)?.price as number;
          const point = (name: string): number =>
            outcomes.find((outcome) => outcome.name === name)?.point as number;
          const [name, prices]: [string, number[]] =
            market === 'h2h'
              ? ['1x2|full_time|', [price(event.home_team), price('Draw'), price(event.away_team)]]
              : market === 'spreads'
                ? [
                    `asian_handicap|full_time|${point(event.home_team)}`,
                    [price(event.home_team), price(event.away_team), 0],
                  ]
                : [`totals|full_time|${point('Over')}`, [price('Over'), price('Under'), 0]];
          const given = prices.slice(0, market === 'h2h' ? 3 : 2);
          if (given.every((value) => typeof value === 'number' && value > 1 && value <= 1_000)) {
            quoted[`${ours}|${name}`] = { prices: prices.join(' '), missed: 0 };
          }
        }
      }
      const base = (key: string): string => key.split('|').slice(0, 3).join('|');
      const bases = new Set(Object.keys(quoted).map(base));
      for (const [key, quote] of Object.entries(held[event.id] ?? {})) {
        if (quoted[key] !== undefined || bases.has(base(key)) || quote.missed === 2) continue;
        quoted[key] = { ...quote, missed: quote.missed + 1 };
      }
      next[event.id] = quoted;
    }
    held = next;
  }
  const shown = ({ prices, missed }: { prices: string; missed: number }): string =>
    `${prices} ${missed > 0 ? 'suspended' : 'open'}`;
  return Object.fromEntries(
    Object.entries(held).map(([id, quoted]) => [
      id,
      Object.fromEntries(Object.entries(quoted).map(([key, quote]) => [key, shown(quote)])),
    ]),
  );
}

test.each([1, 2, 3])(
  'an hour of moving prices with faults on the way ends as an independent reading does (seed %p)',
  async (seed) => {
    open({ forcedEveryMs: 20_000 });
    standIn.creditsLeft = 1_000_000;
    const random = new Random(seed);
    const pick = <T>(items: readonly T[]): T => items[random.index(items.length)]!;
    const price = (): unknown =>
      random.unit() < 0.05 ? pick([0, 1, -1, 5_000, 'x']) : (150 + random.index(200)) / 100;
    const publish = (): void => {
      standIn.fixtures = ['a', 'b', 'c', 'd'].flatMap((id) => {
        if (random.unit() < 0.05) return [];
        const books = ['pinnacle', 'matchbook', 'unibet'].flatMap((key) =>
          random.unit() < 0.2
            ? []
            : [
                book(key, [price(), price(), price()], {
                  line: pick([-0.5, -0.25, 0, 0.25]),
                  total: pick([2.5, 2.75]),
                }),
              ],
        );
        return [fixture(id, START_MS + 30 * HOUR_MS, books)];
      });
      const fault = random.unit();
      standIn.fault = (path) => {
        if (!path.endsWith('/odds') || fault > 0.25) return null;
        if (fault < 0.05) return new Response('<html>', { status: 502 });
        if (fault < 0.1) return new Response('[{"id":"a"', { status: 200 });
        if (fault < 0.15) return new Response('{}', { status: 429, headers: { 'retry-after': '30' } });
        return new Response('', { status: 200 });
      };
    };
    publish();
    await run.for(HOUR_MS, publish);
    const answers = standIn.oddsAnswers('soccer_epl');
    expect(answers.length).toBeGreaterThan(80);
    const expected = independentReading(answers);
    const ids = Object.keys(expected);
    expect(Object.fromEntries(ids.map((id) => [id, quotes(id)]))).toEqual(expected);
    expect(run.desk.fixtureCount).toBe(ids.length);
    expect(run.rejected).toEqual([]);
  },
);
