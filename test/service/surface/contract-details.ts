// Statements of the contract that clients rely on and that the service once violated, each tested over HTTP.

import { beforeAll, describe, expect, test } from 'bun:test';
import { systemClock } from '../../../src/clock.ts';
import { decodeId, idKindOf } from '../../../src/domain/ids.ts';
import { AccountClient } from '../../support/account-client.ts';
import { type Answered, call } from '../../support/call.ts';
import { surface } from './shared-surface.ts';

type Json = Record<string, unknown>;

/** The served OpenAPI document. */
let document: Json;
beforeAll(async () => {
  document = (await get('/openapi.json')).body as Json;
});

function post(path: string, body: unknown): Promise<Answered> {
  return surface.send('enterprise', { method: 'POST', path, body: JSON.stringify(body) });
}

function get(path: string): Promise<Answered> {
  return surface.send('enterprise', { method: 'GET', path, body: null });
}

async function askTool(name: string, args: Json, status = 200): Promise<Json> {
  const answered = await post(`/v1/mcp/${name}`, args);
  expect([answered.status, answered.text.slice(0, 300)]).toEqual([status, expect.any(String)]);
  return answered.body as Json;
}

/** The message of an error envelope. */
function messageOf({ body }: Answered): unknown {
  return (body as { error?: { message?: unknown } }).error?.message;
}

describe('FEED_NOW stops the clock of the slate, not the clock of the limits', () => {
  test('the slate has the day of FEED_NOW; X-RateLimit-Reset and uptime are in real time', async () => {
    const nowS = systemClock.wallMs() / 1000;
    const answered = await get('/v1/sports');
    const resetAtS = Number(answered.headers.get('x-ratelimit-reset'));
    expect(Math.abs(resetAtS - nowS)).toBeLessThan(120);
    const usage = (await get('/v1/usage')).body as { started_at: string; uptime_s: number };
    expect(Math.abs(Date.parse(usage.started_at) / 1000 - nowS)).toBeLessThan(600);
    expect(usage.uptime_s).toBeLessThan(600);
    const today = (await askTool('list_today_matches', {})).date as string;
    expect(Math.abs(Date.parse(today) / 1000 - nowS)).toBeGreaterThan(86_400);
  });

  test('accounts and sessions follow the real clock, not the replayed one', async () => {
    const nowMs = systemClock.wallMs();
    const person = new AccountClient(surface.running, {
      email: 'clock@example.com',
      address: surface.callers.nextAddress(),
    });
    await person.enter();
    const { expires_at } = (await person.logIn()).body as { expires_at: string };
    expect(Math.abs(Date.parse(expires_at) - nowMs - 30 * 86_400_000)).toBeLessThan(600_000);
  });
});

test('resolve/event: a date_range that ends before it begins is 400, a range of one day is accepted', async () => {
  const ask = (from: string, to: string) =>
    post('/v1/resolve/event', { query: 'Flamengo', context: { date_range: { from, to } } });
  const refused = await ask('2026-01-02', '2026-01-01');
  expect([refused.status, messageOf(refused)]).toEqual([400, 'Cannot use date_range: to is before from']);
  expect((await ask('2026-01-01', '2026-01-01')).status).toBe(200);
});

test('resolve/event: dates in words are days of the timezone in the context', async () => {
  const { data } = (await get('/v1/events?limit=100')).body as { data: Json[] };
  const zone = 'Asia/Tokyo';
  const dayIn = (event: Json, timeZone: string): string =>
    Temporal.Instant.from(String(event.scheduled_at)).toZonedDateTimeISO(timeZone).toPlainDate().toString();
  const late = data.find((event) => dayIn(event, zone) !== dayIn(event, 'UTC'))!;
  const teams = [late.home_team as Json, late.away_team as Json].map(({ name }) => name).join(' vs ');
  // A word for a day means the day in that zone; YYYY-MM-DD means the UTC day, as everywhere.
  const inWords = new Date(dayIn(late, zone)).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });
  const ask = (context: Json, day = inWords) =>
    post('/v1/resolve/event', { query: `${teams} ${day}`, context });
  expect((await ask({ timezone: zone })).body).toMatchObject({
    status: 'matched',
    best_match: { event_id: late.event_id ?? late.id },
  });
  expect((await ask({})).body).toMatchObject({ best_match: null });
  expect((await ask({ timezone: zone }, dayIn(late, 'UTC'))).body).toMatchObject({
    best_match: { event_id: late.event_id ?? late.id },
  });
  expect((await ask({ timezone: 'Mars/Olympus' })).status).toBe(400);
});

