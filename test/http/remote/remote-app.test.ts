// Requests that another thread answers, over a message port: the same answers as with one thread, and no
// memory is held for a client that has left.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { systemClock } from '../../../src/clock.ts';
import { FixedAnswer } from '../../../src/http/kit/forms.ts';
import { MadePieces } from '../../../src/http/kit/pieces.ts';
import { Reply } from '../../../src/http/kit/reply.ts';
import { definePage, defineRoute, type Route } from '../../../src/http/kit/route.ts';
import { BODY_BYTES_MAX, REQUEST_DEADLINE_MS } from '../../../src/limits.ts';
import { until } from '../../support/condition.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import { runs } from '../../support/runs.ts';
import {
  connectRemote,
  ECHO,
  GOOD_KEY,
  sendRaw,
  startTestServer,
  type TestServer,
  testRoutes,
} from '../kit.ts';

const LARGE = 'x'.repeat(200_000);
const FILE = new Blob([LARGE]);
const FIXED = new FixedAnswer({ text: LARGE });
/** Headers in which two answers to the same request may differ. */
const OWN_HEADERS = ['date', 'server-timing', 'x-request-id'];

let piecesEnded = 0;

function routes(): readonly Route[] {
  return [
    ...testRoutes().filter(({ path }) => path !== '/large'),
    definePage({ path: '/file', handle: () => new Reply(FILE, { contentType: 'text/plain', etag: '"f"' }) }),
    definePage({
      path: '/cookies',
      handle: () => new Reply('{}', { headers: { 'set-cookie': ['a=1', 'b=2; HttpOnly'], 'x-own': 'ä' } }),
    }),
    definePage({ path: '/nothing', handle: () => new Reply(null, { status: 204 }) }),
    definePage({ path: '/v1/fixed', handle: () => new Reply(FIXED, { etag: FIXED.etag }) }),
    definePage({ path: '/v1/text', handle: () => new Reply(JSON.stringify({ text: LARGE })) }),
    definePage({ path: '/v1/pieces', access: 'metered', handle: () => new Reply(madePieces(5)) }),
    definePage({ path: '/v1/endless', access: 'metered', handle: () => new Reply(madePieces(Infinity)) }),
    definePage({ path: '/v1/broken', access: 'metered', handle: () => new Reply(brokenPieces()) }),
    definePage({
      path: '/address',
      handle: ({ clientAddress, request }) => Reply.json({ clientAddress, url: request.url.slice(22) }),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/echo',
      operationId: 'echo',
      summary: 'Echo',
      description: 'Echo.',
      tags: [],
      access: 'metered',
      body: Type.Object({ text: Type.String() }),
      response: ECHO,
      handle: ({ body }) => ({ seen: body }),
    }),
  ];
}

function madePieces(count: number): MadePieces {
  function* pieces() {
    for (let index = 0; index < count; index += 1) yield new TextEncoder().encode(`[${LARGE}]`);
  }
  return new MadePieces({ json: pieces, packed: pieces, onEnd: () => piecesEnded++ });
}

/** An answer in pieces that fails at its third piece. */
function brokenPieces(): MadePieces {
  function* pieces() {
    yield* [new TextEncoder().encode('['), new TextEncoder().encode(LARGE)];
    throw new Error('out of pieces');
  }
  return new MadePieces({ json: pieces, packed: pieces, onEnd: () => {} });
}

/**
 * A deadline so long that no test waits for it. What ends in less than half of it has ended for another
 * reason.
 */
const LATE_MS = 100_000;
let direct: TestServer;
let remote: TestServer;
beforeAll(() => {
  direct = startTestServer({ routes: routes() });
  remote = startTestServer({ routes: routes(), isRemote: true, deadlineMs: LATE_MS });
});
afterAll(() => Promise.all([direct[Symbol.asyncDispose](), remote[Symbol.asyncDispose]()]));

async function comparable(answer: Promise<Response>) {
  const response = await answer;
  const headers = [...response.headers].filter(([name]) => !OWN_HEADERS.includes(name));
  // Only one of the two servers sends a file in pieces, so the framing may differ.
  const framed = headers.filter(([name]) => name !== 'content-length' && name !== 'transfer-encoding');
  return { status: response.status, headers: framed.sort(), body: Bun.hash(await response.bytes()) };
}

