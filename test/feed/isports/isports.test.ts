// iSports through its adapter and the real ingest parts: signs, prices, places and states one by one, the provider's own
// samples row by row, and an hour of play with faults on the way against an independent reading.

import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../../src/domain/random.ts';
import { isports } from '../../../src/feed/isports/client.ts';
import { COLUMNS } from '../../../src/feed/isports/messages.ts';
import { rowOf } from '../../../src/feed/isports/rows.ts';
import { SportChoice } from '../../../src/feed/poll/sport-choice.ts';
import { until } from '../../support/condition.ts';
import { PollRun } from '../poll/poll-run.ts';
import { IsportsStandIn, type StandInMatch, type StandInPlace } from './stand-in.ts';

const START_MS = Date.parse('2026-11-07T14:00:00.000Z');
const START_S = START_MS / 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BOOKMAKERS = new Map([
  ['1', 'macau'],
  ['3', 'crown'],
  ['31', 'sbobet'],
]);
const SAMPLES = join(import.meta.dir, '../../../../shared/data/upstreams/isports');

let standIn: IsportsStandIn;
let run: PollRun;

function open(sports: string[] = ['football', 'basketball'], forcedEveryMs: number | null = null): void {
  standIn = new IsportsStandIn(() => run?.nowMs ?? START_MS);
  run = new PollRun({
    startMs: START_MS,
    forcedEveryMs,
    source: () =>
      isports({
        baseUrl: standIn.url,
        apiKey: IsportsStandIn.KEY,
        sports: new SportChoice(sports),
        bookmakers: BOOKMAKERS,
      }),
  });
}

afterEach(async () => {
  await run?.[Symbol.asyncDispose]();
  standIn?.[Symbol.dispose]();
});

function match(id: string, changes: Partial<StandInMatch> = {}): StandInMatch {
  const made: StandInMatch = {
    id,
    sport: 'football',
    leagueId: '1639',
    leagueName: 'English Premier League',
    home: `Home ${id}`,
    away: `Away ${id}`,
    kickoff: START_S + 3_600,
    halfStart: 0,
    status: 0,
    score: [0, 0],
    reds: [0, 0],
    quarterLeft: '',
    changedAt: START_S - 100,
    ...changes,
  };
  standIn.matches.push(made);
  return made;
}

function place(
  id: string,
  array: string,
  now: readonly (number | string)[],
  changes: Partial<StandInPlace> = {},
): StandInPlace {
  const made: StandInPlace = {
    match: id,
    company: 3,
    array,
    index: 1,
    init: now,
    now,
    maintenance: false,
    close: false,
    type: 2,
    changedAt: START_S - 50,
    ...changes,
  };
  standIn.places.push(made);
  return made;
}

function quotes(event: string, sport = 0): Record<string, string> {
  return Object.fromEntries(
    Object.entries(run.slate([event], sport)[event]?.quotes ?? {}).map(([key, { pricesE4, status }]) => [
      key,
      `${pricesE4.map((price) => price / 10_000).join(' ')} ${status}`,
    ]),
  );
}

