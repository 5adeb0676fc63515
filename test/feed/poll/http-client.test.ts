// Every way in which one request can fail, over real sockets: each is reported with its reason, and no text
// contains a key.

import { afterAll, describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failureOfStatus, PollFailure } from '../../../src/feed/poll/failure.ts';
import { askJson, retryAfterMs } from '../../../src/feed/poll/http-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const KEY = 'a-key-that-nobody-may-see';

/** Answers by path. */
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) => {
    switch (new URL(request.url).pathname) {
      case '/ok':
        return Response.json({ fine: true });
      case '/empty':
        return new Response('');
      case '/html':
        return new Response('<!doctype html><title>Sign in</title>');
      case '/cut':
        return new Response('{"a":[1,2,');
      case '/large':
        return new Response('x'.repeat(100_000));
      case '/slow':
        return new Promise<Response>(() => {});
      case '/drip':
        return new Response(new ReadableStream({ start: (controller) => controller.enqueue('[1,') }));
      case '/moved':
        return new Response('', { status: 302, headers: { location: '/ok' } });
      case '/busy':
        return new Response('{}', { status: 429, headers: { 'retry-after': '120' } });
      default:
        return new Response('<html>', { status: Number(new URL(request.url).pathname.slice(1)) });
    }
  },
});
afterAll(() => server.stop(true));

/** Paths whose answers never end. */
const ENDLESS = new Set(['/slow', '/drip']);

/** A server that sends these bytes to each connection, and disconnects. */
function rawServer(text: string): Bun.TCPSocketListener<undefined> {
  return Bun.listen({
    port: 0,
    hostname: '127.0.0.1',
    socket: {
      data: (socket) => {
        socket.write(text);
        socket.end();
      },
    },
  });
}

async function failureOf(
  url: string,
  limits: { deadlineMs?: number; bytesMax?: number } = {},
): Promise<PollFailure> {
  const signal = new AbortController().signal;
  try {
    await askJson({ url: `${url}?apiKey=${KEY}`, headers: { 'x-key': KEY }, signal, ...limits }, () => null);
  } catch (error) {
    expect(error).toBeInstanceOf(PollFailure);
    const { message, stack } = error as PollFailure;
    expect(`${message} ${stack} ${JSON.stringify(error)} ${Bun.inspect(error)}`).not.toContain(KEY);
    return error as PollFailure;
  }
  throw new Error('It did not fail');
}

describe('askJson', () => {
  test('returns the body of an answer', async () => {
    const signal = new AbortController().signal;
    const { body } = await askJson({ url: `${server.url.origin}/ok`, headers: {}, signal }, () => null);
    expect(body).toEqual({ fine: true });
  });

  test.each([
    ['/empty', 'empty', 'retry'],
    ['/html', 'not_json', 'retry'],
    ['/cut', 'cut_short', 'retry'],
    ['/large', 'too_large', 'retry'],
    ['/slow', 'timed_out', 'retry'],
    ['/drip', 'timed_out', 'retry'],
    ['/moved', 'redirected', 'retry'],
    // The bodies are not in the upstream's form. A proxy may have sent these answers, so they are retried.
    ['/401', 'bad_key', 'retry'],
    ['/402', 'not_paid', 'retry'],
    ['/403', 'forbidden', 'retry'],
    ['/404', 'unknown_product', 'final'],
    ['/422', 'bad_request', 'final'],
    ['/408', 'timed_out', 'retry'],
    ['/499', 'timed_out', 'retry'],
    ['/500', 'server_error', 'retry'],
    ['/503', 'server_error', 'retry'],
    ['/204', 'unexpected_status', 'retry'],
  ])('%s fails as %s, %s', async (path, reason, kind) => {
    // Only endless answers get a short deadline. So no other answer counts as late if the machine stalls for
    // a moment.
    const deadlineMs = ENDLESS.has(path) ? 200 : 20_000;
    const failure = await failureOf(`${server.url.origin}${path}`, { deadlineMs, bytesMax: 50_000 });
    expect({ reason: failure.reason, kind: failure.kind }).toEqual({ reason, kind } as never);
  });

  test('no status that means a failure counts as a success', () => {
    for (let status = 300; status < 600; status++)
      expect(failureOfStatus(status, null)).toBeInstanceOf(PollFailure);
  });

  test('the failure 429 has the answer’s Retry-After, which may be in seconds or a date', async () => {
    const failure = await failureOf(`${server.url.origin}/busy`);
    expect(failure).toMatchObject({
      reason: 'throttled',
      kind: 'retry',
      scope: 'source',
      retryAfterMs: 120_000,
    });
    const date = (ms: number): string => new Date(ms).toUTCString();
    const now = Date.UTC(2026, 10, 1, 12);
    expect(retryAfterMs(new Headers({ date: date(now), 'retry-after': date(now + 30_000) }))).toBe(30_000);
    expect(retryAfterMs(new Headers({ date: date(now), 'retry-after': 'soon' }))).toBeNull();
    expect(retryAfterMs(new Headers({ 'retry-after': '999999999' }))).toBe(3_600_000);
  });

  test('an answer that is shorter than its length fails', async () => {
    using server = rawServer('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"a":1}');
    const failure = await failureOf(`http://127.0.0.1:${server.port}/`, { deadlineMs: 2_000 });
    expect(['cut_short', 'unreachable']).toContain(failure.reason);
  });

  test('bytes that are not HTTP are a failure, and so is an address without a server', async () => {
    let port: number;
    {
      using server = rawServer('hello\r\n\r\n');
      port = server.port;
      const failure = await failureOf(`http://127.0.0.1:${port}/`, { deadlineMs: 2_000 });
      expect(['cut_short', 'unreachable']).toContain(failure.reason);
    }
    expect((await failureOf(`http://127.0.0.1:${port}/`)).reason).toBe('unreachable');
  });

  test('a certificate that no authority has signed fails', async () => {
    using folder = temporaryFolder();
    const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => join(folder.path, name)) as [
      string,
      string,
    ];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=127.0.0.1', '-days', '1'];
    execFileSync('openssl', [...request, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    using secure = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      tls: { key: readFileSync(key, 'utf8'), cert: readFileSync(certificate, 'utf8') },
      fetch: () => Response.json([]),
    });
    expect((await failureOf(`https://127.0.0.1:${secure.port}/`)).reason).toBe('tls_failed');
  });
});
