// HTTP_THREADS=2 in one process: both threads count into one page of metrics. That they answer alike is
// tested in thread-parity.test.ts, that a revoked key stops on every thread in test/access/key-cache.test.ts.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { until } from '../support/condition.ts';
import { type ReadFamily, readPrometheus, sampleOf } from '../support/prometheus.ts';
import { type RunningService, runService } from '../support/running-service.ts';

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

test('GET /metrics is keyless, free, well-formed, and counts what was asked of all threads', async () => {
  const before = countOfBookmakers(await metrics());
  const budgets: number[] = [];
  for (let count = 0; count < 20; count += 1) await (await ask('/v1/bookmakers')).arrayBuffer();
  // The metrics page is cached for a moment, so its first answer may lack the last requests.
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

async function metrics(): Promise<Map<string, ReadFamily>> {
  return readPrometheus(await (await ask('/metrics')).text());
}

async function answeredBy(thread: string): Promise<number> {
  return sampleOf(await metrics(), 'overround_http_thread_requests_total', { thread });
}
