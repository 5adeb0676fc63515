// Bodies that are refused, stall or arrive in pieces, over real sockets: a refused body is not read, and a
// stalled one holds memory for seconds without shutting out others.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import {
  ALL_STRANGERS,
  createSharesMemory,
  FairShares,
  sharesState,
} from '../../../../src/access/quotas/fair-shares.ts';
import { systemClock } from '../../../../src/clock.ts';
import { BodyIntake } from '../../../../src/http/edge/bodies/body-intake.ts';
import { BODY_BYTES_MAX } from '../../../../src/limits.ts';
import { until } from '../../../support/condition.ts';
import { GOOD_KEY, startTestServer, type TestServer } from '../../kit.ts';

const KB = 1_024;
/** The budget below has room for eight such bodies of callers without a key, two of them from one address. */
const BODY_KB = 60;
const SHARES = {
  ...{ total: 2_048, strangers: 520, address: 130, network: 260 },
  ...{ key: 512, freeKeys: 384, freeAccount: 130 },
};

let memory: SharedArrayBuffer;
let budget: FairShares;
let server: TestServer;
let aheadMs = 0;
const sockets: Socket[] = [];

beforeEach(() => {
  aheadMs = 0;
  memory = createSharesMemory(
    Object.fromEntries(Object.entries(SHARES).map(([name, kb]) => [name, kb * KB])) as typeof SHARES,
    1,
    7,
  );
  budget = new FairShares(memory, 0);
  server = startTestServer({
    isRemote: true,
    trustedProxies: ['127.0.0.1'],
    budget,
    clock: { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs },
  });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.http.stop(0);
  server.remote!.caller.close();
  server.remote!.server.close();
});

interface Client {
  readonly socket: Socket;
  readonly status: () => string;
  readonly isClosed: () => boolean;
}

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly address?: string;
  readonly headers?: readonly string[];
  /** The bytes after the headers. */
  readonly body?: Buffer;
}

async function send(sent: Sent): Promise<Client> {
  const socket = connect({ host: '127.0.0.1', port: server.http.port });
  sockets.push(socket);
  let received = '';
  let isClosed = false;
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
  });
  const { method = 'POST', path = '/v1/echo-bytes', address = '10.0.0.1', headers = [] } = sent;
  const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost', `X-Forwarded-For: ${address}`, ...headers];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  if (sent.body !== undefined) socket.write(sent.body);
  return { socket, status: () => received.slice(9, 12), isClosed: () => isClosed };
}

/** A body that ends one byte short. */
function stall(address: string, more: readonly string[] = []): Promise<Client> {
  const length = BODY_KB * KB;
  const headers = ['Content-Type: application/json', `Content-Length: ${length}`, ...more];
  return send({ path: '/v1/anything', address, headers, body: Buffer.alloc(length - 1, ' ') });
}

describe('a refused body', () => {
  const large = `Content-Length: ${64_000_000}`;

  test.each([
    [
      '413',
      {
        path: '/v1/things',
        headers: [large, `Authorization: ${GOOD_KEY}`, 'Content-Type: application/json'],
      },
    ],
    [
      '415',
      { path: '/v1/things', headers: [large, `Authorization: ${GOOD_KEY}`, 'Content-Type: text/plain'] },
    ],
    ['401', { path: '/v1/things', headers: [large] }],
    ['401', { path: '/v1/things', headers: [large, 'Authorization: Bearer bad'] }],
    ['404', { path: '/v1/nothing', headers: [large] }],
    ['405', { path: '/v1/things', method: 'DELETE', headers: [large] }],
    ['413', { path: '/platform/login', headers: [large] }],
    ['413', { path: '/v1/things', method: 'GET', headers: [large] }],
    ['401', { path: '/v1/things', headers: ['Transfer-Encoding: chunked'] }],
  ])(
    'a refused request gets its %s without a byte of its body, and its connection ends: %j',
    async (status, sent) => {
      const client = await send(sent);
      await until('the connection has ended', () => client.isClosed());
      expect(client.status()).toBe(status);
      expect(server.http.bodyCount()).toBe(0);
      expect(sharesState(memory).strangers.held).toBe(0);
    },
  );

  test('if a body gets 503 because there is no room left, its connection ends too', async () => {
    for (let index = 0; index < 2; index++) await stall('10.0.0.1');
    await until('they are on their way', () => server.http.bodyCount() === 2);
    const third = await stall('10.0.0.1');
    await until('the connection has ended', () => third.isClosed());
    expect(third.status()).toBe('503');
    expect(server.http.bodyCount()).toBe(2);
  });

  test('a body in chunks is refused at the chunk that exceeds the limit', async () => {
    const chunk = Buffer.concat([Buffer.from('8000\r\n'), Buffer.alloc(0x8000, ' '), Buffer.from('\r\n')]);
    const headers = [
      'Transfer-Encoding: chunked',
      `Authorization: ${GOOD_KEY}`,
      'Content-Type: application/json',
    ];
    const client = await send({ path: '/v1/things', headers });
    let written = 0;
    while (!client.isClosed() && written < 64_000_000) {
      written += chunk.length;
      if (!client.socket.write(chunk)) {
        await Promise.race([
          new Promise((resolve) => client.socket.once('drain', resolve)),
          until('it has ended', () => client.isClosed()),
        ]);
      }
    }
    expect(client.isClosed()).toBe(true);
    // The system buffers a few megabytes of a connection.
    expect(written).toBeLessThan(32_000_000);
    expect(sharesState(memory).keys.held).toBe(0);
  }, 120_000);

  test('a small refused body is read to its end, so that its connection can be used again', async () => {
    const client = await send({
      path: '/v1/things',
      headers: ['Content-Length: 5'],
      body: Buffer.from('12345'),
    });
    await until('it is answered', () => client.status() === '401');
    expect(client.isClosed()).toBe(false);
  });
});

