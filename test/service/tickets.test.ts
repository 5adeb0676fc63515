// Tickets over HTTP, on several threads; and keys in queries, which every route refuses.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { call, headerProblemsOf } from '../support/call.ts';
import { createKeys, createRevocableKey, PROXY_SETTINGS } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { type RunningService, runService } from '../support/running-service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await runService({ FEED: 'simulator', HTTP_THREADS: '2', ...PROXY_SETTINGS });
});
afterAll(() => service[Symbol.asyncDispose]());

async function ticketOf(key: string): Promise<string> {
  const answer = await call(`${service.url}/v1/tickets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  });
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const { ticket, expires_at } = answer.body as { ticket: string; expires_at: string };
  const livesMs = Date.parse(expires_at) - Date.now();
  expect(livesMs > 25_000 && livesMs <= 30_000).toBe(true);
  return ticket;
}

/** Opens a stream on a new connection, which either thread may accept. */
async function open(query: string, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const response = await fetch(`${service.url}/v1/stream?${query}`, {
    headers: { connection: 'close', ...headers },
    signal: abort.signal,
  });
  return { response, close: () => abort.abort() };
}

describe('tickets', () => {
  test('tickets open one stream each, on any thread, with the tier of their key', async () => {
    for (let turn = 0; turn < 20; turn++) {
      const ticket = await ticketOf(service.key);
      const { response, close } = await open(`tick_ms=1&ticket=${ticket}`);
      expect(response.status).toBe(200);
      const reader = response.body!.getReader();
      const { value } = await reader.read();
      expect(new TextDecoder().decode(value)).toContain('"tick_ms":20');
      const again = await open(`ticket=${ticket}`);
      expect([again.response.status, await again.response.text()]).toEqual([
        401,
        expect.not.stringContaining(ticket),
      ]);
      close();
    }
  });

  test('tickets are given only for a key, and are refused beside an Authorization header', async () => {
    expect((await call(`${service.url}/v1/tickets`, { method: 'POST' })).status).toBe(401);
    const ticket = await ticketOf(service.key);
    const both = await open(`ticket=${ticket}`, { authorization: `Bearer ${service.key}` });
    expect(both.response.status).toBe(400);
    const alone = await open(`ticket=${ticket}`);
    expect(alone.response.status).toBe(200);
    alone.close();
    // Other routes ignore a ticket, so the caller counts as one without a key.
    const [free] = await createKeys(service.dataDir, 'free', 1);
    const elsewhere = await call(`${service.url}/v1/odds?ticket=${await ticketOf(free!)}`);
    expect(elsewhere.headers.get('x-ratelimit-limit')).toBe('60');
  });

  test('tickets end with their key, and so do streams that they opened', async () => {
    const doomed = await createRevocableKey(service.dataDir);
    const [used, unused] = [await ticketOf(doomed.text), await ticketOf(doomed.text)];
    const { response } = await open(`ticket=${used}`);
    const text = response.text();
    await doomed.revoke();
    expect(await text).toContain('"reason":"key_revoked"');
    await until('the other ticket is refused', async () => {
      const late = await open(`ticket=${unused}`);
      late.close();
      return late.response.status === 401;
    });
  });
});

describe('a key in a query', () => {
  test('a key in a query is refused on every route, and is in no answer', async () => {
    const { key } = service;
    const escaped = key.replace('_', '%5F');
    for (const path of [
      '/v1/odds',
      '/v1/stream',
      '/v1/health',
      '/v1/nothing',
      '/mcp',
      '/platform/me',
      '/',
      '/docs',
    ]) {
      for (const query of [
        `api_key=${key}`,
        `q=Bearer%20${escaped}`,
        `${key}`,
        `x=1&access_token=${escaped}&y`,
      ]) {
        for (const method of ['GET', 'POST']) {
          const answer = await call(`${service.url}${path}?${query}`, {
            method,
            headers: { authorization: `Bearer ${key}` },
          });
          expect([path, query, answer.status]).toEqual([path, query, 400]);
          expect(answer.text).toContain('POST /v1/tickets');
          expect(answer.text).not.toContain(key);
          expect([...answer.headers.values()].join()).not.toContain(key);
          expect(headerProblemsOf(answer, null)).toEqual([]);
        }
      }
    }
    const plain = await call(`${service.url}/v1/odds?q=isk_${'x'.repeat(31)}`);
    expect(plain.status).toBe(200);
  });
});
