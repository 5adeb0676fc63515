// GET /v1/stream over HTTP: its first events, resuming from a cursor, the number of streams of a caller, and
// its end when its key is revoked. Also tests /asyncapi.json: the official parser accepts it, and streams and
// sockets send what it describes.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DiagnosticSeverity, Parser } from '@asyncapi/parser';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { SOCKET_EVENTS, SOCKET_REQUESTS } from '../../src/contract/stream/socket.ts';
import { STREAM_EVENTS } from '../../src/contract/stream/stream.ts';
import { type Answer, Mirror } from '../query/changes-scene.ts';
import { createKeys, createRevocableKey } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { SocketClient } from '../support/socket-client.ts';
import { StreamClient, type StreamEvent } from '../support/stream-client.ts';

let service: RunningService;
let keys: { readonly free: string; readonly standard: string };
beforeAll(async () => {
  service = await runService({
    ...{ FEED: 'simulator', SIMULATOR_RATE: '200' },
    // Few, so that each of them changes often.
    ...{ SIMULATOR_FOOTBALL_FIXTURES: '12', SIMULATOR_BASKETBALL_FIXTURES: '6' },
  });
  const [free] = await createKeys(service.dataDir, 'free', 1);
  const [standard] = await createKeys(service.dataDir, 'standard', 1);
  keys = { free: free!, standard: standard! };
});
afterAll(() => service[Symbol.asyncDispose]());

function open(query: string, key: string | null, headers?: Record<string, string>): Promise<StreamClient> {
  return StreamClient.open(service.url, { query, key, headers });
}

/** Opens a stream, and returns the cursor of its delta number `count`. */
async function cursorAfter(query: string, count: number): Promise<string> {
  const stream = await open(query, service.key);
  const { id } = await stream.next('delta', count);
  await stream.close();
  return id!;
}

/** A mirror after all events. */
function mirrorOf(events: readonly StreamEvent[], mirror = new Mirror()): Mirror {
  for (const { event, id, data } of events) mirror.takeEvent({ event, cursor: id, data });
  return mirror;
}

describe('GET /v1/stream', () => {
  test('a stream sends hello, the slate in parts and then changes; another stream resumes from the last id', async () => {
    const query = 'sport=basketball&markets=totals&tick_ms=50';
    const stream = await open(query, service.key);
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).toBe('no-store');
    await stream.next('delta', 5);
    await stream.close();
    const { events } = stream;
    expect(events[0]).toMatchObject({
      event: 'hello',
      data: { heartbeat_ms: 5_000, tick_ms: 50, conflates: true },
    });
    const parts = events
      .filter(({ event }) => event === 'snapshot')
      .map(({ id, data }) => [data.part, data.last, id === null]);
    expect(parts).toEqual(
      parts.map((_, index) => [index + 1, index === parts.length - 1, index < parts.length - 1]),
    );
    const mirror = mirrorOf(events);

    const later = await open(query, service.key, { 'last-event-id': mirror.cursor! });
    await later.next('delta', 2);
    await later.close();
    expect(later.events.some(({ event }) => event === 'snapshot')).toBe(false);
    mirrorOf(later.events, mirror);
    // With the changes since its cursor, the mirror has the same fixtures as the full answer.
    const path = '/v1/odds?sport=basketball&markets=totals';
    mirror.take(await service.get<Answer>(`${path}&since=${mirror.cursor}`));
    const changed = await service.get<Answer>(`${path}&since=${mirror.cursor}`);
    const full = await service.get<Answer>(path);
    expect([...mirror.fixtures.keys()].sort()).toEqual(full.fixtures.map(({ event_id }) => event_id).sort());
    expect(changed.full).toBe(false);
  });

  test('a stream resumes from the id that a browser sends, not from the older cursor in its URL', async () => {
    const query = 'sport=basketball&markets=totals&tick_ms=50';
    const [older, newer] = await Promise.all([5, 10].map((count) => cursorAfter(query, count)));
    const stream = await open(`${query}&since=${older}`, service.key, { 'last-event-id': newer! });
    const delta = await stream.next('delta');
    // If nothing changes for a while, a heartbeat comes before the next delta, and it also advances the
    // cursor.
    const heartbeat = stream.events
      .slice(0, stream.events.indexOf(delta))
      .findLast(({ event }) => event === 'heartbeat');
    expect(delta.data.from).toBe(heartbeat?.id ?? newer!);
    await stream.close();
  });

  test('each tier has its pace and its number of streams, and a caller without a key has one stream', async () => {
    const free = await open('tick_ms=1', keys.free);
    expect((await free.next('hello')).data.tick_ms).toBe(5_000);
    const second = await open('', keys.free);
    expect([second.status, second.headers.get('x-ratelimit-scope')]).toEqual([429, 'streams']);
    await free.close();
    const again = (): Promise<StreamClient> => open('', keys.free);
    let third = await again();
    await until('the place is free again', async () => {
      if (third.status === 200) return true;
      third = await again();
      return third.status === 200;
    });
    await third.close();
    const keyless = await open('', null);
    expect((await open('', null)).status).toBe(429);
    await keyless.close();
  });

  test('a stream ends with bye soon after its key is revoked; a cursor of another view is refused', async () => {
    const doomed = await createRevocableKey(service.dataDir);
    const stream = await open('tick_ms=100', doomed.text);
    const { data } = await stream.next('hello');
    const other = await fetch(`${service.url}/v1/stream?sport=football&since=${data.cursor}`, {
      headers: { authorization: `Bearer ${doomed.text}` },
    });
    expect(other.status).toBe(400);
    await doomed.revoke();
    await stream.done;
    expect(stream.events.at(-1)).toMatchObject({ event: 'bye', data: { reason: 'key_revoked' } });
  });
});

