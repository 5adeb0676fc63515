// The sessions of an account over HTTP: the owner lists them and ends one or all others; an unused session
// ends without a request, on /v1 too.

import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { DATABASE_NAME } from '../../src/storage/database.ts';
import { AccountClient } from '../support/account-client.ts';
import { PROXY_SETTINGS } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { runService } from '../support/running-service.ts';

interface Listed {
  readonly sessions: readonly {
    readonly session_id: string;
    readonly client: string | null;
    readonly current: boolean;
  }[];
}

/** The service searches for unused sessions every tenth of this time. */
const IDLE_MS = 20_000;
const SETTINGS = { ...PROXY_SETTINGS, NODE_ENV: 'development', SIMULATOR_FOOTBALL_FIXTURES: '2' };

test('sessions are listed, ended one by one with the password, and end when nobody uses them', async () => {
  await using service = await runService(SETTINGS, { overrides: { sessionIdleMs: IDLE_MS } });
  const clientOf = (email: string, address: string) => new AccountClient(service, { email, address });
  const person = clientOf('ada@example.com', '192.0.2.1');
  const stranger = clientOf('mallory@example.com', '192.0.2.2');
  await Promise.all([person.enter(), stranger.enter()]);
  await person.logIn({ 'user-agent': 'curl/8.14.1' });
  const ended = person.token;
  await person.logIn({
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  });
  const list = async () => ((await person.send('GET', '/platform/sessions')).body as Listed).sessions;
  const listed = await list();
  expect(listed.map(({ client, current }) => [client, current]).toSorted()).toEqual([
    ['Bun', false],
    ['Firefox on Linux', true],
    ['curl', false],
  ]);
  const { session_id } = listed.find(({ client }) => client === 'curl')!;
  const end = async (by: AccountClient, body: unknown) => {
    const { status, body: answer } = await by.send('POST', '/platform/sessions/end', body);
    return [status, answer];
  };
  expect(await end(person, { session_id })).toEqual([422, expect.anything()]);
  expect(await end(person, { session_id, password: 'wrong' })).toEqual([401, expect.anything()]);
  expect(await end(stranger, { session_id, password: stranger.password })).toEqual([404, expect.anything()]);
  expect(await end(person, { session_id, password: person.password })).toEqual([200, { ended_sessions: 1 }]);
  expect((await person.send('GET', '/platform/me', undefined, { bearer: ended })).status).toBe(401);

  // The session of a cookie counts as a key of the plan; its requests to /v1 do not count as use.
  expect((await person.send('POST', '/platform/account/plan', { plan: 'realtime' })).status).toBe(200);
  const limitOf = async () => {
    const headers = { cookie: `overround_session=${person.token}` };
    const response = await fetch(`${service.url}/v1/bookmakers`, { headers });
    await response.arrayBuffer();
    return response.headers.get('x-ratelimit-limit');
  };
  await until('the plan counts', async () => (await limitOf()) === '6000');
  using database = new Database(join(service.dataDir, DATABASE_NAME));
  database.run('UPDATE session_uses SET used_at_ms = used_at_ms - ?', [IDLE_MS]);
  await until('it has ended for the lack of use', async () => (await limitOf()) === '60');
  expect((await person.send('GET', '/platform/me')).status).toBe(401);
  await person.logIn();
  expect((await list()).map(({ client }) => client)).toEqual(['Bun']);
}, 120_000);
