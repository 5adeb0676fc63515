// A server that listens on every address runs in production mode without a setting for it. Without the token
// only this machine gets the metrics, and a folder that others can read is reported.
// test/service/production.test.ts tests a server with a public URL.

import { expect, test } from 'bun:test';
import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AccountClient } from '../support/account-client.ts';
import { call } from '../support/call.ts';
import { createKeys, PROXY_SETTINGS } from '../support/callers.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FEED = { SIMULATOR_FOOTBALL_FIXTURES: '5', SIMULATOR_BASKETBALL_FIXTURES: '2' };
const TOKEN = 'a-token-of-the-operator';
const ELSEWHERE = { 'x-forwarded-for': '203.0.113.77' };

test('on every address: no sign-up without mail, no development key, no account sets its own plan, keys of the operator work', async () => {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, 'made', 'here');
  const settings = { DATA_DIR: dataDir, METRICS_TOKEN: TOKEN, ...FEED, ...PROXY_SETTINGS };
  await using server = new ServerProcess({ ...settings, HOST: '0.0.0.0' });
  const url = (await server.serving()).replace('0.0.0.0', '127.0.0.1');
  const stranger = new AccountClient({ url, dataDir }, { email: 'eve@example.com', address: '203.0.113.9' });
  const refused = await stranger.signUp();
  expect([refused.status, refused.body]).toMatchObject([403, { error: { code: 'forbidden' } }]);
  expect(refused.text).toContain('SMTP_URL');
  expect((await stranger.logIn()).status).toBe(401);
  expect(server.log).not.toMatch(/development_key/);
  expect(server.loggedMode).toBe('production');
  const [key = ''] = await createKeys(dataDir, 'standard', 1);
  const headers = { authorization: `Bearer ${key}`, ...ELSEWHERE };
  expect((await call(`${url}/v1/events?limit=1`, { headers })).status).toBe(200);
  expect(await server.end()).toBe(0);
}, 120_000);

test('metrics answer this machine alone without the token; a folder that others can read stays as it is and is reported', async () => {
  using folder = temporaryFolder();
  const open = join(folder.path, 'open');
  mkdirSync(open, { mode: 0o755 });
  await using server = new ServerProcess({ METRICS_TOKEN: TOKEN, DATA_DIR: open, ...FEED });
  const url = await server.listening();
  await server.logged(/data_dir_open_to_others/);
  expect(modeOf(open)).toBe('755');
  const statusOf = async (headers: Record<string, string>) =>
    (await call(`${url}/metrics`, { headers })).status;
  expect(await statusOf({})).toBe(200);
  // An untrusted proxy on this machine: its callers do not count as this machine.
  expect(await statusOf(ELSEWHERE)).toBe(403);
  expect(await statusOf({ 'x-forwarded-for': '127.0.0.1' })).toBe(403);
  expect(await statusOf({ ...ELSEWHERE, authorization: 'Bearer another-token-of-nobody' })).toBe(403);
}, 120_000);

function modeOf(path: string): string {
  return (lstatSync(path).mode & 0o777).toString(8);
}
