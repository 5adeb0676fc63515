// Requests that might evade the pace of callers without a key: those with a body, and those with a header
// that contains no key.

import { expect, spyOn, test } from 'bun:test';
import { systemClock } from '../../../src/clock.ts';
import { Reply } from '../../../src/http/kit/reply.ts';
import { definePage } from '../../../src/http/kit/route.ts';
import { until } from '../../support/condition.ts';
import { FREE_KEY, GOOD_KEY, sendRaw, startTestServer } from '../kit.ts';

const ROUTES = [
  definePage({ path: '/v1/ask', method: 'POST', access: 'metered', handle: () => Reply.json({}) }),
  definePage({ path: '/v1/list', access: 'metered', handle: () => Reply.json({}) }),
  definePage({ path: '/platform/forgot', method: 'POST', access: 'account', handle: () => Reply.json({}) }),
];
const LARGE = ' '.repeat(5_000);

test('at full pace, neither a large body nor a header that is no key is answered at once', async () => {
  const { promise: rested, resolve } = Promise.withResolvers<void>();
  const { sleep } = Bun;
  const spy = spyOn(Bun, 'sleep').mockImplementation((ms) => (Number(ms) >= 500 ? rested : sleep(ms)));
  const clock = { ...systemClock, monotonicMs: () => 5_000 };
  await using server = startTestServer({ routes: ROUTES, clock });
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, { method: 'POST', headers, body });
  try {
    expect((await post('/v1/ask', LARGE)).status).toBe(200);
    expect((await post('/platform/forgot', '{}', { authorization: 'x' })).status).toBe(200);
    expect((await fetch(`${server.url}/v1/list`)).status).toBe(200);
    // These counted as four requests. Each refusal counts as five, and six hundred requests are answered at
    // once.
    for (let count = 0; count < 119; count++) expect((await fetch(`${server.url}/no`)).status).toBe(404);
    const late = [
      post('/v1/ask', LARGE),
      post('/platform/forgot', '{}', { authorization: 'x' }),
      post('/platform/forgot', '{}', { authorization: 'Bearer ses_madeUp' }),
    ];
    await until('three wait', () => server.http.pendingCount() === 3);
    expect((await post('/v1/ask', LARGE, { authorization: GOOD_KEY })).status).toBe(200);
    expect((await post('/platform/forgot', '{}', { authorization: GOOD_KEY })).status).toBe(200);
    expect(server.http.pendingCount()).toBe(3);
    resolve();
    expect((await Promise.all(late)).map(({ status }) => status)).toEqual([200, 200, 200]);
  } finally {
    resolve();
    spy.mockRestore();
  }
});

test.each([
  ['of some kilobytes', `Content-Length: ${LARGE.length}`, LARGE],
  ['in chunks', 'Transfer-Encoding: chunked', '1\r\n \r\n0\r\n\r\n'],
])('a read with a body %s is refused without a key, and answered with one', async (_which, framing, body) => {
  await using server = startTestServer({ routes: ROUTES });
  const ask = (header: string) =>
    sendRaw(
      server.http.port,
      `GET /v1/list HTTP/1.1\r\nHost: localhost\r\n${header}${framing}\r\n\r\n${body}`,
    );
  const refused = await ask('');
  expect(refused).toStartWith('HTTP/1.1 413');
  expect(refused.toLowerCase()).toContain('connection: close');
  expect(await ask(`Authorization: ${GOOD_KEY}\r\n`)).toStartWith('HTTP/1.1 200');
});

test('at full pace a free key for which there is no place waits for its refusal; another key does not', async () => {
  const { promise: rested, resolve } = Promise.withResolvers<void>();
  const { sleep } = Bun;
  const spy = spyOn(Bun, 'sleep').mockImplementation((ms) => (Number(ms) >= 500 ? rested : sleep(ms)));
  const hanging = definePage({ path: '/v1/hang', access: 'metered', handle: () => new Promise(() => {}) });
  const clock = { ...systemClock, monotonicMs: () => 5_000 };
  await using server = startTestServer({ routes: [hanging], clock, isRemote: true, pendingMax: 8 });
  const leaving = new AbortController();
  const ask = (authorization: string) =>
    fetch(`${server.url}/v1/hang`, { headers: { authorization }, signal: leaving.signal });
  const hold = (authorization: string) => void ask(authorization).catch(() => {});
  try {
    hold(FREE_KEY);
    for (let count = 0; count < 2; count++) hold(GOOD_KEY);
    await until('the places are taken', () => server.remote!.server.pendingCount === 3);
    for (let count = 0; count < 150; count++) expect((await ask(FREE_KEY)).status).toBe(503);
    const late = ask(FREE_KEY);
    await until('it waits', () => server.http.pendingCount() === 4);
    expect((await ask(GOOD_KEY)).status).toBe(503);
    expect(server.http.pendingCount()).toBe(4);
    resolve();
    expect((await late).status).toBe(503);
  } finally {
    resolve();
    spy.mockRestore();
    leaving.abort();
  }
});
