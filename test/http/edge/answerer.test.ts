// Decisions before routing, over raw sockets: hosts, targets, methods, deadlines, how many requests a client
// may have open, and the stop.

import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { ClientAddresses } from '../../../src/access/client-address.ts';
import { strangerAt } from '../../../src/access/quotas/fair-shares.ts';
import { workingFor } from '../../../src/access/quotas/holder-now.ts';
import { systemClock } from '../../../src/clock.ts';
import { HostCheck } from '../../../src/http/edge/host-check.ts';
import { Reply } from '../../../src/http/kit/reply.ts';
import { definePage, defineRoute } from '../../../src/http/kit/route.ts';
import { serveCalls } from '../../../src/http/remote/serve-calls.ts';
import { ThreadCaller } from '../../../src/http/remote/thread-caller.ts';
import { eventLoopTurn } from '../../../src/pause.ts';
import { openDescriptorCount, watchConnections } from '../../../src/platform/connection-watch.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import { ECHO, GOOD_KEY, sendRaw, startTestServer, type TestServer } from '../kit.ts';

let server: TestServer;
beforeAll(() => {
  server = startTestServer();
});
afterAll(() => server.http.stop(1_000));

/** Sends lines with CRLF and an empty line after them. */
function raw(...lines: string[]): Promise<string> {
  return sendRaw(server.http.port, `${lines.join('\r\n')}\r\n\r\n`);
}

describe('host', () => {
  test.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST:99', 'allowed.example', 'odds.example:443'])(
    'a request to the host %s is served, whatever its port',
    async (host) => {
      expect(await raw('GET /v1/things HTTP/1.1', `Host: ${host}`)).toStartWith('HTTP/1.1 200');
    },
  );

  test.each([
    ...['evil.example', 'a', '', 'localhost.evil.example', 'localhost/x', 'a b', 'localhost:x'],
    ...['localhost:65536', '[::1]:99999', 'user@localhost', 'localhost, localhost'],
  ])('a request to the host %p is 400 with the error envelope, before any handler', async (host) => {
    const before = server.finished.length;
    const answer = await raw('GET /crash HTTP/1.1', `Host: ${host}`);
    expect(answer).toStartWith('HTTP/1.1 400');
    expect(answer).toContain('"code":"invalid_request"');
    expect(server.finished[before]?.route).toBe('unmatched');
  });

  test('a request to a wrong host is refused before its session is looked up', async () => {
    const identify = spyOn(server.gate, 'identify');
    const cookie = 'Cookie: overround_session=made_up';
    expect(await raw('GET /v1/things HTTP/1.1', 'Host: evil.example', cookie)).toStartWith('HTTP/1.1 400');
    expect(identify.mock.calls.filter(([credential]) => credential !== null)).toEqual([]);
    identify.mockRestore();
  });

  test('a request with two Host headers, or with no Host header in HTTP/1.0, is 400', async () => {
    expect(await raw('GET /v1/things HTTP/1.1', 'Host: localhost', 'Host: evil.example')).toStartWith(
      'HTTP/1.1 400',
    );
    expect(await raw('GET /v1/things HTTP/1.1', 'Host: localhost', 'Host: localhost')).toStartWith(
      'HTTP/1.1 400',
    );
    expect(await raw('GET /v1/things HTTP/1.0')).toStartWith('HTTP/1.1 400');
  });

  test('a host of fewer than four characters is refused, because it could change where the path begins', async () => {
    expect(await raw('GET /x/crash HTTP/1.1', 'Host: a')).toStartWith('HTTP/1.1 400');
    expect(() => new HostCheck(['api'], 'http://odds.example')).toThrow('at least 4 characters');
  });
});

