// One HTTP thread and two give the same answers: the same requests go to two services that replay one
// recording at a fixed time, over every documented operation that changes nothing. A key has one bucket
// however many threads its requests reach, and there is one page of metrics for all threads.
// test/access/key-cache.test.ts tests that a revoked key stops working on every thread.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { unpack } from 'msgpackr';
import { createKeys } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { listOf } from '../support/list-of.ts';
import type { Operation } from '../support/openapi-document.ts';
import { type ReadFamily, readPrometheus, sampleOf } from '../support/prometheus.ts';
import { runs } from '../support/runs.ts';
import type { SampleRequest } from '../support/samples.ts';
import { Surface } from '../support/surface.ts';
import { toRequest, valuesFor, wildRequest } from './wild-requests.ts';

const SEED = 20_261_122;
const WILD_REQUESTS = runs(60);
const AT_ONCE = 16;
/** Differences that two answers to one request may have: times, ids, durations, and the remaining budget. */
const OWN_HEADERS: ReadonlySet<string> = new Set(
  listOf('date, server-timing, x-request-id, x-ratelimit-remaining, x-ratelimit-reset, retry-after'),
);
/**
 * Operations that report what this service has done, that return something new each time, or whose answer
 * never ends.
 */
const OWN_ANSWERS = /^\/(v1\/usage|v1\/tickets|v1\/stream.*|health|ready|metrics)$/;
const KEY_REQUESTS = 192;
const BURST_OF_FREE = 30;
const REFILL_EVERY_MS = 1_000;

interface Question {
  readonly request: SampleRequest;
  readonly caller: Parameters<Surface['send']>[0];
  readonly headers: Readonly<Record<string, string>>;
  /** Whether to send the tag of an earlier answer with the request. */
  readonly isAgain?: boolean;
}

let one: Surface;
let two: Surface;
const epochs = new Map<Surface['running'], string>();
beforeAll(async () => {
  [one, two] = await Promise.all(
    ['1', '2'].map((HTTP_THREADS) => Surface.start({ freeKeys: 10, settings: { HTTP_THREADS } })),
  );
  for (const surface of [one, two]) epochs.set(surface.running, await epochOf(surface));
});
afterAll(() => Promise.all([one[Symbol.asyncDispose](), two[Symbol.asyncDispose]()]));

function send(
  { running, callers }: Surface,
  { request, caller, headers }: Question,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(running.url + request.path, {
    method: request.method,
    headers: {
      ...callers.headersOf(caller),
      ...(request.body === null ? {} : { 'content-type': 'application/json' }),
      ...more,
      ...headers,
    },
    body: request.body,
    // A separate connection, so that the system picks a thread each time.
    keepalive: false,
  });
}

async function ask(surface: Surface, question: Question) {
  const { running } = surface;
  const first = question.isAgain ? await send(surface, question) : null;
  await first?.arrayBuffer();
  const tag = first?.headers.get('etag');
  const response = await send(surface, question, tag ? { 'if-none-match': tag } : {});
  const bytes = await response.bytes();
  // A 304 has the content type of the body that it leaves out.
  const isPacked = bytes.length > 0 && response.headers.get('content-type') === 'application/msgpack';
  const text = isPacked ? JSON.stringify(unpack(bytes)) : new TextDecoder().decode(bytes);
  const { host } = new URL(running.url);
  const epoch = epochs.get(running)!;
  const shown = (value: string) => value.replaceAll(host, 'host').replaceAll(epoch, 'epoch');
  // The length of a compressed body depends on the epoch too, which is in the body.
  const isOwn = (name: string) =>
    OWN_HEADERS.has(name) || (name === 'content-length' && response.headers.has('content-encoding'));
  return {
    status: response.status,
    headers: [...response.headers]
      .filter(([name]) => !isOwn(name))
      .map(([name, value]) => [name, shown(value)])
      .sort(),
    body: shown(text).replace(/"request_id":"[^"]*"/, ''),
  };
}

/**
 * When a service's store was created, in the form that tags and cursors contain. It differs after every
 * start.
 */
async function epochOf({ running, eventIds }: Surface): Promise<string> {
  const headers = { authorization: `Bearer ${running.key}` };
  const response = await fetch(`${running.url}/v1/events/${eventIds[0]}/odds`, { headers });
  await response.arrayBuffer();
  return /^(?:W\/)?"([0-9a-z]{8,})-/.exec(response.headers.get('etag') ?? '')![1]!;
}