test('GET /v1/odds is 304 while nothing of the view has changed, however much the rest of the slate changes', async () => {
  const ask = (query: string, etag = '') =>
    fetch(`${service.url}/v1/odds?${query}`, {
      headers: { authorization: `Bearer ${service.key}`, 'if-none-match': etag },
    });
  const quiet = 'date=2020-01-01';
  const etag = (await ask(quiet)).headers.get('etag')!;
  const { headers } = await ask('markets=1x2');
  await until('the slate has moved on', async () => (await ask(quiet)).headers.get('etag') !== etag);
  const again = await ask(quiet, etag);
  expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
  await until(
    'the view has changed',
    async () => (await ask('markets=1x2', headers.get('etag')!)).status === 200,
  );
});

interface Document {
  readonly channels: Readonly<
    Record<string, { readonly messages: Readonly<Record<string, { readonly payload: object }>> }>
  >;
  readonly components: object;
}

let text: string;
let document: Document;
beforeAll(async () => {
  text = await (await fetch(`${service.url}/asyncapi.json`)).text();
  document = JSON.parse(text) as Document;
});

const validators = new Map<string, ValidateFunction>();

/** The differences of a message from the document; empty when there are none. */
function problemsOf(channel: string, name: string, value: unknown): string[] {
  const validate = validators.get(`${channel} ${name}`) ?? validatorOf(channel, name);
  validators.set(`${channel} ${name}`, validate);
  return validate(value)
    ? []
    : validate.errors!.map((error) => `${name}${error.instancePath} ${error.message}`);
}

function validatorOf(channel: string, name: string): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const { payload } = document.channels[channel]!.messages[name]!;
  return ajv.compile({ ...payload, components: document.components });
}

describe('/asyncapi.json', () => {
  test('/asyncapi.json is valid by the official parser', async () => {
    const { diagnostics, document: parsed } = await new Parser().parse(text);
    const wrong = diagnostics.filter(({ severity }) => severity === DiagnosticSeverity.Error);
    expect(wrong.map(({ message, path }) => `${path.join('.')}: ${message}`)).toEqual([]);
    expect(parsed!.version()).toBe('3.0.0');
    expect(
      parsed!
        .operations()
        .all()
        .map((operation) => operation.id())
        .sort(),
    ).toEqual(['receiveSocket', 'sendSocket', 'sendStream']);
  });

  test('/asyncapi.json names every event and every request', () => {
    const named = (channel: string) => Object.keys(document.channels[channel]!.messages).sort();
    expect(named('stream')).toEqual(Object.keys(STREAM_EVENTS).sort());
    expect(named('socket')).toEqual([...Object.keys(SOCKET_EVENTS), ...Object.keys(SOCKET_REQUESTS)].sort());
  });

  test('/asyncapi.json describes the messages that a stream and a socket send', async () => {
    const query = 'signals=value,arbitrage&min_edge_pct=0&tick_ms=20';
    const stream = await StreamClient.open(service.url, { query, key: service.key });
    const socket = await SocketClient.open(service.url, { key: service.key });
    const subscribe = { op: 'subscribe', id: 'a', signals: ['value'], min_edge_pct: 0, markets: ['totals'] };
    socket.send(subscribe);
    socket.send({ op: 'ping' });
    socket.send({ op: 'renew' });
    socket.send({ op: 'unsubscribe', id: 'nobody' });
    for (const event of ['snapshot', 'signals', 'signal', 'delta', 'heartbeat']) await stream.next(event);
    for (const event of ['pong', 'ticket', 'error', 'snapshot', 'signals']) await socket.next(event);
    await stream.close();
    socket.socket.close();
    for (const { event, data } of stream.events) expect(problemsOf('stream', event, data)).toEqual([]);
    expect(socket.events.map(({ event }) => event)).toContain('signals');
    for (const message of socket.events) expect(problemsOf('socket', message.event, message)).toEqual([]);
    expect(problemsOf('socket', 'subscribe', { ...subscribe, signals: 'value', markets: 'totals' })).toEqual(
      [],
    );
    expect(problemsOf('socket', 'renew', { op: 'renew' })).toEqual([]);
    expect(problemsOf('socket', 'subscribe', { op: 'subscribe' })).not.toEqual([]);
  }, 120_000);
});
