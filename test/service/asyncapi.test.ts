// /asyncapi.json is valid by the official parser, and the events that streams and sockets really send match
// it.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DiagnosticSeverity, Parser } from '@asyncapi/parser';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { SOCKET_EVENTS, SOCKET_REQUESTS } from '../../src/contract/stream/socket.ts';
import { STREAM_EVENTS } from '../../src/contract/stream/stream.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { SocketClient } from '../support/socket-client.ts';
import { StreamClient } from '../support/stream-client.ts';

interface Document {
  readonly channels: Readonly<
    Record<string, { readonly messages: Readonly<Record<string, { readonly payload: object }>> }>
  >;
  readonly components: object;
}

let service: RunningService;
let text: string;
let document: Document;
beforeAll(async () => {
  service = await runService({ FEED: 'simulator', SIMULATOR_RATE: '400' });
  text = await (await fetch(`${service.url}/asyncapi.json`)).text();
  document = JSON.parse(text) as Document;
});
afterAll(() => service[Symbol.asyncDispose]());

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
  test('is valid by the official parser', async () => {
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

  test('names every event and every request', () => {
    const named = (channel: string) => Object.keys(document.channels[channel]!.messages).sort();
    expect(named('stream')).toEqual(Object.keys(STREAM_EVENTS).sort());
    expect(named('socket')).toEqual([...Object.keys(SOCKET_EVENTS), ...Object.keys(SOCKET_REQUESTS)].sort());
  });

  test('describes what a stream and a socket send', async () => {
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