describe('a body that stalls', () => {
  test('while a body is stalled, its length and a place for its request are reserved; both are free once its client has left', async () => {
    const client = await stall('10.0.0.1');
    await until('it is on its way', () => server.http.bodyCount() === 1);
    expect(sharesState(memory).strangers.held).toBe((BODY_KB + 4) * KB);
    expect(server.remote!.server.pendingCount).toBe(0);
    client.socket.destroy();
    await until('nothing is held', () => sharesState(memory).strangers.held === 0);
  });

  test('a stalled body is refused after five seconds, or after ten with a key, and costs a unit', async () => {
    const stranger = await stall('10.0.0.1');
    const key = await stall('10.0.0.2', [`Authorization: ${GOOD_KEY}`]);
    await until('both are on their way', () => server.http.bodyCount() === 2);
    expect(sharesState(memory).keys.held).toBe((BODY_KB + 4) * KB);
    aheadMs = 5_001;
    await until('the stranger is refused', () => stranger.isClosed());
    expect([stranger.status(), key.status()]).toEqual(['503', '']);
    aheadMs = 10_001;
    await until('the key is refused', () => key.isClosed());
    expect(key.status()).toBe('503');
    expect(server.gate.unitsCharged).toBe(2);
    expect(sharesState(memory).keys.held).toBe(0);
  });

  test('if callers without a key hold all of their part, the oldest body that has stalled for a second is refused for the next one; no key is refused', async () => {
    const stalled: Client[] = [];
    for (let index = 0; index < 8; index++) stalled.push(await stall(`10.0.1.${index}`));
    await until('they are on their way', () => server.http.bodyCount() === 8);
    // The next caller is refused: each address holds as much as that caller would, and no body has stalled
    // for a second.
    const early = await stall('10.0.2.1');
    await until('it is refused', () => early.isClosed());
    const key = await stall('10.0.2.2', [`Authorization: ${GOOD_KEY}`]);
    await until('a key is not', () => sharesState(memory).keys.held > 0);
    aheadMs = 1_001;
    await stall('10.0.2.3');
    await until('the oldest has given way', () => stalled[0]!.isClosed());
    expect(server.http.bodyCount()).toBe(9);
    expect(key.isClosed()).toBe(false);
  });

  test('a stalled body is refused immediately for an address that holds less', async () => {
    const stalled: Client[] = [];
    for (let index = 0; index < 8; index++) stalled.push(await stall(`10.0.1.${index >> 1}`));
    await until('they are on their way', () => server.http.bodyCount() === 8);
    await stall('10.0.2.1');
    await until('one has given way', () => stalled.some(({ isClosed }) => isClosed()));
    expect(server.http.bodyCount()).toBe(8);
  });
});