const REQUEST = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE', 'PUT'),
  path: fc.constantFrom(
    ...[
      '/v1/things?limit=5&q=a%20b',
      '/v1/things/',
      '/v1/things/a_b-C/odds/1x2',
      '/v1/things/%61/odds/1x2',
      '/v1/things?limit=x',
      '/v1/things/é/odds/1x2',
      '/v1/things/a/odds/no',
    ],
    ...['/v1/things', '/crash', '/crash-later', '/file', '/cookies', '/nothing', '/v1/fixed', '/v1/text'],
    ...['/v1/pieces', '/address', '/v1/echo', '/platform/login', '/platform/none', '/none', '//x', '/v1/%zz'],
  ),
  headers: fc.record(
    {
      authorization: fc.constantFrom(GOOD_KEY, 'Bearer bad'),
      accept: fc.constantFrom('application/msgpack', '*/*'),
      'accept-encoding': fc.constantFrom('gzip', 'zstd', 'identity', 'identity;q=0'),
      'if-none-match': fc.constantFrom('"v1"', '"f"', '*', '"no"', FIXED.etag),
      origin: fc.constant('https://page.example'),
      'x-request-id': fc.constantFrom('mine', 'no good'),
      'content-type': fc.constantFrom('application/json', 'text/plain'),
      'x-forwarded-for': fc.constant('10.1.1.1'),
    },
    { requiredKeys: [] },
  ),
  body: fc.constantFrom('{"text":"ä"}', '{"name":"n"}', '{', '', LARGE),
});

type Asked = typeof REQUEST extends fc.Arbitrary<infer Value> ? Value : never;

/** One request for each kind of answer, because random requests do not get every kind in each run. */
const EXAMPLES: readonly (readonly [status: number, asked: Omit<Asked, 'body'>])[] = [
  [200, { method: 'GET', path: '/v1/things', headers: {} }],
  [204, { method: 'GET', path: '/nothing', headers: {} }],
  [
    304,
    {
      method: 'GET',
      path: '/v1/fixed',
      headers: { 'accept-encoding': 'identity', 'if-none-match': FIXED.etag },
    },
  ],
  [401, { method: 'GET', path: '/v1/things', headers: { authorization: 'Bearer bad' } }],
  [404, { method: 'GET', path: '/none', headers: {} }],
  [405, { method: 'DELETE', path: '/v1/things', headers: {} }],
  [415, { method: 'POST', path: '/v1/echo', headers: { 'content-type': 'text/plain' } }],
  [422, { method: 'GET', path: '/v1/things?limit=x', headers: {} }],
  [500, { method: 'GET', path: '/crash', headers: {} }],
];

test('for any request, another thread gives the same answer to the byte as one thread, and so are the counts and the log', async () => {
  const statuses: number[] = [];
  await fc.assert(
    fc.asyncProperty(REQUEST, async ({ method, path, headers, body }) => {
      const hasBody = method !== 'GET' && method !== 'HEAD';
      const ask = ({ url }: TestServer) =>
        comparable(
          fetch(url + path, {
            method,
            headers: { ...headers } as Record<string, string>,
            body: hasBody ? body : null,
          }),
        );
      const [one, other] = [await ask(direct), await ask(remote)];
      statuses.push(one.status);
      expect(other).toEqual(one);
      const [logged, loggedThere] = [direct.finished.at(-1)!, remote.finished.at(-1)!];
      const facts = { latencyMs: 0, requestId: '' };
      expect({ ...loggedThere, ...facts }).toEqual({ ...logged, ...facts });
      expect(remote.finished.length).toBe(direct.finished.length);
      expect(remote.gate.unitsCharged).toBe(direct.gate.unitsCharged);
    }),
    { numRuns: runs(150), examples: EXAMPLES.map(([, asked]) => [{ body: '{}', ...asked }]) },
  );
  expect(statuses.slice(0, EXAMPLES.length)).toEqual(EXAMPLES.map(([status]) => status));
  await until('nothing is left over', () => remote.remote!.server.pendingCount === 0);
});

describe('a body', () => {
  const head = (length: number, ...more: string[]) =>
    [
      'POST /v1/echo HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${length}`,
    ]
      .concat(more, '', '')
      .join('\r\n');

  test('the body of a request that is refused is not awaited', async () => {
    const answer = await sendRaw(remote.http.port, head(100, 'Authorization: Bearer bad'));
    expect(answer).toStartWith('HTTP/1.1 401');
  });

  test('a body that is too large is 413, also without a length', async () => {
    expect(await sendRaw(remote.http.port, head(BODY_BYTES_MAX + 1))).toStartWith('HTTP/1.1 413');
    const chunks = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(BODY_BYTES_MAX / 2));
      },
    });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: chunks };
    expect((await fetch(`${remote.url}/v1/echo`, init)).status).toBe(413);
  });

  test('a body of many parts arrives whole and in order', async () => {
    const text = Array.from({ length: 4_000 }, (_, index) => `part ${index}, `).join('');
    const bytes = new TextEncoder().encode(JSON.stringify({ text }));
    let part = 0;
    const parts = new ReadableStream<Uint8Array>({
      pull(controller) {
        const start = 10_007 * part++;
        if (start < bytes.length) controller.enqueue(bytes.slice(start, start + 10_007));
        else controller.close();
      },
    });
    const headers = { 'content-type': 'application/json' };
    for (const body of [bytes, parts]) {
      const answer = await fetch(`${remote.url}/v1/echo`, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
      expect(Bun.hash(((await answer.json()) as { seen: { text: string } }).seen.text)).toBe(Bun.hash(text));
    }
  });

  test('if the connection of a body breaks, the body is dropped and no request is left open', async () => {
    const connection = await RawConnection.open(remote.http.port);
    connection.send(`${head(100)}{`);
    await until('it is waited for', () => remote.http.bodyCount() === 1);
    connection.end();
    await until('it is not any more', () => remote.http.bodyCount() === 0);
    await until('nothing is left over', () => remote.remote!.server.pendingCount === 0);
  });
});

