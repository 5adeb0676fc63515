// Which callers are refused while many answers are in flight, over real sockets. The answers are streams that
// never end: each keeps its request pending, like an answer that nobody reads.

import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { systemClock } from '../../../src/clock.ts';
import { FormedAnswer } from '../../../src/http/kit/forms.ts';
import { Reply } from '../../../src/http/kit/reply.ts';
import { definePage } from '../../../src/http/kit/route.ts';
import { until } from '../../support/condition.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import { endless, FREE_KEY, GOOD_KEY, startTestServer, type TestServer } from '../kit.ts';

/** Callers without a key are refused above this number, free keys above 12, and all callers above 16. */
const IN_FLIGHT_MAX = 8;
/**
 * Above this number of requests in flight, small answers take places. A thread has 24 places, of which the
 * free keys of one account get two and one address gets one.
 */
const MANY = 12;

class ReadyAnswer extends FormedAnswer {
  readonly etag = '"v1"';

  body() {
    return { body: new Uint8Array(2), coding: null };
  }
}

/** An answer that is ready, and too large for a socket to accept completely unless its client reads. */
const READY = new Blob([new Uint8Array(16 * 1024 * 1024)]);

/** How many answers of /v1/kept did not come from the cache of its URL. */
let madeCount = 0;

const ROUTES = [
  {
    ...definePage({
      path: '/v1/kept',
      access: 'metered',
      handle: () => {
        madeCount += 1;
        return Reply.json({});
      },
    }),
    keep: () => ({ ready: () => new ReadyAnswer(), isAhead: () => false }),
  },
  definePage({ path: '/v1/unread', access: 'metered', handle: () => new Reply(endless()) }),
  definePage({
    path: '/v1/stream',
    access: 'metered',
    handle: (context) => {
      context.keepOpen(() => undefined);
      return new Reply(endless());
    },
  }),
  definePage({ path: '/v1/ready', access: 'metered', handle: () => new Reply(READY) }),
  definePage({ path: '/v1/sent', method: 'POST', access: 'metered', handle: () => new Reply(READY) }),
  definePage({ path: '/v1/list', access: 'metered', handle: () => Reply.json({}) }),
  definePage({ path: '/v1/ask', method: 'POST', access: 'metered', handle: () => Reply.json({}) }),
  definePage({ path: '/console', handle: () => Reply.json({}) }),
  definePage({ path: '/assets/:file', handle: () => Reply.json({}) }),
  definePage({ path: '/health', handle: () => Reply.json({}) }),
  definePage({ path: '/platform/login', method: 'POST', access: 'account', handle: () => Reply.json({}) }),
];
const NO_KEY = {};
const FREE = { authorization: FREE_KEY };
const PAID = { authorization: GOOD_KEY };

let server: TestServer;
let leaving: AbortController;
/** Answers are kept until the end of a test, because an answer that is garbage collected ends its request. */
let unread: Response[];

beforeEach(() => {
  leaving = new AbortController();
  unread = [];
  server = startTestServer({ routes: ROUTES, inFlightMax: IN_FLIGHT_MAX });
});
afterEach(async () => {
  leaving.abort();
  await server[Symbol.asyncDispose]();
});

/** Asks for answers that do not end, until this many requests are pending. */
async function fill(pendingCount: number, path = '/v1/unread'): Promise<void> {
  while (server.http.pendingCount() < pendingCount) {
    const answer = await fetch(`${server.url}${path}`, { headers: PAID, signal: leaving.signal });
    expect(answer.status).toBe(200);
    unread.push(answer);
  }
}

async function statusOf(path: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  const answer = await fetch(`${server.url}${path}`, { method, headers });
  await answer.arrayBuffer();
  return answer.status;
}