describe('malformed and unusual requests', () => {
  test('an absolute target is served by its path; its host is ignored', async () => {
    const answer = await raw('GET http://evil.example/v1/things HTTP/1.1', 'Host: localhost');
    expect(answer).toStartWith('HTTP/1.1 200');
    expect(answer).not.toContain('evil');
    expect(await raw('GET http://localhost/v1/things HTTP/1.1', 'Host: evil.example')).toStartWith(
      'HTTP/1.1 400',
    );
  });

  test('TRACE and CONNECT are 405 with Allow', async () => {
    const trace = await raw('TRACE /v1/things HTTP/1.1', 'Host: localhost', 'X-Secret: abc');
    expect(trace).toStartWith('HTTP/1.1 405');
    expect(trace).toContain('allow: GET, HEAD, POST, OPTIONS');
    expect(trace).not.toContain('abc');
    const connect = await raw('CONNECT localhost:80 HTTP/1.1', 'Host: localhost');
    expect(connect).toMatch(/^HTTP\/1\.1 40[05]/);
    expect(connect).toContain('"code":"invalid_request"');
  });

  test.each([
    [
      'both lengths',
      'POST /v1/things HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'two lengths',
      'POST /v1/things HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd',
    ],
    [
      'unknown coding',
      'POST /v1/things HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    ],
    ['space before colon', 'GET /v1/things HTTP/1.1\r\nHost : localhost\r\n\r\n'],
    ['no version', 'GET /v1/things\r\n\r\n'],
    ['garbage', '\x16\x03\x01\x02\x00\x01\r\n\r\n'],
    ['huge headers', `GET /v1/things HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(200_000)}\r\n\r\n`],
  ])('%s is refused and the connection closed, and nothing reaches a route', async (_name, text) => {
    const before = server.finished.length;
    const answer = await sendRaw(server.http.port, text, () => false);
    expect(answer).toMatch(/^$|^HTTP\/1\.1 (400|431|505)/);
    expect(server.finished.length).toBe(before);
    expect((await fetch(`${server.url}/v1/things`)).status).toBe(200);
  });

  test('a request that follows one without a body in the same write is checked as a request of its own', async () => {
    const text =
      'GET /v1/things HTTP/1.1\r\nHost: localhost\r\n\r\nGET /crash HTTP/1.1\r\nHost: evil.example\r\n\r\n';
    const answer = await sendRaw(
      server.http.port,
      text,
      (received) => received.includes('HTTP/1.1 400') && received.endsWith('}}'),
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });

  test.each([
    '/v1/things/../../crash',
    '//v1/things',
    '/%2e%2e/crash',
    '/v1%2Fthings',
    '/v1/things%00',
    '/v1/things;x',
    `/${'a/'.repeat(3_000)}`,
  ])('path %.40s reaches no route and is refused with the error envelope', async (path) => {
    const answer = await raw(`GET ${path} HTTP/1.1`, 'Host: localhost');
    expect(answer).toMatch(/^HTTP\/1\.1 (400|404|500|414|431)/);
    if (!answer.includes(' 431')) expect(answer).toContain('{"error":{');
  });
});

describe('deadlines and places for open requests', () => {
  test('a handler that never ends is 503 at the deadline, recorded once', async () => {
    await using slow = startTestServer({ deadlineMs: 30 });
    const response = await fetch(`${slow.url}/hang`);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({
      error: { code: 'upstream_unavailable', is_retriable: true },
    });
    expect(slow.gate.recorded.length).toBe(1);
  });

  test('an answer after the deadline is dropped and not counted again', async () => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    await using late = startTestServer({
      deadlineMs: 30,
      routes: [definePage({ path: '/late', handle: () => promise })],
    });
    expect((await fetch(`${late.url}/late`)).status).toBe(503);
    resolve(new Reply('{}'));
    await promise;
    expect((await fetch(`${late.url}/late`)).status).toBe(200);
    expect(late.gate.recorded.map(({ status }) => status)).toEqual([503, 200]);
  });

  test('a client with inFlightPerClientMax open requests is refused until one of them is answered', async () => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    await using small = startTestServer({
      inFlightPerClientMax: 2,
      routes: [definePage({ path: '/wait', handle: () => promise })],
    });
    const waiting = [fetch(`${small.url}/wait`), fetch(`${small.url}/wait`)];
    const refused = await untilStatus(() => fetch(`${small.url}/wait`), 503);
    expect(await refused.json()).toMatchObject({
      error: { code: 'upstream_unavailable', retry_after_seconds: 1 },
    });
    resolve(new Reply('{}'));
    for (const response of await Promise.all(waiting)) expect(response.status).toBe(200);
    expect((await fetch(`${small.url}/wait`)).status).toBe(200);
  });

  test('a request whose client does not read the answer counts as open until that client leaves', async () => {
    await using small = startTestServer({ inFlightPerClientMax: 1 });
    const connection = await RawConnection.open(small.http.port, { reads: false });
    connection.send('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await untilStatus(() => fetch(`${small.url}/large`), 503);
    connection.end();
    const response = await untilStatus(() => fetch(`${small.url}/large`), 200);
    expect((await response.arrayBuffer()).byteLength).toBe(32 * 1024 * 1024);
  });

  test('near the limit of descriptors no connection is accepted and open ones are served; then it accepts again', async () => {
    const open = openDescriptorCount(Number.POSITIVE_INFINITY);
    if (open === null) {
      console.log('skipped: this system does not say how many descriptors are open');
      return;
    }
    const capped = startTestServer();
    const { http } = capped;
    const pauses: boolean[] = [];
    let isPaused = false;
    const accept = (isAccepting: boolean) => {
      http.accept(isAccepting);
      isPaused = !isAccepting;
    };
    const endWatch = watchConnections({
      acceptor: {
        get isPaused() {
          return isPaused;
        },
        pause: () => accept(false),
        resume: () => accept(true),
      },
      openCount: () => openDescriptorCount(Number.POSITIVE_INFINITY),
      limit: Math.ceil((open + 60) / 0.9),
      table: null,
      perAddressMax: Number.POSITIVE_INFINITY,
      isProxy: () => false,
      onEnded: () => {},
      onChange: (paused) => pauses.push(paused),
      onError: (error) => {
        throw error;
      },
    });
    const { port } = http;
    const held = await RawConnection.open(port);
    held.send('GET /v1/things HTTP/1.1\r\nHost: localhost\r\n');
    const idle: RawConnection[] = [];
    await untilThrows(async () => {
      idle.push(await RawConnection.open(port));
    });
    expect(pauses).toEqual([true]);
    held.send('\r\n');
    await held.answer((received) => received.includes('HTTP/1.1 200'));
    held.end();
    for (const connection of idle) connection.end();
    await untilAnswers(`${capped.url}/v1/things`);
    expect(pauses).toEqual([true, false]);
    endWatch();
    await http.stop(1_000);
  });

  test('stop finishes open requests, refuses new ones, and cuts those that do not end in time', async () => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const routes = [
      definePage({
        path: '/wait',
        handle: () => {
          begin();
          return promise;
        },
      }),
    ];
    const stopping = startTestServer({ routes });
    const answer = fetch(`${stopping.url}/wait`);
    await begun;
    const stopped = stopping.http.stop(5_000);
    await untilThrows(() => fetch(`${stopping.url}/wait`));
    resolve(new Reply('{"done":true}'));
    expect(await (await answer).json()).toEqual({ done: true });
    await stopped;

    const hanging = startTestServer();
    const cut = fetch(`${hanging.url}/hang`).then(
      () => 'answered',
      () => 'cut',
    );
    await untilCount(() => hanging.http.pendingCount(), 1);
    await hanging.http.stop(20);
    expect(await cut).toBe('cut');
  });
});

