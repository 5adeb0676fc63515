// When a small answer takes a place while many requests are in flight, and when the place is free again, over
// real sockets.

import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { systemClock } from '../../../src/clock.ts';
import { ServiceError } from '../../../src/errors.ts';
import { Reply } from '../../../src/http/kit/reply.ts';
import { UnreadPlace } from '../../../src/http/kit/request/unread-place.ts';
import { definePage } from '../../../src/http/kit/route.ts';
import { until } from '../../support/condition.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import { endless, FREE_KEY, GOOD_KEY, startTestServer, type TestServer } from '../kit.ts';

/** There are 24 places: one address may hold one, and the free keys of one account two. */
const IN_FLIGHT_MAX = 24;
/** Above this, small answers take places. */
const MANY = 12;
/** This number of refusals is sent at once; each counts as four requests. */
const REFUSED_AT_ONCE = 150;
const FREE = { authorization: FREE_KEY };
const PAID = { authorization: GOOD_KEY };

/** An answer that is too large for a socket to accept completely unless its client reads. */
const READY = new Blob([new Uint8Array(16 * 1024 * 1024)]);

let late: PromiseWithResolvers<void>;
let leaving: AbortController;
const ROUTES = [
  definePage({ path: '/v1/unread', access: 'metered', handle: () => new Reply(endless()) }),
  definePage({ path: '/v1/ready', access: 'metered', handle: () => new Reply(READY) }),
  definePage({ path: '/v1/list', access: 'metered', handle: () => Reply.json({}) }),
  definePage({
    path: '/v1/refused',
    access: 'metered',
    handle: () => {
      throw new ServiceError('rate_limit_exceeded', 'Cannot answer: over the limit');
    },
  }),
  definePage({ path: '/v1/ask', method: 'POST', access: 'metered', handle: () => Reply.json({}) }),
  definePage({ path: '/v1/late', access: 'metered', handle: () => late.promise.then(() => Reply.json({})) }),
  definePage({
    path: '/v1/late',
    method: 'POST',
    access: 'metered',
    handle: () => late.promise.then(() => Reply.json({})),
  }),
];

beforeEach(() => {
  late = Promise.withResolvers();
  leaving = new AbortController();
});
afterEach(() => {
  late.resolve();
  leaving.abort();
});

