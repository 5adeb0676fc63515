// Requests on the query thread that nobody waits for any more, because the client has left or one of the two
// threads was replaced. Their work ends immediately if it can be aborted or is done in pieces. A request
// whose body has not arrived takes no place on the query thread.

import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import {
  ALL_KEYS,
  ALL_STRANGERS,
  createSharesMemory,
  FairShares,
  sharesState,
} from '../../../src/access/quotas/fair-shares.ts';
import { FairTurns, type TurnCaller } from '../../../src/access/quotas/fair-turns.ts';
import { memoryShares } from '../../../src/access/quotas/memory-budget.ts';
import { StrangersTime } from '../../../src/access/quotas/strangers-time.ts';
import { systemClock } from '../../../src/clock.ts';
import { ServiceError } from '../../../src/errors.ts';
import { MadePieces } from '../../../src/http/kit/pieces.ts';
import { Questions } from '../../../src/http/kit/questions.ts';
import { Reply } from '../../../src/http/kit/reply.ts';
import { definePage, defineRoute, type Route } from '../../../src/http/kit/route.ts';
import { READER_BYTES } from '../../../src/http/kit/sent-body.ts';
import type { FromCallee, ToCallee } from '../../../src/http/remote/calls.ts';
import { RemoteApp } from '../../../src/http/remote/remote-app.ts';
import { until } from '../../support/condition.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import { expectEnvelope } from '../expected-answers.ts';
import { connectRemote, ECHO, GOOD_KEY, startTestServer, type TestServer } from '../kit.ts';

/** How many handlers have begun, and how many were aborted. */
let begun = { work: 0, pieces: 0, bodies: 0 };
let ended = { work: 0, pieces: 0 };

