// Routes over a real socket: every failure has the error envelope, and every answer has the common headers.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ServiceError } from '../../../src/errors.ts';
import { expectEnvelope } from '../expected-answers.ts';
import { SECRET, startTestServer, type TestServer } from '../kit.ts';

let server: TestServer;
beforeAll(() => {
  server = startTestServer();
});
afterAll(() => server.http.stop(1_000));

function call(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}${path}`, init);
}

describe('failures', () => {
  test.each(['/crash', '/crash-later'])(
    '%s is 500 without the thrown message, which is logged',
    async (path) => {
      const before = server.logged.length;
      const response = await call(path);
      const text = await response.clone().text();
      expect(text).not.toContain(SECRET);
      await expectEnvelope(response, 500, 'internal');
      expect(server.logged.slice(before).join()).toContain(SECRET);
    },
  );

  test('an unknown path is 404 and costs a unit', async () => {
    const before = server.gate.unitsCharged;
    await expectEnvelope(await call('/v1/nothing'), 404, 'not_found');
    expect(server.gate.unitsCharged).toBe(before + 1);
  });

  test('a request with a wrong method is 405, and the answer names the right methods', async () => {
    const response = await call('/v1/things', { method: 'DELETE' });
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    await expectEnvelope(response, 405, 'invalid_request');
    const account = await call('/platform/login');
    expect(account.headers.get('allow')).toBe('POST, OPTIONS');
    await expectEnvelope(account, 405, 'invalid_request');
  });

  test('a header that is not a live key is 401 everywhere, before any other check', async () => {
    const headers = { authorization: 'Bearer nonsense' };
    for (const [path, method] of [
      ['/v1/things?limit=0x10', 'GET'],
      ['/v1/nothing', 'GET'],
      ['/large', 'GET'],
      ['/v1/things', 'DELETE'],
      ['/v1/things', 'POST'],
    ] as const) {
      const response = await call(path, { headers, method });
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      await expectEnvelope(response, 401, 'unauthorized');
    }
  });

  test('a route that needs a key is 401 without one', async () => {
    await expectEnvelope(await call('/v1/things', { method: 'POST', body: '{}' }), 401, 'unauthorized');
  });

  test('the gate does not see the Authorization header of an account route, and a request to an account route costs nothing', async () => {
    const before = server.gate.unitsCharged;
    const response = await call('/platform/login', {
      method: 'POST',
      headers: { authorization: 'Bearer session' },
    });
    expect(await response.json()).toEqual({ seen: 'Bearer session' });
    expect(server.gate.unitsCharged).toBe(before);
  });

  test('a refusal of the gate is answered with its headers', async () => {
    server.gate.refusal = new ServiceError('rate_limit_exceeded', 'Cannot serve: the day is spent', {
      retryAfterSeconds: 3600.2,
    });
    server.gate.daily = { limit: 200, remaining: 0, resetAtS: 1_700_086_400 };
    const response = await call('/v1/things');
    server.gate.refusal = null;
    server.gate.daily = null;
    expect(response.headers.get('retry-after')).toBe('3601');
    expect(response.headers.get('x-ratelimit-scope')).toBe('daily');
    expect(response.headers.get('ratelimit-limit')).toBe('200');
    expect(response.headers.get('ratelimit-remaining')).toBe('0');
    expect(response.headers.get('ratelimit-reset')).toBe('1700086400');
    expect((await expectEnvelope(response, 429, 'rate_limit_exceeded')).retry_after_seconds).toBe(3600.2);
  });
});

describe('headers', () => {
  test('every answer carries the rate and identity headers, errors included; only answers other than JSON have Referrer-Policy and Content-Security-Policy', async () => {
    for (const [path, method] of [
      ['/v1/things', 'GET'],
      ['/v1/nothing', 'GET'],
      ['/crash', 'GET'],
      ['/v1/things?limit=x', 'GET'],
      ['/v1/things', 'PUT'],
      ['/v1/things', 'OPTIONS'],
      ['/v1/things', 'HEAD'],
      ['/large', 'GET'],
    ] as const) {
      const { headers } = await call(path, { method });
      expect(headers.get('x-ratelimit-limit')).toBe('60');
      expect(headers.get('x-ratelimit-remaining')).toBe('29');
      expect(headers.get('x-ratelimit-reset')).toBe('1700000000');
      expect(headers.get('x-request-id')).toStartWith('generated-');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      const isJson = headers.get('content-type') === 'application/json; charset=utf-8';
      expect(headers.has('referrer-policy')).toBe(!isJson);
      expect(headers.has('content-security-policy')).toBe(!isJson);
      expect(headers.has('access-control-allow-origin')).toBe(false);
      expect(headers.get('server-timing')).toMatch(/^app;dur=\d+\.\d\d$/);
    }
  });

  test('X-Request-Id is echoed if it is well-formed, and replaced otherwise', async () => {
    const echoed = await call('/v1/things', { headers: { 'x-request-id': 'My_id-1.2' } });
    expect(echoed.headers.get('x-request-id')).toBe('My_id-1.2');
    for (const bad of ['a b', 'x'.repeat(65), 'a"b', 'é']) {
      const replaced = await call('/v1/things', { headers: { 'x-request-id': bad } });
      expect(replaced.headers.get('x-request-id')).toStartWith('generated-');
    }
  });

  test('CORS: any origin may read the API, none is reflected, credentials are never allowed', async () => {
    for (const origin of ['https://evil.example', 'null']) {
      const { headers } = await call('/v1/things', { headers: { origin } });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      const preflight = await call('/v1/things', {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'GET' },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, OPTIONS');
      expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test('CORS: account routes have no CORS headers', async () => {
    for (const method of ['POST', 'OPTIONS', 'GET']) {
      const { headers } = await call('/platform/login', {
        method,
        headers: { origin: 'https://evil.example' },
      });
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    const unknown = await call('/platform/nothing', { headers: { authorization: 'Bearer session' } });
    expect(unknown.status).toBe(404);
    expect(unknown.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('a matching If-None-Match is 304 without a body', async () => {
    for (const tag of ['"v1"', 'W/"v1"', '"v0", "v1"', '*']) {
      const headers = { 'if-none-match': tag, 'accept-encoding': 'identity' };
      const response = await call('/v1/things/a/odds/1x2', { headers });
      expect(response.status).toBe(304);
      expect(response.headers.get('etag')).toBe('"v1"');
      expect(await response.text()).toBe('');
    }
    for (const tag of ['"v2"', 'v1', '"xv1"']) {
      expect((await call('/v1/things/a/odds/1x2', { headers: { 'if-none-match': tag } })).status).toBe(200);
    }
  });

  test('HEAD answers as GET without the body', async () => {
    const get = await call('/v1/things');
    const head = await call('/v1/things', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength));
    expect(await head.text()).toBe('');
    expect((await call('/platform/login', { method: 'HEAD' })).status).toBe(405);
    expect((await call('/v1/nothing', { method: 'HEAD' })).status).toBe(404);
  });
});

test('every answer is recorded once, under the route and not the path', async () => {
  const recorded = server.gate.recorded.length;
  const finished = server.finished.length;
  await call('/v1/things/a/odds/1x2');
  await call('/v1/nothing');
  expect(server.gate.recorded.length).toBe(recorded + 2);
  expect(server.finished.slice(finished).map(({ route, path, status }) => [route, path, status])).toEqual([
    ['/v1/things/:thing_id/odds/:market_type', '/v1/things/a/odds/1x2', 200],
    ['unmatched', '/v1/nothing', 404],
  ]);
});
