import { expect, spyOn, test } from 'bun:test';
import { connect } from 'node:net';
import { StrangerPace } from '../../../src/access/quotas/stranger-pace.ts';
import { systemClock } from '../../../src/clock.ts';
import { ServiceError } from '../../../src/errors.ts';
import { eventLoopTurn } from '../../../src/pause.ts';
import { FREE_KEY, GOOD_KEY, startTestServer } from '../../http/kit.ts';
import { until } from '../../support/condition.ts';
import { refusalOf } from '../../support/failure.ts';

const refusal = () => new Response('{}', { status: 429 });
/** A client that does not leave. */
const PRESENT = new AbortController().signal;
const REQUEST = new Request('http://localhost/no', { signal: PRESENT });

test('six hundred requests are answered without a wait; each further request waits four milliseconds longer than the one before', () => {
  let nowMs = 5_000;
  const waits: number[] = [];
  const pace = new StrangerPace({ monotonicMs: () => nowMs }, async (ms) => {
    waits.push(ms);
  });
  const arrivals = Array.from({ length: 603 }, () => pace.arrive());
  expect(arrivals.filter((rest) => rest !== null).length).toBe(3);
  expect(waits).toEqual([504, 508, 512]);
  // In a fifth of a second the pace has room for fifty more requests: the three that waited, and 47 others.
  nowMs += 200;
  for (let count = 0; count < 47; count++) expect(pace.arrive()).toBeNull();
  expect(pace.arrive()).toBeInstanceOf(Promise);
});

test('however many refusals wait, none waits for more than four and a half seconds', () => {
  const waits: number[] = [];
  const pace = new StrangerPace({ monotonicMs: () => 0 }, (ms) => {
    waits.push(ms);
    return new Promise(() => {});
  });
  for (let count = 0; count < 2_000; count++) pace.after(refusal(), REQUEST);
  expect(Math.max(...waits)).toBe(4_500);
});

test('ten seconds after a flood of refusals, however long it was, a visitor is answered without a wait', async () => {
  let nowMs = 0;
  const waiting: { readonly untilMs: number; readonly end: () => void }[] = [];
  const pace = new StrangerPace({ monotonicMs: () => nowMs }, (ms) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({ untilMs: nowMs + ms, end: resolve });
    return promise;
  });
  const passTo = async (toMs: number): Promise<void> => {
    nowMs = toMs;
    for (const { end } of waiting.filter(({ untilMs }) => untilMs <= nowMs)) end();
    const left = waiting.filter(({ untilMs }) => untilMs > nowMs);
    waiting.splice(0, waiting.length, ...left);
    // A few requests continue in each turn of the event loop, until none of them can.
    let before = -1;
    for (let still = 0; still < 5; still++) {
      await eventLoopTurn();
      const count = pace.restingCount + waiting.length;
      if (count !== before) still = 0;
      before = count;
    }
  };
  for (let step = 1; step <= 600; step++) {
    for (let count = 0; count < 40; count++) pace.after(refusal(), REQUEST);
    await passTo(step * 100);
  }
  expect(pace.restingCount).toBeGreaterThan(1_700);
  await passTo(nowMs + 10_000);
  expect(pace.restingCount).toBe(0);
  expect(pace.arrive()).toBeNull();
});

test('thirty whole slates are sent without a wait, then 25 in two seconds; one that would wait for over 4.5 s is refused', () => {
  let nowMs = 5_000;
  const waits: number[] = [];
  const pace = new StrangerPace({ monotonicMs: () => nowMs }, (ms) => {
    waits.push(ms);
    return new Promise(() => {});
  });
  for (let count = 0; count < 30; count++) expect(pace.slate(PRESENT)).toBeNull();
  for (let count = 0; count < 50; count++) expect(pace.slate(PRESENT)).toBeInstanceOf(Promise);
  expect([waits[0], waits[1], waits.at(-1)]).toEqual([580, 660, 4_500]);
  const refused = refusalOf(() => pace.slate(PRESENT));
  expect([refused.status, refused.retryAfterSeconds]).toEqual([503, 5]);
  nowMs += 80;
  expect(pace.slate(PRESENT)).toBeInstanceOf(Promise);
  expect(() => pace.slate(PRESENT)).toThrow('too many callers wait');
  nowMs += 10_000;
  expect(pace.slate(PRESENT)).toBeNull();
});