describe('a client that goes away', () => {
  test(
    'if a client leaves while its answer is made or sent, no request is left open',
    async () => {
      const before = piecesEnded;
      for (const path of ['/hang', '/v1/endless']) {
        const leave = new AbortController();
        const answer = fetch(remote.url + path, { signal: leave.signal });
        if (path === '/v1/endless') await (await answer).body!.getReader().read();
        await until('it is under way', () => remote.remote!.server.pendingCount === 1);
        answer.catch(() => {});
        leave.abort();
      }
      await until('the pieces have ended', () => piecesEnded === before + 1);
      // The test ends long before the deadline, so the deadline did not end these requests.
      expect(remote.remote!.server.pendingCount).toBe(0);
      expect(remote.http.pendingCount()).toBe(0);
    },
    LATE_MS / 2,
  );
});

describe('the other side', () => {
  /** 'cut' if a client gets an error at the end of the answer, 'whole' if the body seems complete to it. */
  async function readToEnd(answer: Response): Promise<string> {
    try {
      await answer.arrayBuffer();
      return 'whole';
    } catch {
      return 'cut';
    }
  }

  test('if the next piece of an answer cannot be made, the answer is cut off', async () => {
    for (const server of [direct, remote]) {
      const answer = await fetch(`${server.url}/v1/broken`, { headers: { 'accept-encoding': 'identity' } });
      expect([answer.status, await readToEnd(answer)]).toEqual([200, 'cut']);
    }
    await until('nothing is left over', () => remote.remote!.server.pendingCount === 0);
  });

  test('if the query thread ends while it sends pieces, the answer is cut off', async () => {
    await using own = startTestServer({ routes: routes(), isRemote: true });
    const answer = await fetch(`${own.url}/v1/endless`, { headers: { 'accept-encoding': 'identity' } });
    const end = readToEnd(answer);
    own.remote!.caller.disconnect();
    expect(await end).toBe('cut');
  }, 9_000); // sooner than an idle connection is cut anyway

  test('the query thread answers 503 itself when the deadline of a request has passed', async () => {
    await using own = startTestServer({ routes: routes(), isRemote: true, deadlineMs: 50 });
    const late = await fetch(`${own.url}/hang`);
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await late.json()).toMatchObject({ error: { message: expect.stringContaining('deadline') } });
    expect(own.remote!.server.pendingCount).toBe(0);
  });

  test(
    'requests to a query thread that hangs are answered 503 soon after the deadline, and it drops them',
    async () => {
      let aheadMs = 0;
      const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
      await using own = startTestServer({ routes: routes(), isRemote: true, clock, deadlineMs: LATE_MS });
      const hanging = [fetch(`${own.url}/hang`), fetch(`${own.url}/hang`)];
      await until('both wait', () => own.remote!.server.pendingCount === 2);
      aheadMs = REQUEST_DEADLINE_MS + 2_000;
      for (const answer of await Promise.all(hanging)) {
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
        expect(await answer.json()).toMatchObject({
          error: { message: expect.stringContaining('Cannot reach the query thread') },
        });
      }
      await until('nothing is left over', () => own.remote!.server.pendingCount === 0);
      expect((await fetch(`${own.url}/address`)).status).toBe(200);
    },
    LATE_MS / 2,
  );

  test(
    'if the query thread is full or gone, requests get 503 with Retry-After, also those that are waiting for it',
    async () => {
      await using small = startTestServer({
        routes: routes(),
        isRemote: true,
        pendingMax: 16,
        deadlineMs: LATE_MS,
      });
      const hanging = [fetch(`${small.url}/hang`)];
      await until('it waits', () => small.remote!.server.pendingCount === 1);
      const refused = await fetch(`${small.url}/address`);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      small.remote!.caller.disconnect();
      for (const answer of await Promise.all(hanging)) {
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
        expect(await answer.json()).toMatchObject({ error: { code: 'upstream_unavailable' } });
      }
      expect((await fetch(`${small.url}/address`)).status).toBe(503);
      connectRemote(small.remote!);
      expect((await fetch(`${small.url}/address`)).status).toBe(200);
      await until('nothing of the other connection is left', () => small.remote!.server.pendingCount === 0);
    },
    LATE_MS / 2,
  );
});