describe('isports reads', () => {
  test('handicaps the other way round, Hong Kong prices beside decimal ones, openings, half-time markets', async () => {
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
    expect(run.rejected).toEqual([]);
  });

  test('basketball: totals by their own company ids, no moneyline in play', async () => {
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
    Object.assign(game, {
      status: 1,
      quarterLeft: '06:55',
      score: [10, 8],
      changedAt: Math.floor(run.nowMs / 1_000),
    });
    await run.for(4_000);
    const { 'macau|1x2|full_time|': _gone, ...inPlay } = before;
    expect(quotes('basketball-9', 1)).toEqual(inPlay);
    expect(run.slate(['basketball-9'], 1)).toMatchObject({
      'basketball-9': { status: 'live', clock: 'q1 6:55', score: [10, 8] },
    });
    expect(run.rejected).toEqual([]);
  });

  test('closing and maintenance as suspension; a line that moved at its place is gone, unless another place shows it', async () => {
    open(['football']);
    match('7');
    const main = place('7', 'handicap', [0.75, 0.9, 0.94]);
    place('7', 'handicap', [1, 1.2, 0.66], { index: 2 });
    await run.for(3_000);
    main.now = [1, 1.22, 0.64];
    main.changedAt = Math.floor(run.nowMs / 1_000);
    await run.for(4_000);
    expect(quotes('football-7')).toEqual({ 'crown|asian_handicap|full_time|-1': '2.22 1.64 0 open' });
    main.maintenance = true;
    main.changedAt = Math.floor(run.nowMs / 1_000);
    await run.for(4_000);
    expect(quotes('football-7')).toEqual({ 'crown|asian_handicap|full_time|-1': '2.22 1.64 0 suspended' });
    Object.assign(main, { maintenance: false, close: true, changedAt: Math.floor(run.nowMs / 1_000) });
    await run.for(4_000);
    expect(quotes('football-7')['crown|asian_handicap|full_time|-1']).toContain('suspended');
    expect(run.rejected).toEqual([]);
  });

  test('clock, score, cards and result from livescores; before-match prices leave at the start', async () => {
    open(['football']);
    const game = match('7');
    place('7', 'handicap', [0.75, 0.9, 0.94]);
    place('7', 'europeOdds', [1.5, 4, 6], { type: 3, changedAt: START_S + 3_600 });
    await run.for(2_000);
    expect(Object.keys(quotes('football-7'))).toEqual(['crown|asian_handicap|full_time|-0.75']);
    await run.to(START_MS + 3_700_000);
    Object.assign(game, { status: 1, halfStart: START_S + 3_660, changedAt: Math.floor(run.nowMs / 1_000) });
    await run.for(3 * MINUTE_MS);
    expect(run.slate(['football-7'])['football-7']).toMatchObject({
      status: 'live',
      clock: '1h 3',
      score: [0, 0],
    });
    expect(Object.keys(quotes('football-7'))).toEqual(['crown|1x2|full_time|']);
    Object.assign(game, { score: [0, 1], reds: [1, 0], changedAt: Math.floor(run.nowMs / 1_000) });
    await run.for(4_000);
    expect(run.slate(['football-7'])['football-7']).toMatchObject({ score: [0, 1], cards: [1, 0] });
    Object.assign(game, { status: -1, changedAt: Math.floor(run.nowMs / 1_000) });
    await run.for(4_000);
    expect(run.wire.filter(({ type }) => type === 'result')).toMatchObject([
      { score: [0, 1], red_cards: [1, 0] },
    ]);
    expect(quotes('football-7')).toEqual({});
    expect(run.rejected).toEqual([]);
  });

  test('only the leagues wanted, by name or id; a postponed match leaves', async () => {
    open(['football:english premier league', 'basketball:122']);
    const game = match('7');
    match('8', { leagueId: '5', leagueName: 'Other' });
    match('9', { sport: 'basketball', leagueId: '122', leagueName: 'WNBA' });
    for (const id of ['7', '8']) place(id, 'europeOdds', [1.73, 4, 3.5]);
    place('9', 'spread', [-5.5, 0.876, 0.924]);
    await run.for(1_000);
    expect(run.desk.fixtureCount).toBe(2);
    Object.assign(game, { status: -14, changedAt: Math.floor(run.nowMs / 1_000) });
    await run.for(4_000);
    expect(run.desk.fixtureCount).toBe(1);
  });

  test('a window that was missed as lost changes: everything is read anew under a new epoch', async () => {
    open(['football']);
    match('7');
    const main = place('7', 'europeOdds', [1.73, 4, 3.5]);
    await run.for(10_000);
    const before = run.poller.status().epochs;
    standIn.fault = (path) => (path.endsWith('/changes') ? new Response('', { status: 502 }) : null);
    await run.for(25_000);
    Object.assign(main, { now: [1.8, 3.9, 3.4], changedAt: Math.floor(run.nowMs / 1_000) });
    standIn.fault = () => null;
    await run.for(30_000);
    expect(run.poller.status().failures.get('missed_window')).toBeGreaterThan(0);
    expect(run.poller.status().epochs).toBeGreaterThan(before);
    expect(quotes('football-7')).toEqual({ 'crown|1x2|full_time|': '1.8 3.9 3.4 open' });
    expect(run.rejected).toEqual([]);
  });

  test('a full answer from a cache, older than a change, takes nothing back', async () => {
    open(['football']);
    match('7');
    const main = place('7', 'handicap', [0.75, 0.9, 0.94]);
    await run.for(30_000);
    Object.assign(main, { now: [1, 0.95, 0.89], changedAt: Math.floor(run.nowMs / 1_000) });
    await run.for(4_000);
    Object.assign(main, { now: [0.75, 0.9, 0.94], changedAt: START_S - 50 });
    await run.for(2 * MINUTE_MS);
    expect(quotes('football-7')).toEqual({ 'crown|asian_handicap|full_time|-1': '1.95 1.89 0 open' });
  });

  test('429 as a rest of the whole source, which answers to earlier questions do not end', async () => {
    open(['football']);
    match('7');
    place('7', 'handicap', [0.75, 0.9, 0.94]);
    await run.for(10_000);
    const isRefused = (): boolean => run.logged.some((line) => line.includes('throttled'));
    let answeredLate = 0;
    standIn.fault = (path) => {
      if (isRefused()) return null;
      if (path === 'football/odds/main/changes') {
        return new Response('{}', { status: 429, headers: { 'retry-after': '300' } });
      }
      return until('the refusal was heard', isRefused).then(() => {
        answeredLate++;
        return Response.json({ code: 0, data: path.includes('odds') ? {} : [] });
      });
    };
    await run.for(5_000);
    const before = standIn.asked.length;
    await run.for(4 * MINUTE_MS);
    expect(answeredLate).toBeGreaterThan(0);
    expect(standIn.asked.length).toBe(before);
    expect(run.poller.status()).toMatchObject({ state: 'failing', reason: 'throttled' });
    await run.for(2 * MINUTE_MS);
    expect(run.poller.status()).toMatchObject({ state: 'ok', reason: null });
    expect(Object.keys(quotes('football-7'))).toHaveLength(1);
  });

  test('full answers alone where the operator wants to be asked for less than the windows of changes reach', async () => {
    open(['football'], MINUTE_MS);
    match('7');
    const main = place('7', 'europeOdds', [1.73, 4, 3.5]);
    await run.for(5 * MINUTE_MS);
    Object.assign(main, { now: [1.8, 3.9, 3.4], changedAt: Math.floor(run.nowMs / 1_000) });
    await run.for(2 * MINUTE_MS);
    expect(standIn.asked.some(({ path }) => path.endsWith('/changes'))).toBe(false);
    expect(standIn.asked.length).toBeLessThan(40);
    expect(quotes('football-7')).toEqual({ 'crown|1x2|full_time|': '1.8 3.9 3.4 open' });
    expect(run.poller.status()).toMatchObject({ state: 'ok', epochs: 1 });
    const confirmed = run.wire.filter(({ type }) => type === 'heartbeat').at(-1)!.at as string;
    expect(run.nowMs - Date.parse(confirmed)).toBeLessThan(2 * MINUTE_MS + 1_000);
  });

  test('rows with another number of columns, bad prices and bad lines as refused, each counted', async () => {
    open(['football']);
    match('7');
    place('7', 'europeOdds', [1.73, 4, 3.5]);
    standIn.extraRows.set('football/odds/main europeOdds', ['7,3,1.7,4,3.5,1.7,4,3.5,1,1,false,2', 12]);
    standIn.extraRows.set('football/odds/main overUnder', [
      '7,31,2.3,0.9,0.9,2.3,0.9,0.9,1,false,2',
      '7,31,2.5,0.9,0.9,2.5,NaN,0.9,1,false,2',
      '7,31,2.5,0.9,0.9,2.5,-0.9,0.9,1,false,2',
      '7,31,2.5,0.9,0.9,2.5,5000,0.9,1,false,2',
    ]);
    await run.for(1_000);
    const { counts } = run.poller.status();
    expect(Object.fromEntries(counts)).toMatchObject({
      column_count: 1,
      bad_row: 1,
      bad_line: 1,
      bad_price: 3,
    });
    expect(quotes('football-7')).toEqual({ 'crown|1x2|full_time|': '1.73 4 3.5 open' });
  });

  test.each([
    ['football/odds/main', { europeOdds: ['7,3,1.7,4,3.5,1.7,4,3.5,1,1,false,2', '7,31,1'] }],
    ['football/livescores', [{ id: 7 }, null]],
  ])(
    'an answer of %s in which nothing can be read as none at all: what was served stays',
    async (path, data) => {
      open(['football'], MINUTE_MS);
      match('7');
      place('7', 'europeOdds', [1.73, 4, 3.5]);
      await run.for(1_000);
      standIn.fault = (asked) => (asked === path ? Response.json({ code: 0, data }) : null);
      await run.for(2 * MINUTE_MS);
      expect(run.poller.status()).toMatchObject({ state: 'failing', reason: 'wrong_shape' });
      expect(quotes('football-7')).toEqual({ 'crown|1x2|full_time|': '1.73 4 3.5 open' });
      standIn.fault = () => null;
      await run.for(10 * MINUTE_MS);
      expect(run.poller.status()).toMatchObject({ state: 'ok', reason: null });
    },
  );

  test('a bad key with status 200 as final', async () => {
    open();
    standIn.fault = () => Response.json({ code: 2, message: 'Invalid [api_key], illegal access.' });
    await run.for(10 * MINUTE_MS);
    expect(run.poller.status()).toMatchObject({ state: 'stopped', reason: 'bad_key' });
    expect(standIn.asked.length).toBeLessThan(15);
    expect(run.logged.join('')).not.toContain(IsportsStandIn.KEY);
  });
});

