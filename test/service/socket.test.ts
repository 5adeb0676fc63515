// GET /v1/ws over real sockets: subscriptions, both encodings, refusals, and the ends of connections.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { LINK_TICKET_LIVES_MS } from '../../src/access/limits.ts';
import { SOCKET_IDLE_MS, SOCKET_OPS_MAX } from '../../src/stream/limits.ts';
import { type Answer, Mirror } from '../query/changes-scene.ts';
import { createKeys, createRevocableKey, PROXY_SETTINGS } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { SocketClient, type SocketEvent, type SocketOptions } from '../support/socket-client.ts';

let service: RunningService;
let keys: { readonly free: string; readonly standard: string; readonly realtime: string };
beforeAll(async () => {
  service = await runService({
    FEED: 'simulator',
    SIMULATOR_RATE: '200',
    HTTP_THREADS: '1',
    ...PROXY_SETTINGS,
  });
  const [free] = await createKeys(service.dataDir, 'free', 1);
  const [standard] = await createKeys(service.dataDir, 'standard', 1);
  const [realtime] = await createKeys(service.dataDir, 'realtime', 1);
  keys = { free: free!, standard: standard!, realtime: realtime! };
});
let stopped: Promise<void> | null = null;
const stop = (): Promise<void> => (stopped ??= service[Symbol.asyncDispose]());
afterAll(stop);

function open(options: SocketOptions = { key: service.key }): Promise<SocketClient> {
  return SocketClient.open(service.url, options);
}

/** A mirror after all events of a subscription. */
function mirrorOf(events: readonly SocketEvent[], id: string, mirror = new Mirror()): Mirror {
  for (const event of events) if (event.id === id) mirror.takeEvent(event);
  return mirror;
}

async function handshake(headers: Record<string, string>, path = '/v1/ws'): Promise<Response> {
  return fetch(service.url + path, { headers });
}

const HANDSHAKE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

