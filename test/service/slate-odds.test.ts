// GET /v1/odds over HTTP: the same quotes as fixture by fixture, cursors and tags, and refusals.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { OddsQuote } from '../../src/contract/odds.ts';
import type { Answer } from '../query/changes-scene.ts';
import type { Caller } from '../support/callers.ts';
import { type Answered, Surface } from '../support/surface.ts';

let surface: Surface;
beforeAll(async () => {
  surface = await Surface.start({ freeKeys: 20 });
});
afterAll(() => surface[Symbol.asyncDispose]());

function get(caller: Caller, path: string, headers: Record<string, string> = {}): Promise<Answered> {
  return surface.send(caller, { method: 'GET', path, body: null }, headers);
}

async function odds(caller: Caller, query = ''): Promise<Answer> {
  const { status, body } = await get(caller, `/v1/odds${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body as Answer;
}

async function refusal(query: string): Promise<unknown> {
  const { status, body } = await get('standard', `/v1/odds${query}`);
  return [status, (body as { error: { code: string } }).error.code];
}

describe('GET /v1/odds', () => {
  test('shows the quotes that each fixture’s own odds show, to every tier', async () => {
    for (const caller of ['free', 'standard'] as const) {
      const { fixtures, full, removed } = await odds(caller, '?markets=asian_handicap,totals&format=malay');
      expect([full, removed]).toEqual([true, []]);
      expect(fixtures.map(({ event_id }) => event_id).sort()).toEqual([...surface.eventIds].sort());
      for (const { event_id, event, state, odds: shown } of fixtures.slice(0, 5)) {
        const path = `/v1/events/${event_id}`;
        const { body } = await get('enterprise', path);
        expect(event).toEqual(body as typeof event);
        expect((await get('enterprise', `${path}/state`)).body).toMatchObject(state!);
        const block = await get(caller, `${path}/odds?markets=asian_handicap,totals&format=malay`);
        expect(shown).toEqual((block.body as { odds: OddsQuote[] }).odds);
      }
    }
  });

  test('reports nothing new after its own cursor, and 304 to a caller with its tag', async () => {
    const first = await get('free', '/v1/odds');
    const { cursor } = first.body as Answer;
    const etag = first.headers.get('etag')!;
    expect(etag).toContain(cursor);
    expect(await odds('free', `?since=${cursor}`)).toMatchObject({
      cursor,
      full: false,
      fixtures: [],
      removed: [],
    });
    for (const path of ['/v1/odds', `/v1/odds?since=${cursor}`]) {
      const again = await get('free', path, { 'if-none-match': `"another", ${etag}` });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    }
    const other = await get('free', '/v1/odds?bookmakers=crown', { 'if-none-match': etag });
    expect(other.status).toBe(200);
  });

  test('filters fixtures as /v1/events does', async () => {
    const { fixtures } = await odds('enterprise');
    const { league, scheduled_at, status } = fixtures.find(({ event }) => event?.scheduled_at !== null)!
      .event!;
    for (const query of [
      `?status=${status}`,
      `?league=${league.id}&status=${status}`,
      `?league=${encodeURIComponent(league.name)}`,
      `?date=${scheduled_at!.slice(0, 10)}`,
      `?date=${scheduled_at!.slice(0, 10)}&timezone=Asia/Singapore`,
      '?sport=basketball',
    ]) {
      const { body } = await get(
        'enterprise',
        `/v1/events${query}&limit=200`.replace('/v1/events&', '/v1/events?'),
      );
      const expected = (body as { data: { id: string }[] }).data.map(({ id }) => id);
      const shown = (await odds('enterprise', query)).fixtures.map(({ event_id }) => event_id);
      expect([query, ...shown.sort()]).toEqual([query, ...expected.sort()]);
    }
  });

  test('gives one cursor for one view, whichever caller asks and however it is spelt', async () => {
    const views = ['?bookmakers=crown,sbobet', '?bookmakers=sbobet,crown&format=decimal'];
    const cursors = await Promise.all([
      ...views.map((query) => odds('free', query)),
      odds('realtime', views[0]),
    ]);
    expect(new Set(cursors.map(({ cursor }) => cursor)).size).toBe(1);
    expect((await odds('free')).cursor).not.toBe((await odds('standard')).cursor);
  });

  test('starts over for a cursor of a former start or of a version that is not reached', async () => {
    const { cursor, fixtures } = await odds('standard');
    const [epoch, version, view] = cursor.split('-') as [string, string, string];
    for (const since of [`0${epoch}-${version}-${view}`, `${epoch}-${Number(version) + 1}-${view}`]) {
      expect(await odds('standard', `?since=${since}`)).toMatchObject({ cursor, full: true, fixtures });
    }
  });

  test('refuses the cursor of another view, a text that is not a cursor, and the sharp bookmaker on the free tier', async () => {
    const { cursor } = await odds('standard');
    const badRequest = [400, 'invalid_request'];
    expect(await refusal(`?since=${cursor}&format=hk`)).toEqual(badRequest);
    expect(await refusal(`?since=${(await odds('free')).cursor}`)).toEqual(badRequest);
    for (const since of ['', 'x', `${cursor}0`, cursor.toUpperCase(), cursor.replaceAll('-', '_')]) {
      expect([since, await refusal(`?since=${since}`)]).toEqual([since, badRequest]);
    }
    expect(await refusal('?league=No%20Such%20League')).toEqual(badRequest);
    expect((await get('free', '/v1/odds?bookmakers=pinnacle')).status).toBe(403);
    expect((await get('free', `/v1/odds?since=${'x'.repeat(200)}`)).status).toBe(400);
  });

  test('answers HEAD without a body and costs one unit', async () => {
    const headers = surface.callers.headersOf('free');
    const answers: Response[] = [];
    for (const method of ['GET', 'HEAD', 'GET']) {
      const answer = await fetch(`${surface.running.url}/v1/odds`, { method, headers });
      expect([method, answer.status, (await answer.text()).length > 0]).toEqual([
        method,
        200,
        method === 'GET',
      ]);
      answers.push(answer);
    }
    const left = answers.map((answer) => Number(answer.headers.get('x-ratelimit-remaining')));
    expect(left[0]! - left[2]!).toBe(2);
  });
});
