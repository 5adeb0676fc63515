// Kalshi's WebSocket against a stand-in that checks the signature of each handshake: books by snapshots and
// deltas, contracts that come and go, and a gap in the numbers.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { constants, generateKeyPairSync, verify } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/clock.ts';
import { Random } from '../../../src/domain/random.ts';
import type { TopOfBook } from '../../../src/feed/contracts/contract.ts';
import { KalshiSocket, type KalshiSocketOptions } from '../../../src/feed/kalshi/socket.ts';
import { createLog } from '../../../src/log.ts';
import { until } from '../../support/condition.ts';
import { close as closeScene, EVENT, open as openScene, quotes, run, standIn } from './kalshi-scene.ts';

const SAMPLE = join(
  import.meta.dir,
  '../../../../shared/data/upstreams/kalshi/ws.orderbook-wnba.trimmed.ndjson',
);
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

interface Recorded {
  readonly type: string;
  readonly msg: {
    readonly side: 'yes' | 'no';
    readonly price_dollars: string;
    readonly delta_fp: string;
    readonly yes_dollars_fp?: readonly [string, string][];
    readonly no_dollars_fp?: readonly [string, string][];
  };
}

interface Said {
  readonly id: number;
  readonly cmd: string;
  readonly params?: { readonly market_tickers: readonly string[]; readonly action?: string };
}

let sockets: Bun.ServerWebSocket<undefined>[];
let said: Said[];
let refused: number;
let lost: number;
let books: Map<string, TopOfBook>;
let server: Bun.Server<undefined>;
let socket: KalshiSocket | null;
let seq: number;

beforeEach(() => {
  sockets = [];
  said = [];
  refused = 0;
  lost = 0;
  socket = null;
  seq = 0;
  books = new Map();
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request, self) => {
      if (isSigned(request) && self.upgrade(request)) return undefined;
      refused++;
      return Response.json({ error: { code: 'authentication_error' } }, { status: 401 });
    },
    websocket: {
      open: (one) => void sockets.push(one),
      message: (one, text) => {
        const frame = JSON.parse(String(text)) as Said;
        said.push(frame);
        if (frame.cmd === 'subscribe') {
          seq = 0;
          one.send(
            JSON.stringify({ type: 'subscribed', id: frame.id, msg: { channel: 'orderbook_delta', sid: 1 } }),
          );
        }
      },
    },
  });
});

afterEach(() => {
  socket?.close();
  server.stop(true);
});

function isSigned(request: Request): boolean {
  const header = (name: string): string => request.headers.get(`kalshi-access-${name}`) ?? '';
  const text = Buffer.from(`${header('timestamp')}GET${new URL(request.url).pathname}`);
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  const signature = Buffer.from(header('signature'), 'base64');
  return header('key') === 'id' && verify('sha256', text, { key: publicKey, ...padding }, signature);
}

function optionsOf(keyId: string): KalshiSocketOptions {
  return {
    url: `ws://127.0.0.1:${server.port}/trade-api/ws/v2`,
    keyId,
    privateKey: PEM,
    clock: systemClock,
    log: createLog({ clock: systemClock, json: true, level: 'error', write: () => {} }),
    random: new Random(1),
    retryPace: { firstMs: 20, longestMs: 20 },
  };
}

function open(keyId = 'id'): void {
  socket = new KalshiSocket(optionsOf(keyId), {
    book: (ticker, book) => books.set(ticker, book),
    lost: () => lost++,
  });
}

/** Sends a frame of the subscription with the next number. */
function send(type: string, msg: object, number = ++seq): void {
  seq = number;
  sockets.at(-1)!.send(JSON.stringify({ type, sid: 1, seq: number, msg }));
}

const snapshot = (ticker: string): void =>
  send('orderbook_snapshot', {
    market_ticker: ticker,
    yes_dollars_fp: [
      ['0.0100', '700.00'],
      ['0.4000', '50.00'],
    ],
    no_dollars_fp: [['0.5700', '20.00']],
  });
const delta = (ticker: string, side: string, price: string, size: string, number?: number): void =>
  send('orderbook_delta', { market_ticker: ticker, price_dollars: price, delta_fp: size, side }, number);

