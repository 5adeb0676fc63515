// Every error code of the registry, caused over HTTP at the running service. `internal` is missing: no
// request is known to cause it here (fuzz.ts searches for one); test/http/kit/reply.test.ts causes it
// with a route that throws.

import { describe, expect, test } from 'bun:test';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeId } from '../../../src/domain/ids.ts';
import { ERRORS, type ErrorCode } from '../../../src/errors.ts';
import { loadConfig } from '../../../src/settings/config.ts';
import { startService } from '../../../src/start/service.ts';
import { AccountClient } from '../../support/account-client.ts';
import { type Answered, call, headerProblemsOf } from '../../support/call.ts';
import { createKeys } from '../../support/callers.ts';
import { until } from '../../support/condition.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { surface } from './shared-surface.ts';

const provoked = new Map<ErrorCode, string>();

/** Checks the envelope, and notes that the code was seen. */
function expectError(answered: Answered, status: number, code: ErrorCode): Record<string, unknown> {
  expect([answered.status, answered.text]).toEqual([status, expect.any(String)]);
  expect(headerProblemsOf(answered, null)).toEqual([]);
  const { error } = answered.body as { error: Record<string, unknown> };
  expect(error).toEqual({
    code,
    message: expect.stringMatching(/^Cannot .+: .+[^.]$/),
    fix: error.fix === null ? null : expect.any(String),
    is_retriable: ERRORS[code].retriable,
    retry_after_seconds: ERRORS[code].retriable ? expect.any(Number) : null,
    documentation_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/docs\/errors#\w+$/),
  });
  expect(answered.headers.get('cache-control')).toBe('no-store');
  if (!provoked.has(code)) provoked.set(code, error.documentation_url as string);
  return error;
}

function send(method: string, path: string, init: RequestInit = {}): Promise<Answered> {
  const headers = { ...surface.callers.headersOf('enterprise'), ...(init.headers as Record<string, string>) };
  return call(surface.running.url + path, { ...init, method, headers });
}

const JSON_HEADERS = { 'content-type': 'application/json' };

describe('invalid_request', () => {
  test.each([
    '/v1/events/evt_0O0O0O0O',
    '/v1/events/tm_Xk29LmQa/odds',
    '/v1/events?league=lg_!!',
    '/v1/events?cursor=forged',
    '/v1/events?timezone=Mars/Olympus',
    '/v1/events?date=2026-02-30',
    '/v1/events?status=postponed',
    '/v1/results/nonsense',
  ])('%s is 400 with a fix', async (path) => {
    expect(expectError(await send('GET', path), 400, 'invalid_request').fix).toBeString();
  });

  test('a wrong prefix is 400, and the error names the right one', async () => {
    const error = expectError(await send('GET', '/v1/events/tm_Xk29LmQa'), 400, 'invalid_request');
    expect(error.fix).toContain('evt_');
  });
});

describe('unauthorized', () => {
  test('every credential that is not a live key is refused, on every operation, even on those that need no key', async () => {
    const [key = ''] = await createKeys(surface.running.dataDir, 'standard', 1);
    const mistyped = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
    const wrong = [
      'Bearer',
      'Bearer ',
      `Bearer ${mistyped}`,
      `Bearer ${key}x`,
      `Basic ${key}`,
      key,
      `Token ${key}`,
    ];
    const operations = surface.document.operations.filter(({ isAccount }) => !isAccount);
    // The credential is checked before the operation is known, so one wrong credential is enough for most.
    const methods = new Set<string>();
    for (const [index, { method, path }] of operations.entries()) {
      const isFirst = !methods.has(method);
      methods.add(method);
      for (const authorization of isFirst ? wrong : [wrong[index % wrong.length]!]) {
        const answered = await send(method, path.replaceAll(/\{\w+\}/g, 'x'), { headers: { authorization } });
        expectError(answered, 401, 'unauthorized');
        expect(answered.text).not.toContain(key);
        expect(answered.text).not.toContain(mistyped);
      }
    }
    expect((await send('GET', '/v1/usage', { headers: { authorization: `bearer ${key}` } })).status).toBe(
      200,
    );
  });
});

test('plan_limit: the requested key has a higher tier than the plan of the account', async () => {
  const client = await customer('plan@example.com');
  expectError(await client.send('POST', '/platform/keys', { tier: 'enterprise' }), 402, 'plan_limit');
});

test('forbidden: a caller in the free tier requests the sharp book', async () => {
  const request = {
    method: 'GET',
    path: `/v1/events/${surface.eventIds[0]}/odds?bookmakers=pinnacle`,
    body: null,
  };
  expectError(await surface.send('keyless', request), 403, 'forbidden');
});

test('not_found: the path is unknown, or a well-formed id has no match or result', async () => {
  const unknown = encodeId('event', 4_503_599_627_370_495);
  for (const path of [
    '/v1/none',
    `/v1/events/${unknown}`,
    `/v1/events/${unknown}/odds`,
    `/v1/results/${unknown}`,
  ]) {
    expectError(await send('GET', path), 404, 'not_found');
  }
});

