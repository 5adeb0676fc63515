// Odds of several fixtures over HTTP: batches, the whole slate, and the sharp bookmaker, which the free tier
// sees nowhere.

import { beforeAll, describe, expect, test } from 'bun:test';
import type { OddsQuote } from '../../../src/contract/odds.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { TIERS } from '../../../src/domain/tiers.ts';
import { BATCH_EVENT_IDS_MAX } from '../../../src/limits.ts';
import type { Answer } from '../../query/changes-scene.ts';
import type { Answered } from '../../support/call.ts';
import { CALLERS, type Caller, createKeys } from '../../support/callers.ts';
import { surface } from './shared-surface.ts';

interface Entry {
  readonly event_id: string;
  readonly odds: { readonly event_id: string; readonly odds: unknown[] } | null;
  readonly error: { readonly code: string; readonly message: string; readonly fix: string | null } | null;
}
interface Batch {
  readonly count: number;
  readonly ok_count: number;
  readonly data: Entry[];
}

describe('POST /v1/odds/batch', () => {
  function batch(body: unknown, headers: Record<string, string> = {}): Promise<Answered> {
    return surface.send(
      'enterprise',
      { method: 'POST', path: '/v1/odds/batch', body: JSON.stringify(body) },
      headers,
    );
  }

  async function answered(body: unknown): Promise<Batch> {
    const { status, body: answer } = await batch(body);
    expect(status).toBe(200);
    return answer as Batch;
  }

  test('a batch has one entry per id in the order of the request, for repeated ids too, and failures in their own entry', async () => {
    const [a = '', b = '', c = ''] = surface.eventIds;
    const gone = encodeId('event', 7);
    const texts = ['', 'x'.repeat(5_000), 'evt_', 'evt_zzzzzzzz', ' ', '\u0000'];
    const ids = [c, a, gone, c, 'tm_Xk29LmQa', b, 'nonsense', a, ...texts];
    const { count, ok_count: okCount, data } = await answered({ event_ids: ids });
    expect(data.map((entry) => entry.event_id)).toEqual(ids);
    expect([count, okCount]).toEqual([ids.length, 5]);
    const none = texts.map(() => null);
    expect(data.map((entry) => entry.odds?.event_id ?? null)).toEqual(
      [c, a, null, c, null, b, null, a].concat(none),
    );
    expect(data.map((entry) => entry.error?.code ?? null)).toEqual([
      ...[null, null, 'not_found', null, 'invalid_request', null, 'invalid_request', null],
      ...texts.map(() => 'invalid_request'),
    ]);
    expect(data[4]!.error!.fix).toContain('evt_');
    for (const { error } of data) {
      if (error !== null) expect(Object.keys(error).sort()).toEqual(['code', 'fix', 'message']);
    }
  });

  test('a batch answers each entry as the route of one fixture does, with the same filters', async () => {
    const ids = surface.eventIds.slice(0, BATCH_EVENT_IDS_MAX);
    const filters = [
      {},
      { markets: '1x2' },
      { markets: '1x2, totals', bookmakers: 'crown,pinnacle', period: 'half_time', format: 'malay' },
      { period: 'full_time', format: 'american' },
    ];
    for (const filter of filters) {
      const { data } = await answered({ event_ids: ids, ...filter });
      const query = new URLSearchParams(Object.entries(filter)).toString();
      for (const [index, id] of ids.entries()) {
        const one = await surface.send('enterprise', {
          method: 'GET',
          path: `/v1/events/${id}/odds?${query}`,
          body: null,
        });
        expect(data[index]!.odds as unknown).toEqual(one.body);
      }
    }
  });

  test('a batch of twenty fixtures costs one unit; a refused batch costs one unit, as any other refused request does', async () => {
    const [key = ''] = await createKeys(surface.running.dataDir, 'standard', 1);
    const headers = { authorization: `Bearer ${key}` };
    const ids = surface.eventIds.slice(0, BATCH_EVENT_IDS_MAX);
    const remaining: number[] = [];
    for (const body of [{ event_ids: ids }, { event_ids: ids }, { event_ids: [] }, { event_ids: ids }]) {
      remaining.push(Number((await batch(body, headers)).headers.get('x-ratelimit-remaining')));
    }
    // The test may take a second, in which ten tokens are refilled, but never more than were spent.
    expect(remaining[0]).toBe(119);
    for (const [index, left] of remaining.entries()) expect(left).toBeGreaterThanOrEqual(119 - index);
  });

  test.each([
    [{}, 422],
    [{ event_ids: [] }, 422],
    [{ event_ids: 'evt_Xk29LmQa' }, 422],
    [{ event_ids: [null] }, 422],
    [{ event_ids: Array(BATCH_EVENT_IDS_MAX + 1).fill('evt_Xk29LmQa') }, 422],
    [{ event_ids: ['evt_Xk29LmQa'], markets: ['1x2'] }, 422],
    [{ event_ids: ['evt_Xk29LmQa'], markets: 'corners' }, 400],
    [{ event_ids: ['evt_Xk29LmQa'], format: 'odd' }, 400],
    [{ event_ids: ['evt_Xk29LmQa'], bookmakers: 'bet365' }, 400],
  ] as const)('%j is refused as a whole', async (body, status) => {
    expect((await batch(body)).status).toBe(status);
  });

  test('a request that is refused because it has no key costs nothing: the bucket of its address stays full', async () => {
    const request = {
      method: 'POST',
      path: '/v1/odds/batch',
      body: JSON.stringify({ event_ids: ['evt_x'] }),
    };
    const refused = await surface.send('keyless', request); // each keyless request comes from a different address
    expect(refused.status).toBe(401);
    expect(refused.headers.get('x-ratelimit-remaining')).toBe(String(TIERS[0].burst));
  });
});

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
  test('GET /v1/odds shows to every tier the same quotes as each fixture’s own odds', async () => {
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

  test('GET /v1/odds reports no changes after its own cursor, and answers 304 to a caller with its tag', async () => {
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

  test('GET /v1/odds filters fixtures as /v1/events does', async () => {
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

  test('GET /v1/odds gives one cursor for one view, whichever caller asks and however the filters are written', async () => {
    const views = ['?bookmakers=crown,sbobet', '?bookmakers=sbobet,crown&format=decimal'];
    const cursors = await Promise.all([
      ...views.map((query) => odds('free', query)),
      odds('realtime', views[0]),
    ]);
    expect(new Set(cursors.map(({ cursor }) => cursor)).size).toBe(1);
    expect((await odds('free')).cursor).not.toBe((await odds('standard')).cursor);
  });

  test('GET /v1/odds sends the whole view for a cursor of an earlier start or of a version not reached yet', async () => {
    const { cursor, fixtures } = await odds('standard');
    const [epoch, version, view] = cursor.split('-') as [string, string, string];
    for (const since of [`0${epoch}-${version}-${view}`, `${epoch}-${Number(version) + 1}-${view}`]) {
      expect(await odds('standard', `?since=${since}`)).toMatchObject({ cursor, full: true, fixtures });
    }
  });

  test('GET /v1/odds refuses the cursor of another view and a text that is not a cursor; on the free tier it refuses the sharp bookmaker', async () => {
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
});

const SHARP = 'pinnacle';
const FIXTURES_MAX = 4;

interface Quote {
  readonly bookmaker: string;
}

describe('the sharp bookmaker', () => {
  /** Fixtures that the sharp bookmaker quotes now. */
  let eventIds: string[];
  beforeAll(async () => {
    eventIds = [];
    for (const id of surface.eventIds) {
      const { odds } = await surface.running.get<{ odds: Quote[] }>(`/v1/events/${id}/odds`);
      if (odds.some((quote) => quote.bookmaker === SHARP)) eventIds.push(id);
      if (eventIds.length === FIXTURES_MAX) break;
    }
  });

  /** Every request whose answer has quotes. */
  function quoteRequests(suffix: string): { path: string; body: string | null }[] {
    const { bookmakers } = Object.fromEntries(new URLSearchParams(suffix));
    const batch = { event_ids: eventIds, ...(bookmakers === undefined ? {} : { bookmakers }) };
    return [
      ...eventIds.flatMap((id) => [
        { path: `/v1/events/${id}/odds?${suffix}`, body: null },
        { path: `/v1/events/${id}/odds?markets=1x2&period=full_time&format=malay&${suffix}`, body: null },
        { path: `/v1/events/${id}/odds/1x2?${suffix}`, body: null },
        { path: `/v1/events/${id}/opening?${suffix}`, body: null },
      ]),
      { path: '/v1/odds/batch', body: JSON.stringify(batch) },
      { path: '/v1/openings/batch', body: JSON.stringify(batch) },
    ];
  }

  function ask(caller: Caller, { path, body }: { path: string; body: string | null }): Promise<Answered> {
    return surface.send(caller, { method: body === null ? 'GET' : 'POST', path, body });
  }

  test('the slate has quotes of the sharp bookmaker', () => {
    expect(eventIds.length).toBeGreaterThan(3);
  });

  describe.each([...CALLERS])('%s', (caller) => {
    const seesSharp = caller !== 'keyless' && caller !== 'free';

    test(`sees ${seesSharp ? 'the' : 'no'} sharp book in odds, one market, openings and batch`, async () => {
      for (const request of quoteRequests('')) {
        const answered = await ask(caller, request);
        const needsKey = request.path === '/v1/odds/batch' && caller === 'keyless';
        expect(answered.status).toBe(needsKey ? 401 : 200);
        if (!needsKey)
          expect([request.path, answered.text.includes(SHARP)]).toEqual([request.path, seesSharp]);
      }
    });

    test(`a request that names the sharp bookmaker is ${seesSharp ? 'answered with it alone' : '403 forbidden'}, also beside others`, async () => {
      for (const named of [SHARP, `crown,${SHARP}`, `${SHARP},sbobet`]) {
        for (const request of quoteRequests(`bookmakers=${named}`)) {
          const answered = await ask(caller, request);
          if (request.path === '/v1/odds/batch' && caller === 'keyless') expect(answered.status).toBe(401);
          else if (seesSharp) expect([request.path, answered.status]).toEqual([request.path, 200]);
          else {
            expect([request.path, answered.status]).toEqual([request.path, 403]);
            expect(answered.body).toMatchObject({ error: { code: 'forbidden', is_retriable: false } });
          }
        }
      }
    });

    test(`a tool call that names the sharp bookmaker is ${seesSharp ? 'answered' : '403 forbidden'}`, async () => {
      const tools = surface.document.operations.filter(({ path, body }) => {
        const properties = body === null ? {} : (surface.document.resolve(body).properties ?? {});
        // This service keeps no history.
        const isOfPast = /line_history|get_closing_line/.test(path);
        return path.startsWith('/v1/mcp/') && !isOfPast && 'bookmakers' in properties;
      });
      expect(tools.length).toBeGreaterThan(1);
      for (const tool of tools) {
        const [sample] = surface.samples.good(tool);
        for (const bookmakers of [[SHARP], ['crown', SHARP]]) {
          const body = JSON.stringify({ ...JSON.parse(sample?.body ?? '{}'), bookmakers });
          const answered = await ask(caller, { path: tool.path, body });
          expect([tool.path, answered.status]).toEqual([tool.path, seesSharp ? 200 : 403]);
        }
      }
    });

    test('the caller gets the same quotes of all other bookmakers', async () => {
      for (const id of eventIds) {
        const request = { method: 'GET', path: `/v1/events/${id}/odds`, body: null };
        const all = quotesOf(await surface.send('enterprise', request));
        const seen = quotesOf(await surface.send(caller, request));
        expect(seen).toEqual(seesSharp ? all : all.filter((quote) => quote.bookmaker !== SHARP));
      }
    });
  });

  test('/health has the same counts for every caller, and no counts of single bookmakers', async () => {
    const answers = await Promise.all(
      CALLERS.map((caller) => surface.send(caller, { method: 'GET', path: '/health', body: null })),
    );
    for (const { text } of answers) expect(text).not.toContain(SHARP);
  });

  function quotesOf({ body }: Answered): Quote[] {
    return (body as { odds: Quote[] }).odds;
  }
});
