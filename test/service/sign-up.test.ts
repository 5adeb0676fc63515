// From sign-up to odds and back, only over HTTP and with the mail in the outbox. Ajv compares every account
// answer with the OpenAPI document. Also tests what one account may not do to another.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { AccountClient } from '../support/account-client.ts';
import { type Answered, call } from '../support/call.ts';
import { until } from '../support/condition.ts';
import { Surface } from '../support/surface.ts';

let surface: Surface;
const seenStatuses = new Map<string, Set<number>>();

beforeAll(async () => {
  surface = await Surface.start({ freeKeys: 1, settings: { HTTP_THREADS: '2', ALERTS_ALLOW: '127.0.0.1' } });
});
afterAll(() => surface[Symbol.asyncDispose]());

interface KeyAnswer {
  readonly key: string;
  readonly key_id: string;
  readonly last4: string;
  readonly tier: string;
  readonly status: string;
  readonly last_used_at: string | null;
}

/** A client that compares all its answers with the document. */
class CheckedClient extends AccountClient {
  override async send(...parameters: Parameters<AccountClient['send']>): Promise<Answered> {
    const [method, path] = parameters;
    const answered = await super.send(...parameters);
    const template = path
      .replace(/^\/platform\/keys\/[^/]+/, '/platform/keys/{key_id}')
      .replace(/^\/platform\/alerts\/(?!preview$)[^/]+/, '/platform/alerts/{alert_id}')
      .replace(/^\/platform\/views\/[^/]+/, '/platform/views/{view_id}')
      .replace(/\/deliveries\/[^/]+/, '/deliveries/{delivery_id}');
    const operation = surface.document.operations.find(
      (candidate) => candidate.method === method && candidate.path === template,
    );
    if (operation !== undefined) {
      expect([method, path, ...surface.problemsOf(operation, answered)]).toEqual([method, path]);
      const statuses = seenStatuses.get(operation.operationId) ?? new Set();
      seenStatuses.set(operation.operationId, statuses.add(answered.status));
    }
    expect(answered.headers.get('cache-control')).toBe('no-store');
    expect(answered.headers.get('access-control-allow-origin')).toBeNull();
    expect(answered.text).not.toContain(this.password);
    expect(answered.text).not.toContain('$argon2');
    return answered;
  }
}

function clientOf(email: string): CheckedClient {
  return new CheckedClient(surface.running, { email, address: surface.callers.nextAddress() });
}

function withKey(path: string, key: string): Promise<Answered> {
  const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': surface.callers.nextAddress() };
  return call(surface.running.url + path, { headers });
}

