// The server as an operator runs it: with a public URL, which alone means production, on a DATA_DIR that
// development has used. Only its user can read its files, other machines need the token to read the metrics,
// development features are off, the log is one JSON line per request, and SIGTERM ends it in an orderly way.
// In both modes, and at the lowest log level, no log line of a whole session contains a password, key,
// session or cookie.

import { expect, test } from 'bun:test';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AccountClient } from '../support/account-client.ts';
import { type Answered, call } from '../support/call.ts';
import { createKeys, PROXY_SETTINGS } from '../support/callers.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TOKEN = 'a-token-of-the-operator';
const ELSEWHERE = { 'x-forwarded-for': '203.0.113.77' };
const SETTINGS = {
  METRICS_TOKEN: TOKEN,
  ...PROXY_SETTINGS,
  SIMULATOR_FOOTBALL_FIXTURES: '5',
  SIMULATOR_BASKETBALL_FIXTURES: '2',
  LOG_LEVEL: 'debug',
};
/** None of these paths is a page, because no folder is served or listed. */
const FILES_OF_THE_SERVER = [
  ...['/.git/HEAD', '/.env', '/package.json', '/src/main.ts', '/overround.sqlite', '/outbox.ndjson'],
  ...['/assets/', '/assets/..%2f..%2fpackage.json', '/assets/%2fetc%2fpasswd', '/docs/..%2fsecurity.md'],
];
const PERSON = { email: 'operator@example.com', address: '10.3.0.1' };
/** Another account is used, because the log-ins of each account are limited. */
const WALKER = { email: 'ada@example.org', address: '10.1.2.3' };
const COOKIE_SECRET = 'a-cookie-of-somebody';
const WRONG_PASSWORD = 'a wrong password, and long enough';

interface ShownKey {
  readonly key_id: string;
  readonly key: string;
}

/** After an upgrade a browser keeps its session, and log-out removes both cookie names from it. */
async function cookieOfBothNames(person: AccountClient): Promise<void> {
  const { session_token: token } = (await person.logIn()).body as { session_token: string };
  const withCookie = (method: string, path: string, cookie: string): Promise<Answered> =>
    person.send(method, path, undefined, {
      bearer: null,
      headers: { cookie, origin: 'https://odds.example' },
    });
  const former = `overround_session=${token}`;
  const both = `overround_session=ses_another; __Host-${former}`;
  expect((await withCookie('GET', '/platform/me', former)).status).toBe(200);
  expect((await withCookie('GET', '/platform/me', both)).status).toBe(200);
  const ended = await withCookie('POST', '/platform/logout', both);
  expect(ended.headers.getSetCookie()).toEqual(
    ['__Host-overround_session', 'overround_session'].map(
      (name) => `${name}=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax`,
    ),
  );
  expect((await withCookie('GET', '/platform/me', former)).status).toBe(401);
  await person.logIn();
}

