// The application without a socket: which answers are ready without a wait, deprecated routes, answers that
// do not fit their schema, and answers in pieces.

import { expect, test } from 'bun:test';
import {
  createSharesMemory,
  FairShares,
  sharesState,
  strangerAt,
} from '../../src/access/quotas/fair-shares.ts';
import { FairTurns } from '../../src/access/quotas/fair-turns.ts';
import { FreePace } from '../../src/access/quotas/free-pace.ts';
import { memoryShares } from '../../src/access/quotas/memory-budget.ts';
import { systemClock } from '../../src/clock.ts';
import { LimitParameter } from '../../src/contract/parameters.ts';
import { exact, optional } from '../../src/contract/schema.ts';
import { createApp, type WholeApp } from '../../src/http/app.ts';
import { openApiDocument } from '../../src/http/docs/openapi.ts';
import { ownBudget } from '../../src/http/kit/create-server-parts.ts';
import { Forms } from '../../src/http/kit/forms.ts';
import { AnswerHeaders } from '../../src/http/kit/headers.ts';
import { createPagePlaces, createPlaces } from '../../src/http/kit/in-flight.ts';
import { pieceByPiece, piecesOf } from '../../src/http/kit/pieces.ts';
import { Reply } from '../../src/http/kit/reply.ts';
import { Negotiator } from '../../src/http/kit/representation.ts';
import { RequestContext } from '../../src/http/kit/request/request-context.ts';
import { definePage, defineRoute } from '../../src/http/kit/route.ts';
import { mcpRoutes } from '../../src/http/routes/tools.ts';
import { eventLoopTurn } from '../../src/pause.ts';
import { ECHO, SECRET, TestGate, testRoutes } from './kit.ts';

/** The size of /large. It is half of the memory that callers without a key may hold together. */
const LARGE_BYTES = 32 * 1024 * 1024;
const LIMITED = exact({ limit: optional(LimitParameter) });

const edge = {
  deps: {
    clock: systemClock,
    gate: new TestGate(),
    publicUrl: 'http://odds.example',
    log: { error: () => {} },
    nextRequestId: () => 'id',
    count: () => {},
    reportsRequests: false,
    observe: () => {},
  },
  inFlight: createPlaces(1),
  pagePlaces: createPagePlaces(),
  budget: ownBudget(),
  freePace: new FreePace(),
  headers: new AnswerHeaders(false),
  negotiator: new Negotiator(),
  forms: new Forms(),
  cutsBlobs: false,
  turns: new FairTurns({ monotonicMs: () => 0 }),
  questions: null,
  peerOf: () => '127.0.0.1',
  keepOpen: () => () => undefined,
  upgrade: () => false,
};

// Elysia awaits a handler whose source looks asynchronous, which costs a promise and a deadline timer per
// request.
test('createApp: synchronous routes return a Response, not a promise, errors included', () => {
  const app = createApp(testRoutes());
  for (const path of ['/v1/things', '/v1/things?limit=x', '/v1/things/a/odds/1x2', '/crash', '/large']) {
    const answer = answerOf(app, edge, new Request(`http://localhost${path}`));
    expect(answer, path).toBeInstanceOf(Response);
  }
});

test('createApp: a deprecated route is marked in every answer and in the OpenAPI document', async () => {
  const deprecation = {
    sinceMs: Date.UTC(2027, 0, 2),
    sunsetMs: Date.UTC(2027, 6, 1, 12),
    url: 'http://odds.example/docs',
  };
  const facts = { method: 'GET', summary: '', description: '', tags: [], access: 'open' } as const;
  const made = [
    { ...facts, path: '/v1/old', operationId: 'old', deprecation },
    { ...facts, path: '/v1/older', operationId: 'older', deprecation: { ...deprecation, sunsetMs: null } },
    { ...facts, path: '/v1/new', operationId: 'new' },
  ].map((one) =>
    defineRoute({
      ...one,
      query: LIMITED,
      response: ECHO,
      keep: () => ({ ready: () => null, isAhead: () => false }),
      handle: () => ({ seen: 1 }),
    }),
  );
  const app = createApp(made);
  const headersOf = async (path: string): Promise<(string | null)[]> => {
    const request = new Request(`http://localhost${path}`);
    const context = new RequestContext(edge, request);
    const { headers } = await app.find(request)(context);
    expect(context.plan?.keep() ?? null).toEqual(path === '/v1/new' ? expect.anything() : null);
    return ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));
  };
  const link = '<http://odds.example/docs>; rel="deprecation"; type="text/html"';
  const all = ['@1798848000', 'Thu, 01 Jul 2027 12:00:00 GMT', link];
  expect(await headersOf('/v1/old')).toEqual(all);
  expect(await headersOf('/v1/old?limit=none')).toEqual(all); // answered 422
  expect(await headersOf('/v1/older')).toEqual(['@1798848000', null, link]);
  expect(await headersOf('/v1/new')).toEqual([null, null, null]);
  const { paths } = openApiDocument(made, 'http://odds.example');
  expect(paths).toMatchObject({ '/v1/old': { get: { deprecated: true } } });
  expect(JSON.stringify((paths as Record<string, unknown>)['/v1/new'])).not.toContain('deprecated');
});

