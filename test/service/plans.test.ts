// The bounded URL cache changes no answer: a request by a cached URL is answered byte for byte like one by an
// equivalent URL that is not cached. Nothing moves here, so any difference comes from the cache.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { sendRaw } from '../http/kit.ts';
import { readPrometheus, sampleOf } from '../support/prometheus.ts';
import { type Answered, Surface } from '../support/surface.ts';
import { hasAll, untilMet } from '../support/until-met.ts';
import { toRequest, valuesFor, wildRequest } from './wild-requests.ts';

const RUNS = 1_500;
/** Differences that two answers to the same request may have. */
const OWN_HEADERS = new Set([
  'date',
  'server-timing',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-reset',
]);
/** Its answer counts requests. */
const COUNTING = 'getUsage';

let surface: Surface;
beforeAll(async () => {
  surface = await Surface.start({ freeKeys: 60, settings: { HTTP_THREADS: '1' } });
});
afterAll(() => surface[Symbol.asyncDispose]());

async function planCount(): Promise<number> {
  const text = await (await fetch(`${surface.running.url}/metrics`)).text();
  return sampleOf(readPrometheus(text), 'overround_url_plans');
}

/** The same request by another URL: with a parameter that no route has, of the same length each time. */
function marked(path: string, serial: number): string {
  return `${path}${path.includes('?') ? '&' : '?'}marker=${String(serial).padStart(6, '0')}`;
}

function comparable({ status, headers, text }: Answered, givenId: string | undefined): unknown {
  const kept = [...headers].filter(
    ([name, value]) => !OWN_HEADERS.has(name) && (name !== 'x-request-id' || value === givenId),
  );
  return { status, text, headers: kept };
}

test(`${RUNS} wild requests over all GET routes: the same with a plan and without`, async () => {
  const operations = surface.document.operations.filter(
    ({ method, operationId }) => method === 'GET' && operationId !== COUNTING,
  );
  const before = await planCount();
  const statuses = new Map<number, number>();
  let serial = 0;
  const property = fc.asyncProperty(
    wildRequest(operations),
    valuesFor(operations, surface),
    async (wild, values) => {
      const request = toRequest(operations[wild.operationIndex]!, {
        wild,
        values,
        document: surface.document,
      });
      const planned = { ...request, path: marked(request.path, ++serial) };
      const fresh = { ...request, path: marked(request.path, ++serial) };
      for (let sight = 0; sight < 3; sight += 1) {
        await surface.send('enterprise', { ...planned, method: 'GET', body: null });
      }
      const [withPlan, without] = [
        await surface.send(wild.caller, planned, wild.headers),
        await surface.send(wild.caller, fresh, wild.headers),
      ];
      statuses.set(withPlan.status, (statuses.get(withPlan.status) ?? 0) + 1);
      const givenId = wild.headers['x-request-id'];
      expect(comparable(withPlan, givenId)).toEqual(comparable(without, givenId));
    },
  );
  const wanted = [200, 400, 401, 404, 422];
  await untilMet(
    () => fc.assert(property, { numRuns: RUNS }),
    () => hasAll(statuses, wanted),
  );
  expect([...statuses.keys()]).toEqual(expect.arrayContaining(wanted));
  expect(await planCount()).toBeGreaterThan(before + RUNS / 10);
}, 120_000);

test('a fixture’s odds with a plan: the tags, the views and the formats of the answer without', async () => {
  for (const id of surface.eventIds.slice(0, 5)) {
    for (const query of ['', '?format=malay', '?markets=1x2', '?bookmakers=pinnacle']) {
      const path = `/v1/events/${id}/odds${query}`;
      const [planned, fresh] = [marked(path, 900_001), marked(path, 900_002)];
      const get = (target: string, caller: 'enterprise' | 'free' | 'keyless', headers = {}) =>
        surface.send(caller, { method: 'GET', path: target, body: null }, headers);
      for (let sight = 0; sight < 3; sight += 1) await get(planned, 'enterprise');
      const etag = (await get(planned, 'enterprise')).headers.get('etag') ?? '"none"';
      for (const caller of ['enterprise', 'free', 'keyless'] as const) {
        for (const headers of [
          {},
          { origin: 'https://page.example' },
          { 'if-none-match': etag },
          { 'if-none-match': `W/${etag}, "x"` },
          { 'if-none-match': '"x"' },
          { 'x-request-id': 'mine' },
        ]) {
          const id = 'x-request-id' in headers ? 'mine' : undefined;
          // Twice: the first answer of a view is made, the second may come from the cache.
          await get(planned, caller, headers);
          const withPlan = comparable(await get(planned, caller, headers), id);
          expect(withPlan).toEqual(comparable(await get(fresh, caller, headers), id));
        }
      }
    }
  }
}, 120_000);

test('the headers of a hit are in the order of those of a new answer', async () => {
  const port = Number(new URL(surface.running.url).port);
  const path = `/v1/events/${surface.eventIds[0]}/odds`;
  const [planned, fresh] = [marked(path, 900_003), marked(path, 900_004)];
  const { authorization = '' } = surface.callers.headersOf('enterprise');
  const namesOf = async (target: string, ...more: string[]) => {
    const lines = [`GET ${target} HTTP/1.1`, `Host: localhost:${port}`, `Authorization: ${authorization}`];
    const answer = await sendRaw(port, [...lines, ...more, '', ''].join('\r\n'), (got) =>
      got.includes('\r\n\r\n'),
    );
    return answer
      .slice(0, answer.indexOf('\r\n\r\n'))
      .replaceAll(/^([\w-]+):.*/gm, '$1')
      .toLowerCase();
  };
  for (let sight = 0; sight < 3; sight += 1) await namesOf(planned);
  for (const more of [
    [],
    ['Origin: https://page.example'],
    ['Accept-Encoding: identity;q=0, gzip'],
    ['If-None-Match: *'],
  ]) {
    expect(await namesOf(planned, ...more)).toBe(await namesOf(fresh, ...more));
  }
});

test('a second Host header is refused, though the URL of the request is one that has a plan', async () => {
  const { port } = new URL(surface.running.url);
  const send = (hosts: string) => sendRaw(Number(port), `GET /v1/sports HTTP/1.1\r\n${hosts}\r\n\r\n`);
  for (let sight = 0; sight < 3; sight += 1) {
    expect(await send('Host: localhost')).toStartWith('HTTP/1.1 200');
  }
  expect(await send('Host: localhost\r\nHost: evil.example')).toStartWith('HTTP/1.1 400');
});