describe('optional request fields accept null', () => {
  test('every body field that may be left out may be null, in the documents as in the server', async () => {
    const bodies: [path: string, body: Json][] = [];
    for (const [path, item] of Object.entries(document.paths as Record<string, Json>)) {
      const operation = item.post as Json | undefined;
      const body = operation?.requestBody as { content: Json } | undefined;
      if (body === undefined) continue;
      const { schema } = body.content['application/json'] as { schema: Json };
      for (const object of objectsOf(resolved(schema))) {
        const required = (object.required ?? []) as string[];
        for (const [name, field] of Object.entries((object.properties ?? {}) as Record<string, Json>)) {
          expect([path, name, acceptsNull(field)]).toEqual([path, name, !required.includes(name)]);
        }
      }
      bodies.push([path, body]);
    }
    expect(bodies.length).toBeGreaterThan(20);
  });

  function resolved(schema: Json): Json {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(String(schema.$ref ?? ''))?.[1];
    if (name === undefined) return schema;
    return (document.components as { schemas: Record<string, Json> }).schemas[name]!;
  }

  function* objectsOf(schema: Json): Generator<Json> {
    if (schema.properties === undefined) return;
    yield schema;
    for (const field of Object.values(schema.properties as Record<string, Json>)) {
      for (const branch of (field.anyOf as Json[] | undefined) ?? [field]) yield* objectsOf(resolved(branch));
    }
  }

  function acceptsNull(field: Json): boolean {
    return ((field.anyOf ?? []) as Json[]).some((branch) => branch.type === 'null');
  }
});

test('maps name the type of their values in additionalProperties', async () => {
  const manifest = (await get('/v1/mcp/tools')).text;
  for (const text of [JSON.stringify(document), manifest]) {
    expect(text).not.toContain('patternProperties');
  }
  expect(manifest).toContain('"additionalProperties":{"type":"number"}');
});

test.each([
  ['GET', '/v1/events/ID/odds?bookmakers=crown,,sbobet', 'entry 2 of bookmakers is empty'],
  [
    'GET',
    '/v1/events/ID/odds?bookmakers=crown,crown,bet365',
    'entry 3 of bookmakers is not an allowed value',
  ],
  ['GET', '/v1/events/ID/odds?markets=', 'entry 1 of markets is empty'],
  ['scan_slate', { markets: ['1x2', 'corners'] }, 'entry 2 of markets is not an allowed value'],
  ['scan_slate', { status: '' }, 'it is empty'],
] as const)('%s %j is refused: %s', async (method, what, problem) => {
  const answered =
    method === 'GET'
      ? await get(String(what).replace('ID', surface.eventIds[0]!))
      : await post(`/v1/mcp/${method}`, what);
  expect(answered.status).toBe(400);
  expect(String(messageOf(answered))).toEndWith(problem);
});

test('limits in error texts have the right singular or plural', async () => {
  const refused = await post('/v1/odds/batch', { event_ids: [] });
  expect(JSON.stringify(refused.body)).toContain('List should have at least 1 item"');
});

test('every id in an example of the document or of a tool has the form of real ids', async () => {
  const texts = [JSON.stringify(document), (await get('/v1/mcp/tools')).text];
  const ids = texts.flatMap((text) => text.match(/\b(?:evt|tm|lg|bk|sp)_[0-9A-Za-z]{6,}\b/g) ?? []);
  expect(new Set(ids).size).toBeGreaterThan(4);
  for (const id of ids) expect(decodeId(idKindOf(id)!, id)).toBeGreaterThan(0);
});

