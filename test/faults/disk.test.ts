// A disk that is full or read-only, a locked database, or a folder that another server uses. Prices are
// served, writes get 503 and work again later without help, the log stays short, and a start names the
// problem. The full disk is a small tmpfs, which needs root; without root those tests are skipped.

import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAccessMemory } from '../../src/access/quotas/memory.ts';
import { systemClock } from '../../src/clock.ts';
import { serviceLog } from '../../src/log.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { SQLITE_SCHEMAS } from '../../src/start/data/service-database.ts';
import { keepOpening, openAccounts } from '../../src/start/threads/accounts.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { createKeys, PROXY_SETTINGS } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { ServerProcess } from '../support/server-process.ts';
import { CAN_MOUNT, mountSmallDisk } from '../support/small-disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SMALL = { ...PROXY_SETTINGS, SIMULATOR_FOOTBALL_FIXTURES: '3', SIMULATOR_BASKETBALL_FIXTURES: '1' };
/** The file of a new server and its log take about 600 KiB. */
const TMPFS_BYTES = 6 * 1024 * 1024;
const BURSTS = 10;
const FILL_STEP_BYTES = 4_096;

describe.skipIf(!CAN_MOUNT)('a full disk (skipped where no tmpfs can be mounted)', () => {
  test('prices are served, sign-up and login are 503 and retriable, and the server recovers when there is room', async () => {
    using disk = mountSmallDisk(TMPFS_BYTES)!;
    await using server = new ServerProcess({ ...SMALL, DATA_DIR: disk.path });
    const url = await server.serving();
    const filler = fill(disk.path);
    await until('sign-up is refused for the disk', async () => (await signUp(url)).status === 503);
    expect(await (await signUp(url)).json()).toMatchObject({
      error: { code: 'upstream_unavailable', is_retriable: true },
    });
    expect((await logIn(url)).status).toBe(503);
    expect((await fetch(`${url}/v1/events`)).status).toBe(200);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(server.log).toContain('storage_failed');
    rmSync(filler);
    await until('sign-up works again', async () => (await signUp(url)).status < 300);
    expect(server.log.match(/storage_failed/g)!.length).toBeLessThanOrEqual(4);
    // A start on a disk that accepts no writes names the disk.
    expect(await server.end()).toBe(0);
    expect(Bun.spawnSync(['mount', '-o', 'remount,ro', disk.path]).exitCode).toBe(0);
    await using refused = new ServerProcess({ ...SMALL, DATA_DIR: disk.path });
    expect(await refused.exited()).toBe(1);
    expect(refused.log).toContain(
      `DATA_DIR is "${disk.path}", allowed is a folder that this process can make and write to (EROFS)`,
    );
    expect(readdirSync(disk.path).filter((name) => name.includes('damaged'))).toEqual([]);
  });

  test('opening the accounts while the disk is full fails with that reason, and succeeds once there is room', async () => {
    using disk = mountSmallDisk(TMPFS_BYTES)!;
    const path = join(disk.path, DATABASE_NAME);
    using _ = openDatabase({ path, schemas: SQLITE_SCHEMAS, create: true });
    const filler = fill(disk.path);
    const causes: string[] = [];
    const hasRoom = Promise.withResolvers<void>();
    const accounts = keepOpening({
      openOnce: () =>
        openAccounts({
          config: { ...loadConfig({ DATA_DIR: disk.path }), publicUrl: 'http://127.0.0.1' },
          clock: systemClock,
          log: serviceLog({ production: false, logLevel: 'error' }),
          accessMemory: createAccessMemory({ seed: 1, startedAtMs: 0, capacity: { keys: 8, addresses: 8 } }),
          pool: null,
          keys: null,
        }),
      pause: () => hasRoom.promise,
      onStorageError: (cause) => causes.push(String(cause)),
      onFailure: (error) => causes.push(`it gave up: ${error}`),
    });
    for (let call = 0; call < 2; call++) {
      await expect(accounts()).rejects.toThrow(
        'Cannot read or write what is stored: the disk of the server is full',
      );
    }
    expect(causes).toEqual(['SQLiteError: database or disk is full']);
    rmSync(filler);
    hasRoom.resolve();
    await until('they are open', () =>
      accounts().then(
        () => true,
        () => false,
      ),
    );
    (await accounts()).close();
    expect(causes).toHaveLength(1);
  });

  test('a start on a full disk reports that the disk is full', async () => {
    using disk = mountSmallDisk(TMPFS_BYTES)!;
    fill(disk.path);
    await using server = new ServerProcess({ ...SMALL, DATA_DIR: disk.path });
    expect(await server.exited()).toBe(1);
    expect(server.log).toContain('is full; make room and start again');
  });
});

