// Every answer under /v1/ in every form: MessagePack and compressed bodies have the content of the JSON, each
// form has its own tag (a request that sends it gets 304), and headers describe the sent body. The bounded
// table of URL plans changes no answer either. A plan is the meaning of a URL, prepared once; a request whose
// URL has a plan gets the same bytes as one whose URL has none. Nothing changes on this slate, so any
// difference comes from the form or from the plan.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { unpack } from 'msgpackr';
import { sendRaw } from '../http/kit.ts';
import type { Answered } from '../support/call.ts';
import { readPrometheus, sampleOf } from '../support/prometheus.ts';
import { runs } from '../support/runs.ts';
import type { SampleRequest } from '../support/samples.ts';
import { Surface } from '../support/surface.ts';
import { hasAll, untilMet } from '../support/until-met.ts';
import { toRequest, valuesFor, wildRequest } from './wild-requests.ts';

const RUNS = runs(75);
const PLAN_RUNS = runs(120);
const ACCEPTS = ['*/*', 'application/json', 'application/msgpack', 'application/msgpack;q=0.9, */*;q=0.1'];
const ENCODINGS = ['gzip', 'zstd', 'gzip;q=0.2, zstd;q=0.1', 'gzip, *;q=0', 'identity', 'br'];
/** Operations whose answers count requests or are not JSON. */
const LEFT_OUT = new Set(['getUsage', 'streamOdds', 'openSocket', 'openStream']);
const CODED_FROM_BYTES = 1_024;

type Caller = 'enterprise' | 'free';

interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

let surface: Surface;
beforeAll(async () => {
  surface = await Surface.start({ freeKeys: 60, settings: { HTTP_THREADS: '1' } });
});
afterAll(() => surface[Symbol.asyncDispose]());

async function receive(
  caller: Caller,
  { path, method, body }: SampleRequest,
  headers: Record<string, string>,
): Promise<Received> {
  const response = await fetch(surface.running.url + path, {
    method,
    headers: {
      ...surface.callers.headersOf(caller),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      'accept-encoding': 'identity',
      ...headers,
    },
    ...(body === null ? {} : { body }),
    decompress: false,
  });
  return { status: response.status, headers: response.headers, bytes: await response.bytes() };
}

/**
 * The value of a body.
 * @throws when the body does not have the form that its headers name
 */
function contentOf({ headers, bytes }: Received, method: string): unknown {
  const length = headers.get('content-length');
  if (length !== null && method !== 'HEAD') expect(Number(length)).toBe(bytes.byteLength);
  if (bytes.byteLength === 0) return null;
  const coding = headers.get('content-encoding');
  expect([null, 'gzip', 'zstd']).toContain(coding);
  const decoded =
    coding === 'gzip' ? gunzipSync(bytes) : coding === 'zstd' ? zstdDecompressSync(bytes) : bytes;
  const type = headers.get('content-type');
  if (type === 'application/msgpack') return unpack(decoded);
  expect(type).toBe('application/json; charset=utf-8');
  return JSON.parse(new TextDecoder().decode(decoded));
}

/** Checks one form of an answer against the plain one. */
async function expectForm(
  caller: Caller,
  request: SampleRequest,
  {
    plain,
    content,
    accept,
    encoding,
  }: { plain: Received; content: unknown; accept: string; encoding: string },
): Promise<Received> {
  const asked = { accept, 'accept-encoding': encoding };
  const received = await receive(caller, request, asked);
  const where = `${request.method} ${request.path} ${accept} ${encoding}`;
  expect(received.status, where).toBe(plain.status);
  expect(contentOf(received, request.method), where).toEqual(content);
  const vary = received.headers.get('vary') ?? '';
  for (const name of ['Accept', 'Accept-Encoding', 'Authorization']) {
    expect(vary.split(', '), where).toContain(name);
  }
  const isPacked = received.headers.get('content-type') === 'application/msgpack';
  if (plain.bytes.byteLength > 0) expect(isPacked, where).toBe(accept.startsWith('application/msgpack'));
  const coding = received.headers.get('content-encoding');
  if (coding !== null) expect(encoding).toContain(coding);
  const isLarge = plain.bytes.byteLength > 2 * CODED_FROM_BYTES; // MessagePack is smaller, by less than half
  if (isLarge && /gzip|zstd/.test(encoding)) expect(coding, where).not.toBeNull();
  await expectTags(caller, request, { plain, received, asked });
  return received;
}

