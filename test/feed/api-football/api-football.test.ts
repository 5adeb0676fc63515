// API-Football through its adapter and the real ingest parts: each rule by itself, the samples, and an hour with faults
// on the way against an independent reading.

import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../../src/domain/random.ts';
import { apiFootball } from '../../../src/feed/api-football/client.ts';
import { readLiveOdds } from '../../../src/feed/api-football/parse-odds.ts';
import type { HeldFixture } from '../../../src/feed/poll/picture.ts';
import { SportChoice } from '../../../src/feed/poll/sport-choice.ts';
import { PollRun } from '../poll/poll-run.ts';
import { ApiFootballStandIn, type StandInFixture, type StandInOdds } from './stand-in.ts';

const START_MS = Date.parse('2026-11-07T10:00:00.000Z');
const START_S = START_MS / 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SAMPLES = join(import.meta.dir, '../../../../shared/data/upstreams/api-football');

let standIn: ApiFootballStandIn;
let run: PollRun;

function open({ live = false, sports = ['football'], forcedEveryMs = null as number | null } = {}): void {
  standIn = new ApiFootballStandIn(() => run?.nowMs ?? START_MS);
  run = new PollRun({
    startMs: START_MS,
    forcedEveryMs,
    source: (clock) =>
      apiFootball({
        baseUrl: standIn.url,
        apiKey: ApiFootballStandIn.KEY,
        sports: new SportChoice(sports),
        bookmakers: new Map([['5', 'sbobet'], ['2', 'crown'], ...(live ? [['live', 'macau'] as const] : [])]),
        nowMs: () => clock.wallMs(),
      }),
  });
}

afterEach(async () => {
  await run?.[Symbol.asyncDispose]();
  standIn?.[Symbol.dispose]();
});

function fixture(id: number, changes: Partial<StandInFixture> = {}): StandInFixture {
  const made: StandInFixture = {
    id,
    league: 39,
    leagueName: 'Premier League',
    kickoff: START_S + 4 * 3_600,
    short: 'NS',
    elapsed: null,
    home: { id: id * 10 + 1, name: `Home ${id}` },
    away: { id: id * 10 + 2, name: `Away ${id}` },
    goals: [null, null],
    events: [],
    ...changes,
  };
  standIn.fixtures.push(made);
  return made;
}

function odds(id: number, bookmakers: StandInOdds['bookmakers']): StandInOdds {
  return { id, update: new Date(run.nowMs).toISOString(), bookmakers };
}

function winner(id: number, prices: readonly unknown[]): StandInOdds['bookmakers'][number] {
  const values = ['Home', 'Draw', 'Away'].map((value, index) => ({ value, odd: prices[index] }));
  return { id, name: `Bookmaker ${id}`, bets: [{ id: 1, name: 'Match Winner', values }] };
}

function quotes(event: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(run.slate([event])[event]?.quotes ?? {}).map(([key, { pricesE4, status }]) => [
      key,
      `${pricesE4.map((price) => price / 10_000).join(' ')} ${status}`,
    ]),
  );
}

function liveItem(
  id: number,
  goals: [number, number],
  values: unknown[],
  flags: Record<string, boolean> = {},
): unknown {
  return {
    fixture: { id, status: { long: 'Second Half', elapsed: 62, seconds: '62:14' } },
    league: { id: 39, season: 2026 },
    teams: { home: { id: 1, goals: goals[0] }, away: { id: 2, goals: goals[1] } },
    status: { stopped: false, blocked: false, finished: false, ...flags },
    update: new Date(run.nowMs).toISOString(),
    odds: [{ id: 33, name: 'Asian Handicap', values }],
  };
}

function side(value: string, odd: string, handicap: string, extra: Record<string, boolean> = {}): unknown {
  return { value, odd, handicap, main: false, suspended: false, ...extra };
}

