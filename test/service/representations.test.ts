// Every answer under /v1/ in every form: MessagePack and compressed bodies have the content of the JSON, each
// form has a tag of its own that is answered 304, and headers describe what was sent. Nothing moves here.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { unpack } from 'msgpackr';
import type { SampleRequest } from '../support/samples.ts';
import { Surface } from '../support/surface.ts';
import { hasAll, untilMet } from '../support/until-met.ts';
import { toRequest, valuesFor, wildRequest } from './wild-requests.ts';

const RUNS = 300;
const ACCEPTS = ['*/*', 'application/json', 'application/msgpack', 'application/msgpack;q=0.9, */*;q=0.1'];
const ENCODINGS = ['gzip', 'zstd', 'gzip;q=0.2, zstd;q=0.1', 'gzip, *;q=0', 'identity', 'br'];
/** Their answers count requests, or are not JSON. */
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

/** The value of a body. @throws when it is not of the form that its headers name */
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
  { plain, accept, encoding }: { plain: Received; accept: string; encoding: string },
): Promise<Received> {
  const asked = { accept, 'accept-encoding': encoding };
  const received = await receive(caller, request, asked);
  const where = `${request.method} ${request.path} ${accept} ${encoding}`;
  expect(received.status, where).toBe(plain.status);
  expect(contentOf(received, request.method), where).toEqual(contentOf(plain, request.method));
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

test(`${RUNS} wild requests over all GET routes of /v1/ say the same in every form`, async () => {
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
      await expectForm('enterprise', request, { plain, accept, encoding });
    },
  );
  const wanted = [200, 404, 422];
  await untilMet(
    () => fc.assert(property, { numRuns: RUNS }),
    () => hasAll(statuses, wanted),
  );
  expect([...statuses]).toEqual(expect.arrayContaining(wanted));
}, 120_000);

test('the whole slate, a batch, a tool and what is not found, in every form and asked for again', async () => {
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
    for (const accept of ACCEPTS) {
      for (const encoding of ENCODINGS) {
        const { bytes } = await expectForm('enterprise', request, { plain, accept, encoding });
        if (/gzip|zstd/.test(encoding) && plain.bytes.byteLength > 10_000)
          expect(bytes.byteLength).toBeLessThan(plain.bytes.byteLength / 2);
        await expectForm('enterprise', request, { plain, accept, encoding }); // perhaps cached by now
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

test('HEAD has no length that GET does not have: for an unchanged answer, for a stream', async () => {
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

test('a stream of events and what is not under /v1/ are sent as they are', async () => {
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
