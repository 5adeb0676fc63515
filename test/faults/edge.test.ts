// What strangers can do to others at the edge of a running server: stalled bodies, large bodies, floods of
// free requests, and pipelining without reading. In each case a customer's polls continue.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { until } from '../support/condition.ts';
import { readPrometheus } from '../support/prometheus.ts';
import { RawConnection } from '../support/raw-connection.ts';
import type { RunningService } from '../support/running-service.ts';
import { runSmallService, someOddsPath } from './small-service.ts';

let service: RunningService;
let path: string;

beforeAll(async () => {
  service = await runSmallService();
  path = await someOddsPath(service);
}, 120_000);
afterAll(() => service[Symbol.asyncDispose](), 120_000);

function connect(): Promise<RawConnection> {
  return RawConnection.open(Number(new URL(service.url).port));
}

async function poll(): Promise<number> {
  const response = await service.fetch(path);
  await response.arrayBuffer();
  return response.status;
}

/** The answer to this call takes time, so the call occupies a place for open requests. */
async function callTool(): Promise<number> {
  const response = await fetch(`${service.url}/v1/mcp/list_bookmakers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: '{}',
  });
  await response.arrayBuffer();
  return response.status;
}

test('seventeen addresses that stall bodies of free log-ins cause no 503 for anybody else', async () => {
  const login = (address: string) =>
    [
      'POST /platform/login HTTP/1.1',
      'Host: 127.0.0.1',
      `X-Forwarded-For: ${address}`,
      'Content-Type: application/json',
      'Content-Length: 200',
      '',
      '{"email":',
    ].join('\r\n');
  const connections: RawConnection[] = [];
  try {
    for (let address = 1; address <= 17; address++) {
      for (let index = 0; index < 128; index++) {
        const connection = await connect();
        connections.push(connection);
        connection.send(login(`198.51.100.${address}`));
      }
    }
    for (let request = 0; request < 20; request++) {
      expect([await poll(), await callTool()]).toEqual([200, 200]);
    }
    const answered = await fetch(`${service.url}/platform/login`, {
      method: 'POST',
      headers: { 'x-forwarded-for': '203.0.113.9', 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', password: 'of tin and copper' }),
    });
    expect(answered.status).toBe(401);
    // The server refuses each connection once it has stalled for some seconds.
    await until('all are refused', () =>
      connections.every(({ statuses, isClosed }) => statuses.length > 0 && isClosed),
    );
    expect(new Set(connections.flatMap(({ statuses }) => statuses))).toEqual(new Set([503]));
  } finally {
    for (const connection of connections) connection.end();
  }
}, 120_000);

test('a body of /platform over 4 KB is refused before it is read, sent whole or in chunks', async () => {
  const head = ['POST /platform/login HTTP/1.1', 'Host: 127.0.0.1', 'Content-Type: application/json'];
  const whole = await connect();
  whole.send([...head, 'Content-Length: 4097', '', ''].join('\r\n'));
  await until('413 without a byte of the body', () => whole.statuses[0] === 413);
  const chunked = await connect();
  chunked.send([...head, 'Transfer-Encoding: chunked', '', `1100\r\n${'x'.repeat(0x1100)}\r\n`].join('\r\n'));
  await until('413 before the last chunk', () => chunked.statuses[0] === 413);
  for (const connection of [whole, chunked]) connection.end();
});

test('a flood of free requests is refused for its sender alone, and an IPv6 network counts as one sender', async () => {
  const ask = async (address: string): Promise<Response> => {
    const response = await fetch(`${service.url}/health`, { headers: { 'x-forwarded-for': address } });
    await response.arrayBuffer();
    return response;
  };
  const statuses = new Map<number, number>();
  let scope: string | null = null;
  for (let request = 0; request < 3_000 && !statuses.has(429); request += 50) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => ask(`2001:db8:5:6::${(request + index).toString(16)}`)),
    );
    for (const { status, headers } of answers) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 429) scope = headers.get('x-ratelimit-scope');
    }
  }
  expect(statuses.get(200)).toBeGreaterThanOrEqual(600);
  expect(scope).toBe('free');
  expect((await ask('2001:db8:5:7::1')).status).toBe(200);
  expect(await poll()).toBe(200);
}, 120_000);

test('a connection that sends thousands of requests without reading is closed after a few answers', async () => {
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
  const withKey = `${request}Authorization: Bearer ${service.key}\r\n`;
  const refusedBefore = await refusedCount();
  const connections = await Promise.all(Array.from({ length: 20 }, connect));
  for (const [index, connection] of connections.entries()) {
    connection.send(`${index % 2 === 0 ? request : withKey}\r\n`.repeat(5_000));
  }
  expect(await poll()).toBe(200);
  await until('all are closed', () => connections.every(({ isClosed }) => isClosed));
  for (const { statuses } of connections) {
    // One check may close only another connection, so the server may need two checks.
    expect(statuses.length).toBeLessThanOrEqual(128);
  }
  // When the server closes a connection, answers that its client has not read are lost, so the server's own
  // count of refusals is read.
  await until('refusals are counted', async () => (await refusedCount()) > refusedBefore);
}, 120_000);

/** How many requests were refused with 429. */
async function refusedCount(): Promise<number> {
  const metrics = readPrometheus(await (await fetch(`${service.url}/metrics`)).text());
  const { samples } = metrics.get('overround_http_requests_total')!;
  return samples.reduce((sum, { labels, value }) => sum + (labels.status === '429' ? value : 0), 0);
}

test('a few requests that are sent without waiting for an answer are answered', async () => {
  const connection = await connect();
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${service.key}\r\n\r\n`;
  for (let round = 1; round <= 10; round++) {
    connection.send(request.repeat(16));
    await until('all are answered', () => connection.statuses.length === 16 * round);
  }
  expect(new Set(connection.statuses)).toEqual(new Set([200]));
  connection.end();
}, 120_000);
