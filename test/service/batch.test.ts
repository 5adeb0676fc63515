// POST /v1/odds/batch: order, repeats, failures in their own entry, one unit of budget, and the filters of
// one fixture.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { encodeId } from '../../src/domain/ids.ts';
import { TIERS } from '../../src/domain/tiers.ts';
import { BATCH_EVENT_IDS_MAX } from '../../src/limits.ts';
import { createKeys } from '../support/callers.ts';
import { type Answered, Surface } from '../support/surface.ts';

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

let surface: Surface;
beforeAll(async () => {
  surface = await Surface.start({ freeKeys: 3 });
});
afterAll(() => surface[Symbol.asyncDispose]());

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

test('one entry per id in request order, repeats too, and failures in their own entry', async () => {
  const [a = '', b = '', c = ''] = surface.eventIds;
  const gone = encodeId('event', 7);
  const ids = [c, a, gone, c, 'tm_Xk29LmQa', b, 'nonsense', a];
  const { count, ok_count: okCount, data } = await answered({ event_ids: ids });
  expect(data.map((entry) => entry.event_id)).toEqual(ids);
  expect([count, okCount]).toEqual([8, 5]);
  expect(data.map((entry) => entry.odds?.event_id ?? null)).toEqual([c, a, null, c, null, b, null, a]);
  expect(data.map((entry) => entry.error?.code ?? null)).toEqual([
    ...[null, null, 'not_found', null, 'invalid_request', null, 'invalid_request', null],
  ]);
  expect(data[4]!.error!.fix).toContain('evt_');
  for (const { error } of data) {
    if (error !== null) expect(Object.keys(error).sort()).toEqual(['code', 'fix', 'message']);
  }
});

test('each entry is what the route of one fixture answers, with the same filters', async () => {
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

test('a batch of twenty costs one unit; a refused one costs one too, as any request', async () => {
  const [key = ''] = await createKeys(surface.running.dataDir, 'standard', 1);
  const headers = { authorization: `Bearer ${key}` };
  const ids = surface.eventIds.slice(0, BATCH_EVENT_IDS_MAX);
  const remaining: number[] = [];
  for (const body of [{ event_ids: ids }, { event_ids: ids }, { event_ids: [] }, { event_ids: ids }]) {
    remaining.push(Number((await batch(body, headers)).headers.get('x-ratelimit-remaining')));
  }
  // Ten tokens a second come back meanwhile, but never more than were spent.
  expect(remaining[0]).toBe(119);
  for (const [index, left] of remaining.entries()) expect(left).toBeGreaterThanOrEqual(119 - index);
});

test('a key is required and a free one is enough, without the sharp book', async () => {
  const body = JSON.stringify({ event_ids: surface.eventIds.slice(0, 3) });
  const request = { method: 'POST', path: '/v1/odds/batch', body };
  expect((await surface.send('keyless', request)).status).toBe(401);
  const free = await surface.send('free', request);
  expect(free.status).toBe(200);
  expect(free.text).not.toContain('pinnacle');
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

test('a request refused for lack of a key costs nothing: the bucket of its address stays full', async () => {
  const request = { method: 'POST', path: '/v1/odds/batch', body: JSON.stringify({ event_ids: ['evt_x'] }) };
  const refused = await surface.send('keyless', request); // each keyless request comes from a different address
  expect(refused.status).toBe(401);
  expect(refused.headers.get('x-ratelimit-remaining')).toBe(String(TIERS[0].burst));
});
