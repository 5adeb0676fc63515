// A caller who may not see the sharp bookmaker cannot detect that the feed has it, or that it moves: whatever
// the caller sends, and whenever, every route answers with the same bytes and headers as before. The tests
// cover REST with its refusals and tools, MCP, the operator's pages for a stranger, the stream and the
// socket. Such callers see Server-Timing in whole steps of ten milliseconds; on a busy machine a scan takes
// several steps. The tests measure no times. A cached answer is faster than a new one, so the operator's
// counters are read to find whether an answer came from the cache.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Answered } from '../support/call.ts';
import { type Caller, PROXY_SETTINGS } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { slateOfAllBooks } from '../support/made-up-slate.ts';
import { readPrometheus } from '../support/prometheus.ts';
import { HELLO_AT, quoteMessage } from '../support/recording-file.ts';
import type { SampleRequest } from '../support/samples.ts';
import { ScriptedFeed } from '../support/scripted-feed.ts';
import { SocketClient, type SocketEvent } from '../support/socket-client.ts';
import { StreamClient } from '../support/stream-client.ts';
import { Surface } from '../support/surface.ts';

const SHARP = 'pinnacle';
const BLIND = ['keyless', 'free'] as const;
const LINES = [-1, -0.75, -0.5, 0, 0.25];
/** How many of an operation's good requests are sent. test/service/walk.test.ts sends all of them. */
const SAMPLES_MAX = 6;
const OWN_OPERATIONS = ['getUsage', 'createTicket'];
/** Headers that depend on the caller or the request, not on the slate. */
const OWN_HEADERS = /^(date|x-request-id|x-ratelimit-.*|retry-after)$/;
/** A Server-Timing header in whole steps of ten milliseconds. */
const WHOLE_STEPS = /^app;dur=\d*0\.00$/;

const MCP_HEADERS = { accept: 'application/json, text/event-stream' };
/** Other encodings of the same answer, each with its own length and entity tag. */
const FORMS: readonly Record<string, string>[] = [
  { 'accept-encoding': 'gzip' },
  { accept: 'application/msgpack' },
  { 'accept-encoding': 'identity' },
];

const move = fc.record({
  fixture: fc.integer({ min: 0, max: 7 }),
  market: fc.constantFrom('1x2', 'asian_handicap', 'totals'),
  period: fc.constantFrom('full_time', 'half_time'),
  line: fc.constantFrom(...LINES),
  prices: fc.array(fc.integer({ min: 101, max: 900 }), { minLength: 3, maxLength: 3 }),
  status: fc.constantFrom('open', 'suspended'),
  closes: fc.boolean(),
  /**
   * How long before the hello the price is stamped, so that some openings are older than the present prices.
   */
  agoMs: fc.integer({ min: 0, max: 20_000 }),
});

type Move = typeof move extends fc.Arbitrary<infer One> ? One : never;

const SLATE = slateOfAllBooks();
const OF_SHARP = SLATE.filter(({ bookmaker }) => bookmaker === SHARP);

let feed: ScriptedFeed;
let surface: Surface;

beforeAll(async () => {
  // The slate does not have the sharp bookmaker's prices yet: the first test sends them.
  const slate = SLATE.filter((message) => !OF_SHARP.includes(message));
  feed = new ScriptedFeed({ slate: () => slate, at: () => HELLO_AT });
  surface = await Surface.on(
    { FEED: feed.url, ...PROXY_SETTINGS },
    { freeKeys: 250, overrides: { feedNowMs: Date.parse(HELLO_AT) } },
  );
}, 120_000);
afterAll(async () => {
  await surface[Symbol.asyncDispose]();
  feed.stop();
}, 120_000);

// This must be the first test: before it, the feed must never have had the sharp bookmaker.
test('callers without the sharp bookmaker get the same answers whether the feed has the sharp bookmaker or not', async () => {
  const { document, samples } = surface;
  // Left out are answers about usage and tickets, which are the caller's own, and about accounts, which have
  // no quotes.
  const operations = document.operations.filter(
    ({ isAccount, operationId }) => !isAccount && !OWN_OPERATIONS.includes(operationId),
  );
  /** Each answer of a caller of one kind, after the name of its operation. */
  const answersOf = async (sees: boolean): Promise<string[]> => {
    const answers: string[] = [];
    for (const operation of operations) {
      // The answers of callers who see the bookmaker must only be seen to change.
      const requests = samples.good(operation).slice(0, sees ? 2 : SAMPLES_MAX);
      for (const [index, request] of requests.entries()) {
        // Callers without a key are in the free tier too, so every other request is sent without a key.
        const blind = operation.needsKey || index % 2 === 0 ? 'free' : 'keyless';
        const { status, text } = await surface.send(sees ? 'standard' : blind, request);
        answers.push(`${operation.operationId} ${status} ${text}`);
      }
    }
    return answers;
  };
  const [blindBefore, before] = [await answersOf(false), await answersOf(true)];
  for (const message of OF_SHARP) feed.send(message, String(message.at));
  await until('the last price is applied', async () => {
    const { prices } = OF_SHARP.at(-1)!;
    const text = JSON.stringify(await surface.running.get('/v1/odds?bookmakers=pinnacle'));
    return (prices as readonly number[]).every((price) => text.includes(String(price)));
  });
  expect(await answersOf(false)).toEqual(blindBefore);
  // For callers who may see the bookmaker the answers do differ.
  const after = await answersOf(true);
  const changed = new Set(
    after.flatMap((answer, index) => (answer === before[index] ? [] : [answer.split(' ')[0]])),
  );
  const expected = ['getEventOdds', 'getEventMarketOdds', 'getEventOpening', 'batchOdds'];
  expect([...changed]).toEqual(expect.arrayContaining(expected));
  expect(changed.size).toBeGreaterThan(8);
}, 120_000);

