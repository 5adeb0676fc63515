// One request to an endpoint: where the connection goes, what TLS checks, and what is read of the answer.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import {
  INTERIM_ANSWERS_MAX,
  type PostOutcome,
  type PostParts,
  postAlert,
} from '../../../src/alerts/delivery/post.ts';
import { alertTarget, allowedTargets } from '../../../src/alerts/delivery/target.ts';
import { certificateAuthority, HAS_OPENSSL } from '../../support/certificates.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FORMED = { path: '/hook', headers: { 'content-type': 'application/json' }, body: '{"a":1}' };
const HERE = allowedTargets(['127.0.0.1']);

interface Seen {
  readonly host: string | null;
  readonly body: string;
}

function endpoint(answer: () => Response | Promise<Response>) {
  const seen: Seen[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      seen.push({ host: request.headers.get('host'), body: await request.text() });
      return answer();
    },
  });
  return { seen, port: server.port!, [Symbol.dispose]: () => server.stop(true) };
}

/** A server that calls `answer` with the socket when the first bytes of a request arrive. */
async function rawEndpoint(answer: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: async () => void server.close() };
}

function post(url: string, parts: Partial<PostParts> = {}): Promise<PostOutcome> {
  const allowed = parts.allowed ?? HERE;
  const target = alertTarget(url, allowed);
  return postAlert(
    target,
    { ...FORMED, path: target.path },
    { resolve: async () => ['127.0.0.1'], allowed, ...parts },
  );
}

describe('postAlert', () => {
  test('postAlert sends the body, and returns the answer', async () => {
    using server = endpoint(() => new Response('thanks', { status: 202 }));
    expect(await post(`http://127.0.0.1:${server.port}/hook`)).toEqual({
      status: 202,
      error: null,
      answer: 'thanks',
    });
    expect(server.seen).toEqual([{ host: `127.0.0.1:${server.port}`, body: '{"a":1}' }]);
  });

  test('postAlert connects to the address that was checked, and resolves the name once', async () => {
    using server = endpoint(() => new Response('ok'));
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    let asked = 0;
    const outcome = await post(`http://rebinding.example:${server.port}/hook`, {
      resolve: async () => answers[asked++]!,
    });
    expect([outcome.status, asked]).toEqual([200, 1]);
    expect(server.seen[0]!.host).toBe(`rebinding.example:${server.port}`);
  });

  const REFUSED: readonly (readonly [what: string, addresses: readonly string[]])[] = [
    ['a private address', ['10.0.0.1']],
    ['loopback of IPv6', ['::1']],
    ['a public and a private address', ['8.8.8.8', '192.168.0.1']],
    ['a mapped address', ['::ffff:10.0.0.1']],
    ['a metadata address', ['169.254.169.254']],
    ['an address that cannot be read', ['one.two']],
    ['no address', []],
  ];
  for (const [what, addresses] of REFUSED) {
    test(`nothing is sent if the name resolves to ${what}`, async () => {
      const outcome = await post('https://hooks.example.com/hook', { resolve: async () => addresses });
      expect(outcome).toMatchObject({ status: null, answer: null });
      expect(outcome.error).toStartWith('not sent: ');
      for (const address of addresses) expect(outcome.error).not.toContain(address);
    });
  }

  test('postAlert does not follow a redirect', async () => {
    using other = endpoint(() => new Response('secret'));
    using server = endpoint(() => Response.redirect(`http://127.0.0.1:${other.port}/`, 307));
    const outcome = await post(`http://127.0.0.1:${server.port}/hook`);
    expect(outcome.status).toBe(307);
    expect(outcome.error).toContain('redirects are not followed');
    expect(other.seen).toEqual([]);
  });

  test('postAlert reads only 4 KB of an answer that never ends', async () => {
    const chunk = new Uint8Array(1_000).fill(97);
    using server = endpoint(
      () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) })),
    );
    const outcome = await post(`http://127.0.0.1:${server.port}/hook`);
    expect([outcome.status, outcome.answer!.length]).toEqual([200, 4_096]);
  });

  test('postAlert gives up at the deadline: while the name is resolved, before an answer, and within an answer', async () => {
    const never = new Promise<never>(() => {});
    const late = { status: null, error: 'no answer in time', answer: null };
    expect(await post('https://slow.example/', { resolve: () => never, deadlineMs: 50 })).toEqual(late);
    using silent = endpoint(() => never);
    expect(await post(`http://127.0.0.1:${silent.port}/`, { deadlineMs: 50 })).toEqual(late);
    using slow = endpoint(() => new Response(new ReadableStream({ pull: () => never })));
    expect(await post(`http://127.0.0.1:${slow.port}/`, { deadlineMs: 300 })).toEqual(late);
  });

  test('postAlert reports that an endpoint cannot be reached, or does not answer in HTTP', async () => {
    using gone = endpoint(() => new Response(''));
    gone[Symbol.dispose]();
    expect((await post(`http://127.0.0.1:${gone.port}/`)).error).toStartWith('not delivered');
    await using server = await rawEndpoint((socket) => socket.end('not HTTP\r\n\r\n'));
    expect((await post(server.url)).error).toStartWith('not delivered');
  });

  for (const interim of ['100 Continue', '103 Early Hints']) {
    test(`postAlert reads a bounded number of interim answers (${interim})`, async () => {
      const send = (count: number) => `HTTP/1.1 ${interim}\r\n\r\n`.repeat(count);
      await using few = await rawEndpoint((socket) =>
        socket.end(`${send(INTERIM_ANSWERS_MAX)}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`),
      );
      expect(await post(few.url)).toMatchObject({ status: 200, error: null });
      await using many = await rawEndpoint((socket) => socket.write(send(INTERIM_ANSWERS_MAX + 1)));
      expect((await post(many.url)).error).toBe('it sends interim answers without end');
    });
  }
});

describe.skipIf(!HAS_OPENSSL)(`TLS${HAS_OPENSSL ? '' : ': there is no openssl'}`, () => {
  const folder = temporaryFolder();
  const [certFile, keyFile] = [join(folder.path, 'a.pem'), join(folder.path, 'a.key')];
  let ca = '';
  let server: ReturnType<typeof Bun.serve>;

  beforeAll(async () => {
    const authority = await certificateAuthority(folder.path);
    ca = authority.certificate;
    await authority.renew('localhost', certFile, keyFile);
    server = Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1' },
      tls: { cert: await Bun.file(certFile).text(), key: await Bun.file(keyFile).text() },
      fetch: () => new Response('ok'),
    });
  });
  afterAll(() => {
    server.stop(true);
    folder[Symbol.dispose]();
  });

  const allowed = allowedTargets(['localhost', 'other.example', '127.0.0.1']);

  test('over TLS, the certificate must be valid for the name, although the connection goes to the checked address', async () => {
    const outcome = await post(`https://localhost:${server.port}/`, { allowed, ca });
    expect(outcome).toEqual({ status: 200, error: null, answer: 'ok' });
  });

  test('a certificate of another name, and one of an unknown authority, are refused', async () => {
    const other = await post(`https://other.example:${server.port}/`, { allowed, ca });
    expect(other.error).toBe('not delivered: ERR_TLS_CERT_ALTNAME_INVALID');
    const unknown = await post(`https://localhost:${server.port}/`, { allowed });
    expect(unknown.error).toStartWith('not delivered: ');
  });
});
