// The input of a request, over a real socket: query, path and body are read strictly, and a refusal names the
// wrong place.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BODY_BYTES_MAX } from '../../../../src/limits.ts';
import { expectDetail, expectEnvelope } from '../../expected-answers.ts';
import { GOOD_KEY, startTestServer, type TestServer } from '../../kit.ts';

let server: TestServer;
beforeAll(() => {
  server = startTestServer();
});
afterAll(() => server.http.stop(1_000));

function call(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}${path}`, init);
}

function post(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Response> {
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

  test('a repeated parameter is 422, even when the values agree', async () => {
    await expectDetail(await call('/v1/things?limit=5&limit=5'), ['query', 'limit']);
    await expectDetail(await call('/v1/things?limit=5&%6Cimit=6'), ['query', 'limit']);
  });

  test('malformed percent-encoding is 422', async () => {
    await expectDetail(await call('/v1/things?q=%zz'), ['query', 'q']);
    await expectDetail(await call('/v1/things?q=%ff'), ['query', 'q']);
    await expectDetail(await call('/v1/things?%zz=1'), ['query']);
  });

  test('a text or a list that is too long is 422', async () => {
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
  ])('the query %s has valid types but no valid meaning: 400 with the fix', async (query, fix) => {
    const error = await expectEnvelope(await call(`/v1/things?${query}`), 400, 'invalid_request');
    expect(error.fix).toContain(fix);
  });
});

describe('path', () => {
  test('parameters in the path are decoded once', async () => {
    const answer = await (await call('/v1/things/a%2520b/odds/1x2')).json();
    expect(answer).toEqual({ seen: { thing_id: 'a%20b', market_type: '1x2' } });
  });

  test('a parameter whose value is not one of the allowed values is 400; malformed encoding and a text that is too long are 422', async () => {
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
    ['['.repeat(60_000), ['body']],
  ])('the body %.30s is 422', async (body, loc) => {
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

  test('a field outside its closed list is 400', async () => {
    const error = await expectEnvelope(
      await post('{"name":"a","nested":{"sport":"chess"}}'),
      400,
      'invalid_request',
    );
    expect(error.fix).toBe('Set nested.sport to one of: football, basketball');
  });

  test('an error never contains a submitted value', async () => {
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

  test('a compressed body is 415 and names the accepted form; a body marked as not compressed is read', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const response = await post(Bun.gzipSync('{"name":"a"}'), headers);
    expect(response.headers.get('accept-encoding')).toBe('identity');
    await expectEnvelope(response, 415, 'invalid_request');
    const plain = await post('{"name":"a"}', { ...headers, 'content-encoding': 'Identity' });
    expect(plain.status).toBe(200);
  });

  test('a missing content type is 415 when there is a body', async () => {
    const response = await call('/v1/things', {
      method: 'POST',
      headers: { authorization: GOOD_KEY },
      body: new Blob(['{"name":"a"}']),
    });
    await expectEnvelope(response, 415, 'invalid_request');
  });

  test('a media type may be in any case and may have a UTF-8 charset', async () => {
    expect((await post('{"name":"a"}', { 'content-type': 'Application/JSON; charset="UTF-8"' })).status).toBe(
      200,
    );
  });

  test('a body one byte over 64 KiB is 413, with a length and in chunks; a body of 64 KiB is read', async () => {
    const filler = (bytes: number) => `{"name":"${'x'.repeat(bytes - 11)}"}`;
    expect((await post(filler(BODY_BYTES_MAX))).status).toBe(200);
    await expectEnvelope(await post(filler(BODY_BYTES_MAX + 1)), 413, 'invalid_request');
    const chunked = new ReadableStream({
      start(controller) {
        for (let index = 0; index < 17; index += 1) controller.enqueue(new Uint8Array(BODY_BYTES_MAX / 16));
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