test('createApp: an answer that does not fit its schema becomes a 500 that contains no part of the answer', async () => {
  const misshapen = [{}, { seen: 1, more: SECRET }, [SECRET], null, { see: SECRET }];
  for (const answer of [...misshapen, ...misshapen.map((value) => Reply.json(value))]) {
    const route = defineRoute({
      ...{ method: 'GET', path: '/v1/misshapen', operationId: 'misshapen', summary: '', description: '' },
      ...{ tags: [], access: 'open', response: ECHO },
      handle: () => answer as { seen: unknown },
    });
    const app = createApp([route]);
    const response = await answerOf(app, edge, new Request('http://localhost/v1/misshapen'));
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'internal' } });
    expect(text).not.toContain(SECRET);
  }
});

test('createApp: Allow names all methods of a path', async () => {
  const page = (method: 'GET' | 'POST') =>
    definePage({ path: '/shared', method, handle: () => new Reply('{}') });
  const app = createApp([page('GET'), page('POST')]);
  const send = (method: string) => answerOf(app, edge, new Request('http://localhost/shared', { method }));
  expect((await send('GET')).status).toBe(200);
  expect((await send('POST')).status).toBe(200);
  expect((await send('DELETE')).headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
});

test('an answer in pieces counts against the memory budget until its client has read it or has left', async () => {
  const app = createApp(testRoutes());
  const budgetMemory = createSharesMemory(memoryShares(256 * 1024 * 1024), 1, 0);
  const budget = new FairShares(budgetMemory, 0);
  const held = () => sharesState(budgetMemory).strangers.held;
  const parts = { ...edge, inFlight: createPlaces(64), budget };
  const ask = () => answerOf(app, parts, new Request('http://localhost/large')) as Response;
  const [read, left] = [ask(), ask()];
  expect(held()).toBe(2 * LARGE_BYTES);
  expect(ask().status).toBe(503);
  await left.body!.cancel();
  expect(held()).toBe(LARGE_BYTES);
  expect((await read.bytes()).length).toBe(LARGE_BYTES);
  expect(held()).toBe(0);
});

test('the events of an MCP call take a place and memory until their client has read them or is gone', async () => {
  const calls: ReadableStreamDefaultController<Uint8Array>[] = [];
  let leftCount = 0;
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => void calls.push(controller);
  const cancel = () => void leftCount++;
  const headers = { 'content-type': 'text/event-stream' };
  const fetch = async () => new Response(new ReadableStream<Uint8Array>({ start, cancel }), { headers });
  const app = createApp(mcpRoutes({ fetch }));
  const budgetMemory = createSharesMemory(memoryShares(256 * 1024 * 1024), 1, 0);
  const parts = { ...edge, inFlight: createPlaces(64), budget: new FairShares(budgetMemory, 0) };
  // Callers without a key share 16 of these places, and one address may hold two.
  const address = strangerAt('127.0.0.1');
  const held = () => [
    parts.inFlight.heldBy(address, address.subjects[0]!),
    sharesState(budgetMemory).strangers.held > 100_000,
  ];
  const ask = () => answerOf(app, parts, new Request('http://localhost/mcp', { method: 'POST' }));
  const [read, left] = [await ask(), await ask()];
  expect(held()).toEqual([2, true]);
  expect([(await ask()).status, leftCount]).toEqual([503, 1]);
  await left.body!.cancel();
  expect([...held(), leftCount]).toEqual([1, true, 2]);
  const text = read.text();
  calls[0]!.enqueue(new TextEncoder().encode('data: 1\n\n'));
  await eventLoopTurn();
  expect(held()).toEqual([1, true]);
  calls[0]!.close();
  expect([await text, ...held()]).toEqual(['data: 1\n\n', 0, false]);
});

test('an answer in pieces ends once, even if its client leaves while a piece waits for its turn', async () => {
  const waited = Promise.withResolvers<void>();
  let endCount = 0;
  const body = pieceByPiece(piecesOf(new Uint8Array(10)), {
    turn: () => waited.promise,
    onEnd: () => {
      endCount += 1;
    },
  });
  const reader = body.getReader();
  const reading = reader.read();
  await eventLoopTurn();
  await reader.cancel();
  waited.resolve();
  await reading;
  await eventLoopTurn();
  expect(endCount).toBe(1);
});

test('if a client leaves in the middle of an answer in pieces, the generator of the pieces is ended', async () => {
  let isEnded = false;
  function* endless(): Generator<Uint8Array> {
    try {
      for (;;) yield new Uint8Array(10);
    } finally {
      isEnded = true;
    }
  }
  const reader = pieceByPiece(endless(), {
    turn: () => Promise.resolve(),
    onEnd: () => undefined,
  }).getReader();
  await reader.read();
  expect(isEnded).toBe(false);
  await reader.cancel();
  expect(isEnded).toBe(true);
});

function answerOf(
  app: WholeApp,
  edge: ConstructorParameters<typeof RequestContext>[0],
  request: Request,
): Response | Promise<Response> {
  return app.find(request)(new RequestContext(edge, request));
}
