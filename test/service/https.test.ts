// HTTPS by the server itself: a real client that trusts the authority, a renewal of the certificate while
// connections are open, and refusals of old versions and ciphers. Over plain HTTP, browsers are redirected to
// HTTPS and programs are refused.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import tls from 'node:tls';
import { loadConfig } from '../../src/settings/config.ts';
import { readCertificate } from '../../src/start/certificate.ts';
import { type Authority, certificateAuthority, HAS_OPENSSL } from '../support/certificates.ts';
import { until } from '../support/condition.ts';
import { freePort } from '../support/free-port.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const [certFile, keyFile] = [join(folder.path, 'server.pem'), join(folder.path, 'server.key')];
const redirectPort = freePort();
let authority: Authority;
let server: ServerProcess;
let url: URL;

beforeAll(async () => {
  if (!HAS_OPENSSL) return;
  authority = await certificateAuthority(folder.path);
  await authority.renew('first', certFile, keyFile);
  server = new ServerProcess({
    TLS_CERT_FILE: certFile,
    TLS_KEY_FILE: keyFile,
    HTTP_REDIRECT_PORT: String(redirectPort),
    NODE_ENV: 'test',
    HTTP_THREADS: '2',
  });
  url = new URL(await server.serving());
}, 120_000);
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

class Connection {
  readonly socket: tls.TLSSocket;
  #heard = '';
  isClosed = false;

  constructor(options: tls.ConnectionOptions = {}) {
    const port = Number(url.port);
    this.socket = tls.connect({ host: '127.0.0.1', port, ca: authority.certificate, ...options });
    this.socket.on('data', (chunk: Buffer) => {
      this.#heard += chunk.toString('latin1');
    });
    this.socket.on('close', () => {
      this.isClosed = true;
    });
  }

  /** @returns the name in the certificate @throws when the handshake fails */
  async subject(): Promise<string> {
    await new Promise((resolve, reject) => {
      this.socket.once('secureConnect', resolve);
      this.socket.once('error', reject);
    });
    return String(this.socket.getPeerCertificate().subject.CN);
  }