describe('calls to other threads', () => {
  test('calls to other threads count against the caller, even if its request runs from the plan of its URL', async () => {
    const caller = new ThreadCaller({
      clock: systemClock,
      whom: 'the history',
      deadlineMs: 60_000,
      pendingMax: 64,
    });
    const { port1, port2 } = new MessageChannel();
    serveCalls(port1, { odds: async () => 'past', hang: () => new Promise<never>(() => {}) });
    caller.connect(port2);
    await using past = startTestServer({
      routes: [
        defineRoute({
          method: 'GET',
          path: '/v1/past',
          operationId: 'past',
          summary: 'Past',
          description: 'Past.',
          tags: [],
          access: 'metered',
          query: Type.Object({ at: Type.String() }),
          response: ECHO,
          handle: async ({ query }) => ({ seen: await caller.call('odds', query) }),
        }),
      ],
    });
    const statusesOf = async (init?: RequestInit): Promise<number[]> => {
      const statuses: number[] = [];
      // A URL gets its plan at its second request, so the third is the first that runs from it.
      for (let times = 0; times < 4; times++) {
        statuses.push((await fetch(`${past.url}/v1/past?at=2026-05-01T12:00:00Z`, init)).status);
      }
      return statuses;
    };
    for (let address = 0; address < 200; address++) {
      const holder = strangerAt(`10.0.0.${address}`);
      workingFor(
        () => holder,
        () => caller.call('hang', {}),
      ).catch(() => {});
    }
    expect(await statusesOf()).toEqual([503, 503, 503, 503]);
    expect(await statusesOf({ headers: { authorization: GOOD_KEY } })).toEqual([200, 200, 200, 200]);
    caller.close();
  });
});

describe('client address', () => {
  const request = (forwarded: string) =>
    new Request('http://localhost/', { headers: { 'x-forwarded-for': forwarded } });

  test('X-Forwarded-For counts from trusted proxies only, from the right', () => {
    const none = new ClientAddresses([]);
    expect(none.of('9.9.9.9', request('1.1.1.1'))).toBe('9.9.9.9');
    const proxies = new ClientAddresses(['10.0.0.0/8', '::1']);
    expect(proxies.of('9.9.9.9', request('1.1.1.1'))).toBe('9.9.9.9');
    expect(proxies.of('10.1.2.3', request('1.1.1.1'))).toBe('1.1.1.1');
    expect(proxies.of('::ffff:10.1.2.3', request('6.6.6.6, 1.1.1.1, 10.9.9.9'))).toBe('1.1.1.1');
    expect(proxies.of('::1', request('nonsense'))).toBe('::1');
    expect(proxies.of('10.1.2.3', request('6.6.6.6, nonsense, 10.9.9.9'))).toBe('10.9.9.9');
    expect(proxies.of(null, request('1.1.1.1'))).toBe('unknown');
  });

  test('a trusted proxy that is not an address stops the start', () => {
    expect(() => new ClientAddresses(['proxy.example'])).toThrow('Cannot trust proxy');
    expect(() => new ClientAddresses(['10.0.0.0/33'])).toThrow('Cannot trust proxy');
  });
});

/** Repeats `send` until it answers `status`; if it never does, the test times out. */
async function untilStatus(send: () => Promise<Response>, status: number): Promise<Response> {
  for (;;) {
    const response = await send();
    if (response.status === status) return response;
    await response.arrayBuffer();
  }
}

async function untilAnswers(url: string): Promise<void> {
  for (;;) {
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      await eventLoopTurn();
    }
  }
}

async function untilThrows(send: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await send();
    } catch {
      return;
    }
  }
}

async function untilCount(count: () => number, expected: number): Promise<void> {
  while (count() !== expected) await eventLoopTurn();
}