async function expectTags(
  caller: Caller,
  request: SampleRequest,
  { plain, received, asked }: { plain: Received; received: Received; asked: Record<string, string> },
): Promise<void> {
  const [tag, plainTag] = [received.headers.get('etag'), plain.headers.get('etag')];
  if (tag === null || plainTag === null) {
    expect(tag).toBe(plainTag);
    return;
  }
  const isSameForm =
    received.headers.get('content-type') === plain.headers.get('content-type') &&
    received.headers.get('content-encoding') === null;
  if (!tag.startsWith('W/') && !isSameForm) expect(tag).not.toBe(plainTag);
  const again = await receive(caller, request, { ...asked, 'if-none-match': tag });
  expect([again.status, again.bytes.byteLength, again.headers.get('etag')]).toEqual([304, 0, tag]);
}

test(`${RUNS} wild requests over all GET routes of /v1/ have the same content in every form`, async () => {
  const operations = surface.document.operations.filter(
    ({ method, path, operationId }) =>
      method === 'GET' && path.startsWith('/v1/') && !LEFT_OUT.has(operationId),
  );
  const statuses = new Set<number>();
  const property = fc.asyncProperty(
    wildRequest(operations),
    valuesFor(operations, surface),
    fc.constantFrom(...ACCEPTS),
    fc.constantFrom(...ENCODINGS),
    async (wild, values, accept, encoding) => {
      const { document } = surface;
      const request = toRequest(operations[wild.operationIndex]!, { wild, values, document });
      const plain = await receive('enterprise', request, {});
      statuses.add(plain.status);
      const content = contentOf(plain, request.method);
      await expectForm('enterprise', request, { plain, content, accept, encoding });
    },
  );
  const wanted = [200, 404, 422];
  await untilMet(
    () => fc.assert(property, { numRuns: RUNS }),
    () => hasAll(statuses, wanted),
  );
  expect([...statuses]).toEqual(expect.arrayContaining(wanted));
}, 120_000);

test('the whole slate, a batch, a tool and a 404 have the same content in every form, and when requested again', async () => {
  const eventIds = surface.eventIds.slice(0, 20);
  const requests: SampleRequest[] = [
    { method: 'GET', path: '/v1/odds', body: null },
    { method: 'GET', path: `/v1/events/${eventIds[0]}/odds`, body: null },
    { method: 'GET', path: '/v1/nothing', body: null },
    { method: 'POST', path: '/v1/odds/batch', body: JSON.stringify({ event_ids: eventIds }) },
    { method: 'POST', path: '/v1/mcp/list_bookmakers', body: '{}' },
  ];
  for (const request of requests) {
    const plain = await receive('enterprise', request, {});
    const content = contentOf(plain, request.method);
    for (const accept of ACCEPTS) {
      for (const encoding of ENCODINGS) {
        const { bytes, headers } = await expectForm('enterprise', request, {
          ...{ plain, content, accept, encoding },
        });
        if (/gzip|zstd/.test(encoding) && plain.bytes.byteLength > 10_000)
          expect(bytes.byteLength).toBeLessThan(plain.bytes.byteLength / 2);
        // By now the answer may come from the cache.
        const again = await receive('enterprise', request, { accept, 'accept-encoding': encoding });
        expect([again.status, again.headers.get('etag')]).toEqual([plain.status, headers.get('etag')]);
        if (again.status === 200) expect(Bun.deepEquals(again.bytes, bytes)).toBe(true);
      }
    }
  }
}, 120_000);

test('no form of an answer to a free caller shows the sharp bookmaker, whichever caller came before', async () => {
  const path = `/v1/events/${surface.eventIds[0]}/odds`;
  for (const accept of ACCEPTS) {
    for (const encoding of ENCODINGS) {
      const asked = { accept, 'accept-encoding': encoding };
      const [sharp, free] = [
        await receive('enterprise', { method: 'GET', path, body: null }, asked),
        await receive('free', { method: 'GET', path, body: null }, asked),
      ];
      expect(free.headers.get('cache-control')).toContain('private');
      expect(JSON.stringify(contentOf(sharp, 'GET'))).toContain('pinnacle');
      expect(JSON.stringify(contentOf(free, 'GET'))).not.toContain('pinnacle');
      expect(free.headers.get('etag')).not.toBe(sharp.headers.get('etag'));
    }
  }
});

