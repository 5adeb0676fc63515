// HTTP_THREADS=2 in one process: both threads answer on one port, and share keys and metrics.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createRevocableKey } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { type ReadFamily, readPrometheus, sampleOf } from '../support/prometheus.ts';
import { type RunningService, runService } from '../support/running-service.ts';

const REQUESTS = 100;
const AT_ONCE = 20;

let running: RunningService;

beforeAll(async () => {
  running = await runService({
    HTTP_THREADS: '2',
    SIMULATOR_FOOTBALL_FIXTURES: '10',
    SIMULATOR_BASKETBALL_FIXTURES: '2',
  });
  await until('both threads answer', async () => {
    await (await ask('/health')).arrayBuffer();
    return (await answeredBy('1')) > 0;
  });
});

afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

describe('two HTTP threads', () => {
  test('share one port and one address in their links', async () => {
    const before = [await answeredBy('0'), await answeredBy('1')];
    const bodies = new Set<string>();
    for (let count = 0; count < 60; count += 1) {
      // The thread that accepts the connection answers the first request itself; it passes the second one to
      // the query thread.
      await (await ask('/health')).arrayBuffer();
      const response = await ask('/nothing/here');
      const { error } = (await response.json()) as { error: { documentation_url?: string } };
      if (error.documentation_url !== undefined) bodies.add(error.documentation_url.split('#')[0]!);
    }
    expect([...bodies]).toEqual([`${running.url}/docs/errors`]);
    for (const thread of [0, 1]) {
      await until(`thread ${thread} counts`, async () => (await answeredBy(`${thread}`)) > before[thread]!);
    }
  });

  test('both refuse a key soon after it was revoked', async () => {
    const key = await createRevocableKey(running.dataDir);
    const headers = { authorization: `Bearer ${key.text}` };
    expect(new Set(await askMany('/health', headers))).toEqual(new Set([200]));
    await key.revoke();
    await until('both refuse it', async () => {
      const statuses = new Set(await askMany('/health', headers));
      return statuses.size === 1 && statuses.has(401);
    });
  });
});

test('GET /metrics is keyless, free, well-formed, and counts what was asked of all threads', async () => {
  const before = countOfBookmakers(await metrics());
  const budgets: number[] = [];
  for (let count = 0; count < 20; count += 1) await (await ask('/v1/bookmakers')).arrayBuffer();
  // A page is cached for a moment, so the last requests may be missing from the first one.
  await until('every request is counted', async () => {
    const response = await ask('/metrics');
    budgets.push(Number(response.headers.get('x-ratelimit-remaining')));
    return countOfBookmakers(readPrometheus(await response.text())) === before + 20;
  });
  expect(budgets).toEqual(budgets.toSorted((a, b) => a - b));
  const response = await ask('/metrics');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const families = readPrometheus(await response.text());
  expect(families.get('overround_http_request_duration_seconds')!.kind).toBe('histogram');
  const feedAge = sampleOf(families, 'overround_feed_age_seconds');
  expect(feedAge).toBeGreaterThanOrEqual(0);
  expect(feedAge).toBeLessThan(30);
  expect(sampleOf(families, 'overround_feed_messages_applied_total')).toBeGreaterThan(100);
  expect(sampleOf(families, 'process_resident_memory_bytes')).toBeGreaterThan(10e6);
  for (const worker of ['ingest', 'http', 'query', 'scoring']) {
    expect(sampleOf(families, 'overround_worker_restarts_total', { worker })).toBe(0);
  }
  // Only polled sources report their state.
  const filled = [...families].filter(([name]) => !name.startsWith('overround_source_'));
  for (const [name, family] of filled) expect([name, family.samples.length > 0]).toEqual([name, true]);
});

function countOfBookmakers(families: ReadonlyMap<string, ReadFamily>): number {
  return (families.get('overround_http_requests_total')?.samples ?? [])
    .filter(({ labels }) => labels.route === '/v1/bookmakers')
    .reduce((sum, { value }) => sum + value, 0);
}

function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
  // A separate connection each time, so that the system picks a thread again.
  return fetch(running.url + path, { headers, keepalive: false });
}

async function askMany(path: string, headers: Record<string, string>): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < REQUESTS; count += AT_ONCE) {
    const responses = await Promise.all(Array.from({ length: AT_ONCE }, () => ask(path, headers)));
    for (const response of responses) {
      await response.arrayBuffer();
      statuses.push(response.status);
    }
  }
  return statuses;
}

async function metrics(): Promise<Map<string, ReadFamily>> {
  return readPrometheus(await (await ask('/metrics')).text());
}

async function answeredBy(thread: string): Promise<number> {
  return sampleOf(await metrics(), 'overround_http_thread_requests_total', { thread });
}