describe('while callers without a key hold all of their part for answers', () => {
  const logIn = (address: string, body: Buffer, length = body.length) =>
    send({ path: '/platform/login', address, headers: [`Content-Length: ${length}`], body });
  /** A body of the largest size that lacks its last byte. With its request it holds 8 KB. */
  const stallLogIn = (address: string) => logIn(address, Buffer.alloc(4_095, ' '), 4_096);
  const statusOf = async (client: Client): Promise<string> => {
    await until('it is answered', () => client.status() !== '');
    return client.status();
  };

  beforeEach(() => {
    expect(budget.reserve(ALL_STRANGERS, SHARES.strangers * KB)).toBe(true);
  });

  test('a log-in is answered from the reserve, sent whole or in chunks; other bodies are refused', async () => {
    expect(await statusOf(await logIn('10.0.5.1', Buffer.from('{}')))).toBe('200');
    const chunked = await send({
      ...{ path: '/platform/login', address: '10.0.5.2', headers: ['Transfer-Encoding: chunked'] },
      body: Buffer.from('2\r\n{}\r\n0\r\n\r\n'),
    });
    expect(await statusOf(chunked)).toBe('200');
    const headers = ['Content-Type: application/json', 'Content-Length: 2'];
    const other = await send({ path: '/v1/anything', headers, body: Buffer.from('{}') });
    expect(await statusOf(other)).toBe('503');
    expect(sharesState(memory).strangers.held).toBe(SHARES.strangers * KB);
  });

  test('an address gets eight places of the reserve, and they are free again after five seconds', async () => {
    const stalled: Client[] = [];
    for (let index = 0; index < 8; index++) stalled.push(await stallLogIn('10.0.5.1'));
    await until('they are on their way', () => server.http.bodyCount() === 8);
    expect(await statusOf(await stallLogIn('10.0.5.1'))).toBe('503');
    aheadMs = 5_001;
    await until('they are refused', () => stalled.every(({ isClosed }) => isClosed()));
    expect(await statusOf(await logIn('10.0.5.1', Buffer.from('{}')))).toBe('200');
  });

  test('in a full reserve, a stalled body is refused immediately for an address that holds less', async () => {
    const stalled: Client[] = [];
    for (let index = 0; index < 256; index++) stalled.push(await stallLogIn(`10.0.6.${index >> 3}`));
    await until('they are on their way', () => server.http.bodyCount() === 256);
    expect(await statusOf(await logIn('10.0.7.1', Buffer.from('{}')))).toBe('200');
    expect(stalled.filter(({ status }) => status() === '503')).toHaveLength(1);
  });
});

test('a body of the largest size in many chunks arrives whole', async () => {
  const text = 'x'.repeat(BODY_BYTES_MAX - 11);
  const bytes = new TextEncoder().encode(`{"name":"${text}"}`);
  let part = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const start = 1_009 * part++;
      if (start < bytes.length) controller.enqueue(bytes.slice(start, start + 1_009));
      else controller.close();
    },
  });
  const headers = { authorization: GOOD_KEY, 'content-type': 'application/json' };
  const answer = await fetch(`${server.url}/v1/things`, { method: 'POST', headers, body });
  expect(await answer.json()).toEqual({ seen: { name: text } });
});

test('a body in tiny chunks is refused long before it exceeds the limit of bytes', async () => {
  const intake = new BodyIntake(systemClock, new FairShares(memory, 0));
  let count = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      count += 1;
      controller.enqueue(new Uint8Array(1));
    },
  });
  const request = new Request('http://localhost/', {
    method: 'POST',
    headers: { 'transfer-encoding': 'chunked' },
    body,
  });
  const arriving = { holder: { hasKey: false, subjects: [] }, size: Infinity, bytesMax: BODY_BYTES_MAX };
  await expect(intake.receive(request, arriving)).rejects.toMatchObject({ status: 413 });
  expect(count).toBeLessThan(2_000);
  intake.close();
});

describe('while four bodies in chunks without a key are read', () => {
  const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
  const WHOLE = '2\r\n{}\r\n0\r\n\r\n';
  const chunked = (address: string, body: string, more: readonly string[] = []) =>
    send({ path: '/platform/login', address, headers: [...headers, ...more], body: Buffer.from(body) });
  let stalled: Client[];

  beforeEach(async () => {
    stalled = [];
    for (let index = 0; index < 4; index++)
      stalled.push(await chunked(`10.0.3.${index}`, '1\r\n \r\n'.repeat(10)));
    await until('they are on their way', () => server.http.bodyCount() === 4);
  });

  test('while four bodies without a key are read, a fifth waits until one has stalled; a body with a key does not wait', async () => {
    aheadMs = 850;
    const next = await chunked('10.0.4.1', WHOLE);
    await until('it is on its way', () => server.http.bodyCount() === 5);
    const withKey = await chunked('10.0.4.2', WHOLE, [`Authorization: ${GOOD_KEY}`]);
    await until('the key is answered', () => withKey.status() === '200');
    expect(next.status()).toBe('');
    aheadMs = 1_000;
    await until('one has stalled', () => stalled[0]!.status() === '503');
    aheadMs += 50; // a refused body still counts as being read until the next check
    await until('the next is answered', () => next.status() !== '');
    expect(next.status()).toBe('200');
    aheadMs += 1_000;
    await until('no body is on its way', () => server.http.bodyCount() === 0);
  });

  test('bodies that have waited for five seconds are refused unread', async () => {
    const waiting: Client[] = [];
    for (let index = 0; index < 3; index++) waiting.push(await chunked(`10.0.4.${index}`, WHOLE));
    await until('they are on their way', () => server.http.bodyCount() === 7);
    aheadMs = 5_001;
    await until('nothing is on its way', () => server.http.bodyCount() === 0);
    await until('all are answered', () => waiting.every(({ status }) => status() !== ''));
    expect(waiting.map(({ status }) => status())).toEqual(['503', '503', '503']);
  });
});
