// Requests that might evade the pace of callers without a key: those with a body, those whose header or
// cookie contains no key, and those with an unusual method. Also requests that do not wait at that pace.

import { expect, spyOn, test } from 'bun:test';
import { systemClock } from '../../../src/clock.ts';
import { Reply } from '../../../src/http/kit/reply.ts';
import { definePage } from '../../../src/http/kit/route.ts';
import { until } from '../../support/condition.ts';
import { FREE_KEY, GOOD_KEY, sendRaw, startTestServer } from '../kit.ts';

const ROUTES = [
  definePage({ path: '/v1/ask', method: 'POST', access: 'metered', handle: () => Reply.json({}) }),
  definePage({ path: '/v1/list', access: 'metered', handle: () => Reply.json({}) }),
  definePage({ path: '/health', handle: () => Reply.json({}) }),
  ...['/v1/stream', '/mcp', '/page'].map((path) =>
    definePage({ path, access: 'metered', handle: () => Reply.json({}) }),
  ),
  definePage({ path: '/platform/login', method: 'POST', access: 'account', handle: () => Reply.json({}) }),
  definePage({ path: '/platform/forgot', method: 'POST', access: 'account', handle: () => Reply.json({}) }),
];
const LARGE = ' '.repeat(5_000);

test('at full pace, requests with a large body or with a header that is no key are not answered at once', async () => {
  const { promise: rested, resolve } = Promise.withResolvers<void>();
  const { sleep } = Bun;
  const spy = spyOn(Bun, 'sleep').mockImplementation((ms) => (Number(ms) >= 500 ? rested : sleep(ms)));
  const clock = { ...systemClock, monotonicMs: () => 5_000 };
  await using server = startTestServer({ routes: ROUTES, clock });
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, { method: 'POST', headers, body });
  try {
    expect((await post('/v1/ask', LARGE)).status).toBe(200);
    expect((await post('/platform/forgot', '{}', { authorization: 'x' })).status).toBe(200);
    expect((await fetch(`${server.url}/v1/list`)).status).toBe(200);
    // These counted as four requests. Each refusal counts as five, and six hundred requests are answered at
    // once.
    for (let count = 0; count < 119; count++) expect((await fetch(`${server.url}/no`)).status).toBe(404);
    const late = [
      post('/v1/ask', LARGE),
      post('/platform/forgot', '{}', { authorization: 'x' }),
      post('/platform/forgot', '{}', { authorization: 'Bearer ses_madeUp' }),
    ];
    await until('three wait', () => server.http.pendingCount() === 3);
    expect((await post('/v1/ask', LARGE, { authorization: GOOD_KEY })).status).toBe(200);
    expect((await post('/platform/forgot', '{}', { authorization: GOOD_KEY })).status).toBe(200);
    expect(server.http.pendingCount()).toBe(3);
    resolve();
    expect((await Promise.all(late)).map(({ status }) => status)).toEqual([200, 200, 200]);
  } finally {
    resolve();
    spy.mockRestore();
  }
});

test.each([
  ['of some kilobytes', `Content-Length: ${LARGE.length}`, LARGE],
  ['in chunks', 'Transfer-Encoding: chunked', '1\r\n \r\n0\r\n\r\n'],
])(
  'a read request with a body %s is refused without a key, and answered with a key',
  async (_which, framing, body) => {
    await using server = startTestServer({ routes: ROUTES });
    const ask = (header: string) =>
      sendRaw(
        server.http.port,
        `GET /v1/list HTTP/1.1\r\nHost: localhost\r\n${header}${framing}\r\n\r\n${body}`,
      );
    const refused = await ask('');
    expect(refused).toStartWith('HTTP/1.1 413');
    expect(refused.toLowerCase()).toContain('connection: close');
    expect(await ask(`Authorization: ${GOOD_KEY}\r\n`)).toStartWith('HTTP/1.1 200');
  },
);