test('callers without a key are refused first, then free keys, and paid keys last', async () => {
  const statuses = async () => [
    await statusOf('/v1/list', NO_KEY),
    await statusOf('/platform/login', NO_KEY, 'POST'),
    await statusOf('/console', NO_KEY),
    await statusOf('/health', NO_KEY),
    await statusOf('/v1/list', FREE),
    await statusOf('/v1/list', PAID),
  ];
  await fill(7);
  expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]);
  await fill(8);
  expect(await statuses()).toEqual([503, 200, 200, 200, 200, 200]);
  await fill(12);
  expect(await statuses()).toEqual([503, 503, 503, 503, 503, 200]);
  await fill(16);
  expect(await statuses()).toEqual([503, 503, 503, 503, 503, 503]);
});

test('once every caller is refused, no session is looked up', async () => {
  await fill(16);
  const identify = spyOn(server.gate, 'identify');
  expect(await statusOf('/v1/list', { cookie: 'overround_session=made_up' })).toBe(503);
  expect(identify.mock.calls.filter(([credential]) => credential !== null)).toEqual([]);
  identify.mockRestore();
});

test('a session of a paid plan counts as a key of that plan', async () => {
  await fill(12);
  expect(await statusOf('/v1/list', { cookie: 'overround_session=ses_standard' })).toBe(200);
  expect(await statusOf('/v1/list', { cookie: 'overround_session=ses_free' })).toBe(503);
});

test('open streams do not count as requests in flight', async () => {
  await fill(20, '/v1/stream');
  expect(await statusOf('/v1/list', NO_KEY)).toBe(200);
  await fill(28);
  expect(await statusOf('/v1/list', NO_KEY)).toBe(503);
});

test('cached answers are sent until their callers are refused', async () => {
  for (let count = 0; count < 3; count++) await statusOf('/v1/kept', PAID);
  const ask = async () => [await statusOf('/v1/kept', FREE), await statusOf('/v1/kept', PAID)];
  madeCount = 0;
  await fill(3);
  expect(await ask()).toEqual([200, 200]);
  await fill(12);
  expect(await ask()).toEqual([503, 200]);
  await fill(16);
  expect(await ask()).toEqual([503, 503]);
  expect(madeCount).toBe(0);
});

test('while many are in flight, one account that reads no answers leaves room for others, and so does one address', async () => {
  await using loaded = startTestServer({ routes: ROUTES, inFlightMax: 2 * MANY });
  const ask = async (path: string, headers: Record<string, string>) => {
    unread.push(await fetch(`${loaded.url}${path}`, { headers, signal: leaving.signal }));
    return unread.at(-1)!.status;
  };
  for (let count = 0; count <= MANY; count++) expect(await ask('/v1/unread', PAID)).toBe(200);
  const connections: RawConnection[] = [];
  const leaveUnread = async (header: string, line = 'GET /v1/ready') => {
    const connection = await RawConnection.open(loaded.http.port, { reads: false });
    const { length } = loaded.finished;
    connection.send(`${line} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`);
    await until('it is answered', () => loaded.finished.length > length);
    connections.push(connection);
  };
  const otherFree = { cookie: 'overround_session=ses_free' };
  const statuses = async () => [
    await ask('/v1/list', FREE),
    await ask('/v1/list', otherFree),
    await ask('/v1/list', NO_KEY),
    await ask('/health', NO_KEY),
    await ask('/v1/list', PAID),
  ];
  expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
  await leaveUnread(`Authorization: ${FREE_KEY}\r\n`);
  await leaveUnread(`Authorization: ${FREE_KEY}\r\nContent-Length: 0\r\n`, 'POST /v1/sent');
  expect(await statuses()).toEqual([503, 200, 200, 200, 200]);
  await leaveUnread('');
  expect(await statuses()).toEqual([503, 200, 503, 200, 200]);
  expect(await ask('/console', NO_KEY)).toBe(200);
  expect(await ask('/assets/console.js', NO_KEY)).toBe(200);
  for (const connection of connections) connection.end();
  await until('their places are free', async () => (await statuses()).every((status) => status === 200));
});