test('cached odds for callers without the sharp bookmaker stay cached while it moves', async () => {
  let asked = 0;
  const askAll = async () => {
    for (const id of surface.eventIds) {
      for (const caller of BLIND) {
        for (const headers of FORMS) {
          const request = { method: 'GET', path: `/v1/events/${id}/odds`, body: null };
          expect((await surface.send(caller, request, headers)).status).toBe(200);
          asked += 1;
        }
      }
    }
  };
  /**
   * Counts of the server so far: answers of odds that were not in the cache, all answers of odds, and open
   * streams.
   */
  const countsOf = async () => {
    const metrics = readPrometheus(await (await fetch(`${surface.running.url}/metrics`)).text());
    const countOf = (name: string) =>
      metrics.get(`overround_${name}`)!.samples.reduce((sum, { value }) => sum + value, 0);
    const made = countOf('answer_cache_misses_total');
    return { made, all: made + countOf('answer_cache_hits_total'), streams: countOf('streams_open') };
  };
  // A thread publishes its counts together: when it counts a new stream, it has counted all earlier answers.
  const stream = await blindStream(surface, 'free');
  let earlier = 0;
  await until('the earlier answers are counted', async () => {
    const { all, streams } = await countsOf();
    earlier = all;
    return streams > 0;
  });
  await stream.close();
  /** Returns how many answers were not in the cache, once all answers are counted. */
  const missCount = async (): Promise<number> => {
    let made = 0;
    await until('all answers are counted', async () => {
      const counts = await countsOf();
      made = counts.made;
      return counts.all === earlier + asked;
    });
    return made;
  };
  // An answer is cached when it is made for the second time.
  await askAll();
  await askAll();
  const made = await missCount();
  for (const price of [1.7, 1.8, 1.9]) {
    const { slateVersion } = await sharpSight(surface);
    for (let fixture = 0; fixture < surface.eventIds.length; fixture++) {
      const quote = { bookmaker: SHARP, line: 0, prices: [price, 2] as const };
      feed.send(quoteMessage(`fixture-${fixture}`, quote, HELLO_AT), HELLO_AT);
    }
    await until('the moves are applied', async () => {
      return (await sharpSight(surface)).slateVersion !== slateVersion;
    });
    await askAll();
  }
  expect(await missCount()).toBe(made);
}, 120_000);