test('at full pace, a free key for which there is no place is refused late, and a paid key at once', async () => {
  const { promise: rested, resolve } = Promise.withResolvers<void>();
  const { sleep } = Bun;
  const spy = spyOn(Bun, 'sleep').mockImplementation((ms) => (Number(ms) >= 500 ? rested : sleep(ms)));
  const hanging = definePage({ path: '/v1/hang', access: 'metered', handle: () => new Promise(() => {}) });
  const clock = { ...systemClock, monotonicMs: () => 5_000 };
  await using server = startTestServer({ routes: [hanging], clock, isRemote: true, pendingMax: 8 });
  const leaving = new AbortController();
  const ask = (authorization: string) =>
    fetch(`${server.url}/v1/hang`, { headers: { authorization }, signal: leaving.signal });
  const hold = (authorization: string) => void ask(authorization).catch(() => {});
  try {
    hold(FREE_KEY);
    for (let count = 0; count < 2; count++) hold(GOOD_KEY);
    await until('the places are taken', () => server.remote!.server.pendingCount === 3);
    for (let count = 0; count < 150; count++) expect((await ask(FREE_KEY)).status).toBe(503);
    const late = ask(FREE_KEY);
    await until('it waits', () => server.http.pendingCount() === 4);
    expect((await ask(GOOD_KEY)).status).toBe(503);
    expect(server.http.pendingCount()).toBe(4);
    resolve();
    expect((await late).status).toBe(503);
  } finally {
    resolve();
    spy.mockRestore();
    leaving.abort();
  }
});

test('a refusal because a key has no free place counts once at the pace of free keys; with a paid plan it does not count', async () => {
  const { promise: rested, resolve } = Promise.withResolvers<void>();
  const { sleep } = Bun;
  const spy = spyOn(Bun, 'sleep').mockImplementation((ms) => (Number(ms) >= 500 ? rested : sleep(ms)));
  const hanging = definePage({ path: '/v1/hang', access: 'metered', handle: () => new Promise(() => {}) });
  const clock = { ...systemClock, monotonicMs: () => 5_000 };
  // A session is looked up later than a key if the URL has kept answers.
  const routes = [{ ...hanging, keep: () => ({ ready: () => null, isAhead: () => false }) }];
  await using server = startTestServer({ routes, clock, inFlightPerClientMax: 1 });
  const leaving = new AbortController();
  const ask = (headers: Record<string, string>) =>
    fetch(`${server.url}/v1/hang`, { headers, signal: leaving.signal });
  const paid = { authorization: GOOD_KEY };
  const session = { cookie: 'overround_session=ses_standard' };
  const free = { authorization: FREE_KEY };
  try {
    for (const headers of [paid, session, free]) void ask(headers).catch(() => {});
    await until('the places are taken', () => server.http.pendingCount() === 3);
    for (let count = 0; count < 160; count++) {
      for (const headers of [paid, session]) expect((await ask(headers)).status).toBe(503);
    }
    for (let count = 0; count < 150; count++) expect((await ask(free)).status).toBe(503);
    const late = ask(free);
    await until('it waits', () => server.http.pendingCount() === 4);
    for (const headers of [paid, session]) expect((await ask(headers)).status).toBe(503);
    expect(server.http.pendingCount()).toBe(4);
    resolve();
    expect((await late).status).toBe(503);
  } finally {
    resolve();
    spy.mockRestore();
    leaving.abort();
  }
});

/**
 * Starts a server whose pace of callers without a key is used up. Each request that has to wait for this pace
 * waits until `resume` is called.
 */