test('a person can sign up, verify, log in, create a key, read odds, see usage, rotate, revoke and log out', async () => {
  const person = clientOf('first@example.com');
  const signedUp = await person.signUp();
  expect(signedUp.body).toMatchObject({
    account: { email: 'first@example.com', plan: 'free', verified: false },
    verification: 'sent',
  });

  // Before the code is entered there is a session, but there is no key.
  expect((await person.logIn()).status).toBe(200);
  expect((await person.send('POST', '/platform/keys', {})).status).toBe(403);

  const [code = ''] = person.codes();
  expect(code).toMatch(/^\d{6}$/);
  const wrongCode = code === '000000' ? '000001' : '000000';
  expect((await person.verify(wrongCode)).status).toBe(400);
  expect((await person.verify(code)).body).toMatchObject({ account: { verified: true } });
  expect((await person.verify(code)).status).toBe(400);

  const wrongPassword = { email: person.email, password: 'not the password' };
  expect((await person.send('POST', '/platform/login', wrongPassword, { bearer: null })).status).toBe(401);
  const loggedIn = await person.logIn();
  expect(loggedIn.body).toMatchObject({ session_token: expect.stringMatching(/^ses_/) });
  expect((await person.send('GET', '/platform/me')).body).toEqual({
    account: {
      id: expect.stringMatching(/^acc_/),
      email: 'first@example.com',
      plan: 'free',
      verified: true,
      created_at: expect.any(String),
    },
    operator: false,
  });

  expect((await person.send('POST', '/platform/keys', { tier: 'standard' })).status).toBe(402);
  expect((await person.send('POST', '/platform/account/plan', { plan: 'standard' })).status).toBe(200);
  const created = await person.send('POST', '/platform/keys', { label: 'my bot', tier: 'standard' });
  const { key, key_id: keyId } = created.body as KeyAnswer;
  expect(created.body).toEqual({
    key: expect.stringMatching(/^isk_[0-9A-Za-z]{32}$/),
    key_id: expect.any(String),
    label: 'my bot',
    tier: 'standard',
    last4: key.slice(-4),
    status: 'active',
    created_at: expect.any(String),
    last_used_at: null,
    expires_at: null,
    allowed_addresses: [],
  });

  const oddsPath = `/v1/events/${surface.eventIds[0]}/odds`;
  const odds = await withKey(oddsPath, key);
  expect(odds.status).toBe(200);
  expect(odds.headers.get('x-ratelimit-limit')).toBe('600');
  expect(odds.headers.get('x-ratelimit-remaining')).toBe('119');
  expect((odds.body as { odds: unknown[] }).odds.length).toBeGreaterThan(0);
  expect((await withKey('/v1/events/evt_wrong', key)).status).toBe(400);

  expect((await withKey('/v1/usage', key)).body).toMatchObject({
    key: `isk_…${key.slice(-4)}`,
    tier: 'standard',
    usage: { requests: 2, errors: 1, error_rate: 0.5 },
  });
  const usage = (await person.send('GET', '/platform/usage')).body;
  expect(usage).toMatchObject({ account: { requests: 3, errors: 1 }, keys: [{ key_id: keyId }] });

  const rotated = (await person.send('POST', `/platform/keys/${keyId}/rotate`)).body as KeyAnswer;
  expect(rotated.key_id).toBe(keyId);
  expect(rotated.key).not.toBe(key);
  expect((await withKey(oddsPath, key)).status).toBe(401);
  expect((await withKey(oddsPath, rotated.key)).status).toBe(200);

  const listed = await person.send('GET', '/platform/keys');
  expect((listed.body as { keys: KeyAnswer[] }).keys).toMatchObject([{ key_id: keyId, status: 'active' }]);
  expect(listed.text).not.toContain(rotated.key);
  expect(listed.text).not.toMatch(/isk_|hash/);

  const revoked = await person.send('DELETE', `/platform/keys/${keyId}`);
  expect(revoked.body).toMatchObject({ key_id: keyId, status: 'revoked' });
  expect((await withKey(oddsPath, rotated.key)).status).toBe(401);
  expect((await person.send('POST', `/platform/keys/${keyId}/rotate`)).status).toBe(400);

  expect((await person.send('POST', '/platform/logout')).body).toEqual({ logged_out: true });
  expect((await person.send('GET', '/platform/me')).status).toBe(401);
}, 120_000);

