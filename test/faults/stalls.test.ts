// A poll never waits for a disk or a lock that other requests use.

import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { DATABASE_NAME } from '../../src/storage/database.ts';
import { AccountClient } from '../support/account-client.ts';
import { call } from '../support/call.ts';
import { createKeys, PROXY_SETTINGS } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { ServerProcess } from '../support/server-process.ts';

const SETTINGS = {
  ...PROXY_SETTINGS,
  SIMULATOR_FOOTBALL_FIXTURES: '10',
  SIMULATOR_BASKETBALL_FIXTURES: '2',
};

let server: ServerProcess;
let url: string;
let dataDir: string;

beforeAll(async () => {
  server = new ServerProcess(SETTINGS);
  ({ dataDir } = server);
  url = await server.serving();
}, 120_000);
afterAll(() => server[Symbol.asyncDispose](), 120_000);

async function poll(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await call(`${url}/v1/events?limit=1`, { headers })).status;
}

test('while another process holds the write lock, polls, new keys, sessions and probes are answered, and a log-in is 503 and retriable', async () => {
  const person = new AccountClient({ url, dataDir }, { email: 'ada@example.com', address: '198.51.100.1' });
  await person.enter();
  const [used = '', unused = ''] = await createKeys(dataDir, 'standard', 2);
  expect(await poll(used)).toBe(200);
  const other = new Database(join(dataDir, DATABASE_NAME), { readwrite: true, create: false });
  other.run('PRAGMA busy_timeout = 5000');
  other.run('BEGIN IMMEDIATE');
  try {
    const waiting = person.logIn();
    for (let request = 0; request < 50; request++) expect(await poll(used)).toBe(200);
    expect(await poll(unused)).toBe(200);
    expect(await poll(`${unused}x`)).toBe(401);
    expect((await call(`${url}/ready`, {})).status).toBe(200);
    expect((await person.send('GET', '/platform/me')).status).toBe(200);
    const answered = await waiting;
    expect([answered.status, answered.body]).toMatchObject([503, { error: { is_retriable: true } }]);
  } finally {
    other.run('ROLLBACK');
    other.close();
  }
  await until('a log-in works again', async () => (await person.logIn()).status === 200);
}, 120_000);

const STRACE = Bun.which('strace');

test.skipIf(STRACE === null)(
  'while every fsync takes 20 ms and people sign up: polls and sign-ups are answered (skipped without strace)',
  async () => {
    const [key = ''] = await createKeys(dataDir, 'enterprise', 1);
    const slow = Bun.spawn(
      [
        STRACE!,
        '-f',
        ...['-e', 'trace=fsync,fdatasync', '-e', 'inject=fsync,fdatasync:delay_exit=20000'],
        ...['-o', '/dev/null', '-p', String(server.child.pid)],
      ],
      { stdout: 'ignore', stderr: 'ignore' },
    );
    try {
      const people = Array.from({ length: 5 }, (_, index) => {
        const options = { email: `person-${index}@example.com`, address: `198.51.100.${index}` };
        return new AccountClient({ url, dataDir }, options);
      });
      let isDone = false;
      const entering = Promise.all(people.map((person) => person.enter())).finally(() => {
        isDone = true;
      });
      let polls = 0;
      await until('the people have entered', async () => {
        expect(await poll(key)).toBe(200);
        polls += 1;
        return isDone && polls >= 20;
      });
      await entering;
    } finally {
      slow.kill();
      await slow.exited;
    }
  },
  120_000,
);