function routes(): readonly Route[] {
  return [
    definePage({
      path: '/v1/work',
      access: 'metered',
      handle: ({ request }) => {
        begun.work += 1;
        const { promise, reject } = Promise.withResolvers<Reply>();
        request.signal.addEventListener('abort', () => {
          ended.work += 1;
          reject(new Error('given up'));
        });
        return promise;
      },
    }),
    definePage({
      path: '/v1/small',
      access: 'metered',
      handle: () => new Reply(new MadePieces({ json: fewPieces, packed: fewPieces, onEnd: () => {} })),
    }),
    definePage({
      path: '/v1/endless',
      access: 'metered',
      handle: () => {
        begun.pieces += 1;
        return new Reply(new MadePieces({ json: pieces, packed: pieces, onEnd: () => ended.pieces++ }));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/platform/read',
      operationId: 'read',
      summary: 'Read',
      description: 'Read.',
      tags: [],
      access: 'account',
      response: ECHO,
      handle: async (_input, { request }) => ({ seen: await lengthOf(request) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/parsed',
      operationId: 'parsed',
      summary: 'Parsed',
      description: 'Parsed.',
      tags: [],
      access: 'metered',
      body: Type.Object({}),
      response: ECHO,
      handle: () => ({ seen: null }),
    }),
  ];
}

function* fewPieces() {
  for (const text of ['[1,', '2]']) yield new TextEncoder().encode(text);
}

function* pieces() {
  while (true) yield new TextEncoder().encode('x'.repeat(100_000));
}

async function lengthOf(request: Request): Promise<number> {
  begun.bodies += 1;
  return (await request.bytes()).length;
}

/** Sends the headers of a body and a part of it. */
async function beginBody(port: number, path: string): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  const head = ['Host: localhost', 'Content-Type: application/json', 'Content-Length: 100', '', '{'];
  connection.send([`POST ${path} HTTP/1.1`, ...head].join('\r\n'));
  return connection;
}

let server: TestServer;
beforeEach(() => {
  begun = { work: 0, pieces: 0, bodies: 0 };
  ended = { work: 0, pieces: 0 };
  server = startTestServer({ routes: routes(), isRemote: true });
});
afterEach(async () => {
  server.remote!.caller.close();
  server.remote!.server.close();
  await server.http.stop(0);
});

/** Sends one request of each kind, and waits until all are open on the other side. */
async function askAll(): Promise<{ leave(): void }> {
  const abort = new AbortController();
  const { signal } = abort;
  const work = fetch(`${server.url}/v1/work`, { signal });
  work.catch(() => {}); // it is aborted, or answered without a reader
  const reader = (await fetch(`${server.url}/v1/endless`, { signal })).body!.getReader();
  await reader.read();
  const body = await beginBody(server.http.port, '/platform/read');
  await until('all are under way', () => begun.work + begun.pieces === 2);
  await until('the body is waited for', () => server.http.bodyCount() === 1);
  expect(begun.bodies).toBe(0);
  expect(server.remote!.server.pendingCount).toBe(2);
  return {
    leave() {
      abort.abort();
      body.end();
    },
  };
}

const ALL_ENDED = { work: 1, pieces: 1 };

describe('the work of a request', () => {
  test("a request's work ends before its deadline if its client has left", async () => {
    const asked = await askAll();
    expect(ended).toEqual({ work: 0, pieces: 0 });
    asked.leave();
    await until('all has ended', () => Bun.deepEquals(ended, ALL_ENDED));
    await until('the body is not waited for', () => server.http.bodyCount() === 0);
  }, 120_000);

  test("a request's work ends before its deadline if the HTTP thread of that number connects again", async () => {
    const asked = await askAll();
    // The old HTTP thread dies silently. The query thread notices only when its successor connects.
    server.remote!.server.connect(0, new MessageChannel().port1);
    await until('all has ended', () => Bun.deepEquals(ended, ALL_ENDED));
    asked.leave();
  }, 120_000);
});

test('a request that the query thread cannot parse is answered immediately, with the error', async () => {
  const asked = { requestId: 'one', clientAddress: '127.0.0.1', holder: ALL_KEYS, body: null };
  const whole = new Request('http://localhost/v1/work');
  // The Host check refuses such URLs before they get here. Any other error on the query thread must end in
  // the same way.
  const broken = new Proxy(whole, {
    get: (target, name) => (name === 'url' ? 'http://localhost:99999/' : Reflect.get(target, name, target)),
  });
  const failure = await server.remote!.caller.answer(broken, asked).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(failure).not.toBeInstanceOf(ServiceError);
  expect(String(failure)).toContain('http://localhost:99999/');
  expect(server.remote!.server.pendingCount).toBe(0);
}, 120_000);

test('a small answer of the query thread may keep its place until it is read, and so may an error of it', async () => {
  const seen: number[] = [];
  const untilRead = (bytes: Uint8Array<ArrayBuffer>) => {
    seen.push(bytes.byteLength);
    return new ReadableStream<Uint8Array>({ pull: (controller) => controller.close() });
  };
  const asked = { requestId: 'one', clientAddress: '127.0.0.1', holder: ALL_KEYS, body: null, untilRead };
  const bodyOf = async (path: string) => {
    const answer = await server.remote!.caller.answer(new Request(`http://localhost${path}`), asked);
    return await answer.text();
  };
  expect(await bodyOf('/v1/small')).toBe('');
  expect(seen).toHaveLength(1);
  expect(await bodyOf('/v1/nothing')).toBe('');
  expect(seen).toHaveLength(2);
}, 120_000);

test('a small body is sent together with its answer, in one message, although it is made in pieces', async () => {
  const { caller, server: callee } = server.remote!;
  const [near, far] = [new MessageChannel(), new MessageChannel()];
  const seen: string[] = [];
  function pass(from: MessagePort, to: MessagePort): void {
    from.onmessage = ({ data }) => {
      const { type, name } = data as { readonly type: string; readonly name?: string };
      seen.push(name ?? type);
      to.postMessage(data);
    };
  }
  pass(near.port2, far.port1);
  pass(far.port1, near.port2);
  callee.connect(0, far.port2);
  caller.connect(near.port1);
  await until('the routes are known', () => seen.length === 2);
  const answer = await fetch(`${server.url}/v1/small`, { headers: { 'accept-encoding': 'identity' } });
  expect(await answer.json()).toEqual([1, 2]);
  expect(seen).toEqual(['routes', 'answer', 'request', 'answer']);
}, 120_000);

test('each reader of a large document counts against the memory budget until it has read it or is gone', async () => {
  const memory = createSharesMemory(memoryShares(8 * 1024 * 1024), 1, 0);
  const held = () => sharesState(memory).strangers.held;
  // More than the system buffers for a client that reads nothing.
  const document = new Reply(new Blob([new Uint8Array(16 * 1024 * 1024)]));
  await using documents = startTestServer({
    routes: [definePage({ path: '/document', handle: () => document })],
    isRemote: true,
    budget: new FairShares(memory, 0),
  });
  const max = sharesState(memory).strangers.max / READER_BYTES;
  const clients: RawConnection[] = [];
  for (let count = 0; count < max; count++) {
    const client = await RawConnection.open(documents.http.port, { reads: false, charsMax: 1_000 });
    client.send('GET /document HTTP/1.1\r\nHost: localhost\r\n\r\n');
    clients.push(client);
  }
  await until('all count', () => held() === max * READER_BYTES);
  const refused = await fetch(`${documents.url}/document`);
  await expectEnvelope(refused, 503, 'upstream_unavailable');
  expect(refused.headers.get('connection')).toBe('close');
  for (const client of clients) client.end();
  await until('none counts', () => held() === 0);
  expect((await (await fetch(`${documents.url}/document`)).bytes()).length).toBe(16 * 1024 * 1024);
  await until('it no longer counts', () => held() === 0);
}, 120_000);

const WITH_SESSION = { cookie: 'overround_session=ses_standard' };

test.each([
  ['a session', WITH_SESSION],
  ['a key', { authorization: GOOD_KEY }],
])(
  'a large document is sent to a caller with %s while slow readers hold all memory for callers without one',
  async (_which, headers) => {
    const memory = createSharesMemory(memoryShares(8 * 1024 * 1024), 1, 0);
    const budget = new FairShares(memory, 0);
    const { held, max } = sharesState(memory).strangers;
    expect(budget.reserve(ALL_STRANGERS, max - held)).toBe(true);
    const turns = new FairTurns({ monotonicMs: () => systemClock.monotonicMs() });
    const questions = new Questions({ turns, slateVersion: () => 1, wallMs: () => systemClock.wallMs() });
    const taken = spyOn(turns, 'tryTo');
    const document = new Reply(new Blob([new Uint8Array(1024 * 1024)]));
    const routes = [definePage({ path: '/document', handle: () => document })];
    await using documents = startTestServer({ routes, isRemote: true, budget, questions });
    await expectEnvelope(await fetch(`${documents.url}/document`), 503, 'upstream_unavailable');
    taken.mockClear();
    const answer = await fetch(`${documents.url}/document`, { headers });
    expect([answer.status, (await answer.bytes()).length]).toEqual([200, 1024 * 1024]);
    expect(taken.mock.calls.length).toBeGreaterThan(16);
    expect(taken.mock.calls.filter(([caller]) => !caller.hasKey)).toEqual([]);
  },
);

test('a large document is sent completely, even if too many jobs wait to queue its pieces', async () => {
  const strangersTime = new StrangersTime(() => 0);
  const turns = new FairTurns({ monotonicMs: () => systemClock.monotonicMs(), strangersTime });
  const questions = new Questions({ turns, slateVersion: () => 1, wallMs: () => systemClock.wallMs() });
  const document = definePage({
    path: '/document',
    handle: () => {
      strangersTime.spend(10_000);
      let count = 0;
      while (turns.tryTo({ name: `${count % 100}`, hasKey: false }, () => {})) count += 1;
      return new Reply(new Blob([new Uint8Array(1024 * 1024)]));
    },
  });
  await using documents = startTestServer({ routes: [document], isRemote: true, questions });
  const answer = await fetch(`${documents.url}/document`);
  expect([answer.status, (await answer.bytes()).length]).toEqual([200, 1024 * 1024]);
  expect(turns.waitingCount).toBeGreaterThan(2_000);
});

describe('an HTTP thread without a query thread', () => {
  beforeEach(() => server.remote!.caller.disconnect());

  test.each([
    ['/v1/work', GOOD_KEY, 503, '600', '*'],
    ['/v1/work', null, 503, '60', '*'],
    ['/v1/work', 'Bearer dead', 401, '60', '*'],
    ['/platform/read', 'Bearer session', 503, '60', null],
  ])(
    'without a query thread, an HTTP thread answers a request to %s with the header %p with %d',
    async (path, authorization, status, limit, origin) => {
      const charged = server.gate.unitsCharged;
      const response = await fetch(server.url + path, {
        method: path === '/v1/work' ? 'GET' : 'POST',
        headers: { origin: 'https://page.example', ...(authorization === null ? {} : { authorization }) },
      });
      await expectEnvelope(response, status, status === 503 ? 'upstream_unavailable' : 'unauthorized');
      expect(response.headers.get('x-ratelimit-limit')).toBe(limit);
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(server.gate.unitsCharged).toBe(charged);
    },
  );
});

describe('an HTTP thread that is connected to another query thread', () => {
  test('once a new query thread is connected, requests that wait for the former one are refused, and later ones go to the new one', async () => {
    const work = fetch(`${server.url}/v1/work`);
    await until('it is under way', () => begun.work === 1);
    server.remote!.caller.connect(new MessageChannel().port1);
    const { status, headers } = await work;
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    connectRemote(server.remote!);
    const length = await fetch(`${server.url}/platform/read`, { method: 'POST', body: '12345' });
    expect(await length.json()).toEqual({ seen: 5 });
  }, 120_000);

  test('an HTTP thread asks again for the routes if the query thread did not answer in time', async () => {
    let nowMs = 0;
    const caller = new RemoteApp({ monotonicMs: () => nowMs });
    const { port1, port2 } = new MessageChannel();
    let asked = 0;
    port1.onmessage = ({ data }) => {
      const message = data as ToCallee;
      if (message.type !== 'call' || message.name !== 'routes') return;
      asked += 1;
      if (asked === 1) nowMs += 60_000;
      else port1.postMessage({ type: 'answer', id: message.id, answer: [], body: undefined });
    };
    caller.connect(port2);
    await until('it knows the routes', () => caller.routes !== null);
    expect(asked).toBe(2);
    caller.close();
    port1.close();
  }, 120_000);

  test('answers of the former query thread are ignored, and its port is closed', async () => {
    const caller = new RemoteApp(systemClock);
    const [before, after] = [new MessageChannel(), new MessageChannel()];
    const closed = new Promise<void>((resolve) => {
      before.port1.addEventListener('close', () => resolve());
    });
    before.port1.start();
    caller.connect(before.port2);
    caller.connect(after.port2);
    after.port1.onmessage = ({ data }) => {
      const message = data as ToCallee;
      if (message.type !== 'call' || message.name !== 'request') return;
      const { id } = message;
      before.port1.postMessage(answerOf(id, 500));
      after.port1.postMessage(answerOf(id, 200));
    };
    const asked = { requestId: 'one', clientAddress: '127.0.0.1', holder: ALL_KEYS, body: null };
    expect((await caller.answer(new Request('http://localhost/'), asked)).status).toBe(200);
    await closed;
    caller.close();
  }, 120_000);
});

function answerOf(id: number, status: number): FromCallee {
  return { type: 'answer', id, answer: { status, headers: [], isLengthUnknown: false }, body: null };
}

test('a log-in is answered while callers without a key have used up their time and their places', async () => {
  const strangersTime = new StrangersTime(() => 0);
  strangersTime.spend(10_000);
  const turns = new FairTurns({ monotonicMs: () => systemClock.monotonicMs(), strangersTime });
  const questions = new Questions({ turns, slateVersion: () => 1, wallMs: () => systemClock.wallMs() });
  await using busy = startTestServer({ routes: routes(), isRemote: true, questions, pendingMax: 8 });
  const leaving = new AbortController();
  const waiting = fetch(`${busy.url}/v1/small`, { signal: leaving.signal });
  waiting.catch(() => {}); // it is aborted
  await until('it waits', () => busy.remote!.server.pendingCount === 1);
  expect((await fetch(`${busy.url}/v1/small`)).status).toBe(503);
  const headers = { 'content-type': 'application/json' };
  const login = await fetch(`${busy.url}/platform/read`, { method: 'POST', headers, body: '{}' });
  expect(login.status).toBe(200);
  expect(busy.remote!.server.pendingCount).toBe(1);
  leaving.abort();
});

test('a key or session over its limit is refused without a turn on the query thread, and the refusal has the request’s route and limit', async () => {
  let turnCount = 0;
  class CountingTurns extends FairTurns {
    override tryTo(caller: TurnCaller, job: () => void): boolean {
      turnCount += 1;
      return super.tryTo(caller, job);
    }
  }
  const turns = new CountingTurns({ monotonicMs: () => systemClock.monotonicMs() });
  const questions = new Questions({ turns, slateVersion: () => 1, wallMs: () => systemClock.wallMs() });
  await using asked = startTestServer({ routes: routes(), isRemote: true, questions });
  const ask = (headers: Record<string, string>) => fetch(`${asked.url}/v1/small`, { headers });
  const key = { authorization: GOOD_KEY };
  await asked.remote!.caller.whenRouted;
  asked.gate.refusal = new ServiceError('rate_limit_exceeded', 'Cannot answer: too many requests');
  for (const headers of [key, WITH_SESSION]) {
    const refused = await ask(headers);
    expect([refused.status, refused.headers.get('x-ratelimit-limit')]).toEqual([429, '600']);
  }
  expect([turnCount, asked.gate.unitsCharged]).toEqual([0, 0]);
  expect(asked.finished.map(({ status, route }) => [status, route])).toEqual([
    [429, '/v1/small'],
    [429, '/v1/small'],
  ]);
  asked.gate.refusal = null;
  expect((await ask(key)).status).toBe(200);
  expect(turnCount).toBeGreaterThan(0);
  expect(asked.gate.unitsCharged).toBe(1);
});

test('after a session has been checked, its work takes the turns of its account, and not the turns for account requests', async () => {
  const turns = new FairTurns({ monotonicMs: () => systemClock.monotonicMs() });
  const questions = new Questions({ turns, slateVersion: () => 1, wallMs: () => systemClock.wallMs() });
  const taken = spyOn(turns, 'tryTo');
  const route = definePage({
    path: '/platform/names',
    access: 'account',
    handle: (context) =>
      context.inTurnOf({ id: 'acc_1', plan: 'standard' }, () => Reply.json({ seen: null })),
  });
  await using server = startTestServer({ routes: [route], isRemote: true, questions });
  expect((await fetch(`${server.url}/platform/names`)).status).toBe(200);
  const names = taken.mock.calls.map(([caller]) => caller.name);
  expect(names.slice(-2)).toEqual(['accounts', 'acc_1']);
});
