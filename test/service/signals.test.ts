// Signals over HTTP, on both transports, for each tier: a client that follows them holds what find_value and
// find_arbitrage report, although every scoring worker is ended meanwhile.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { StreamSignal, StreamSignals } from '../../src/contract/stream/stream-signals.ts';
import { Random } from '../../src/domain/random.ts';
import { eventWire, quoteWire, type WireMessage } from '../feed/wire.ts';
import { factsOf, idOf } from '../stream/signal-stage.ts';
import { call } from '../support/call.ts';
import { createKeys } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { nowText, ScriptedFeed } from '../support/scripted-feed.ts';
import { SocketClient } from '../support/socket-client.ts';
import { StreamClient, type StreamEvent } from '../support/stream-client.ts';

const FIXTURES = 8;
const BOOKMAKERS = ['crown', 'sbobet', 'pinnacle'];
const random = new Random(12);

function price(base: number): number {
  return Math.round(100 * base * (0.97 + 0.06 * random.unit())) / 100;
}

function randomQuote(event: string, bookmaker: string, market: number): WireMessage {
  const lines = [
    { market_type: '1x2', line: null, prices: [price(2.3), price(3.3), price(3.3)] },
    { market_type: 'totals', line: 2.5, prices: [price(1.98), price(1.98)] },
    { market_type: 'asian_handicap', line: -0.25, prices: [price(1.98), price(1.98)] },
  ];
  return quoteWire(0, event, { at: nowText(), bookmaker, ...lines[market]! });
}

function slate(): WireMessage[] {
  return Array.from({ length: FIXTURES }, (_, index) => `e${index}`).flatMap((event) => [
    eventWire(0, event, { at: nowText(), scheduled_at: nowText(7_200_000) }),
    ...BOOKMAKERS.flatMap((bookmaker) => [0, 1, 2].map((market) => randomQuote(event, bookmaker, market))),
  ]);
}

const feed = new ScriptedFeed({ slate });
let service: RunningService;
let keys: { readonly free: string; readonly realtime: string };
beforeAll(async () => {
  service = await runService(
    { FEED: feed.url, HTTP_THREADS: '1', SCORING_THREADS: '1' },
    { workerUrls: { http: new URL('./mortal-scoring.worker.ts', import.meta.url) } },
  );
  const [free] = await createKeys(service.dataDir, 'free', 1);
  const [realtime] = await createKeys(service.dataDir, 'realtime', 1);
  keys = { free: free!, realtime: realtime! };
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  feed.stop();
});

type Received = Pick<StreamEvent, 'event' | 'data'>;

/** The signals that a client has after these events. */
function openSignals(events: readonly Received[]): [string, unknown][] {
  const open = new Map<string, StreamSignal>();
  for (const { event, data } of events) {
    if (event === 'signal') {
      const signal = data as unknown as StreamSignal;
      if (signal.change === 'closed') open.delete(signal.id);
      else open.set(signal.id, signal);
    }
    if (event !== 'signals') continue;
    const { ids } = data as unknown as StreamSignals;
    if (ids !== null) for (const id of [...open.keys()]) if (!ids.includes(id)) open.delete(id);
  }
  return [...open]
    .map(([id, { value_bet, opportunity }]): [string, unknown] => [id, factsOf((value_bet ?? opportunity)!)])
    .sort(byId);
}