test('a request whose answer would get no place is not passed to the query thread', async () => {
  const routes = ROUTES.map((route) => ({
    ...route,
    thread: route.path === '/v1/list' ? ('query' as const) : ('http' as const),
  }));
  await using loaded = startTestServer({ routes, isRemote: true, inFlightMax: 2 * MANY });
  const abort = new AbortController();
  const ask = (path: string, headers: Record<string, string>) =>
    fetch(`${loaded.url}${path}`, { headers, signal: abort.signal });
  for (let count = 0; count <= MANY; count++) unread.push(await ask('/v1/unread', PAID));
  const before = loaded.finished.length;
  expect((await ask('/v1/list', NO_KEY)).status).toBe(200);
  expect((await ask('/v1/none', NO_KEY)).status).toBe(404);
  expect(loaded.finished.length).toBe(before + 2);
  const connection = await RawConnection.open(loaded.http.port, { reads: false });
  connection.send('GET /v1/ready HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await until('it is answered', () => loaded.finished.length === before + 3);
  const charged = loaded.gate.unitsCharged;
  expect((await ask('/v1/list', NO_KEY)).status).toBe(503);
  expect(loaded.finished.slice(before + 3).map(({ status }) => status)).toEqual([503]);
  expect(loaded.gate.unitsCharged).toBe(charged);
  connection.end();
  await until('its place is free', async () => (await ask('/v1/list', NO_KEY)).status === 200);
  abort.abort();
});

test('a request that waited for its pace is refused if too many requests are in flight by then', async () => {
  const { promise: rested, resolve: resume } = Promise.withResolvers<void>();
  const { sleep } = Bun;
  const spy = spyOn(Bun, 'sleep').mockImplementation((ms) => (Number(ms) >= 500 ? rested : sleep(ms)));
  const clock = { ...systemClock, monotonicMs: () => 5_000 };
  await using paced = startTestServer({ routes: ROUTES, clock, inFlightMax: IN_FLIGHT_MAX });
  try {
    // Each request counts once, and four times more because it is refused. Six hundred are answered at once.
    for (let count = 0; count < 120; count++) await fetch(`${paced.url}/no`);
    const late = fetch(`${paced.url}/v1/list`);
    await until('it waits', () => paced.http.pendingCount() === 1);
    for (let count = 0; count < IN_FLIGHT_MAX; count++) {
      unread.push(await fetch(`${paced.url}/v1/unread`, { headers: PAID, signal: leaving.signal }));
    }
    resume();
    expect((await late).status).toBe(503);
  } finally {
    resume();
    spy.mockRestore();
    leaving.abort();
  }
});

test('a request is refused if too many requests are in flight once its body has arrived', async () => {
  const connection = await RawConnection.open(server.http.port);
  connection.send('POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{');
  await until('its body is on its way', () => server.http.bodyCount() === 1);
  await fill(1 + IN_FLIGHT_MAX);
  connection.send('}');
  await until('it is answered', () => connection.statuses.length > 0);
  expect(connection.statuses).toEqual([503]);
  connection.end();
});

test('the address of a paid key is noted at each answer that is made, and at every 32nd that is ready', async () => {
  await using server = startTestServer({ routes: ROUTES });
  const made = madeCount;
  for (let count = 0; count < 100; count++) {
    for (const authorization of [GOOD_KEY, FREE_KEY]) {
      await (await fetch(`${server.url}/v1/kept`, { headers: { authorization } })).arrayBuffer();
    }
  }
  await (await fetch(`${server.url}/v1/kept`)).arrayBuffer();
  const { noted } = server.gate;
  expect(new Set(noted)).toEqual(new Set(['key_1 127.0.0.1']));
  const madeOfPaid = madeCount - made - 2;
  expect(noted).toHaveLength(madeOfPaid + Math.floor((100 - madeOfPaid) / 32));
});