describe.skipIf(!existsSync(SAMPLES))(
  "isports' own samples (skipped where they are not beside the checkout)",
  () => {
    test('every row of every endpoint has the columns the table says', () => {
      const files: Readonly<Record<string, string>> = {
        'getFootballOddsMain.json': 'football/odds/main',
        'getFootballOddsMainChanges.json': 'football/odds/main/changes',
        'getFootballOddsAll.json': 'football/odds/all',
        'getFootballOddsAllChanges.json': 'football/odds/all/changes',
        'getBasketballOddsFulltime.json': 'basketball/odds/fulltime',
        'getBasketballOddsFulltimeChanges.json': 'basketball/odds/fulltime/changes',
        'getBasketballOddsHalf.json': 'basketball/odds/half',
      };
      expect(readdirSync(SAMPLES)).toEqual(expect.arrayContaining(Object.keys(files)));
      expect(Object.keys(COLUMNS).sort()).toEqual(Object.values(files).sort());
      let rowCount = 0;
      for (const [file, endpoint] of Object.entries(files)) {
        const { data } = JSON.parse(readFileSync(join(SAMPLES, file), 'utf8')) as {
          data: Record<string, string[]>;
        };
        for (const [array, rows] of Object.entries(data)) {
          for (const row of rows) {
            const refused: string[] = [];
            const everyone = new Map(Array.from({ length: 1_000 }, (_, id) => [String(id), 'crown']));
            const read = rowOf(array, row, {
              endpoint,
              bookmakers: everyone,
              count: (what) => refused.push(what),
              unmapped: (name) => refused.push(name),
            });
            expect({ row, array, endpoint, refused }).toEqual({ row, array, endpoint, refused: [] });
            expect(read).not.toBeNull();
            // A book's margin is a few per cent on every market: it would not be with the wrong kind of price.
            const sum = read!.prices.reduce((total, price) => total + 1 / price, 0);
            expect(sum).toBeGreaterThan(0.98);
            expect(sum).toBeLessThan(1.35);
            rowCount++;
          }
        }
      }
      expect(rowCount).toBeGreaterThan(80);
    });
  },
);