async function startExhausted(restingMax?: number) {
  const { promise: rested, resolve: resume } = Promise.withResolvers<void>();
  const { sleep } = Bun;
  const spy = spyOn(Bun, 'sleep').mockImplementation((ms) => (Number(ms) >= 500 ? rested : sleep(ms)));
  const clock = { ...systemClock, monotonicMs: () => 5_000 };
  const server = startTestServer({
    ...{ routes: ROUTES, clock },
    ...(restingMax === undefined ? {} : { restingMax }),
  });
  // Each request counts once, and four times more because it is refused. Six hundred are answered at once.
  for (let count = 0; count < 120; count++) expect((await fetch(`${server.url}/no`)).status).toBe(404);
  const waiting: Promise<Response>[] = [];
  return {
    ...{ server, resume },
    ask: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${server.url}${path}`, { method, headers }),
    /** Adds a request that has to wait, and returns once it does. */
    waits: async (answer: Promise<Response>) => {
      waiting.push(answer);
      await until('one more waits', () => server.http.pendingCount() === waiting.length);
    },
    /** The statuses of the requests that waited. */
    statuses: async () => (await Promise.all(waiting)).map(({ status }) => status),
    [Symbol.asyncDispose]: async () => {
      resume();
      spy.mockRestore();
      await server[Symbol.asyncDispose]();
    },
  };
}

test('at full pace, an OPTIONS request waits whatever its header, ticket or path', async () => {
  await using flood = await startExhausted();
  const { ask, waits } = flood;
  expect((await ask('/health')).status).toBe(200);
  expect((await ask('/v1/stream?ticket=tkt_1')).status).toBe(200);
  await waits(ask('/v1/list', { authorization: 'x' }, 'OPTIONS'));
  await waits(ask('/v1/list', { authorization: FREE_KEY }, 'OPTIONS'));
  await waits(ask('/v1/list', { cookie: 'overround_session=ses_standard' }, 'OPTIONS'));
  await waits(ask('/v1/stream?ticket=tkt_1', {}, 'OPTIONS'));
  await waits(ask('/health', {}, 'OPTIONS'));
  flood.resume();
  expect(await flood.statuses()).toEqual([204, 204, 204, 204, 204]);
});

test('at full pace, a request with a known session is answered at once, and one with another cookie waits', async () => {
  await using flood = await startExhausted();
  const { ask, waits } = flood;
  const paid = { cookie: 'theme=dark; overround_session=ses_standard' };
  expect((await ask('/v1/list', paid)).status).toBe(200);
  expect((await ask('/health', paid)).status).toBe(200);
  expect((await ask('/no', paid)).status).toBe(404);
  expect((await ask('/v1/list', { cookie: 'overround_session=ses_free' })).status).toBe(200);
  await waits(ask('/v1/list', { cookie: 'overround_session=ses_unknown' }));
  await waits(ask('/v1/list', { cookie: 'theme=ses_standard' }));
  await waits(ask('/v1/list', { ...paid, origin: 'http://evil.example' }));
  // The MCP endpoint takes no session.
  await waits(ask('/mcp', paid));
  flood.resume();
  expect(await flood.statuses()).toEqual([200, 200, 200, 200]);
});

test('requests that cost the account of a free session no unit wait at the pace of free keys', async () => {
  await using flood = await startExhausted();
  const { ask, waits } = flood;
  const free = { cookie: 'overround_session=ses_free' };
  for (let count = 0; count < 600; count++) expect((await ask('/page', free)).status).toBe(200);
  await waits(ask('/page', free));
  await waits(ask('/page', { authorization: FREE_KEY }));
  expect((await ask('/v1/list', free)).status).toBe(200);
  flood.resume();
  expect(await flood.statuses()).toEqual([200, 200]);
});

test('when all places for waiting requests are taken, a few more are kept for log-ins and sessions', async () => {
  await using flood = await startExhausted(1);
  const { ask, waits } = flood;
  await waits(ask('/v1/list'));
  expect((await ask('/v1/list')).status).toBe(503);
  await waits(ask('/platform/login', {}, 'POST'));
  await waits(ask('/v1/list', { cookie: 'overround_session=ses_unknown' }));
  await waits(ask('/platform/login', {}, 'POST'));
  await waits(ask('/platform/login', {}, 'POST'));
  // One address gets at most four of these places.
  expect((await ask('/platform/login', {}, 'POST')).status).toBe(503);
  expect((await ask('/platform/forgot', {}, 'POST')).status).toBe(503);
  flood.resume();
  expect(await flood.statuses()).toEqual([200, 200, 200, 200, 200]);
});

test('after many refusals that cost a key no unit, the next ones are delayed', async () => {
  await using flood = await startExhausted();
  const { ask, waits } = flood;
  const key = { authorization: GOOD_KEY };
  for (let count = 0; count < 150; count++) {
    expect((await ask('/v1/list', { ...key, host: 'evil.example' })).status).toBe(400);
  }
  await waits(ask('/v1/list', { ...key, host: 'evil.example' }));
  await waits(ask('/v1//list', key));
  expect((await ask('/v1/list', key)).status).toBe(200);
  expect((await ask('/v1/no', key)).status).toBe(404);
  flood.resume();
  expect(await flood.statuses()).toEqual([400, 400]);
});