test('the socket sends books of the wanted contracts, by snapshot and by changes of sizes', async () => {
  open();
  socket!.follow(['A', 'B']);
  await until('it is subscribed', () => said.some(({ cmd }) => cmd === 'subscribe'));
  expect(said[0]!.params!.market_tickers).toEqual(['A', 'B']);
  snapshot('A');
  delta('A', 'yes', '0.4000', '-50.00');
  delta('A', 'yes', '0.3900', '12.50');
  delta('A', 'no', '0.5700', '5.00');
  await until('the last change is there', () => books.get('A')?.ask?.size === 25);
  expect(books.get('A')).toEqual({ bid: { price: 0.39, size: 12.5 }, ask: { price: 0.43, size: 25 } });
  socket!.follow(['B', 'C']);
  await until(
    'the subscription is updated',
    () => said.filter(({ cmd }) => cmd === 'update_subscription').length === 2,
  );
  expect(said.filter(({ cmd }) => cmd === 'update_subscription').map(({ params }) => params)).toMatchObject([
    { action: 'add_markets', market_tickers: ['C'] },
    { action: 'delete_markets', market_tickers: ['A'] },
  ]);
});

test('the source publishes prices from the socket between two of its own requests', async () => {
  openScene({ socket: optionsOf('id') });
  try {
    await run.for(1_000);
    await until('it is subscribed', () => said.length > 0);
    const ticker = `${EVENT}-HOM`;
    expect(said[0]!.params!.market_tickers).toContain(ticker);
    const asked = standIn.asked.length;
    snapshot(ticker); // the No side's best bid in it is an ask of 0.43
    await until('the price is there', () => quotes()['crown|1x2|full_time|']?.startsWith('2.2364 ') === true);
    expect(standIn.asked.length).toBe(asked);
  } finally {
    await closeScene();
  }
});

test('after a gap in the numbers the socket reconnects and gets every book completely', async () => {
  open();
  socket!.follow(['A']);
  await until('it is subscribed', () => said.length > 0);
  snapshot('A');
  delta('A', 'yes', '0.4100', '9.00', 7);
  await until('it is subscribed again', () => said.filter(({ cmd }) => cmd === 'subscribe').length === 2);
  expect(lost).toBe(1);
  expect(books.get('A')?.bid?.price).toBe(0.4);
  snapshot('A');
  delta('A', 'yes', '0.4100', '9.00');
  await until('it goes on', () => books.get('A')?.bid?.price === 0.41);
});

test('a refused handshake is retried', async () => {
  open('another');
  socket!.follow(['A']);
  await until('it was refused twice', () => refused >= 2);
  expect(said).toEqual([]);
});

test.skipIf(!existsSync(SAMPLE))(
  'the recorded frames give the book that the sums of all changes give (skipped where the samples are not beside the checkout)',
  async () => {
    const frames = readFileSync(SAMPLE, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { frame: Recorded }).frame);
    const ticker = 'KXWNBAGAME-26AUG07PHXCONN-PHX';
    open();
    socket!.follow([ticker]);
    await until('it is subscribed', () => said.length > 0);
    const sums = { yes: new Map<string, number>(), no: new Map<string, number>() };
    const add = (side: 'yes' | 'no', price: string, size: string): unknown =>
      sums[side].set(price, (sums[side].get(price) ?? 0) + Number(size));
    // The frames are numbered again, because the recorder left out other contracts.
    for (const { type, msg } of frames.filter((frame) => frame.type.startsWith('orderbook'))) {
      send(type, msg);
      if (type === 'orderbook_delta') add(msg.side, msg.price_dollars, msg.delta_fp);
      for (const [price, size] of msg.yes_dollars_fp ?? []) add('yes', price, size);
      for (const [price, size] of msg.no_dollars_fp ?? []) add('no', price, size);
    }
    const best = (side: 'yes' | 'no'): number =>
      Math.max(...[...sums[side]].filter(([, size]) => size > 0.001).map(([price]) => Number(price)));
    const expected = [best('yes'), Math.round((1 - best('no')) * 10_000) / 10_000];
    await until('all frames are read', () => {
      const book = books.get(ticker);
      return book?.bid?.price === expected[0] && book?.ask?.price === expected[1];
    });
    expect(lost).toBe(0);
  },
);