test('files are 0600 and folders 0700; in production no account sets its own plan, sign-up needs mail, cookies are secure, JSON logs have no secrets, and a stop is orderly', async () => {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, 'made', 'here');
  await using development = new ServerProcess({ DATA_DIR: dataDir, ...SETTINGS });
  const site = { url: await development.serving(), dataDir };
  const developer = new AccountClient(site, PERSON);
  await developer.enter();
  const walker = new AccountClient(site, WALKER);
  await walker.enter();
  expect((await walker.send('POST', '/platform/account/plan', { plan: 'standard' })).status).toBe(200);
  expectPrivateFiles(dataDir);
  expect(development.log).not.toMatch(/data_dir_open_to_others/);
  const secrets = [COOKIE_SECRET, WRONG_PASSWORD, walker.password, ...(await walk(walker, site.url))];
  expect(development.log).toMatch(/development_key/);
  expect(await development.end()).toBe(0);
  expect(development.log).toContain('/platform/login');
  expect(development.log).toMatch(/mail_in_outbox/);
  expectNone(development.log, [...secrets, TOKEN, PERSON.email, WALKER.email]);
  const outbox = readFileSync(join(dataDir, 'outbox.ndjson'), 'utf8');

  await using server = new ServerProcess({
    DATA_DIR: dataDir,
    PUBLIC_URL: 'https://odds.example',
    ...SETTINGS,
  });
  const url = await server.serving();
  expect(server.loggedMode).toBe('production');
  secrets.push(...(await walk(new AccountClient({ url, dataDir }, WALKER), url)));
  const person = new AccountClient({ url, dataDir }, PERSON);
  const loggedIn = await person.logIn();
  expect(loggedIn.status).toBe(200);
  const cookies = loggedIn.headers.getSetCookie();
  expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual([
    '__Host-overround_session',
    '__Host-overround_device',
  ]);
  // The cookies have no Domain attribute, because browsers would refuse these names with one.
  const [, ...attributes] = cookies[0]!.split('; ');
  expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure']);
  const [, ...ofDevice] = cookies[1]!.split('; ');
  expect(ofDevice.sort()).toEqual(['HttpOnly', 'Max-Age=7776000', 'Path=/', 'SameSite=Strict', 'Secure']);
  await cookieOfBothNames(person);
  expect(loggedIn.headers.get('strict-transport-security')).toBeString();
  const plan = await person.send('POST', '/platform/account/plan', { plan: 'enterprise' });
  expect([plan.status, plan.body]).toMatchObject([403, { error: { code: 'forbidden' } }]);
  expect((await person.send('POST', '/platform/keys', { tier: 'standard' })).status).toBe(402);
  const stranger = new AccountClient({ url, dataDir }, { email: 'new@example.com', address: '10.3.0.2' });
  const refused = await stranger.signUp();
  expect([refused.status, refused.body]).toMatchObject([403, { error: { code: 'forbidden' } }]);
  expect(readFileSync(join(dataDir, 'outbox.ndjson'), 'utf8')).toBe(outbox);

  const [key = ''] = await createKeys(dataDir, 'standard', 1);
  const requestId = 'watched-request.1';
  const withKey = { headers: { authorization: `Bearer ${key}`, 'x-request-id': requestId } };
  expect((await call(`${url}/v1/usage`, withKey)).status).toBe(200);
  const inQuery = await call(`${url}/v1/teams?q=arsenal&api_key=${key}`, withKey);
  expect(inQuery.headers.get('x-request-id')).toBe(requestId);
  expect((await call(`${url}/v1/sports`, { headers: { authorization: `Bearer ${key}x` } })).status).toBe(401);
  expect((await call(`${url}/v1/events/${key}`, withKey)).status).toBe(400);
  expect((await call(`${url}/${key}/none`, withKey)).status).toBe(404);
  for (const path of FILES_OF_THE_SERVER) {
    // A path is refused with 400 only because of the encoded slash in it.
    const status = /%2f/i.test(path) ? 400 : 404;
    expect([path, (await call(url + path, withKey)).status]).toEqual([path, status]);
  }
  const created = (await person.send('POST', '/platform/keys', {})).body as { key: string };
  await person.send('POST', '/platform/login', { email: person.email, password: `${person.password}!` });
  await expectMetricsForToken(url);
  await call(`${url}/platform/${person.email}`, { headers: ELSEWHERE });
  expect(await server.end()).toBe(0);

  expect(server.log).toContain('/platform/***');
  expectNone(server.log, [PERSON.email, PERSON.address, ELSEWHERE['x-forwarded-for'], TOKEN]);
  const lines = server.log.trim().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const watched = entries.filter((entry) => Object.values(entry).includes(requestId));
  expect(watched.length).toBe(4 + FILES_OF_THE_SERVER.length);
  const requests = entries.filter(({ event }) => event === 'request');
  const logins = entries.filter(({ event }) => event === 'login');
  expect(logins.slice(0, 2).map(({ outcome }) => outcome)).toEqual(['refused', 'let_in']);
  expect(new Set(logins.map(({ account }) => String(account).slice(0, 4)))).toEqual(new Set(['acc_']));
  const requestIds = requests.map(({ request_id }) => request_id);
  for (const { request_id } of logins) expect(requestIds).toContain(request_id);
  expect(requests.some(({ key_id }) => typeof key_id === 'string')).toBe(true);
  expectNone(server.log, [...secrets, key, created.key, person.token, 'development_key', '$argon2']);
}, 120_000);

/**
 * Every action of a user that involves a secret.
 * @returns the secrets
 */
async function walk(person: AccountClient, url: string): Promise<string[]> {
  await person.send('POST', '/platform/login', { email: person.email, password: WRONG_PASSWORD });
  await person.send('POST', '/platform/login', { email: person.email, password: [WRONG_PASSWORD] });
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

/** From other machines, only the token of the operator admits to the metrics. */
async function expectMetricsForToken(url: string): Promise<void> {
  const statusOf = async (authorization: string) =>
    (await call(`${url}/metrics`, { headers: { ...ELSEWHERE, authorization } })).status;
  expect(await statusOf(`Bearer ${TOKEN}`)).toBe(200);
  expect(await statusOf(`Bearer ${TOKEN}x`)).toBe(403);
  expect(await statusOf('Basic abc')).toBe(403);
}

/** Checks the modes of the folder, its files, and the folder above it, which the server made too. */
function expectPrivateFiles(dataDir: string): void {
  expect(modeOf(dataDir)).toBe('700');
  expect(modeOf(join(dataDir, '..'))).toBe('700');
  const entries = readdirSync(dataDir, { recursive: true, withFileTypes: true });
  expect(entries.length).toBeGreaterThanOrEqual(4);
  for (const entry of entries) {
    const [isFolder, mode] = [entry.isDirectory(), modeOf(join(entry.parentPath, entry.name))];
    expect([entry.name, mode]).toEqual([entry.name, isFolder ? '700' : '600']);
  }
}

function modeOf(path: string): string {
  return (lstatSync(path).mode & 0o777).toString(8);
}
