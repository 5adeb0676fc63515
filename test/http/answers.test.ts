// The kit over a real socket: every failure in the envelope, strict input, and the headers of every answer.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ERRORS, ServiceError } from '../../src/errors.ts';
import { GOOD_KEY, SECRET, startTestServer, type TestServer } from './kit.ts';

let server: TestServer;
beforeAll(() => {
  server = startTestServer();
});
afterAll(() => server.http.stop(1_000));

interface Envelope {
  error: {
    code: keyof typeof ERRORS;
    message: string;
    fix: string | null;
    is_retriable: boolean;
    retry_after_seconds: number | null;
    documentation_url: string;
  };
}

function call(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}${path}`, init);
}

async function expectEnvelope(
  response: Response,
  status: number,
  code: keyof typeof ERRORS,
): Promise<Envelope['error']> {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const { error } = (await response.json()) as Envelope;
  expect(Object.keys(error).sort()).toEqual([
    'code',
    'documentation_url',
    'fix',
    'is_retriable',
    'message',
    'retry_after_seconds',
  ]);
  expect(error.code).toBe(code);
  expect(error.is_retriable).toBe(ERRORS[code].retriable);
  expect(error.documentation_url).toBe(`http://odds.example/docs/errors#${code}`);
  return error;
}

async function expectDetail(response: Response, loc: (string | number)[]): Promise<void> {
  expect(response.status).toBe(422);
  const { detail } = (await response.json()) as {
    detail: { loc: unknown; input: unknown; msg: string; type: string }[];
  };
  expect(detail[0]?.loc).toEqual(loc);
  for (const item of detail) {
    expect(Object.keys(item).sort()).toEqual(['input', 'loc', 'msg', 'type']);
    expect(item.input).toBeNull();
  }
}

function post(body: string, headers: Record<string, string> = {}): Promise<Response> {
  return call('/v1/things', {
    method: 'POST',
    headers: { authorization: GOOD_KEY, 'content-type': 'application/json', ...headers },
    body,
  });
}

describe('query', () => {
  test('defaults are filled in and lists are split, trimmed and deduplicated', async () => {
    const answer = await (await call('/v1/things?markets=1x2,%20totals,1x2&unknown=1&unknown=2')).json();
    expect(answer).toEqual({ seen: { limit: 50, format: 'decimal', markets: ['1x2', 'totals'] } });
  });

  test.each(['0x10', '1e2', '1.0', '+1', ' 1', '', 'NaN', '0', '201', '-1', '99999999999999999999'])(
    'limit=%p is 422',
    async (text) => {
      await expectDetail(await call(`/v1/things?limit=${encodeURIComponent(text)}`), ['query', 'limit']);
    },
  );

  test('a repeated parameter is 422, also when the values agree', async () => {
    await expectDetail(await call('/v1/things?limit=5&limit=5'), ['query', 'limit']);
    await expectDetail(await call('/v1/things?limit=5&%6Cimit=6'), ['query', 'limit']);
  });

  test('malformed percent-encoding is 422', async () => {
    await expectDetail(await call('/v1/things?q=%zz'), ['query', 'q']);
    await expectDetail(await call('/v1/things?q=%ff'), ['query', 'q']);
    await expectDetail(await call('/v1/things?%zz=1'), ['query']);
  });

  test('too long a text or list is 422', async () => {
    await expectDetail(await call('/v1/things?q=12345678901'), ['query', 'q']);
    await expectDetail(await call(`/v1/things?markets=${Array(11).fill('1x2').join(',')}`), [
      'query',
      'markets',
    ]);
  });

  test.each([
    ['format=odd', 'decimal, hk, malay'],
    ['markets=1x2,corners', '1x2, asian_handicap, totals'],
    ['markets=', '1x2, asian_handicap, totals'],
    ['sport=', 'football, basketball'],
    ['sport=Football', 'football, basketball'],
    ['date=2026-02-30', 'YYYY-MM-DD'],
    ['date=tomorrow', 'YYYY-MM-DD'],
  ])('%s is well-typed but means nothing: 400 with the fix', async (query, fix) => {
    const error = await expectEnvelope(await call(`/v1/things?${query}`), 400, 'invalid_request');
    expect(error.fix).toContain(fix);
  });
});

describe('path', () => {
  test('parameters are decoded once', async () => {
    const answer = await (await call('/v1/things/a%2520b/odds/1x2')).json();
    expect(answer).toEqual({ seen: { thing_id: 'a%20b', market_type: '1x2' } });
  });

  test('a closed list is 400, malformed encoding and length are 422', async () => {
    await expectEnvelope(await call('/v1/things/a/odds/corners'), 400, 'invalid_request');
    await expectDetail(await call('/v1/things/%zz/odds/1x2'), ['path', 'thing_id']);
    await expectDetail(await call(`/v1/things/${'x'.repeat(21)}/odds/1x2`), ['path', 'thing_id']);
  });
});

