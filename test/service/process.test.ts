// The process seen from outside: how it ends, how it refuses to start, and what it survives. database.test.ts
// and requirements.test.ts test all reasons for which a start is refused.

import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/clock.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { until } from '../support/condition.ts';
import { readPrometheus, sampleOf } from '../support/prometheus.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SMALL = { SIMULATOR_FOOTBALL_FIXTURES: '5', SIMULATOR_BASKETBALL_FIXTURES: '2' };
const UPLOADS = 6;

describe('stop', () => {
  test('SIGTERM with 2 HTTP threads: another server on its port is refused, running uploads are answered, then the process exits with 0', async () => {
    await using server = new ServerProcess({ ...SMALL, HTTP_THREADS: '2' });
    const url = new URL(await server.serving());
    await expectRefused(url);
    await expectOrderlyStop(server, url, 'SIGTERM');
  });

  test('a server with 1 HTTP thread survives late failures; on SIGINT running uploads are answered, it exits with 0, and daily counts are on disk', async () => {
    const preload = join(import.meta.dir, 'late-failures.preload.ts');
    const settings = { ...SMALL, HTTP_THREADS: '1' };
    await using server = new ServerProcess(settings, { flags: ['--preload', preload] });
    const url = await server.serving();
    await expectLateFailures(server, url);
    for (let count = 0; count < 3; count += 1) await (await fetch(`${url}/v1/sports`)).arrayBuffer();
    await expectOrderlyStop(server, new URL(url), 'SIGINT');
    using database = new Database(join(server.dataDir, DATABASE_NAME), { readonly: true });
    const row = database
      .query<{ total: number }, []>('SELECT sum(requests) AS total FROM daily_counts')
      .get();
    expect(row?.total).toBe(3 + UPLOADS);
  });
});

test('FEED_NOW stops the clock of the slate; log lines have the real time; a second signal a second later ends the server at once, whatever is still running', async () => {
  using folder = temporaryFolder();
  const recording = join(folder.path, 'day.ndjson');
  const hello = { type: 'hello', protocol: 1, source: 'a day', at: '2020-01-01T00:00:00.000Z' };
  writeFileSync(recording, `${JSON.stringify(hello)}\n`);
  const begunMs = systemClock.wallMs();
  await using server = new ServerProcess({
    FEED: `replay:${recording}`,
    FEED_NOW: '2020-01-01T00:00:00Z',
    NODE_ENV: 'production',
  });
  const url = await server.listening();
  await (await fetch(`${url}/health`)).arrayBuffer();
  await beginUpload(Number(new URL(url).port));
  server.child.kill('SIGTERM');
  await server.logged(/stopping/);
  await until('it is gone', () => {
    server.child.kill('SIGTERM');
    return server.child.exitCode !== null;
  });
  expect(await server.exited()).toBe(1);
  const lines = server.log.trimEnd().split('\n');
  expect(lines.some((line) => line.includes('/health'))).toBe(true);
  for (const line of lines) {
    const { at } = JSON.parse(line) as { at: string };
    expect(Date.parse(at)).toBeGreaterThanOrEqual(begunMs);
  }
});

describe('a start is refused for', () => {
  test('a HOST that is not of this machine', async () => {
    await using server = new ServerProcess({ ...SMALL, HOST: '192.0.2.1' });
    expect(await server.exited()).toBe(1);
    expect(server.log).toContain('HOST is not an address of this machine');
  });

  test('a database that it cannot use, with an error of one line', async () => {
    using folder = temporaryFolder();
    makeNewerDatabase(join(folder.path, DATABASE_NAME));
    await using server = new ServerProcess({ ...SMALL, DATA_DIR: folder.path });
    expect(await server.exited()).toBe(1);
    expect(server.log).toContain('has schema version 99');
    expect(server.log.trim().split('\n')).toHaveLength(1);
  });

  test('an invalid setting', async () => {
    await using server = new ServerProcess({ ...SMALL, HTTP_THREADS: '0' });
    expect(await server.exited()).toBe(1);
    expect(server.log).toBe('Cannot start: HTTP_THREADS is "0", allowed is an integer from 1 to 64\n');
  });
});

/** Expects that a server refuses to start on a port in use. */
async function expectRefused({ href, port }: URL): Promise<void> {
  await using second = new ServerProcess({ ...SMALL, PORT: port, HTTP_THREADS: '2' });
  expect(await second.exited()).toBe(1);
  expect(second.log).toBe(
    `Cannot listen on 127.0.0.1 port ${port}: another process does; set PORT or --port\n`,
  );
  expect((await fetch(`${href}ready`)).status).toBe(200);
}

/** Uploads that have begun are answered after the signal, while new connections are refused. */
async function expectOrderlyStop(
  server: ServerProcess,
  url: URL,
  signal: 'SIGINT' | 'SIGTERM',
): Promise<void> {
  const uploads = [];
  for (let count = 0; count < UPLOADS; count += 1) uploads.push(await beginUpload(Number(url.port)));
  server.child.kill(signal);
  await server.logged(/stopping/);
  await until('new connections are refused', () => refusesNew(url.href));
  for (const upload of uploads) upload.finish();
  for (const upload of uploads) expect(await upload.answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(await server.exited()).toBe(0);
}

/** A late throw and a late rejection are logged, counted and survived. */
async function expectLateFailures(server: ServerProcess, url: string): Promise<void> {
  server.child.kill('SIGUSR2');
  await server.logged(/a late throw of the test/);
  await server.logged(/a late rejection of the test/);
  const metrics = readPrometheus(await (await fetch(`${url}/metrics`)).text());
  for (const kind of ['exception', 'rejection']) {
    expect(sampleOf(metrics, 'overround_late_failures_total', { kind })).toBe(1);
  }
}

interface Upload {
  finish(): void;
  readonly answer: Promise<string>;
}

/** Sends a request's headers and half of its body; the server has received them when this resolves. */
async function beginUpload(port: number): Promise<Upload> {
  const body = JSON.stringify({ value: 2, from: 'decimal', to: ['american'] });
  const answer = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  let received = '';
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data(_socket, data) {
        received += data.toString('latin1');
        // The interim answer proves that a handler reads the body.
        if (received.startsWith('HTTP/1.1 100')) {
          received = received.slice(received.indexOf('\r\n\r\n') + 4);
          begun.resolve();
        }
        if (received.includes('\r\n\r\n{')) answer.resolve(received);
      },
      close: () => answer.resolve(received),
      error: (_socket, error) => answer.reject(error),
    },
  });
  const head = [
    'POST /v1/convert/odds HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await begun.promise;
  socket.write(body.slice(0, 10));
  return { finish: () => void socket.write(body.slice(10)), answer: answer.promise };
}

async function refusesNew(url: string): Promise<boolean> {
  try {
    await (await fetch(`${url}ready`, { keepalive: false })).arrayBuffer();
    return false;
  } catch {
    return true;
  }
}

function makeNewerDatabase(path: string): void {
  openDatabase({ path, schemas: [], create: true }).close();
  using database = new Database(path);
  database.run('PRAGMA user_version = 99');
}
