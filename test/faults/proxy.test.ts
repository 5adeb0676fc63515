// The configurations of nginx and Caddy in ops/, in running proxies: which requests pass, and which are
// refused before they reach the server. Each is skipped if its proxy is not installed.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { PROXY_PROGRAMS, type ProxyName, RunningProxy } from '../support/proxies.ts';
import { RawConnection } from '../support/raw-connection.ts';
import type { RunningService } from '../support/running-service.ts';
import { runSmallService, someOddsPath } from './small-service.ts';

for (const [name, program] of Object.entries(PROXY_PROGRAMS)) {
  if (program === null) console.log(`skipped: ${name} is not installed`);
}

let service: RunningService;
let odds: string;
let proxy: RunningProxy;
let url: string;

beforeAll(async () => {
  service = await runSmallService();
  odds = await someOddsPath(service);
}, 120_000);

afterAll(async () => {
  await service[Symbol.asyncDispose]();
}, 120_000);

async function statusOf(path: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(url + path, init);
  await response.arrayBuffer();
  return response.status;
}

/** The status of a path that is sent unchanged; `fetch` would normalise it. */
async function rawStatus(target: string, text: string): Promise<number> {
  const connection = await RawConnection.open(Number(new URL(target).port));
  connection.send(text);
  await connection.answer((received) => received.includes('\r\n\r\n'));
  connection.end();
  return connection.statuses[0] ?? Number.NaN;
}