describe('GET /v1/ws', () => {
  for (const protocol of ['overround.v1.json', 'overround.v1.msgpack']) {
    test(`${protocol}: several subscriptions on one connection, each a mirror that resumes later`, async () => {
      const client = await open({ key: service.key, protocols: ['chat', protocol] });
      expect(client.socket.protocol).toBe(protocol);
      const filters = { sport: 'basketball', markets: ['totals'], tick_ms: 50 };
      client.send({ op: 'subscribe', id: 'a', ...filters });
      client.send({
        op: 'subscribe',
        id: 'b',
        sport: 'football',
        status: 'live',
        bookmakers: 'crown,sbobet',
      });
      await client.next('delta', { id: 'a', count: 5 });
      await client.next('snapshot', { id: 'b' });
      expect(client.events.find(({ id }) => id === 'a')).toMatchObject({
        event: 'hello',
        cursor: null,
        data: { tick_ms: 50, heartbeat_ms: 5_000 },
      });
      client.send({ op: 'unsubscribe', id: 'a' });
      client.send({ op: 'ping' });
      await client.next('pong');
      const whole = mirrorOf(client.events, 'a');
      await client.close();

      const later = await open({ key: service.key, protocols: [protocol] });
      later.send({ op: 'subscribe', id: 'again', ...filters, since: whole.cursor });
      await later.next('delta', { count: 2 });
      await later.close();
      expect(later.events.some(({ event }) => event === 'snapshot')).toBe(false);
      mirrorOf(later.events, 'again', whole);
      const path = '/v1/odds?sport=basketball&markets=totals';
      whole.take(await service.get<Answer>(`${path}&since=${whole.cursor}`));
      const full = new Mirror();
      full.take(await service.get<Answer>(path));
      whole.take(await service.get<Answer>(`${path}&since=${whole.cursor}`));
      expect([...whole.fixtures.keys()].sort()).toEqual([...full.fixtures.keys()].sort());
    });
  }

  test('speaks JSON without a subprotocol, and accepts no unknown subprotocol', async () => {
    const plain = await open();
    expect(plain.socket.protocol).toBe('');
    plain.send({ op: 'ping' });
    expect(await plain.next('pong')).toEqual({ id: null, event: 'pong', cursor: null, data: {} });
    await plain.close();
    const answer = await handshake({ ...HANDSHAKE, 'sec-websocket-protocol': 'chat, soap' });
    expect([answer.status, answer.headers.get('sec-websocket-protocol') ?? '']).toEqual([101, '']);
  });

  test('compresses messages for a client that offers permessage-deflate', async () => {
    const client = await open();
    expect(client.socket.extensions).toContain('permessage-deflate');
    client.send({ op: 'subscribe', id: 'a' });
    await client.next('snapshot');
    await client.close();
  });

  test('answers a wrong message with the error envelope, and stays open', async () => {
    const client = await open({ key: keys.free });
    const expectError = async (message: object | string, expected: object): Promise<void> => {
      const count = client.events.filter(({ event }) => event === 'error').length + 1;
      if (typeof message === 'string') client.socket.send(message);
      else client.send(message);
      const error = await client.next('error', { count });
      expect([message, error]).toMatchObject([message, expected]);
      expect(Object.keys(error.data)).toEqual(['error', 'scope']);
    };
    const bad = { data: { error: { code: 'invalid_request' }, scope: null } };
    for (const text of ['', '{', '[]', 'null', '1', '{"op":"shout"}', '{"op":1}', '{"id":"a"}']) {
      await expectError(text, bad);
    }
    await expectError({ op: 'subscribe' }, { id: null, ...bad });
    await expectError({ op: 'subscribe', id: '' }, { id: '', ...bad });
    await expectError({ op: 'subscribe', id: 'x', sport: 'chess' }, { id: 'x', ...bad });
    await expectError({ op: 'subscribe', id: 'x', book: 'crown' }, { id: 'x', ...bad });
    await expectError({ op: 'subscribe', id: 'x', ticket: 'tkt_' }, { id: 'x', ...bad });
    await expectError({ op: 'subscribe', id: 'x', tick_ms: 'fast' }, { id: 'x', ...bad });
    await expectError({ op: 'subscribe', id: 'x', since: 'x' }, { id: 'x', ...bad });
    await expectError({ op: 'subscribe', id: 'x', league: 'No Such League' }, { id: 'x', ...bad });
    await expectError({ op: 'unsubscribe', id: 'x' }, { id: 'x', ...bad });
    await expectError(
      { op: 'subscribe', id: 'x', bookmakers: 'pinnacle' },
      { id: 'x', data: { error: { code: 'forbidden' } } },
    );
    // None of these counts as an open stream, of which a free key may have one.
    client.send({ op: 'subscribe', id: 'x' });
    await client.next('hello', { id: 'x' });
    await expectError(
      { op: 'subscribe', id: 'x' },
      { id: 'x', data: { error: { code: expect.any(String) } } },
    );
    await expectError(
      { op: 'subscribe', id: 'y' },
      { id: 'y', data: { error: { code: 'rate_limit_exceeded' }, scope: 'streams' } },
    );
    client.send({ op: 'unsubscribe', id: 'x' });
    client.send({ op: 'subscribe', id: 'y' });
    await client.next('hello', { id: 'y' });
    await client.close();
    await until('the place is free again', async () => {
      const again = await open({ key: keys.free });
      again.send({ op: 'subscribe', id: 'z' });
      await until('an answer', () => again.events.length > 0);
      await again.close();
      return again.events[0]!.event === 'hello';
    });
  });

  test('refuses requests without a handshake, with a dead key or with a bad ticket before the upgrade, and charges a unit for each', async () => {
    expect((await handshake({})).status).toBe(426);
    const dead = await handshake({ ...HANDSHAKE, authorization: `Bearer isk_${'x'.repeat(32)}` });
    expect([dead.status, ((await dead.json()) as { error: { code: string } }).error.code]).toEqual([
      401,
      'unauthorized',
    ]);
    expect((await handshake(HANDSHAKE, '/v1/ws?ticket=tkt_none')).status).toBe(401);
    expect((await handshake(HANDSHAKE, `/v1/ws?key=${service.key}`)).status).toBe(400);
    const left = async (): Promise<number> => {
      const { headers } = await fetch(`${service.url}/v1/usage`, {
        headers: { authorization: `Bearer ${keys.standard}` },
      });
      return Number(headers.get('x-ratelimit-remaining'));
    };
    const before = await left();
    const clients = await Promise.all(Array.from({ length: 5 }, () => open({ key: keys.standard })));
    expect(before - (await left())).toBeGreaterThan(3);
    for (const client of clients) await client.close();
  });

  test('opens with a ticket as with the ticket’s key; a page of another site with neither a key nor a ticket is served as a caller without a key', async () => {
    const response = await fetch(`${service.url}/v1/tickets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.realtime}` },
    });
    const { ticket } = (await response.json()) as { ticket: string };
    const client = await open({ ticket, headers: { origin: 'https://elsewhere.example' } });
    client.send({ op: 'subscribe', id: 'a', tick_ms: 1 });
    expect((await client.next('hello')).data.tick_ms).toBe(100);
    await client.close();
    const keyless = await open({
      headers: { origin: 'https://elsewhere.example', cookie: 'overround_session=x' },
    });
    keyless.send({ op: 'subscribe', id: 'a', tick_ms: 1 });
    expect((await keyless.next('hello')).data.tick_ms).toBe(5_000);
    await until('the snapshot is complete', () => keyless.events.some(({ data }) => data.last === true));
    expect(JSON.stringify(keyless.events).includes('pinnacle')).toBe(false);
    await keyless.close();
  });

  test('gives each connection a ticket that opens the next one, once and with the same key; a connection without a key gets none', async () => {
    const doomed = await createRevocableKey(service.dataDir);
    let client = await open({ key: doomed.text });
    const tickets: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      client.send({ op: 'renew' });
      const { data } = await client.next('ticket');
      const livesMs = Date.parse(String(data.expires_at)) - Date.now();
      expect(livesMs > LINK_TICKET_LIVES_MS - 30_000 && livesMs <= LINK_TICKET_LIVES_MS).toBe(true);
      tickets.push(String(data.ticket));
      await client.close();
      client = await open({ ticket: tickets.at(-1)! });
      expect(client.closed).toBeNull();
    }
    expect(new Set(tickets).size).toBe(3);
    for (const used of tickets) expect((await open({ ticket: used })).closed).not.toBeNull();
    client.send({ op: 'renew' });
    const { data: last } = await client.next('ticket');
    await doomed.revoke();
    await until('the connection is closed', () => client.closed !== null);
    expect((await open({ ticket: String(last.ticket) })).closed).not.toBeNull();
    const keyless = await open({});
    keyless.send({ op: 'renew' });
    expect((await keyless.next('error')).data).toMatchObject({ error: { code: 'unauthorized' } });
    await keyless.close();
  });

  test('ends every subscription with bye soon after its key is revoked', async () => {
    const doomed = await createRevocableKey(service.dataDir);
    const client = await open({ key: doomed.text });
    const idle = await open({ key: doomed.text });
    client.send({ op: 'subscribe', id: 'a', sport: 'basketball' });
    client.send({ op: 'subscribe', id: 'b', sport: 'football' });
    await client.next('hello', { id: 'b' });
    await doomed.revoke();
    await until('both are closed', () => client.closed !== null && idle.closed !== null);
    for (const id of ['a', 'b']) {
      expect(client.events.findLast((event) => event.id === id)).toMatchObject({
        event: 'bye',
        data: { reason: 'key_revoked' },
      });
    }
    expect(client.closed).toEqual({ code: 1008, reason: 'key_revoked' });
    expect(idle.events.at(-1)).toMatchObject({ id: null, event: 'bye' });
  });

  test('answers too many messages with 429, then with bye, and closes after a message that is too large', async () => {
    const client = await open();
    for (let sent = 0; sent < SOCKET_OPS_MAX + 5; sent++) client.send({ op: 'ping' });
    const refused = await client.next('error', { count: 5 });
    expect(refused.data).toMatchObject({ error: { code: 'rate_limit_exceeded' }, scope: 'messages' });
    for (let sent = 0; sent < 1_000; sent++) client.send({ op: 'ping' });
    await until('it is closed', () => client.closed !== null);
    expect(client.closed).toEqual({ code: 1008, reason: 'limit' });
    const large = await open();
    large.send({ op: 'subscribe', id: 'x'.repeat(10_000) });
    await until('it is closed', () => large.closed !== null);
    expect([large.closed?.code, SOCKET_IDLE_MS]).toEqual([1009, 60_000]);
  });

  test('a connection without a key ends after 25 messages or pings', async () => {
    const talker = await SocketClient.open(service.url);
    for (let sent = 0; sent < 26; sent++) talker.send({ op: 'ping' });
    await until('it is closed', () => talker.closed !== null);
    expect(talker.closed).toEqual({ code: 1008, reason: 'limit' });
    expect(talker.events.filter(({ event }) => event === 'pong').length).toBe(20);
    const pinger = await SocketClient.open(service.url);
    for (let sent = 0; sent < 26; sent++) pinger.socket.ping();
    await until('it is closed', () => pinger.closed !== null);
    expect(pinger.events.every(({ event }) => event === 'bye')).toBe(true);
  });

  test('a connection without a key opens subscriptions at the pace of whole slates; those that would wait long are refused', async () => {
    const startMs = performance.now();
    const clients = await Promise.all(
      Array.from({ length: 100 }, (_, index) => open({ headers: { 'x-forwarded-for': `10.0.0.${index}` } })),
    );
    // Thirty of these connections open at once, and four wait for a moment. Then each of the 34 has the one
    // stream that a caller without a key may have, so every further subscription is answered 429.
    const first = clients.slice(0, 34);
    for (const client of first) client.send({ op: 'subscribe', id: 'kept' });
    await Promise.all(first.map((client) => client.next('hello', { id: 'kept' })));
    for (const client of clients) {
      for (let turn = 0; turn < 9; turn++) {
        client.send({ op: 'subscribe', id: 'a' });
        client.send({ op: 'unsubscribe', id: 'a' });
      }
      client.send({ op: 'ping' });
    }
    await Promise.all(clients.map((client) => client.next('pong')));
    const opened = clients.flatMap(({ events }) => events.filter(({ event }) => event === 'hello')).length;
    const passedS = (performance.now() - startMs) / 1_000;
    expect(opened).toBeLessThanOrEqual(30 + 12.5 * passedS);
    const errors = clients.flatMap(({ events }) => events.filter(({ event }) => event === 'error'));
    const refused = errors.flatMap(({ data }) => {
      const { code, retry_after_seconds } = (data as { error: { code: string; retry_after_seconds: number } })
        .error;
      return code === 'upstream_unavailable' ? [retry_after_seconds] : [];
    });
    // A subscription that was ended while it waited keeps the one stream of its address until its wait is
    // over.
    expect(errors.length).toBeGreaterThan(500);
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused)).toEqual(new Set([5]));
    await Promise.all(clients.map((client) => client.close()));
  });

  // This must be the last test, because it stops the service of all tests.
  test('sends bye when the service stops', async () => {
    const client = await open();
    const idle = await open();
    client.send({ op: 'subscribe', id: 'a' });
    await client.next('hello');
    await stop();
    await until('both are closed', () => client.closed !== null && idle.closed !== null);
    expect(client.events.at(-1)).toMatchObject({ id: 'a', event: 'bye', data: { reason: 'shutdown' } });
    expect([client.closed!.code, idle.closed!.code]).toEqual([1001, 1001]);
  });
});