function questions(): Question[] {
  const operations = one.document.operations.filter(
    ({ isAccount, path }) => !isAccount && !OWN_ANSWERS.test(path),
  );
  const wild = fc.sample(fc.tuple(wildRequest(operations), valuesFor(operations, one)), {
    seed: SEED,
    numRuns: WILD_REQUESTS,
  });
  const forms = [
    {},
    { accept: 'application/msgpack' },
    { 'accept-encoding': 'gzip' },
    { 'accept-encoding': 'identity' },
  ];
  const good = operations.flatMap((operation) =>
    one.samples.good(operation).filter((_, index) => index % 4 === 0),
  );
  const bad = operations.flatMap((operation) =>
    one.samples.bad(operation).filter((_, index) => index % 12 === 0),
  );
  return [
    ...[...good, ...bad].map((request, index) => ({
      request,
      caller: 'enterprise' as const,
      headers: forms[index % forms.length]!,
      isAgain: index % 5 === 0,
    })),
    ...wild.map(([each, values]) => {
      const operation: Operation = operations[each.operationIndex]!;
      const request = toRequest(operation, { wild: each, values, document: one.document });
      return { request, caller: each.caller, headers: each.headers };
    }),
  ];
}

test('for any request, a service with two HTTP threads answers as a service with one does', async () => {
  const all = questions();
  const statuses = new Map<number, number>();
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const batch = all.slice(at, at + AT_ONCE);
    const [left, right] = await Promise.all(
      [one, two].map((surface) => Promise.all(batch.map((question) => ask(surface, question)))),
    );
    for (const [index, answer] of left!.entries()) {
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      expect({ question: batch[index], ...right![index] }).toEqual({ question: batch[index], ...answer });
    }
  }
  // The test is meaningful only if many requests were answered, every kind of refusal occurred, and both
  // threads have answered.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 304, 400, 401, 404, 405, 422]));
  expect(statuses.get(200)).toBeGreaterThan(all.length / 4);
  await until('both threads have answered', async () =>
    (await threadCounts(two)).every((count) => count > 0),
  );
});

test('over both threads together, no more requests of one key are admitted than its bucket holds', async () => {
  const [key] = await createKeys(two.running.dataDir, 'free', 1);
  const headers = { authorization: `Bearer ${key}` };
  // HTTP threads admit requests to the first path; the query thread admits requests to the second.
  const paths = [`/v1/events/${two.eventIds[0]}/odds`, '/v1/sports'];
  const before = await threadCounts(two);
  const startedAtMs = performance.now();
  const statuses: number[] = [];
  for (let at = 0; at < KEY_REQUESTS; at += AT_ONCE) {
    const answers = Array.from({ length: AT_ONCE }, (_, index) =>
      fetch(two.running.url + paths[index % 2], { headers, keepalive: false }),
    );
    for (const answer of await Promise.all(answers)) {
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
  }
  const refilled = Math.ceil((performance.now() - startedAtMs) / REFILL_EVERY_MS);
  const admitted = statuses.filter((status) => status === 200).length;
  expect(statuses.filter((status) => status === 429).length).toBe(statuses.length - admitted);
  expect(admitted).toBeGreaterThanOrEqual(BURST_OF_FREE);
  expect(admitted).toBeLessThanOrEqual(BURST_OF_FREE + refilled);
  await until('both threads have answered', async () => {
    const after = await threadCounts(two);
    return after.every((count, thread) => count > before[thread]!);
  });
});

test('GET /metrics needs no key, costs nothing, is well-formed, and counts the requests of all threads', async () => {
  const { url } = two.running;
  const ask = (path: string) => fetch(url + path, { keepalive: false });
  const metrics = async () => readPrometheus(await (await ask('/metrics')).text());
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
  expect(sampleOf(families, 'overround_feed_age_seconds')).toBeWithin(0, 30);
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

/** How many requests each of two HTTP threads has received. */
async function threadCounts({ running }: Surface): Promise<number[]> {
  const families = readPrometheus(await (await fetch(`${running.url}/metrics`)).text());
  return ['0', '1'].map((thread) => sampleOf(families, 'overround_http_thread_requests_total', { thread }));
}