function rawStatusOf(target: string, path: string): Promise<number> {
  return rawStatus(target, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
}

/** Ways to write a path that a proxy and the server may read differently. */
const ODD_PATHS = [
  '/platform\\me',
  '/x\\..\\platform/me',
  '/x/../platform/me',
  '/platform/./me',
  '/./metrics',
  '/x/..\\metrics',
  '/x/%2e%2e/platform/me',
  '/x/.%2E/metrics',
  '//platform/me',
  '/platform//me',
  '/platform%2fme',
  '/platform%5Cme',
];

test('odd paths that the server can see are 400, and a path with a dot or an escape in a name passes', async () => {
  for (const path of ODD_PATHS.filter((one) => /\/\/|%2f|%5c/i.test(one))) {
    expect([path, await rawStatusOf(service.url, path)]).toEqual([path, 400]);
  }
  for (const path of ['/v1/openapi.json', '/health?x=//%2f..', '/%68ealth-not']) {
    expect([path, await rawStatusOf(service.url, path)]).not.toEqual([path, 400]);
  }
});

/** The tests of both proxies. */
function passing(name: ProxyName): void {
  beforeAll(async () => {
    proxy = await RunningProxy.start(name, Number(new URL(service.url).port));
    ({ url } = proxy);
  }, 120_000);

  afterAll(() => proxy[Symbol.asyncDispose](), 120_000);

  test('a path that the proxy and the server could read differently is refused', async () => {
    for (const path of ODD_PATHS) expect([path, await rawStatusOf(url, path)]).toEqual([path, 400]);
    for (const path of ['/health?x=//%2f../', '/health?next=/../x']) {
      expect([path, await rawStatusOf(url, path)]).toEqual([path, 200]);
    }
  });

  test('requests for odds pass, requests for metrics do not, and no client can choose its address', async () => {
    const headers = { authorization: `Bearer ${service.key}` };
    expect(await statusOf(odds, { headers })).toBe(200);
    expect(await statusOf('/metrics')).toBe(403);
    const remaining = async (address: string) => {
      const response = await fetch(url + odds, {
        headers: { 'x-forwarded-for': address, forwarded: `for=${address}`, 'x-real-ip': address },
      });
      await response.arrayBuffer();
      return Number(response.headers.get('x-ratelimit-remaining'));
    };
    const first = await remaining('198.51.100.1');
    expect(await remaining('198.51.100.2')).toBeLessThanOrEqual(first);
    expect(first).toBeLessThan(30);
  });

  test('events of a stream pass through at once', async () => {
    const end = new AbortController();
    const response = await fetch(`${url}/v1/stream`, {
      headers: { authorization: `Bearer ${service.key}` },
      signal: end.signal,
    });
    const reader = response.body!.getReader();
    let text = '';
    while (!text.includes('event: hello')) text += new TextDecoder().decode((await reader.read()).value);
    end.abort();
    expect(response.headers.get('content-type')).toStartWith('text/event-stream');
  }, 120_000);

  test('a WebSocket passes', async () => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/ws`, {
      headers: { authorization: `Bearer ${service.key}` },
    } as unknown as string[]);
    const opened = Promise.withResolvers<void>();
    socket.onopen = () => opened.resolve();
    socket.onerror = () => opened.reject(new Error('no WebSocket'));
    await opened.promise;
    socket.close();
  }, 120_000);

  test('a chunked body is refused at the same length limits', async () => {
    const headers = { 'content-type': 'application/json' };
    const post = (path: string, length: number) =>
      statusOf(path, {
        ...{ method: 'POST', headers },
        body: new ReadableStream({
          start(controller) {
            controller.enqueue(Buffer.from('{}'.padEnd(length)));
            controller.close();
          },
        }),
      });
    for (const length of [5_000, 60_000, 2_000_000]) {
      expect([length, await post('/platform/login', length)]).toEqual([length, 413]);
    }
    expect(await post('/v1/mcp/list_bookmakers', 2_000_000)).toBe(413);
    expect(await post('/v1/mcp/list_bookmakers', 9_999)).toBe(200);
  });

  test('a body is refused by its declared length before it is sent: over 4 KB for accounts, over 64 KB everywhere', async () => {
    const post = (path: string, length: number) =>
      rawStatus(
        url,
        [
          `POST ${path} HTTP/1.1`,
          'Host: localhost',
          'Content-Type: application/json',
          `Content-Length: ${length}`,
          '',
          '{',
        ].join('\r\n'),
      );
    for (const length of [4_097, 4_100, 5_000, 60_000, 100_000, 2_000_000]) {
      expect([length, await post('/platform/login', length)]).toEqual([length, 413]);
    }
    for (const length of [65_537, 65_540, 65_600, 66_000, 70_000, 2_000_000]) {
      expect([length, await post('/v1/mcp/list_bookmakers', length)]).toEqual([length, 413]);
    }
    const login = { method: 'POST', headers: { 'content-type': 'application/json' } };
    for (const length of [999, 4_096]) {
      const body = JSON.stringify({ email: 'ada@example.com', password: 'of tin' }).padEnd(length);
      expect([length, await statusOf('/platform/login', { ...login, body })]).toEqual([length, 401]);
    }
    for (const length of [9_999, 65_536]) {
      const init = { ...login, body: '{}'.padEnd(length) };
      expect([length, await statusOf('/v1/mcp/list_bookmakers', init)]).toEqual([length, 200]);
    }
  });
}

describe.skipIf(PROXY_PROGRAMS.caddy === null)('behind Caddy', () => {
  passing('caddy');
});

describe.skipIf(PROXY_PROGRAMS.nginx === null)('behind nginx', () => {
  passing('nginx');

  test('nginx.conf gives all networks of one IPv6 site one limit, and different sites different ones', async () => {
    const shipped = await Bun.file(join(import.meta.dir, '../../ops/nginx.conf')).text();
    const [, block = ''] =
      /map \$remote_addr \$overround_site \{([^}]*\}[^}]*\}[^}]*)\n\}/.exec(shipped) ?? [];
    const patterns = [...block.matchAll(/"~(.*)" \$/g)].map(([, pattern]) => new RegExp(pattern!));
    expect(patterns).toHaveLength(2);
    const siteOf = (address: string) =>
      patterns.map((one) => one.exec(address)?.[1]).find((one) => one) ?? '';
    expect(['2001:db8:7:1::1', '2001:db8:7:ffff:1:2:3:4', '2001:db8:7::9'].map(siteOf)).toEqual([
      '2001:db8:7:',
      '2001:db8:7:',
      '2001:db8:7:',
    ]);
    expect(['2001:db8::1', '2001::5:6', '::1', '192.0.2.1'].map(siteOf)).toEqual([
      '2001:db8',
      '2001',
      '',
      '',
    ]);
  });

  test('the proxy refuses a flood of requests without a key, also a pipelined one, and a key is served', async () => {
    const statuses = await Promise.all(Array.from({ length: 600 }, () => statusOf('/health')));
    expect(statuses).toContain(200);
    expect(statuses).toContain(429);
    const pipe = await RawConnection.open(Number(new URL(url).port));
    pipe.send('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(5_000));
    const headers = { authorization: `Bearer ${service.key}` };
    const keyed = await Promise.all(Array.from({ length: 300 }, () => statusOf(odds, { headers })));
    expect(new Set(keyed)).toEqual(new Set([200]));
    pipe.end();
  }, 120_000);
});
