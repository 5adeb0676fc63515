// How often the caller of a request is identified, by kind of request, and that refusals cost its key a unit.

import { afterAll, expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { Reply } from '../../../src/http/kit/reply.ts';
import { definePage, defineRoute } from '../../../src/http/kit/route.ts';
import { ECHO, GOOD_KEY, startTestServer } from '../kit.ts';

const POLLED = {
  method: 'GET',
  path: '/v1/polled',
  operationId: 'polled',
  summary: 'Polled',
  description: 'Polled.',
  tags: [],
  access: 'metered',
  thread: 'http',
} as const;

const server = startTestServer({
  isRemote: true,
  routes: [
    // The cached answer is never ready, so every request is a cache miss.
    defineRoute({
      ...POLLED,
      response: ECHO,
      handle: () => ({ seen: 1 }),
      keep: () => ({ ready: () => null, isAhead: () => false }),
    }),
    defineRoute({
      ...POLLED,
      method: 'POST',
      path: '/v1/sent',
      access: 'key',
      body: Type.Object({}),
      response: ECHO,
      handle: ({ body }) => ({ seen: body }),
    }),
    definePage({
      path: '/v1/ticketed',
      access: 'metered',
      takesTicket: true,
      handle: () => new Reply('{}'),
    }),
    definePage({ path: '/v1/elsewhere', access: 'metered', handle: () => new Reply('{}') }),
  ],
});
afterAll(async () => {
  server.remote!.caller.close();
  server.remote!.server.close();
  await server.http.stop(0);
});

test.each([
  // [method, path, how often the caller is identified on all threads together]
  ['GET', '/v1/polled', 1],
  // The caller is looked up when the headers arrive and again after the body, because the key may have been
  // revoked meanwhile.
  ['POST', '/v1/sent', 2],
  // The caller is looked up on the HTTP thread, to count its place there, and on the query thread.
  ['GET', '/v1/elsewhere', 2],
])('%s %s: a key is looked up %d times, and charged once', async (method, path, count) => {
  const headers = { authorization: GOOD_KEY, 'content-type': 'application/json' };
  for (let round = 0; round < 4; round += 1) {
    const [identified, charged] = [server.gate.identifiedCount, server.gate.unitsCharged];
    const answer = await fetch(server.url + path, {
      method,
      headers,
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
    expect(answer.status).toBe(200);
    expect(server.gate.identifiedCount - identified).toBe(count);
    expect(server.gate.unitsCharged - charged).toBe(1);
  }
});

test('a ticket together with a key is 400 and costs the key a unit; with a header that is no key it is 401', async () => {
  const charged = server.gate.unitsCharged;
  const statusWith = async (authorization: string) =>
    (await fetch(`${server.url}/v1/ticketed?ticket=tkt_1`, { headers: { authorization } })).status;
  expect(await statusWith(GOOD_KEY)).toBe(400);
  expect(server.gate.unitsCharged - charged).toBe(1);
  expect(await statusWith('Bearer dead')).toBe(401);
  expect(server.gate.unitsCharged - charged).toBe(1);
});