async function statusOf(server: TestServer, path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${server.url}${path}`, { headers });
  await answer.arrayBuffer();
  return answer.status;
}

/** Requests answers that do not end. The responses are kept, because dropping a response ends its request. */
async function fill({ url }: TestServer): Promise<Response[]> {
  const answers: Response[] = [];
  while (answers.length <= MANY) {
    answers.push(await fetch(`${url}/v1/unread`, { headers: PAID, signal: leaving.signal }));
  }
  return answers;
}

/** Has a free key leave an answer unread. */
async function leaveUnread({ http, finished }: TestServer): Promise<RawConnection> {
  const connection = await RawConnection.open(http.port, { reads: false });
  const { length } = finished;
  connection.send(`GET /v1/ready HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${FREE_KEY}\r\n\r\n`);
  await until('it is answered', () => finished.length > length);
  return connection;
}

/** Sleeps of half a second and more last until `resume` is called. */
function heldSleep() {
  const { promise: rested, resolve: resume } = Promise.withResolvers<void>();
  const { sleep } = Bun;
  const spy = spyOn(Bun, 'sleep').mockImplementation((ms) => (Number(ms) >= 500 ? rested : sleep(ms)));
  return { resume, [Symbol.dispose]: () => spy.mockRestore() };
}

describe.each([false, true])('with answers of another thread: %p', (isRemote) => {
  const routes = ROUTES.map((route) => ({
    ...route,
    thread: isRemote && /list|late|refused/.test(route.path) ? ('query' as const) : ('http' as const),
  }));

  test('an error takes its place once the server no longer delays it, but not if its client has left', async () => {
    using held = heldSleep();
    const clock = { ...systemClock, monotonicMs: () => 5_000 };
    await using server = startTestServer({ routes, isRemote, clock, inFlightMax: IN_FLIGHT_MAX });
    const answers = await fill(server);
    for (let count = 0; count < REFUSED_AT_ONCE; count++) {
      expect(await statusOf(server, '/v1/refused', FREE)).toBe(429);
    }
    const { length } = server.finished;
    const connections: RawConnection[] = [];
    for (let count = 0; count < 4; count++) {
      const connection = await RawConnection.open(server.http.port);
      connection.send(`GET /v1/refused HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${FREE_KEY}\r\n\r\n`);
      connections.push(connection);
    }
    await until('the refusals are made', () => server.finished.length === length + 4);
    const asked = fetch(`${server.url}/v1/list`, { headers: FREE });
    await until('the request is answered', () => server.finished.length === length + 5);
    expect(server.finished.at(-1)!.status).toBe(200);
    await asked;
    const [staying, ...left] = connections;
    for (const connection of left) connection.end();
    await statusOf(server, '/v1/list', PAID); // the server has noticed the end by then
    const unread = [await leaveUnread(server), await leaveUnread(server)];
    held.resume();
    await until('the refusals are over', () => server.http.pendingCount() === answers.length + 2);
    await until('its connection is closed', () => staying!.isClosed);
    expect(staying!.statuses).toEqual([429]);
    for (const connection of unread) connection.end();
    await until('their places are free', async () => (await statusOf(server, '/v1/list', FREE)) === 200);
  });

  test.each(['GET', 'POST'])(
    'an answer to %s that is made after its client has left takes no place',
    async (method) => {
      await using server = startTestServer({ routes, isRemote, inFlightMax: IN_FLIGHT_MAX });
      const answers = await fill(server);
      const connection = await RawConnection.open(server.http.port);
      connection.send(`${method} /v1/late HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`);
      await until('it waits', () => server.http.pendingCount() === answers.length + 1);
      connection.end();
      await statusOf(server, '/v1/list', PAID); // the server has noticed the end by then
      late.resolve();
      await until('it is over', () => server.http.pendingCount() === answers.length);
      await until('its place is free', async () => (await statusOf(server, '/v1/list')) === 200);
    },
  );
});

test('an answer takes no place if few requests are in flight once the body of its request has arrived', async () => {
  await using server = startTestServer({ routes: ROUTES, inFlightMax: IN_FLIGHT_MAX });
  await fill(server);
  const unread = await RawConnection.open(server.http.port, { reads: false });
  unread.send('GET /v1/ready HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await until('it has the place of its address', () => server.finished.length === MANY + 2);
  const connection = await RawConnection.open(server.http.port);
  connection.send('POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{');
  await until('its body is on its way', () => server.http.bodyCount() === 1);
  leaving.abort();
  await until('few are in flight', () => server.http.pendingCount() === 2);
  connection.send('}');
  await until('it is answered', () => connection.statuses.length > 0);
  expect(connection.statuses).toEqual([200]);
  connection.end();
  unread.end();
});

test('a refusal before the load is checked takes a place', async () => {
  const options = { routes: ROUTES, restingMax: 0, inFlightMax: IN_FLIGHT_MAX };
  await using server = startTestServer(options);
  const take = spyOn(UnreadPlace, 'take');
  try {
    expect(await statusOf(server, '/v1/list')).toBe(503);
    expect(take).toHaveBeenCalledTimes(0);
    const answers = await fill(server);
    expect(await statusOf(server, '/v1/list')).toBe(503);
    expect(take).toHaveBeenCalledTimes(1);
    const connection = await RawConnection.open(server.http.port);
    connection.send(
      `GET /v1/list HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${GOOD_KEY}\r\n\r\n`.repeat(80),
    );
    await until('the flood is refused', () => connection.statuses.includes(429));
    expect(take).toHaveBeenCalledTimes(2);
    spyOn(server.gate, 'identify').mockImplementationOnce(() => {
      throw new ServiceError('upstream_unavailable', 'Cannot read the key');
    });
    expect(await statusOf(server, '/v1/list', PAID)).toBe(503);
    expect(take).toHaveBeenCalledTimes(3);
    expect(answers).toHaveLength(MANY + 1);
  } finally {
    take.mockRestore();
  }
});