test('if an answer counts as three slates, a third as many are sent', () => {
  const pace = new StrangerPace({ monotonicMs: () => 5_000 }, () => new Promise(() => {}));
  for (let count = 0; count < 10; count++) expect(pace.slate(PRESENT, 3)).toBeNull();
  for (let count = 0; count < 16; count++) expect(pace.slate(PRESENT, 3)).toBeInstanceOf(Promise);
  expect(() => pace.slate(PRESENT, 3)).toThrow('too many callers wait');
});

test('a whole slate whose client leaves while it waits does not count', async () => {
  const waits: number[] = [];
  const pace = new StrangerPace({ monotonicMs: () => 5_000 }, (ms) => {
    waits.push(ms);
    return new Promise(() => {});
  });
  for (let count = 0; count < 30; count++) expect(pace.slate(PRESENT)).toBeNull();
  for (let count = 0; count < 100; count++) {
    const client = new AbortController();
    const rest = pace.slate(client.signal);
    client.abort();
    await expect(rest).rejects.toThrow('nobody waits any more');
  }
  expect(waits).toEqual(Array(100).fill(580));
  expect(pace.restingCount).toBe(0);
  const gone = AbortSignal.abort();
  await expect(pace.slate(gone)).rejects.toThrow('nobody waits any more');
});

test('a refusal of a key is sent later only if the key asked too often', () => {
  const pace = new StrangerPace({ monotonicMs: () => 5_000 }, async () => {});
  const unknown = new Response('{}', { status: 404 });
  for (let count = 0; count < 1_000; count++) expect(pace.after(unknown, REQUEST, [429])).toBe(unknown);
  for (let count = 0; count < 150; count++)
    expect(pace.after(refusal(), REQUEST, [429])).toBeInstanceOf(Response);
  expect(pace.after(refusal(), REQUEST, [429])).toBeInstanceOf(Promise);
});

test('a refusal counts as four requests, so the 151st is sent later; a served answer is sent without a wait', async () => {
  const pace = new StrangerPace({ monotonicMs: () => 5_000 }, async () => {});
  for (let count = 0; count < 150; count++) expect(pace.after(refusal(), REQUEST)).toBeInstanceOf(Response);
  const late = [pace.after(refusal(), REQUEST), pace.after(Promise.resolve(refusal()), REQUEST)];
  expect(late[0]).toBeInstanceOf(Promise);
  expect((await Promise.all(late)).map((answer) => answer!.status)).toEqual([429, 429]);
  const served = new Response('{}');
  expect(pace.after(served, REQUEST)).toBe(served);
  expect(pace.after(undefined, REQUEST)).toBeUndefined();
});

test('a delayed refusal no longer counts as waiting once its client has left', async () => {
  const pace = new StrangerPace({ monotonicMs: () => 5_000 }, () => new Promise(() => {}));
  for (let count = 0; count < 150; count++) pace.after(refusal(), REQUEST);
  const client = new AbortController();
  const late = pace.after(refusal(), new Request(REQUEST, { signal: client.signal }));
  expect(pace.restingCount).toBe(1);
  client.abort();
  await late;
  expect(pace.restingCount).toBe(0);
});

test('at most eight thousand requests wait; one whose client has left no longer counts', async () => {
  const pace = new StrangerPace({ monotonicMs: () => 0 }, () => new Promise(() => {}));
  const clients = Array.from({ length: 8_599 }, () => new AbortController());
  const rests = clients.map(({ signal }) => pace.arrive(signal));
  expect(pace.isFull).toBe(false);
  expect(pace.arrive()).toBeInstanceOf(Promise);
  expect(pace.isFull).toBe(true);
  clients.at(-1)!.abort();
  await rests.at(-1);
  expect(pace.isFull).toBe(false);
});

test('while the maximum number of requests wait, the next is refused and its connection closed', async () => {
  const { sleep } = Bun;
  const spy = spyOn(Bun, 'sleep').mockImplementation((ms) =>
    Number(ms) >= 500 ? new Promise(() => {}) : sleep(ms),
  );
  const server = startTestServer({
    clock: { ...systemClock, monotonicMs: () => 5_000 },
    restingMax: 2_000,
  });
  const sockets = Array.from({ length: 2_600 }, () => {
    const socket = connect({ host: '127.0.0.1', port: server.http.port });
    socket.write('GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return socket;
  });
  try {
    await until('two thousand wait', () => server.http.pendingCount() === 2_000);
    const refused = await fetch(`${server.url}/v1/nothing`);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('connection')).toBe('close');
    for (const socket of sockets) socket.destroy();
    await until('nobody waits', () => server.http.pendingCount() === 0);
  } finally {
    spy.mockRestore();
    for (const socket of sockets) socket.destroy();
    await server.http.stop(0);
  }
});

