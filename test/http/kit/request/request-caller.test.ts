// How often the caller of a request is identified, by kind of request, what refusals cost its key, and when
// its address is noted.

import { afterAll, expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { SharedGate } from '../../../../src/access/gate.ts';
import { FreePace } from '../../../../src/access/quotas/free-pace.ts';
import { Reply } from '../../../../src/http/kit/reply.ts';
import { RequestCaller } from '../../../../src/http/kit/request/request-caller.ts';
import { definePage, defineRoute } from '../../../../src/http/kit/route.ts';
import { AccessBench, ManualClock } from '../../../access/support.ts';
import { ECHO, GOOD_KEY, startTestServer } from '../../kit.ts';

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

const ROUTES = [
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
];

const server = startTestServer({ isRemote: true, routes: ROUTES });
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
])('%s %s: a key is looked up %d times, charged once and noted once', async (method, path, count) => {
  const headers = { authorization: GOOD_KEY, 'content-type': 'application/json' };
  for (let round = 0; round < 4; round += 1) {
    const [identified, charged] = [server.gate.identifiedCount, server.gate.unitsCharged];
    server.gate.noted.length = 0;
    const answer = await fetch(server.url + path, {
      method,
      headers,
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
    expect(answer.status).toBe(200);
    expect(server.gate.identifiedCount - identified).toBe(count);
    expect(server.gate.unitsCharged - charged).toBe(1);
    expect(server.gate.noted).toEqual(['key_1 127.0.0.1']);
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

test.each([
  ['a session', '/v1/polled', { cookie: 'overround_session=ses_standard' }, 'ses_standard'],
  ['a ticket', '/v1/ticketed?ticket=good', {}, 'key_1'],
  ['a key that another thread has to read first', '/v1/polled', { authorization: GOOD_KEY }, 'key_1'],
])('the address of a paid plan is noted if the caller uses %s', async (_name, path, headers, keyId) => {
  await using own = startTestServer({ routes: ROUTES });
  own.gate.isRemote = true;
  own.gate.unread.add(GOOD_KEY);
  expect((await fetch(own.url + path, { headers })).status).toBe(200);
  expect(own.gate.noted).toEqual([`${keyId} 127.0.0.1`]);
});

/** A clock that moves on with every read. */
class RestlessClock extends ManualClock {
  stepMs = 0;

  override monotonicMs(): number {
    this.advance(this.stepMs);
    return super.monotonicMs();
  }
}

test.each([90, 91])(
  'refuseEarly: takes no unit, even if a unit comes back while it decides, from %d ms on',
  async (startMs) => {
    using bench = new AccessBench();
    const clock = new RestlessClock();
    const gate = new SharedGate({ memory: bench.memory, directory: bench.directory, clock });
    const authorization = `Bearer ${(await bench.createKey('standard')).text}`;
    const key = gate.identify(authorization);
    while (gate.charge(key, '', 1).refusal === null);
    const request = new Request('http://localhost/v1/polled', { headers: { authorization } });
    const deps = { clock, gate, publicUrl: 'http://localhost', log: { error: () => {} } };
    const caller = new RequestCaller(
      {
        deps: {
          ...deps,
          nextRequestId: () => '',
          count: () => {},
          reportsRequests: false,
          observe: () => {},
        },
        freePace: new FreePace(),
        peerOf: () => '192.0.2.1',
      },
      request,
      null,
    );
    const isRefused = (): boolean => {
      try {
        caller.refuseEarly({ path: '/v1/polled', access: 'metered' });
        return false;
      } catch {
        return true;
      }
    };
    // A unit comes back after 100 ms, at one of the next reads of the clock.
    clock.advance(startMs);
    clock.stepMs = 1;
    expect(isRefused()).toBe(true);
    while (isRefused());
    clock.stepMs = 0;
    expect(gate.charge(key, '', 0).remaining).toBe(1);
  },
);