describe('the session cookie', () => {
  test('the session cookie allows reads from any site, and writes only from the site itself', async () => {
    const person = clientOf('cookie@example.com');
    await person.enter();
    const [setCookie = '', device] = (await person.logIn()).headers.getSetCookie();
    expect(setCookie).toMatch(
      /^overround_session=ses_[^;]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    );
    expect(device).toMatch(
      /^overround_device=dev_[^;]+; Path=\/platform; Max-Age=7776000; HttpOnly; SameSite=Strict$/,
    );
    const cookie = setCookie.split(';')[0]!;
    const withCookie = (method: string, path: string, origin: string | null, body?: unknown) =>
      person.send(method, path, body, {
        bearer: null,
        headers: { cookie: `other=1; ${cookie}`, ...(origin === null ? {} : { origin }) },
      });
    const own = new URL(surface.running.url).origin;
    expect((await withCookie('GET', '/platform/me', null)).status).toBe(200);
    for (const origin of [null, 'https://evil.example', 'null', 'http://127.0.0.1:1', 'not a url']) {
      expect((await withCookie('POST', '/platform/keys', origin, {})).status).toBe(403);
      expect(
        (await withCookie('POST', '/platform/account/plan', origin, { plan: 'enterprise' })).status,
      ).toBe(403);
      expect((await withCookie('DELETE', '/platform/keys/key_none', origin)).status).toBe(403);
      expect((await withCookie('POST', '/platform/logout', origin)).status).toBe(403);
    }
    expect((await withCookie('GET', '/platform/me', null)).body).toMatchObject({ account: { plan: 'free' } });
    expect((await withCookie('POST', '/platform/keys', own, {})).status).toBe(200);
    const ended = await withCookie('POST', '/platform/logout', own);
    expect(ended.status).toBe(200);
    expect(ended.headers.getSetCookie()).toEqual([
      'overround_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
    expect((await withCookie('GET', '/platform/me', null)).status).toBe(401);
  }, 120_000);

  test('the session cookie counts as a key of the plan on /v1 until the session ends', async () => {
    const person = clientOf('session-as-key@example.com');
    await person.enter();
    const cookie = `overround_session=${person.token}`;
    const tierOf = async (origin: string | null = null): Promise<unknown> => {
      const headers = { cookie, ...(origin === null ? {} : { origin }) };
      const response = await fetch(`${surface.running.url}/v1/bookmakers`, { headers });
      await response.arrayBuffer();
      return [response.status, response.headers.get('x-ratelimit-limit')];
    };
    expect(await tierOf()).toEqual([200, '60']);
    expect((await person.send('POST', '/platform/account/plan', { plan: 'realtime' })).status).toBe(200);
    await until('the plan counts', async () => (await tierOf())?.toString() === '200,6000');
    // In a request from a page of another site, the session is ignored.
    expect(await tierOf('https://evil.example')).toEqual([200, '60']);
    expect(await tierOf(new URL(surface.running.url).origin)).toEqual([200, '6000']);
    await person.send('POST', '/platform/logout');
    // With an ended session, the caller counts as one without a key.
    await until('the session has ended', async () => (await tierOf())?.toString() === '200,60');
  });

  test('the session cookie of an unverified account is not accepted as a key on /v1, and is accepted once the account is verified', async () => {
    const person = clientOf('session-unverified@example.com');
    await person.signUp();
    await person.logIn();
    const cookie = `overround_session=${person.token}`;
    const status = async () =>
      (await call(`${surface.running.url}/v1/usage`, { headers: { cookie } })).status;
    // Requests are repeated, so that every HTTP thread looks the session up.
    for (let time = 0; time < 8; time++) expect(await status()).toBe(401);
    expect((await person.send('GET', '/platform/me')).status).toBe(200);
    expect((await person.verify(person.codes().at(-1)!)).status).toBe(200);
    for (let time = 0; time < 8; time++) expect(await status()).toBe(200);
  });

  test('a log-in ends the browser’s previous session, of whatever account, and no other session', async () => {
    const [person, other] = [clientOf('again@example.com'), clientOf('sharing@example.com')];
    await Promise.all([person.enter(), other.enter()]);
    const isLive = async (token: string): Promise<boolean> =>
      (await person.send('GET', '/platform/me', undefined, { bearer: token })).status === 200;
    const elsewhere = person.token;
    await person.logIn();
    const former = person.token;
    const wrong = { email: person.email, password: 'not the password' };
    const headers = { cookie: `overround_session=${former}` };
    expect((await person.send('POST', '/platform/login', wrong, { bearer: null, headers })).status).toBe(401);
    expect(await isLive(former)).toBe(true);
    await person.logIn(headers);
    expect([await isLive(former), await isLive(person.token), await isLive(elsewhere)]).toEqual([
      false,
      true,
      true,
    ]);
    const ofPerson = person.token;
    const cookie = `overround_session=${ofPerson}; __Host-overround_session=${other.token}`;
    const ofOther = other.token;
    await other.logIn({ cookie });
    expect([await isLive(ofPerson), await isLive(ofOther), await isLive(other.token)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await isLive(elsewhere)).toBe(true);
  }, 120_000);

  test('an API key is not accepted as a session, and a session is not accepted as an API key', async () => {
    const person = clientOf('mixed@example.com');
    await person.enter();
    const { key } = (await person.send('POST', '/platform/keys', {})).body as KeyAnswer;
    expect((await person.send('GET', '/platform/me', undefined, { bearer: key })).status).toBe(401);
    expect((await withKey('/v1/sports', person.token)).status).toBe(401);
  }, 120_000);
});

test("another account's keys are 404, and stay as they are", async () => {
  const owner = clientOf('owner@example.com');
  const stranger = clientOf('stranger@example.com');
  await Promise.all([owner.enter(), stranger.enter()]);
  const { key, key_id: keyId } = (await owner.send('POST', '/platform/keys', {})).body as KeyAnswer;
  expect((await stranger.send('DELETE', `/platform/keys/${keyId}`)).status).toBe(404);
  expect((await stranger.send('POST', `/platform/keys/${keyId}/rotate`)).status).toBe(404);
  expect((await stranger.send('DELETE', '/platform/keys/key_none')).status).toBe(404);
  expect((await stranger.send('GET', '/platform/keys')).body).toEqual({ keys: [] });
  expect((await stranger.send('GET', '/platform/usage')).body).toMatchObject({ keys: [] });
  expect((await withKey('/v1/usage', key)).status).toBe(200);
}, 120_000);

test('a person can set a new password by mail or with the old one, end other sessions, change the address and delete the account', async () => {
  const person = clientOf('care@example.com');
  await person.enter();
  const { key } = (await person.send('POST', '/platform/keys', {})).body as KeyAnswer;
  const asked = await person.send('POST', '/platform/password/forgot', { email: person.email });
  expect(asked.body).toEqual({ reset: 'sent' });
  const reset = { code: person.codes().at(-1)!.toLowerCase(), new_password: 'of tin and copper' };
  const neighbour = clientOf('neighbour@example.com');
  await neighbour.enter();
  const entered = await person.send('POST', '/platform/password/reset', reset, {
    bearer: null,
    headers: { cookie: `overround_session=${neighbour.token}` },
  });
  expect((await neighbour.send('GET', '/platform/me')).status).toBe(401);
  expect(entered.status).toBe(200);
  expect(entered.headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toEqual([
    'overround_session',
    'overround_device',
  ]);
  expect((await person.send('POST', '/platform/password/reset', reset)).status).toBe(400);
  expect((await person.send('GET', '/platform/me')).status).toBe(401);
  const bearer = (entered.body as { session_token: string }).session_token;
  const send = (method: string, path: string, body?: unknown) => person.send(method, path, body, { bearer });

  const change = { password: 'of tin and copper', new_password: person.password };
  expect((await send('POST', '/platform/account/password', { ...change, password: 'x' })).status).toBe(401);
  expect((await send('POST', '/platform/account/password', change)).body).toMatchObject({
    ended_sessions: 0,
  });
  await person.logIn({ 'user-agent': 'curl/8.14.1' });
  const { sessions } = (await send('GET', '/platform/sessions')).body as { sessions: { client: string }[] };
  expect(sessions.map(({ client }) => client)).toEqual(['curl', 'Bun']);
  expect((await send('POST', '/platform/sessions/end', { session_id: 'sid_none' })).status).toBe(422);
  const others = { password: person.password };
  expect((await send('POST', '/platform/sessions/end', others)).body).toEqual({ ended_sessions: 1 });

  const moved = clientOf('moved@example.com');
  const move = { password: person.password, new_email: moved.email };
  expect((await send('POST', '/platform/account/email', move)).body).toMatchObject({ confirmation: 'sent' });
  const confirmed = await send('POST', '/platform/account/email/confirm', { code: moved.codes().at(-1) });
  expect(confirmed.body).toMatchObject({ account: { email: moved.email, verified: true } });
  expect((await withKey('/v1/usage', key)).status).toBe(200);

  expect((await send('POST', '/platform/account/delete', { password: 'wrong' })).status).toBe(401);
  const gone = await send('POST', '/platform/account/delete', { password: person.password });
  expect([gone.status, gone.body]).toEqual([200, { deleted: true }]);
  expect(gone.headers.get('set-cookie')).toStartWith('overround_session=; Path=/; Max-Age=0;');
  expect((await withKey('/v1/usage', key)).status).toBe(401);
  expect((await send('GET', '/platform/me')).status).toBe(401);
}, 120_000);

test('an alert rule is made, shown, changed, tested, sent again, given a new secret and deleted', async () => {
  const endpoint = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('thanks') });
  const person = clientOf('alerts@example.com');
  await person.enter();
  const ok = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await person.send(method, path, body);
    expect([method, path, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([
      method,
      path,
      200,
      '',
    ]);
    return answer.body;
  };
  const to = { url: `http://127.0.0.1:${endpoint.port}/hook`, format: 'raw' };
  const rule = { name: 'Goals', when: { kind: 'match', news: 'score' }, to };
  const made = (await ok('POST', '/platform/alerts', rule)) as { alert: { id: string } };
  const path = `/platform/alerts/${made.alert.id}`;
  await ok('POST', '/platform/alerts/preview', { when: rule.when });
  await ok('GET', '/platform/alerts');
  await ok('GET', path);
  await ok('PATCH', path, { name: 'Other goals' });
  const { delivery_id } = (await ok('POST', `${path}/test`)) as { delivery_id: string };
  await until('it was delivered', async () => {
    const { deliveries } = (await ok('GET', `${path}/deliveries`)) as {
      deliveries: { answer: string | null }[];
    };
    return deliveries.some(({ answer }) => answer === 'thanks');
  });
  await ok('POST', `${path}/deliveries/${delivery_id}/resend`);
  await ok('POST', `${path}/rotate`);
  await ok('DELETE', path);
  await endpoint.stop(true);
}, 120_000);

test('a view is saved, listed by name, replaced, not shown to other accounts, and deleted; twenty at most', async () => {
  const person = clientOf('views@example.com');
  const stranger = clientOf('view-stranger@example.com');
  await Promise.all([person.enter(), stranger.enter()]);
  const save = (name: string, query: string): Promise<Answered> =>
    person.send('POST', '/platform/views', { name, query });
  const view = (await save('Edges', 'sort=edge')).body as { view_id: string };
  const again = (await save('Edges', 'sort=edge&markets=totals')).body;
  expect(again).toMatchObject({ view_id: view.view_id, query: 'sort=edge&markets=totals' });
  for (let index = 1; index < 20; index++) expect((await save(`v${index}`, '')).status).toBe(200);
  expect((await save('one more', '')).status).toBe(402);
  expect((await save('Edges', 'sort=edge')).status).toBe(200);
  for (const wrong of ['a\nb', 'a\0b', 'x'.repeat(1_001)]) {
    expect((await save('wrong', wrong)).status).toBe(422);
  }
  const listed = (await person.send('GET', '/platform/views')).body as { views: { name: string }[] };
  expect([listed.views.length, listed.views[0]]).toEqual([20, expect.objectContaining({ name: 'Edges' })]);
  const path = `/platform/views/${view.view_id}`;
  expect((await stranger.send('GET', '/platform/views')).body).toMatchObject({ views: [] });
  expect((await stranger.send('DELETE', path)).status).toBe(404);
  expect((await person.send('DELETE', path)).body).toEqual({ deleted: true });
  expect((await person.send('DELETE', path)).status).toBe(404);
}, 120_000);

/** Whether the operation is for clients that have no session yet. */
function isForStrangers(operationId: string): boolean {
  return ['signUp', 'verifyAccount', 'logIn', 'forgotPassword', 'resetPassword'].includes(operationId);
}

test('the tests above got 200 from every account operation of the document, and each is refused without a session', async () => {
  const nobody = clientOf('nobody@example.com');
  for (const { isAccount, operationId, method, path, body } of surface.document.operations) {
    if (!isAccount) continue;
    expect([operationId, seenStatuses.get(operationId)?.has(200)]).toEqual([operationId, true]);
    if (isForStrangers(operationId)) continue;
    const target = path.replace('{key_id}', 'key_none').replaceAll(/\{\w+\}/g, 'none');
    const input = body === null ? undefined : surface.samples.requiredOf(body);
    for (const bearer of [null, 'ses_forged', 'x']) {
      expect((await nobody.send(method, target, input, { bearer })).status).toBe(401);
    }
  }
});