describe('body', () => {
  test('unknown fields are ignored at every depth', async () => {
    const answer = await (
      await post('{"name":"a","extra":1,"__proto__":{"count":1},"nested":{"sport":"football","x":2}}')
    ).json();
    expect(answer).toEqual({ seen: { name: 'a', nested: { sport: 'football' } } });
  });

  test.each([
    ['{"name":', ['body']],
    ['', ['body']],
    ['"\\ud800', ['body']],
    ['[]', ['body']],
    ['null', ['body']],
    ['{}', ['body', 'name']],
    ['{"name":1}', ['body', 'name']],
    ['{"name":null}', ['body', 'name']],
    ['{"name":""}', ['body', 'name']],
    ['{"name":"a","count":"1"}', ['body', 'count']],
    ['{"name":"a","count":1.5}', ['body', 'count']],
    ['{"name":"a","count":1e400}', ['body', 'count']],
    ['{"name":"a","markets":["1x2"]}', ['body', 'markets']],
    ['{"name":"a","sport":7}', ['body', 'sport']],
    ['{"name":"a","nested":{"sport":[]}}', ['body', 'nested', 'sport']],
    ['['.repeat(500_000), ['body']],
  ])('%.30s is 422', async (body, loc) => {
    await expectDetail(await post(body), loc);
  });

  test('a body that is not UTF-8 is 422', async () => {
    const response = await call('/v1/things', {
      method: 'POST',
      headers: { authorization: GOOD_KEY, 'content-type': 'application/json' },
      body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    });
    await expectDetail(response, ['body']);
  });

  test('a word outside its closed list is 400', async () => {
    const error = await expectEnvelope(
      await post('{"name":"a","nested":{"sport":"chess"}}'),
      400,
      'invalid_request',
    );
    expect(error.fix).toBe('Set nested.sport to one of: football, basketball');
  });

  test('a submitted value never comes back', async () => {
    for (const body of [
      '{"name":77123456}',
      '{"name":"a","sport":"hunter2-secret"}',
      '{"name":"a","count":"hunter2-secret"}',
    ]) {
      const text = await (await post(body)).text();
      expect(text).not.toContain('77123456');
      expect(text).not.toContain('hunter2-secret');
    }
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'application/jsonp',
  ])('content type %s is 415', async (type) => {
    await expectEnvelope(await post('{"name":"a"}', { 'content-type': type }), 415, 'invalid_request');
  });

  test('a missing content type is 415 when there is a body', async () => {
    const response = await call('/v1/things', {
      method: 'POST',
      headers: { authorization: GOOD_KEY },
      body: new Blob(['{"name":"a"}']),
    });
    await expectEnvelope(response, 415, 'invalid_request');
  });

  test('media types are compared without case and with a UTF-8 charset', async () => {
    expect((await post('{"name":"a"}', { 'content-type': 'Application/JSON; charset="UTF-8"' })).status).toBe(
      200,
    );
  });

  test('one byte over 1 MiB is 413, with a length and in chunks; 1 MiB is read', async () => {
    const filler = (bytes: number) => `{"name":"${'x'.repeat(bytes - 11)}"}`;
    expect((await post(filler(1024 * 1024))).status).toBe(200);
    await expectEnvelope(await post(filler(1024 * 1024 + 1)), 413, 'invalid_request');
    const chunked = new ReadableStream({
      start(controller) {
        for (let index = 0; index < 17; index += 1) controller.enqueue(new Uint8Array(64 * 1024));
        controller.close();
      },
    });
    const response = await call('/v1/things', {
      method: 'POST',
      headers: { authorization: GOOD_KEY, 'content-type': 'application/json' },
      body: chunked,
    });
    await expectEnvelope(response, 413, 'invalid_request');
  });
});

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

  test('a wrong method is 405 and names the right ones', async () => {
    const response = await call('/v1/things', { method: 'DELETE' });
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    await expectEnvelope(response, 405, 'invalid_request');
    const account = await call('/platform/login');
    expect(account.headers.get('allow')).toBe('POST, OPTIONS');
    await expectEnvelope(account, 405, 'invalid_request');
  });

  test('a header that is not a live key is 401 everywhere, before anything else is looked at', async () => {
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

  test('an account route keeps its Authorization header from the gate, and costs nothing', async () => {
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
  test('every answer carries the rate and identity headers, errors included; policies are for what is no JSON', async () => {
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

  test('X-Request-Id is echoed when sane and replaced when not', async () => {
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

  test('CORS: account routes have none', async () => {
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
