// The logs of a whole session, in both modes and at the lowest level, contain no password, key, session or
// cookie.

import { expect, test } from 'bun:test';
import { AccountClient } from '../support/account-client.ts';
import { PROXY_SETTINGS } from '../support/callers.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SETTINGS = {
  ...PROXY_SETTINGS,
  SIMULATOR_FOOTBALL_FIXTURES: '5',
  SIMULATOR_BASKETBALL_FIXTURES: '2',
  LOG_LEVEL: 'debug',
};
const EMAIL = 'ada@example.org';
const ADDRESS = '10.1.2.3';
const COOKIE_SECRET = 'a-cookie-of-somebody';
const WRONG_PASSWORD = 'a wrong password, and long enough';

interface ShownKey {
  readonly key_id: string;
  readonly key: string;
}

test('no secret of a full session is in the log, in development and in production', async () => {
  using folder = temporaryFolder();
  const secrets = [COOKIE_SECRET, WRONG_PASSWORD];
  {
    await using server = new ServerProcess({ ...SETTINGS, DATA_DIR: folder.path });
    const site = { url: await server.serving(), dataDir: folder.path };
    const person = new AccountClient(site, { email: EMAIL, address: ADDRESS });
    secrets.push(person.password);
    await person.enter();
    secrets.push(...(await walk(person, site.url)));
    expect(await server.end()).toBe(0);
    expect(server.log).toContain('/platform/login');
    expectNone(server.log, secrets);
  }
  await using server = new ServerProcess({ ...SETTINGS, DATA_DIR: folder.path, NODE_ENV: 'production' });
  const site = { url: await server.serving(), dataDir: folder.path };
  const person = new AccountClient(site, { email: EMAIL, address: ADDRESS });
  secrets.push(...(await walk(person, site.url)));
  expect(await server.end()).toBe(0);
  const lines = server.log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const requests = lines.filter(({ event }) => event === 'request');
  expect(requests.map(({ path }) => path)).toContain('/platform/login');
  const logins = lines.filter(({ event }) => event === 'login');
  expect(logins.map(({ outcome }) => outcome)).toEqual(['refused', 'let_in']);
  expect(new Set(logins.map(({ account }) => String(account).slice(0, 4)))).toEqual(new Set(['acc_']));
  const requestIds = requests.map(({ request_id }) => request_id);
  for (const { request_id } of logins) expect(requestIds).toContain(request_id);
  expect(requests.some(({ key_id }) => typeof key_id === 'string')).toBe(true);
  expectNone(server.log, secrets);
}, 120_000);

/** Every action of a person that involves a secret. @returns the secrets */
async function walk(person: AccountClient, url: string): Promise<string[]> {
  await person.send('POST', '/platform/login', { email: EMAIL, password: WRONG_PASSWORD });
  await person.send('POST', '/platform/login', { email: EMAIL, password: [WRONG_PASSWORD] });
  await person.logIn();
  const made = (await person.send('POST', '/platform/keys', { label: 'log', tier: 'free' })).body as ShownKey;
  const turned = (await person.send('POST', `/platform/keys/${made.key_id}/rotate`)).body as ShownKey;
  const keys = [made.key, turned.key];
  for (const key of keys) {
    expect(key).toMatch(/^isk_/);
    const headers = {
      authorization: `Bearer ${key}`,
      cookie: `overround_session=${COOKIE_SECRET}`,
      'x-request-id': key,
    };
    const paths = ['/v1/usage', `/v1/events?q=${key}`, `/v1/events/${key}`, `/${key}`, '/platform/me'];
    for (const path of paths) await (await fetch(url + path, { headers })).arrayBuffer();
  }
  const { token } = person;
  await person.send('POST', '/platform/logout');
  return [...keys, token];
}

function expectNone(log: string, secrets: readonly string[]): void {
  for (const secret of secrets) expect(log.includes(secret) ? `the log holds ${secret}` : '').toBe('');
}