test('HEAD has the headers of GET in every form, and no body', async () => {
  for (const path of [`/v1/events/${surface.eventIds[0]}/odds`, '/v1/odds', '/v1/sports']) {
    for (const accept of ['application/json', 'application/msgpack']) {
      for (const encoding of ['gzip', 'zstd', 'identity']) {
        const asked = { accept, 'accept-encoding': encoding };
        const get = await receive('enterprise', { method: 'GET', path, body: null }, asked);
        const head = await receive('enterprise', { method: 'HEAD', path, body: null }, asked);
        expect(head.bytes.byteLength).toBe(0);
        for (const name of ['content-type', 'content-encoding', 'etag', 'vary', 'content-length']) {
          expect(head.headers.get(name), `${name} of ${path} ${accept} ${encoding}`).toBe(
            get.headers.get(name),
          );
        }
      }
    }
  }
});

test('HEAD sends a length only if GET does: not for an unchanged answer, and not for a stream', async () => {
  const paths = ['/v1/odds', `/v1/events/${surface.eventIds[0]}/odds`, '/v1/mcp/tools', '/openapi.json'];
  for (const path of paths) {
    const request = { path, body: null };
    const tag = (await receive('enterprise', { ...request, method: 'GET' }, {})).headers.get('etag')!;
    for (const method of ['GET', 'HEAD'] as const) {
      const { status, headers } = await receive(
        'enterprise',
        { ...request, method },
        { 'if-none-match': tag },
      );
      expect({ path, method, status, etag: headers.get('etag') }).toEqual({
        path,
        method,
        status: 304,
        etag: tag,
      });
      expect(headers.get('content-length'), `${method} ${path}`).toBeNull();
    }
  }
  const stream = await receive('enterprise', { method: 'HEAD', path: '/v1/stream', body: null }, {});
  expect([stream.status, stream.headers.get('content-length')]).toEqual([200, null]);
});

test('streams of events and answers outside /v1/ are sent unchanged', async () => {
  for (const path of ['/openapi.json', '/health', '/v1/stream']) {
    const controller = new AbortController();
    const response = await fetch(surface.running.url + path, {
      headers: { 'accept-encoding': 'gzip, zstd', accept: 'application/msgpack, */*' },
      decompress: false,
      signal: controller.signal,
    });
    expect(response.headers.get('content-encoding'), path).toBeNull();
    expect(response.headers.get('content-type'), path).not.toBe('application/msgpack');
    controller.abort();
  }
});

/** Differences that two answers to the same request may have. */
const OWN_HEADERS = new Set([
  'date',
  'server-timing',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-reset',
]);
/** An operation whose answer counts requests. */
const COUNTING = 'getUsage';

async function planCount(): Promise<number> {
  const text = await (await fetch(`${surface.running.url}/metrics`)).text();
  return sampleOf(readPrometheus(text), 'overround_url_plans');
}

/** The same request by another URL: it has a parameter that no route reads, always of the same length. */
function marked(path: string, serial: number): string {
  return `${path}${path.includes('?') ? '&' : '?'}marker=${String(serial).padStart(6, '0')}`;
}

function comparable({ status, headers, text }: Answered, givenId: string | undefined): unknown {
  const kept = [...headers].filter(
    ([name, value]) => !OWN_HEADERS.has(name) && (name !== 'x-request-id' || value === givenId),
  );
  return { status, text, headers: kept };
}

test(`${PLAN_RUNS} wild requests over all GET routes get the same answers whether or not their URL has a plan`, async () => {
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
    () => fc.assert(property, { numRuns: PLAN_RUNS }),
    () => hasAll(statuses, wanted),
  );
  expect([...statuses.keys()]).toEqual(expect.arrayContaining(wanted));
  expect(await planCount()).toBeGreaterThan(before + PLAN_RUNS / 10);
}, 120_000);

test('a fixture’s odds have the same tags, views and formats whether or not their URL has a plan', async () => {
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
          // The first answer of a view is made; the second one may come from the cache.
          await get(planned, caller, headers);
          const withPlan = comparable(await get(planned, caller, headers), id);
          expect(withPlan).toEqual(comparable(await get(fresh, caller, headers), id));
        }
      }
    }
  }
}, 120_000);

test('a cached answer has its headers in the same order as a new one', async () => {
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

test('a second Host header is refused even if the URL of the request has a plan', async () => {
  const { port } = new URL(surface.running.url);
  const send = (hosts: string) => sendRaw(Number(port), `GET /v1/sports HTTP/1.1\r\n${hosts}\r\n\r\n`);
  for (let sight = 0; sight < 3; sight += 1) {
    expect(await send('Host: localhost')).toStartWith('HTTP/1.1 200');
  }
  expect(await send('Host: localhost\r\nHost: evil.example')).toStartWith('HTTP/1.1 400');
});