test('validation_error: the answer is 422 with {detail}, in which every input is null', async () => {
  const answered = await send('POST', '/v1/odds/batch', {
    headers: JSON_HEADERS,
    body: JSON.stringify({ event_ids: [1, 'evt_x'], format: 7 }),
  });
  expect(answered.status).toBe(422);
  expect(headerProblemsOf(answered, null)).toEqual([]);
  expect(answered.body).toEqual({
    detail: [
      { type: 'string_type', loc: ['body', 'event_ids', 0], msg: expect.any(String), input: null },
      { type: 'string_type', loc: ['body', 'format'], msg: expect.any(String), input: null },
    ],
  });
  provoked.set('validation_error', `${surface.running.url}/docs/errors#validation_error`);
});

test('rate_limit_exceeded: the limit per minute is reached, with a key or without, and the answer has no scope', async () => {
  const [key = ''] = await createKeys(surface.running.dataDir, 'free', 1);
  for (const extra of [{}, { authorization: `Bearer ${key}` }]) {
    const headers = { 'x-forwarded-for': surface.callers.nextAddress(), ...extra };
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => call(`${surface.running.url}/v1/sports`, { headers })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    // The thirty tokens of the bucket, and those that were refilled in the second or two that the requests
    // took.
    expect(refused.length).toBeGreaterThanOrEqual(8);
    for (const answered of refused) {
      const error = expectError(answered, 429, 'rate_limit_exceeded');
      expect(answered.headers.get('retry-after')).toBe(String(error.retry_after_seconds));
      expect(error.retry_after_seconds).toBe(1);
      expect(answered.headers.get('x-ratelimit-limit')).toBe('60');
      expect(answered.headers.get('x-ratelimit-remaining')).toBe('0');
      expect(answered.headers.get('x-ratelimit-scope')).toBeNull();
      expect(answered.headers.get('ratelimit-limit')).toBeNull();
    }
  }
});

test('upstream_unavailable: before the first snapshot routes of the slate answer it, and routes that do not need the slate work', async () => {
  using folder = temporaryFolder();
  const dataDir = folder.path;
  // A recording that is read from a pipe. Its snapshot is complete when the other end of the pipe closes.
  const path = join(dataDir, 'recording.pipe');
  const hello = '{"type":"hello","protocol":1,"source":"pipe","at":"2026-01-01T12:00:00Z"}\n';
  expect(Bun.spawnSync(['mkfifo', path]).exitCode).toBe(0);
  const pipe = await open(path, 'r+');
  const settings = {
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    NODE_ENV: 'test',
    HISTORY_DAYS: '0',
    FEED: `replay:${path}`,
  };
  const service = await startService(loadConfig(settings));
  await pipe.write(hello);
  try {
    for (const slatePath of ['/v1/events', '/v1/events/live', '/v1/leagues', '/v1/teams', '/ready']) {
      const answered = await call(service.url + slatePath);
      const error = expectError(answered, 503, 'upstream_unavailable');
      expect(answered.headers.get('retry-after')).toBe(String(error.retry_after_seconds));
      expect(error.retry_after_seconds).toBe(1);
    }
    const others = [
      '/v1/sports',
      '/v1/bookmakers',
      '/v1/results',
      '/health',
      '/openapi.json',
      '/docs/errors',
    ];
    for (const other of others) {
      expect([other, (await call(service.url + other)).status]).toEqual([other, 200]);
    }
    expect((await call(`${service.url}/health`)).body).toMatchObject({ status: 'starting', odds: 0 });
    await until('the feed is live', async () =>
      (await call(`${service.url}/health`)).text.includes('"feed_live":true'),
    );
    await pipe.close();
    await until('it is ready', async () => (await call(`${service.url}/ready`)).status === 200);
    expect((await call(`${service.url}/v1/events`)).body).toMatchObject({ data: [] });
  } finally {
    await service.stop();
  }
});

test('every code but internal was caused, and each documentation_url leads to the section of its code', async () => {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => code !== 'internal');
  expect([...provoked.keys()].sort()).toEqual(codes.sort());
  for (const [code, link] of provoked) {
    const { pathname, hash, port } = new URL(link);
    expect([pathname, hash]).toEqual(['/docs/errors', `#${code}`]);
    // The 503 came from a service that has stopped since. Its documentation page is also on this service.
    expect(port === new URL(surface.running.url).port).toBe(code !== 'upstream_unavailable');
    const page = await call(`${surface.running.url}${pathname}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`id="${code}"`);
    expect(page.text).toContain('id="internal"');
  }
});

async function customer(email: string): Promise<AccountClient> {
  const client = new AccountClient(surface.running, { email, address: surface.callers.nextAddress() });
  await client.enter();
  return client;
}
