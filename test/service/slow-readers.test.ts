// Clients that open a stream and read nothing are disconnected, although the system buffers megabytes for
// them. When they read again they find the reason, and their streams no longer count. Clients that read
// slowly get all of a large answer, although the server frees each piece as soon as Bun has taken it.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { createKeys } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { readPrometheus, sampleOf } from '../support/prometheus.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { type RunningService, runService } from '../support/running-service.ts';

const READERS = 5;
/** From this file of Linux, the server learns how much the system buffers for a client. */
const NO_SOCKET_TABLE = !existsSync('/proc/net/tcp');

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await runService({
    FEED: 'simulator',
    SIMULATOR_RATE: '100',
    SIMULATOR_FOOTBALL_FIXTURES: '400',
  });
  [key] = (await createKeys(service.dataDir, 'enterprise', 1)) as [string];
});
afterAll(() => service[Symbol.asyncDispose]());

/**
 * A client that reads nothing until `startReading`. It keeps the last few thousand characters, which contain
 * the end of the stream.
 */
function openDeaf(): Promise<RawConnection> {
  return RawConnection.open(Number(new URL(service.url).port), { reads: false, charsMax: 4_000 });
}

function request(path: string, headers: readonly string[] = []): string {
  return [`GET ${path} HTTP/1.1`, `Host: localhost`, `Authorization: Bearer ${key}`, ...headers, '', ''].join(
    '\r\n',
  );
}

/** A text frame as a client sends it, masked with zeros. */
function textFrame(text: string): Uint8Array {
  return Uint8Array.of(0x81, 0x80 | text.length, 0, 0, 0, 0, ...Buffer.from(text));
}

async function streamCount(): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return sampleOf(readPrometheus(text), 'overround_streams_open');
}

test.skipIf(NO_SOCKET_TABLE)(
  'clients that read nothing are disconnected, over server-sent events and over WebSocket',
  async () => {
    const open = () => Promise.all(Array.from({ length: READERS }, openDeaf));
    const [ofEvents, ofSockets] = [await open(), await open()];
    for (const client of ofEvents) client.send(request('/v1/stream'));
    for (const client of ofSockets) {
      client.send(
        request('/v1/ws', [
          'Connection: Upgrade',
          'Upgrade: websocket',
          'Sec-WebSocket-Version: 13',
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        ]),
      );
      client.send(textFrame('{"op":"subscribe","id":"a"}'));
    }
    const clients = [...ofEvents, ...ofSockets];
    await until('all are open', async () => (await streamCount()) === clients.length);
    const startMs = performance.now();
    await until('all are sent away', async () => {
      await Bun.sleep(250);
      return (await streamCount()) === 0;
    });
    expect(performance.now() - startMs).toBeGreaterThan(5_000);
    for (const client of clients) client.startReading();
    await until('all are closed', () => clients.every(({ isClosed }) => isClosed));
    for (const { received } of ofEvents) {
      expect(received).toMatch(/event: bye\ndata: \{"reason":"slow_reader","reconnect_after_ms":5000\}\n\n/);
    }
    for (const { received } of ofSockets) {
      expect(received).toMatch(/"event":"bye","cursor":null,"data":\{"reason":"slow_reader"/);
    }
  },
  120_000,
);

/** The body of an answer whose client reads nothing at first, and then a little at a time, with pauses. */
async function readSlowly(path: string, coding: string): Promise<Buffer> {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port) });
  const read: Buffer[] = [];
  let size = 0;
  socket.write(request(path, [`Accept-Encoding: ${coding}`, 'Connection: close']));
  await Bun.sleep(500);
  for await (const data of socket) {
    read.push(data as Buffer);
    size += (data as Buffer).length;
    if (size > 256 * 1024) {
      size = 0;
      await Bun.sleep(5);
    }
  }
  const whole = Buffer.concat(read);
  expect(whole.toString('latin1', 0, 15)).toBe('HTTP/1.1 200 OK');
  const start = whole.indexOf('\r\n\r\n') + 4;
  const body: Buffer[] = [];
  for (let at = start; ; ) {
    const end = whole.indexOf('\r\n', at);
    const length = Number.parseInt(whole.toString('latin1', at, end), 16);
    if (!(length > 0)) return Buffer.concat(body);
    body.push(whole.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
}

interface Slate {
  readonly full: boolean;
  readonly fixtures: readonly { readonly event_id: string; readonly odds: readonly unknown[] }[];
}

// No other client reads these views, so pieces are not shared.
test.each([
  ['identity', '/v1/odds?bookmakers=crown,sbobet,macau,m8bet,nova88,hkjc'],
  ['gzip', '/v1/odds?bookmakers=crown,sbobet,macau,m8bet,pinnacle,nova88'],
])(
  'a slate that is read slowly arrives whole: %s',
  async (coding, path) => {
    const sent = await readSlowly(path, coding);
    const slate = JSON.parse(String(coding === 'gzip' ? gunzipSync(sent) : sent)) as Slate;
    const fast = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    const idsOf = ({ fixtures }: Slate) => fixtures.map(({ event_id }) => event_id);
    expect(slate.full).toBe(true);
    expect(idsOf(slate)).toEqual(idsOf((await fast.json()) as Slate));
    expect(slate.fixtures.flatMap(({ odds }) => odds).length).toBeGreaterThan(1_000);
  },
  120_000,
);
