// The Odds API when it refuses, breaks off or sends impossible values: each is counted, and the slate stays.

import { afterEach, describe, expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import {
  book,
  close,
  fixture,
  iso,
  open,
  openWithOne,
  quotes,
  run,
  START_MS,
  standIn,
} from './odds-api-scene.ts';
import { OddsApiStandIn, type OddsBookmaker } from './stand-in.ts';

afterEach(close);

describe('the-odds-api', () => {
  test.each([
    [401, { error_code: 'INVALID_KEY' }, 'stopped', 'bad_key', 15 * MINUTE_MS],
    [401, { error_code: 'OUT_OF_USAGE_CREDITS' }, 'stopped', 'quota_spent', 15 * MINUTE_MS],
    [403, '<html>no</html>', 'failing', 'forbidden', 1_000],
    [401, '<html>log in</html>', 'failing', 'bad_key', 1_000],
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
  ])(
    'an answer %p %p makes the source %s for %s, and the served prices stay',
    async (status, body, state, reason, leastMs) => {
      await openWithOne();
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
      // The log contains no key.
      expect(run.logged.join('\n')).not.toContain(OddsApiStandIn.KEY);
      standIn.fault = () => null;
      await run.for(20 * MINUTE_MS);
      expect(run.poller.status()).toMatchObject({ state: 'ok', reason: null, nextTryAtMs: null });
      expect(quotes()).toEqual(before);
    },
  );

  test.each([['{}'], ['{"message": null, "error_code": "EXCEEDED_FREQ_LIMIT"}'], ['<html>']])(
    'after an answer 429 with %s and Retry-After, nothing is requested before that time',
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

  test('a wrong clock of the upstream is counted, and no stamp is ahead of our clock', async () => {
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
  });

  test('each bad part of an answer is refused and counted, and no other quote moves', async () => {
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
    const total = (made: OddsBookmaker, point: number) =>
      market(made, 'totals').outcomes.map((outcome) => Object.assign(outcome, { point }));
    const parts: [string, OddsBookmaker][] = [
      ['bad_line', bad((made) => total(made, 2.3))],
      ['bad_line', bad((made) => total(made, -2.5))],
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
    // The fixture is listed without prices: it has not left the slate, but its prices are not confirmed.
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
  });

  test('a sport that the upstream does not know is not requested again, and the other sport continues', async () => {
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