function byId([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}

/** What the tools report for every fixture. */
async function byTools(key: string, events: readonly string[]): Promise<[string, unknown][]> {
  const found: [string, unknown][] = [];
  for (const event_id of events) {
    const value = await askTool(key, 'find_value', { query: event_id });
    const arbitrage = await askTool(key, 'find_arbitrage', { query: event_id });
    for (const bet of value.value_bets) found.push([idOf('value', event_id, bet), factsOf(bet)]);
    for (const arb of arbitrage.opportunities) found.push([idOf('arbitrage', event_id, arb), factsOf(arb)]);
  }
  return found.sort(byId);
}

async function askTool(key: string, tool: string, args: object) {
  const { status, body } = await call(`${service.url}/v1/mcp/${tool}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(args),
  });
  expect(status).toBe(200);
  return body as {
    value_bets: Parameters<typeof factsOf>[0][];
    opportunities: Parameters<typeof factsOf>[0][];
  };
}

async function endScoringWorkers(): Promise<number> {
  const channel = new BroadcastChannel('overround-scoring-death');
  const answer = Promise.withResolvers<number>();
  channel.onmessage = ({ data }) => answer.resolve((data as { ended: number }).ended);
  channel.postMessage({});
  const ended = await answer.promise;
  channel.close();
  return ended;
}

describe('signals', () => {
  test('the signals that clients of each tier have followed equal those of the tools, even if scoring workers die', async () => {
    const query = 'signals=value,arbitrage';
    const fast = await StreamClient.open(service.url, { query: `${query}&tick_ms=20`, key: service.key });
    const slow = await StreamClient.open(service.url, { query: `${query}&tick_ms=1500`, key: keys.realtime });
    const free = await StreamClient.open(service.url, { query, key: keys.free });
    const socket = await SocketClient.open(service.url, {
      key: service.key,
      protocols: ['overround.v1.msgpack'],
    });
    socket.send({ op: 'subscribe', id: 's', signals: ['value', 'arbitrage'], tick_ms: 50 });
    expect((await fast.next('hello')).data.signals).toMatchObject({
      kinds: ['value', 'arbitrage'],
      min_edge_pct: 1,
      min_margin_pct: 0,
      reference: 'sharp',
      note: null,
    });
    expect((await free.next('hello')).data.signals).toMatchObject({
      note: expect.stringContaining('free tier'),
    });
    await fast.next('signals');
    const count = () => fast.events.filter(({ event }) => event === 'signal').length;
    for (let round = 0; round < 40; round++) {
      const before = fast.events.length;
      for (let sent = 0; sent < 5; sent++) {
        feed.send(randomQuote(`e${random.index(FIXTURES)}`, BOOKMAKERS[random.index(3)]!, random.index(3)));
      }
      if (round === 10 || round === 20) expect(await endScoringWorkers()).toBe(1);
      await until('the change has come', () => fast.events.length > before);
    }
    await until('there were signals', () => count() > 50);

    // The feed sends no changes now; two heartbeats take longer than the slowest tick.
    const heartbeatsOf = (client: { events: readonly Received[] }) =>
      client.events.filter(({ event }) => event === 'heartbeat').length;
    const [fastBefore, freeBefore] = [heartbeatsOf(fast), heartbeatsOf(free)];
    await until(
      'two heartbeats',
      () => heartbeatsOf(fast) > fastBefore + 2 && heartbeatsOf(free) > freeBefore + 2,
    );
    const { data } = await service.get<{ data: { id: string }[] }>('/v1/events');
    const events = data.map(({ id }) => id);
    expect(events).toHaveLength(FIXTURES);
    const expected = await byTools(service.key, events);
    expect(expected.length).toBeGreaterThan(5);
    expect(openSignals(fast.events)).toEqual(expected);
    expect(openSignals(slow.events)).toEqual(expected);
    expect(openSignals(socket.events)).toEqual(expected);
    const ofFree = await byTools(keys.free, events);
    expect(openSignals(free.events)).toEqual(ofFree);
    expect(JSON.stringify(free.events)).not.toContain('pinnacle');

    // A client that reconnects receives what is open now.
    const { cursor } = (await fast.next('heartbeat', heartbeatsOf(fast))).data;
    const back = await StreamClient.open(service.url, {
      query: `${query}&tick_ms=20&since=${cursor}`,
      key: service.key,
    });
    await back.next('signals');
    expect(back.events.some(({ event }) => event === 'snapshot')).toBe(false);
    expect(openSignals(back.events)).toEqual(expected);
    const signals = back.events.filter(({ event }) => event === 'signal');
    expect(signals.every((one) => one.data.current === true && one.data.change === 'opened')).toBe(true);
    await Promise.all([fast.close(), slow.close(), free.close(), back.close()]);
    socket.socket.close();
  }, 120_000);

  test('a threshold without its kind of signal is refused, and so is an unknown word', async () => {
    const refused = await service.fetch('/v1/stream?signals=arbitrage&min_edge_pct=2.5');
    expect(refused.status).toBe(400);
    expect(JSON.stringify(await refused.json())).toContain('Add signals=value, or drop min_edge_pct');
    const unknown = await service.fetch('/v1/stream?signals=tips');
    expect(unknown.status).toBe(400);
    await unknown.arrayBuffer();
  });

  test('one customer that compares prices in many ways leaves room for comparisons of others', async () => {
    const socket = await SocketClient.open(service.url, { key: service.key });
    for (let way = 1; way <= 7; way++) {
      const bookmakers = BOOKMAKERS.filter((_, bit) => (way >> bit) % 2 === 1);
      for (const market of ['totals', '1x2'])
        socket.send({
          op: 'subscribe',
          id: `${market} ${way}`,
          signals: ['value'],
          bookmakers,
          markets: [market],
        });
    }
    const eventsOf = (name: string) => socket.events.filter(({ event }) => event === name);
    await until('each has an answer', () => eventsOf('hello').length + eventsOf('error').length === 14);
    expect(eventsOf('hello')).toHaveLength(12);
    expect(JSON.stringify(eventsOf('error')[0])).toContain('your share of different choices of bookmakers');
    const query = 'signals=value&period=half_time';
    const other = await StreamClient.open(service.url, { query, key: keys.realtime });
    expect((await other.next('hello')).data.signals).toMatchObject({ kinds: ['value'] });
    await other.close();
    socket.socket.close();
  });
});