test('GET / is a page for a browser and a map of the service for anything else', async () => {
  const { url } = surface.running;
  const map = await call(`${url}/`);
  expect([map.status, map.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  const links = Object.values(map.body as Record<string, string>).filter((text) => text.startsWith(url));
  expect(links.length).toBeGreaterThan(7);
  for (const link of links) {
    // A status of 401, 405 or 422 shows that the path exists, and needs a key, another method or a body.
    expect((await call(link)).status).not.toBe(404);
  }
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const page = await call(`${url}/`, { headers: { accept } });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  for (const [, path] of page.text.matchAll(/href="([^"]+)"/g)) {
    expect([path, (await call(url + path!.replaceAll('&amp;', '&'))).status]).toEqual([path, 200]);
  }
  for (const answered of [map, page]) expect(answered.headers.get('vary')?.toLowerCase()).toContain('accept');
});

describe('conversions', () => {
  const convert = (path: 'odds' | 'handicap', body: string): Promise<Answered> =>
    surface.send('keyless', { method: 'POST', path: `/v1/convert/${path}`, body });

  // test/domain/odds-format.test.ts and handicap.test.ts test the numbers.
  test('conversions echo the source exactly as sent, and show -0 as 0', async () => {
    const odds = await convert('odds', '{"value":0.123456789,"from":"probability","to":["decimal"]}');
    expect([odds.status, odds.body]).toEqual([200, { decimal: 8.1, probability: 0.123456789 }]);
    const handicap = await convert('handicap', '{"line":-0}');
    expect(handicap.body).toMatchObject({ handicap_raw: '0', handicap_decimal: 0, handicap_components: [0] });
    expect(handicap.text).not.toContain('-0,');
  });

  test.each([
    ['odds', '{"value":1,"from":"decimal","to":["hk"]}', 400],
    ['odds', '{"value":2,"from":"roman","to":["hk"]}', 400],
    ['odds', '{"value":2,"from":"decimal","to":["hk"],"bookmaker":"bet365"}', 400],
    ['odds', '{"value":1e999,"from":"decimal","to":["hk"]}', 422],
    ['odds', '{"value":"2","from":"decimal","to":["hk"]}', 422],
    ['odds', '{"value":2,"from":"decimal","to":[]}', 422],
    ['odds', '{"value":2,"from":"decimal"}', 422],
    ...['0.1', '100.25', '-101', '"0.5"', 'null', '1e999', '[0.5]'].map(
      (line) => ['handicap', `{"line":${line}}`, 422] as const,
    ),
  ] as const)('conversions of %s refuse %s', async (path, body, status) => {
    expect((await convert(path, body)).status).toBe(status);
  });

  test('answers to conversions may be cached for ever; refusals may not be cached', async () => {
    for (const [path, good, bad] of [
      ['odds', '{"value":2,"from":"decimal","to":["hk"]}', '{"value":0,"from":"decimal","to":["hk"]}'],
      ['handicap', '{"line":0.25}', '{"line":0.1}'],
    ] as const) {
      const kept = await convert(path, good);
      expect(kept.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect((await convert(path, good)).text).toBe(kept.text);
      expect((await convert(path, bad)).headers.get('cache-control')).toBe('no-store');
    }
  });
});

// A text that is too long to decode or look up is 400, like any other invalid text.
test.each(['odds?since=', 'stream?since=', 'events?cursor=', 'teams?cursor=', 'events?timezone=', 'events/'])(
  '/v1/%s followed by nines is 400 at every length',
  async (path) => {
    for (const length of [1, 64, 65, 128, 129, 400, 512, 513, 2_000]) {
      const request = { method: 'GET', path: `/v1/${path}${'9'.repeat(length)}`, body: null };
      const { status, body } = await surface.send('keyless', request);
      const { code } = (body as { error: { code: string } }).error ?? {};
      expect([length, status, code]).toEqual([length, 400, 'invalid_request']);
    }
  },
);