test('no answer of any route changes for a caller without the sharp bookmaker while the sharp bookmaker moves', async () => {
  const { document, samples } = surface;
  // Left out are the operations of accounts, which have no quotes, and the operations about the caller's own
  // usage and ticket.
  const operations = document.operations.filter(
    ({ isAccount, operationId }) => !isAccount && !OWN_OPERATIONS.includes(operationId),
  );
  const requests = [
    ...operations.flatMap((operation) => [
      ...samples.good(operation).slice(0, SAMPLES_MAX),
      ...samples.bad(operation).slice(0, 2),
    ]),
    ...operations.flatMap((operation) => samples.good(operation).slice(0, 1).flatMap(mcpCallOf)),
    ...['/metrics', '/platform/operator', '/v1/nothing'].map((path) => ({ method: 'GET', path, body: null })),
  ];
  const odds = { method: 'GET', path: `/v1/events/${surface.eventIds[0]}/odds`, body: null };
  const formed = FORMS.flatMap((headers) => BLIND.map((caller) => ({ caller, request: odds, headers })));
  /**
   * Every request is in the list twice, once for each kind of caller. The order of the callers alternates. So
   * every second position has each request once, and each kind of caller about equally often.
   */
  const asked = [
    ...requests.flatMap((request, index) => {
      const headers: Record<string, string> = request.path === '/mcp' ? MCP_HEADERS : {};
      const callers = index % 2 === 0 ? BLIND : BLIND.toReversed();
      return callers.map((caller) => ({ caller, request, headers }));
    }),
    ...formed,
  ];
  const answerOf = async ({ caller, request, headers }: (typeof asked)[number]): Promise<string> =>
    shownOf(request, await surface.send(caller, request, headers));
  const streams = await Promise.all(BLIND.map((caller) => blindStream(surface, caller)));
  const socket = await SocketClient.open(surface.running.url, {
    headers: surface.callers.headersOf('free'),
    protocols: ['overround.v1.json'],
  });
  socket.send({ op: 'subscribe', id: 'all' });
  await socket.next('snapshot', { id: 'all' });
  const pushed = (): SocketEvent[] =>
    socket.events.filter(({ event }) => !['hello', 'snapshot', 'heartbeat'].includes(event));
  let round = 0;
  const before: string[] = [];
  for (const one of asked) before.push(await answerOf(one));
  expect(before.length).toBeGreaterThan(100);
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 30, maxLength: 80 }), async (moves) => {
      round += 1;
      const { slateVersion } = await sharpSight(surface);
      for (const { agoMs, ...one } of moves) {
        const at = new Date(Date.parse(HELLO_AT) - agoMs).toISOString();
        feed.send(moveMessage(one), at);
      }
      // A caller who sees the sharp bookmaker must see it move, so the moves are applied before answers are
      // compared.
      feed.send(
        quoteMessage('fixture-0', { bookmaker: SHARP, line: 3, prices: [1 + round / 100, 2] }, HELLO_AT),
        HELLO_AT,
      );
      await until('the moves are applied', async () => {
        return (await sharpSight(surface)).slateVersion !== slateVersion;
      });
      // Every two rounds send every request twice: in one round as one kind of caller, in the next as the
      // other.
      const changed: string[] = [];
      for (const [index, one] of asked.entries()) {
        if (index % 2 !== round % 2) continue;
        const answer = await answerOf(one);
        if (answer !== before[index]) changed.push(answer);
      }
      expect(changed).toEqual([]);
    }),
    { numRuns: 2, endOnFailure: true },
  );
  // These streams have received no change so far. A change that every tier sees still arrives.
  for (const stream of streams) expect(stream.events()).toEqual([]);
  expect(pushed()).toEqual([]);
  const beats = socket.events.filter(({ event }) => event === 'heartbeat');
  expect(new Set(beats.map(({ cursor, data }) => JSON.stringify([cursor, data]))).size).toBeLessThan(2);
  feed.send(
    quoteMessage('fixture-0', { bookmaker: 'crown', line: 0, prices: [1.5, 2.5] }, HELLO_AT),
    HELLO_AT,
  );
  await until('the streams say so', () => streams.every((stream) => stream.events().length === 1));
  await until('the socket says so', () => pushed().some(({ id }) => id === 'all'));
  for (const stream of streams) await stream.close();
  await socket.close();
}, 120_000);

function moveMessage({ fixture, market, period, line, prices, status, closes }: Omit<Move, 'agoMs'>) {
  const lined = market === '1x2' ? {} : { line: market === 'totals' ? Math.abs(line) : line };
  const named = { event: `fixture-${fixture}`, bookmaker: SHARP, market_type: market, period, ...lined };
  if (closes) return { type: 'close', ...named };
  const decimals = prices.slice(0, market === '1x2' ? 3 : 2).map((price) => price / 100);
  return { type: 'quote', ...named, prices: decimals, status };
}

/** The cursor of the slate for a caller who sees everything. It changes with every batch. */
async function sharpSight({ running }: Surface): Promise<{ slateVersion: string }> {
  const { cursor } = await running.get<{ cursor: string }>('/v1/odds');
  return { slateVersion: cursor };
}

function shownOf({ path, body }: SampleRequest, { status, headers, text }: Answered): string {
  const shown = [...headers].filter(
    ([name, value]) => !OWN_HEADERS.test(name) && !(name === 'server-timing' && WHOLE_STEPS.test(value)),
  );
  // An error contains the id of its request.
  const said = text.replace(/"request_id":"[^"]*"/, '');
  return `${path} ${body} ${status} ${JSON.stringify(shown)} ${said}`;
}

/**
 * The MCP call that equals this call of a tool over REST, as a list of one; an empty list for any other
 * request.
 */
function mcpCallOf({ path, body }: SampleRequest): SampleRequest[] {
  const name = /^\/v1\/mcp\/(\w+)$/.exec(path)?.[1];
  if (name === undefined || body === null) return [];
  const params = { name, arguments: JSON.parse(body) as unknown };
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return [{ method: 'POST', path: '/mcp', body: call }];
}

/** A stream of odds, and the events after its snapshot except heartbeats. */
async function blindStream({ running, callers }: Surface, caller: Caller) {
  const stream = await StreamClient.open(running.url, {
    query: '',
    key: null,
    headers: callers.headersOf(caller),
  });
  await until('the snapshot is complete', () => stream.events.at(-1)?.data.last === true);
  const before = stream.events.length;
  return {
    events: () => stream.events.slice(before).filter(({ event }) => event !== 'heartbeat'),
    close: () => stream.close(),
  };
}