  /** Requests /health. @returns the answer with its headers */
  async ask(): Promise<string> {
    this.#heard = '';
    this.socket.write(`GET /health HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
    await until('an answer', () => /\r\n\r\n.*\}$/s.test(this.#heard));
    return this.#heard;
  }
}

async function subjectOf(options: tls.ConnectionOptions = {}): Promise<string> {
  const connection = new Connection(options);
  try {
    return await connection.subject();
  } finally {
    connection.socket.destroy();
  }
}

// The certificates are made with openssl.
describe.skipIf(!HAS_OPENSSL)('a server with TLS_CERT_FILE', () => {
  test('serves a client that trusts the authority, has https links, and sends HSTS', async () => {
    expect(url.protocol).toBe('https:');
    const response = await fetch(`${url.origin}/v1/events?limit=1`, { tls: { ca: authority.certificate } });
    expect(response.status).toBe(200);
    expect(response.headers.get('strict-transport-security')).toContain('max-age=');
    const map = await fetch(url, { tls: { ca: authority.certificate } });
    expect(((await map.json()) as { openapi: string }).openapi).toBe(`${url.origin}/openapi.json`);
    await expect(fetch(url)).rejects.toThrow();
  });

  test('accepts only TLS 1.2 and 1.3 with authenticated ciphers', async () => {
    expect(await subjectOf({ minVersion: 'TLSv1.3' })).toBe('first');
    const modern = 'ECDHE-ECDSA-AES128-GCM-SHA256';
    expect(await subjectOf({ maxVersion: 'TLSv1.2', ciphers: modern })).toBe('first');
    const refused: tls.ConnectionOptions[] = [
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' },
      ...['ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA', 'AES128-GCM-SHA256', 'AES128-SHA'].map(
        (ciphers) => ({ maxVersion: 'TLSv1.2' as const, ciphers }),
      ),
    ];
    for (const options of refused) await expect(subjectOf(options)).rejects.toThrow();
  });

  function askPlainly(init: RequestInit): Promise<Response> {
    const headers = { host: 'evil.example', ...init.headers };
    const address = `http://127.0.0.1:${redirectPort}/v1/events?limit=1`;
    return fetch(address, { ...init, redirect: 'manual', headers });
  }

  test('a browser that opens a page over plain HTTP is redirected to the same path over HTTPS, whatever the Host header', async () => {
    for (const method of ['GET', 'HEAD']) {
      const response = await askPlainly({ method, headers: { accept: 'text/html,application/xhtml+xml' } });
      expect([response.status, response.headers.get('location')]).toEqual([
        308,
        `${url.origin}/v1/events?limit=1`,
      ]);
    }
  });

  test('over plain HTTP a program is refused, so that it does not send its key there again', async () => {
    const html = { accept: 'text/html' };
    const programs: RequestInit[] = [
      {},
      { headers: { accept: 'application/json' } },
      { method: 'POST', headers: html },
    ];
    for (const program of programs) {
      const response = await askPlainly(program);
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
      const { error } = (await response.json()) as { error: { code: string; fix: string } };
      expect(error).toMatchObject({ code: 'invalid_request', fix: expect.stringContaining(url.origin) });
    }
  });

  test('a renewed certificate is used for new connections, and no open connection is dropped', async () => {
    const kept = new Connection();
    expect(await kept.subject()).toBe('first');
    const stream = await fetch(`${url.origin}/v1/stream?status=live`, { tls: { ca: authority.certificate } });
    expect(stream.status).toBe(200);
    const reader = stream.body!.getReader();
    expect(await kept.ask()).not.toContain('Connection: close');

    // After the first half of a renewal nothing changes, and the problem is logged once.
    writeFileSync(certFile, 'half of a certificate');
    await server.logged(/certificate_refused/);
    expect(await subjectOf()).toBe('first');
    await authority.renew('second', certFile, keyFile);
    await server.logged(/certificate_renewed.*certificate_renewed/s);
    expect((await kept.ask()).toLowerCase()).toContain('connection: close');
    const { endsAtMs } = readCertificate({ certFile, keyFile });
    await until('the metrics say when the second one ends', async () => {
      const page = await fetch(`${url.origin}/metrics`, { tls: { ca: authority.certificate } });
      return (await page.text()).includes(
        `overround_certificate_ends_timestamp_seconds ${endsAtMs / 1_000}\n`,
      );
    });
    await until('new connections see the second one', async () => (await subjectOf()) === 'second');
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    const answers = Array.from({ length: 30 }, () =>
      fetch(`${url.origin}/health`, { tls: { ca: authority.certificate } }),
    );
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200);
  }, 120_000);
});

describe('a start is refused with the name of the setting for', () => {
  const missing = join(folder.path, 'nowhere.pem');
  test.each([
    [{ TLS_CERT_FILE: missing }, 'TLS_KEY_FILE is ""'],
    [{ TLS_KEY_FILE: missing }, 'TLS_CERT_FILE is ""'],
    [{ HTTP_REDIRECT_PORT: '80' }, 'set only with TLS_CERT_FILE'],
    [{ TLS_CERT_FILE: missing, TLS_KEY_FILE: missing, PUBLIC_URL: 'http://odds.example' }, 'an https URL'],
  ])('%j', (environment, problem) => {
    expect(() => loadConfig(environment)).toThrow(problem);
  });

  test('files that are missing, have the wrong content, or do not belong together', async () => {
    expect(() => readCertificate({ certFile: missing, keyFile: missing })).toThrow('a readable file');
    if (!HAS_OPENSSL) return;
    const [otherCert, otherKey] = [join(folder.path, 'other.pem'), join(folder.path, 'other.key')];
    await authority.renew('other', otherCert, otherKey);
    expect(readCertificate({ certFile: otherCert, keyFile: otherKey }).endsAtMs).toBeGreaterThan(0);
    expect(() => readCertificate({ certFile, keyFile: otherKey })).toThrow('the key of the certificate');
    expect(() => readCertificate({ certFile: otherKey, keyFile: otherKey })).toThrow('TLS_CERT_FILE');
    expect(() => readCertificate({ certFile: otherCert, keyFile: otherCert })).toThrow('TLS_KEY_FILE');
  });
});