describe('a running server', () => {
  const STRACE = Bun.which('strace');
  let server: ServerProcess;
  let url: string;
  let headers: Readonly<Record<string, string>>;

  beforeAll(async () => {
    server = new ServerProcess({ ...SMALL, HISTORY_DAYS: '1' });
    url = await server.serving();
    headers = { authorization: `Bearer ${(await createKeys(server.dataDir, 'enterprise', 1))[0]}` };
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const poll = async (path: string): Promise<number> => (await fetch(url + path, { headers })).status;

  test.skipIf(STRACE === null)(
    'a running server whose disk becomes read-only: prices are served, writes are 503 and retriable, and it recovers (skipped without strace)',
    async () => {
      expect((await signUp(url)).status).toBeLessThan(300);
      // Linux refuses to remount a disk that is written to, so strace makes the server's writes fail instead.
      const calls = 'write,pwrite64,pwritev,ftruncate,fsync,fdatasync,rename,unlink';
      const files = ['', '-wal', '-journal'].map((suffix) => join(server.dataDir, DATABASE_NAME + suffix));
      const readOnly = Bun.spawn(
        [
          STRACE!,
          ...['-f', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${calls}:error=EROFS`],
          ...files.flatMap((path) => ['-P', path]),
          ...['-p', String(server.child.pid)],
        ],
        { stdout: 'ignore', stderr: 'ignore' },
      );
      try {
        await until('sign-up is refused for the disk', async () => (await signUp(url)).status === 503);
        expect(await (await signUp(url)).json()).toMatchObject({
          error: { code: 'upstream_unavailable', is_retriable: true },
        });
        expect((await logIn(url)).status).toBe(503);
        for (const path of ['/v1/events', '/v1/odds', '/health', '/ready']) {
          expect([path, await poll(path)]).toEqual([path, 200]);
        }
      } finally {
        readOnly.kill();
        await readOnly.exited;
      }
      await until('sign-up works again', async () => (await signUp(url)).status < 300);
      expect(server.log.match(/storage_failed/g)!.length).toBeLessThanOrEqual(4);
    },
  );

  test('while another process holds the write lock, writes are 503 and retriable and prices are served; afterwards the server recovers', async () => {
    const other = new Database(join(server.dataDir, DATABASE_NAME));
    other.run('BEGIN IMMEDIATE');
    const refused = await signUp(url);
    expect([refused.status, await refused.json()]).toMatchObject([
      503,
      { error: { code: 'upstream_unavailable', is_retriable: true, retry_after_seconds: 1 } },
    ]);
    expect((await logIn(url)).status).toBe(503);
    expect(await poll('/v1/events')).toBe(200);
    other.run('ROLLBACK');
    other.close();
    await until('sign-up works again', async () => (await signUp(url)).status < 300);
  });

  test('with a slow disk and a write lock that is held in bursts, polls and known keys work, and writes succeed or are 503', async () => {
    using other = new Database(join(server.dataDir, DATABASE_NAME));
    other.run('PRAGMA busy_timeout = 5000');
    const statuses = new Set<number>();
    const signUps: Promise<Response>[] = [];
    for (let burst = 0; burst < BURSTS; burst++) {
      other.run('BEGIN IMMEDIATE');
      signUps.push(signUp(url));
      // These polls are answered while the lock is held, so none of them waits for it.
      const polls = await Promise.all(Array.from({ length: 20 }, () => poll('/v1/events')));
      for (const status of polls) statuses.add(status);
      other.run('ROLLBACK');
    }
    expect([...statuses]).toEqual([200]);
    for (const { status } of await Promise.all(signUps)) expect([202, 201, 200, 429, 503]).toContain(status);
    await until('sign-up works', async () => (await signUp(url)).status !== 503);
  });

  test('a second server on its data folder, or on its history, is refused; both are free after a kill', async () => {
    const same = { ...SMALL, HISTORY_DAYS: '1', DATA_DIR: server.dataDir };
    await using second = new ServerProcess(same);
    expect(await second.exited()).toBe(1);
    expect(second.log).toContain(`another server (process ${server.child.pid}) runs on DATA_DIR`);
    using folder = temporaryFolder();
    const HISTORY_DIR = join(server.dataDir, 'history');
    await using third = new ServerProcess({ ...same, DATA_DIR: folder.path, HISTORY_DIR });
    expect(await third.exited()).toBe(1);
    expect(third.log).toContain('another server writes its price history to');
    expect(await poll('/ready')).toBe(200);
    await server.kill();
    await using fourth = new ServerProcess(same);
    await fourth.serving();
    expect(await fourth.end()).toBe(0);
  });
});

/** Fills the disk. @returns the path of the file that fills it */
function fill(folder: string): string {
  const path = join(folder, 'filler');
  for (;;) {
    const { bavail, bsize } = statfsSync(folder);
    const left = bavail * bsize;
    if (left < FILL_STEP_BYTES) return path;
    try {
      writeFileSync(path, Buffer.alloc(left), { flag: 'a' });
    } catch {
      return path; // the server used some of the room meanwhile, and the disk is full
    }
  }
}

let mailCount = 0;
function signUp(url: string): Promise<Response> {
  mailCount += 1;
  return post(`${url}/platform/signup`, {
    email: `somebody${mailCount}@example.com`,
    password: 'a rather long password 77',
  });
}

function logIn(url: string): Promise<Response> {
  return post(`${url}/platform/login`, {
    email: 'somebody@example.com',
    password: 'a rather long password 77',
  });
}

function post(url: string, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: new URL(url).origin,
      // Each request comes from another address, because sign-ups of one address are limited.
      'x-forwarded-for': `198.51.100.${mailCount % 250}`,
    },
    body: JSON.stringify(body),
  });
}