test('thousands of requests whose wait ends at the same moment are all answered, a few in each turn of the event loop', async () => {
  const { promise: rested, resolve } = Promise.withResolvers<void>();
  const { sleep } = Bun;
  const spy = spyOn(Bun, 'sleep').mockImplementation((ms) => (Number(ms) >= 500 ? rested : sleep(ms)));
  const server = startTestServer({ clock: { ...systemClock, monotonicMs: () => 5_000 } });
  let answeredCount = 0;
  const sockets = Array.from({ length: 4_000 }, () => {
    const socket = connect({ host: '127.0.0.1', port: server.http.port });
    socket.once('data', () => answeredCount++);
    socket.write('GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return socket;
  });
  try {
    await until('nearly all wait', () => server.http.pendingCount() + answeredCount === 4_000);
    const beforeCount = answeredCount;
    expect(beforeCount).toBeLessThan(600);
    resolve();
    for (let turn = 0; turn < 20; turn++) await eventLoopTurn();
    expect(answeredCount - beforeCount).toBeLessThan(20 * 16 + 1);
    await until('all are answered', () => answeredCount === 4_000);
  } finally {
    spy.mockRestore();
    for (const socket of sockets) socket.destroy();
    await server.http.stop(0);
  }
}, 60_000);

test('requests that wait for their pace do not count as open requests: other callers are answered meanwhile', async () => {
  const { promise: rested, resolve } = Promise.withResolvers<void>();
  const { sleep } = Bun;
  const spy = spyOn(Bun, 'sleep').mockImplementation((ms) => (Number(ms) >= 500 ? rested : sleep(ms)));
  const server = startTestServer({
    clock: { ...systemClock, monotonicMs: () => 5_000 },
    restingMax: 2_000,
  });
  const open = (path: string, key = '') => {
    const socket = connect({ host: '127.0.0.1', port: server.http.port });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${key}\r\n`);
    return socket;
  };
  const sockets = Array.from({ length: 2_300 }, () => open('/v1/nothing'));
  try {
    await until('two thousand wait', () => server.http.pendingCount() === 2_000);
    for (let count = 0; count < 60; count++) sockets.push(open('/hang', `Authorization: ${GOOD_KEY}\r\n`));
    await until('sixty are under way', () => server.http.pendingCount() === 2_060);
    const headers = { authorization: GOOD_KEY };
    const answer = await fetch(`${server.url}/large`, { method: 'HEAD', headers });
    expect(answer.status).toBe(200);
  } finally {
    resolve();
    spy.mockRestore();
    for (const socket of sockets) socket.destroy();
    await server.http.stop(0);
  }
});

test('at full pace a key over its limit, and a page for a free key, wait; other callers are answered without a wait', async () => {
  const { promise: rested, resolve } = Promise.withResolvers<void>();
  const { sleep } = Bun;
  const spy = spyOn(Bun, 'sleep').mockImplementation((ms) => (Number(ms) >= 500 ? rested : sleep(ms)));
  const server = startTestServer({ clock: { ...systemClock, monotonicMs: () => 5_000 } });
  const ask = (path: string, key = GOOD_KEY) =>
    fetch(`${server.url}${path}`, { headers: { authorization: key } });
  try {
    server.gate.refusal = new ServiceError('rate_limit_exceeded', 'Cannot answer: too many requests');
    for (let count = 0; count < 150; count++) expect((await ask('/v1/echo')).status).toBe(429);
    const late = ask('/v1/echo');
    await until('it waits', () => server.http.pendingCount() === 1);
    server.gate.refusal = null;
    expect((await ask('/v1/echo')).status).not.toBe(429);
    const page = ask('/nothing', FREE_KEY);
    await until('the page waits too', () => server.http.pendingCount() === 2);
    expect((await ask('/nothing')).status).toBe(404);
    expect((await fetch(`${server.url}/nothing`)).status).toBe(404);
    resolve();
    expect((await late).status).toBe(429);
    expect((await page).status).toBe(404);
  } finally {
    resolve();
    spy.mockRestore();
    await server.http.stop(0);
  }
});