/** What the full answers say, read with none of the service's code: quotes by event. */
function independentReading(): Record<string, Record<string, string>> {
  const companies: Record<string, string> = { 1: 'macau', 3: 'crown', 31: 'sbobet' };
  const seen: Record<string, Record<string, { at: number; text: string }>> = {};
  for (const { match: id, company, array, now, maintenance, close, type, changedAt } of standIn.places) {
    const game = standIn.matches.find((candidate) => candidate.id === id)!;
    if (game.status < 0) continue;
    if (game.status > 0 ? type !== 3 : type === 3) continue;
    const half = array.endsWith('Half');
    if (half && game.status >= 2) continue;
    const numbers = now.map(Number);
    const is1x2 = array === 'europeOdds';
    const name = is1x2
      ? '1x2|full_time|'
      : array.startsWith('handicap')
        ? `asian_handicap|${half ? 'half_time' : 'full_time'}|${-numbers[0]! || 0}`
        : `totals|${half ? 'half_time' : 'full_time'}|${numbers[0]}`;
    const prices = is1x2 ? numbers : [numbers[1]! + 1, numbers[2]! + 1, 0];
    const text = `${prices.map((price) => Math.round(price * 1e4) / 1e4).join(' ')} ${maintenance || close ? 'suspended' : 'open'}`;
    const key = `${companies[company]}|${name}`;
    const event = `football-${id}`;
    seen[event] ??= {};
    const held = seen[event][key];
    if (held === undefined || changedAt > held.at) seen[event][key] = { at: changedAt, text };
  }
  return Object.fromEntries(
    Object.entries(seen).map(([event, held]) => [
      event,
      Object.fromEntries(Object.entries(held).map(([key, { text }]) => [key, text])),
    ]),
  );
}