describe('api-football reads', () => {
  test('handicaps of both sides as the home line, text prices, only mapped bookmakers, every page', async () => {
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
    const counts = Object.fromEntries(run.poller.status().counts);
    expect(counts).toMatchObject({
      price_pulled: 1,
      bad_line: 1,
      duplicate_bookmaker: 1,
      unmapped_bookmaker: 1,
    });
    expect(Object.fromEntries(run.poller.status().unmapped)).toEqual({ 'Bookmaker 99': 1 });
    expect(run.rejected).toEqual([]);
  });

  test('state, clock, score and red cards in play; prices from before the match leave; then the result', async () => {
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
    expect(run.rejected).toEqual([]);
  });

  test('live odds only where they are mapped: own handicaps, counted from the present score, suspended by any flag', async () => {
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
    expect(run.rejected).toEqual([]);
  });

  test('no live odds where no bookmaker is mapped to them', async () => {
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
  ])('the error %p with status %p', async (errors, status, state, reason) => {
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
  });

  test('an answer in which nothing can be read as none at all: what was served stays', async () => {
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

  test('the day of the free plan: its hundred requests last until midnight, ten a minute at most', async () => {
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

describe.skipIf(!existsSync(SAMPLES))(
  "API-Football's samples (skipped where they are not beside the checkout)",
  () => {
    function sample(name: string): { response: unknown[] } {
      return JSON.parse(readFileSync(join(SAMPLES, name), 'utf8')) as { response: unknown[] };
    }

    test('every line of the handicaps and totals of a real bookmaker', async () => {
      const whole = JSON.parse(
        readFileSync(join(SAMPLES, 'odds-prematch-marathonbet-ah-ou.transcribed.json'), 'utf8'),
      ) as { bookmakers: StandInOdds['bookmakers'] };
      open();
      fixture(1);
      standIn.odds = [odds(1, whole.bookmakers)];
      await run.for(MINUTE_MS);
      // Each pair of values with the same text after the side is one line.
      const expected: Record<string, string> = {};
      for (const { id, values } of whole.bookmakers[0]!.bets) {
        const lines = new Map<string, unknown[]>();
        for (const { value, odd } of values) {
          const line = value.split(' ')[1] ?? '';
          lines.set(line, [...(lines.get(line) ?? []), Number(odd)]);
        }
        for (const [line, prices] of lines) {
          if (prices.some((price) => (price as number) <= 1)) continue;
          const name = {
            1: '1x2|full_time',
            4: 'asian_handicap|full_time',
            5: 'totals|full_time',
            6: 'totals|half_time',
          }[id];
          const shown = prices.length === 3 ? prices : [...prices, 0];
          if (name !== undefined)
            expected[`crown|${name}|${line === '' ? '' : Number(line)}`] = `${shown.join(' ')} open`;
        }
      }
      expect(Object.keys(expected).length).toBeGreaterThan(20);
      expect(quotes('1')).toEqual(expected);
    });

    test('live odds with whole lines that repeat: only the main one is a price', () => {
      const { response } = sample('odds-live-official-doc-2022-fixture-721238.excerpt.transcribed.json');
      // The excerpt was cut short: it lacks the status that every answer has.
      const status = { stopped: false, blocked: false, finished: false };
      const [update] = readLive([{ status, ...(response[0] as object) }], '721238');
      expect([...update!.quotes!.keys()].sort()).toEqual(
        ['macau|asian_handicap|full_time|0', 'macau|totals|full_time|2'].sort(),
      );
      expect(update!.quotes!.get('macau|asian_handicap|full_time|0')!.prices).toEqual([2.05, 1.8]);
    });

    test('live odds of today', () => {
      const { response } = sample('odds-live-fixture-1206332.transcribed.json');
      const [update] = readLive(response, '1206332');
      expect(update!.quotes!.get('macau|asian_handicap|half_time|0')!.prices).toEqual([1.45, 2.675]);
      expect(update!.quotes!.get('macau|asian_handicap|half_time|-0.5')!.prices).toEqual([6.6, 1.1]);
      expect(update!.quotes!.get('macau|1x2|half_time|')!.prices).toEqual([6.5, 1.166, 9.5]);
    });
  },
);

function readLive(response: unknown[], event: string): ReturnType<typeof readLiveOdds> {
  const held: HeldFixture = {
    fixture: {
      sport: 'football',
      league: { key: 'l', name: 'l' },
      home: { key: 'h', name: 'h' },
      away: { key: 'a', name: 'a' },
      scheduledAtMs: START_MS,
    },
    state: { status: 'live', clock: null, score: null, cards: null },
    quotes: new Map(),
    result: null,
    seenAtMs: START_MS,
    key: event,
  };
  const context = {
    picture: new Map([[event, held]]),
    nowMs: START_MS,
    count: () => {},
    unmapped: () => {},
  };
  return readLiveOdds(response, { bookmaker: 'macau', context });
}

test.each([1, 2])(
  'an hour with faults on the way ends as an independent reading does (seed %p)',
  async (seed) => {
    open({ forcedEveryMs: 30_000 });
    standIn.left = 1_000_000;
    standIn.perMinute = 60_000;
    const random = new Random(seed);
    const price = (): unknown => {
      const unit = random.unit();
      if (unit < 0.03) return '1.00';
      return unit < 0.06 ? 'x' : ((150 + random.index(300)) / 100).toFixed(2);
    };
    for (let id = 1; id <= 23; id++) fixture(id);
    const publish = (nowMs: number): void => {
      if (nowMs < START_MS + HOUR_MS - 2 * MINUTE_MS) {
        standIn.odds = standIn.fixtures
          .filter(() => random.unit() > 0.05)
          .map(({ id }) =>
            odds(
              id,
              [2, 5, 7]
                .filter(() => random.unit() > 0.2)
                .map((book) => winner(book, [price(), price(), price()])),
            ),
          );
      }
      const fault = nowMs < START_MS + HOUR_MS - 12 * MINUTE_MS ? random.unit() : 1;
      standIn.fault = (path) => {
        if (path !== 'odds' || fault > 0.2) return null;
        if (fault < 0.05) return new Response('', { status: 499 });
        if (fault < 0.1) return standIn.error({ rateLimit: 'Too many requests.' });
        return new Response('{"get":"odds","errors":[],"response":[{"le', { status: 200 });
      };
    };
    await run.for(HOUR_MS, publish);
    for (const { id, bookmakers } of standIn.odds) {
      const expected: Record<string, string> = {};
      for (const { id: book, bets } of bookmakers) {
        const name = { 2: 'crown', 5: 'sbobet' }[book];
        const prices = bets[0]!.values.map(({ odd }) => Number(odd));
        if (name !== undefined && prices.every((value) => value > 1)) {
          expected[`${name}|1x2|full_time|`] = `${prices.join(' ')} open`;
        }
      }
      expect([id, quotes(String(id))]).toEqual([id, expected]);
    }
    const named = new Set(standIn.odds.map(({ id }) => id));
    for (const { id } of standIn.fixtures.filter((known) => !named.has(known.id))) {
      expect(Object.values(quotes(String(id))).filter((text) => text.endsWith('open'))).toEqual([]);
    }
    expect(run.desk.fixtureCount).toBe(23);
    expect(run.rejected).toEqual([]);
  },
);