test.each([1, 2])(
  'an hour of play with faults on the way ends as an independent reading does (seed %p)',
  async (seed) => {
    open(['football']);
    const random = new Random(seed);
    const hk = (): number => Math.round(random.between(0.6, 1.3) * 100) / 100;
    for (const id of ['11', '12', '13', '14']) {
      const kickoff = START_S + 60 * random.index(50);
      match(id, { kickoff });
      for (const company of [1, 3, 31]) {
        place(id, 'europeOdds', [2.1, 3.3, 3.5], { company });
        for (const index of [1, 2, 3]) {
          // Three places at three distinct quarters: places of one company never share a line.
          place(id, 'handicap', [index / 4, hk(), hk()], { company, index });
          place(id, 'overUnder', [2 + index / 4, hk(), hk()], { company, index });
        }
        place(id, 'handicapHalf', [0.25, hk(), hk()], { company });
        place(id, 'overUnderHalf', [1, hk(), hk()], { company });
      }
    }
    let steppedAt = 0;
    const play = (nowMs: number): void => {
      const now = Math.floor(nowMs / 1_000);
      if (now - steppedAt < 5 || nowMs > START_MS + HOUR_MS - 3 * MINUTE_MS) {
        if (nowMs > START_MS + HOUR_MS - 3 * MINUTE_MS) standIn.fault = () => null;
        return;
      }
      steppedAt = now;
      for (const game of standIn.matches) {
        const status =
          now < game.kickoff ? 0 : now < game.kickoff + 1_200 ? 1 : now < game.kickoff + 1_500 ? 2 : 3;
        if (status !== game.status) Object.assign(game, { status, halfStart: now, changedAt: now });
        if (status > 0 && random.unit() < 0.01) {
          game.score[random.index(2)]!++;
          game.changedAt = now;
        }
      }
      for (const quote of standIn.places) {
        const game = standIn.matches.find(({ id }) => id === quote.match)!;
        const type = game.status > 0 ? 3 : 2;
        if (type === quote.type && random.unit() > 0.05) continue;
        quote.type = type;
        quote.now =
          quote.array === 'europeOdds'
            ? [hk() + 1, hk() + 2.4, hk() + 2]
            : [Number(quote.now[0]), hk(), hk()];
        quote.maintenance = quote.array === 'handicap' && random.unit() < 0.1;
        quote.close = !quote.array.endsWith('Half') && random.unit() < 0.1;
        quote.changedAt = now;
      }
      const fault = random.unit();
      const length = random.unit();
      standIn.fault = (path) => {
        if (fault > 0.1) return null;
        if (length < 0.3 && !path.endsWith('/changes')) return null;
        if (fault < 0.03) return new Response('<html>', { status: 502 });
        if (fault < 0.06) return new Response('{"code":0,"data":{"handicap":["', { status: 200 });
        if (fault < 0.08) return Response.json({ code: 9, message: 'busy' });
        return new Response('', { status: 200 });
      };
    };
    await run.for(HOUR_MS, play);
    const expected = independentReading();
    const events = Object.keys(expected);
    expect(events.length).toBe(4);
    expect(Object.fromEntries(events.map((event) => [event, quotes(event)]))).toEqual(expected);
    for (const game of standIn.matches) {
      expect(run.slate([`football-${game.id}`])[`football-${game.id}`]).toMatchObject({
        score: game.status > 0 ? game.score : null,
      });
    }
    expect(run.rejected).toEqual([]);
  },
  60_000,
);
