// Sessions as their owner sees them, and how unused ones end.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { clientNameOf, Sessions, sessionTokenOf } from '../../../src/accounts/sessions/session.ts';
import { HOUR_MS } from '../../../src/clock.ts';
import { StorageError } from '../../../src/storage/storage-errors.ts';
import { AccountsBench, failureOf, PASSWORD, START_MS } from '../support.ts';

const EMAIL = 'ada@example.com';
const HOME = '192.0.2.1';

test('a session ends after it was unused for the configured time; each use extends it', async () => {
  using bench = new AccountsBench();
  const service = await bench.service();
  await bench.signIn(service, EMAIL);
  const logIn = async (): Promise<string> =>
    (await service.login({ email: EMAIL, password: PASSWORD }, HOME)).session_token;
  const [used, unused] = [await logIn(), await logIn()];
  const sessions = sessionsOf(bench);
  const enter = (token: string): Promise<string> => failureOf(sessions.authenticate(bearer(token)));
  // Two days with a use every fifty minutes, far enough apart that each is recorded.
  for (let at = START_MS; at < START_MS + 48 * HOUR_MS; at += (5 / 6) * HOUR_MS) {
    bench.nowMs = at;
    expect(await enter(used)).toBe('none');
  }
  expect(await enter(unused)).toBe('unauthorized');
  const lastMs = bench.nowMs;
  // A use less than `stepMs` after the last recorded one is not recorded and does not extend the session.
  bench.nowMs = lastMs + sessions.stepMs - 1;
  expect(await enter(used)).toBe('none');
  bench.nowMs = lastMs + HOUR_MS;
  expect(await enter(used)).toBe('unauthorized');
  // The session has ended, and setting the clock back does not bring it back.
  bench.nowMs = lastMs;
  expect(await enter(used)).toBe('unauthorized');
});

test('after the clock was set back, a session still ends once it has been idle for the configured time', async () => {
  using bench = new AccountsBench();
  const service = await bench.service();
  await bench.signIn(service, EMAIL);
  const { session_token } = await service.login({ email: EMAIL, password: PASSWORD }, HOME);
  const sessions = sessionsOf(bench);
  bench.nowMs = START_MS - 10 * HOUR_MS;
  expect(await failureOf(sessions.authenticate(bearer(session_token)))).toBe('none');
  bench.nowMs += HOUR_MS;
  expect(await failureOf(sessions.authenticate(bearer(session_token)))).toBe('unauthorized');
});

test('the check ends unused sessions; one that an older release started gets its full time from the first check', async () => {
  using bench = new AccountsBench();
  const service = await bench.service();
  const { tokenHash, account } = await bench.signIn(service, EMAIL);
  const { session_token } = await service.login({ email: EMAIL, password: PASSWORD }, HOME);
  bench.database.run('DELETE FROM session_uses WHERE token_hash = ?', [tokenHash]);
  const sessions = sessionsOf(bench);
  bench.nowMs += HOUR_MS;
  expect(await sessions.endUnused()).toBe(0);
  bench.nowMs += 1;
  expect(await sessions.endUnused()).toBe(1);
  expect(await failureOf(sessions.authenticate(bearer(session_token)))).toBe('unauthorized');
  expect((await bench.uses.list(account.id, bench.nowMs)).map((one) => one.tokenHash)).toEqual([tokenHash]);
  bench.nowMs += HOUR_MS;
  expect(await sessions.endUnused()).toBe(1);
  expect(await sessions.endUnused()).toBe(0);
});

test('if the disk refuses to record a use, the request still succeeds; an error of our own code is thrown', async () => {
  using bench = new AccountsBench();
  const service = await bench.service();
  await bench.signIn(service, EMAIL);
  const { session_token } = await service.login({ email: EMAIL, password: PASSWORD }, HOME);
  for (const [failure, message] of [
    [new StorageError('full', new Error('full'), { isBusy: false }), null],
    [new TypeError('ours'), 'ours'],
  ] as const) {
    const uses = {
      lastUseMs: async () => null,
      note: () => Promise.reject(failure),
      list: async () => [],
      endUnused: async () => 0,
    };
    const { accounts, clock } = bench;
    const asked = new Sessions({ ...OPTIONS, accounts, uses, clock }).authenticate(bearer(session_token));
    const rejected = asked.then(
      () => null,
      (error: Error) => error.message,
    );
    expect(await rejected).toBe(message);
  }
});

test('the list names each client and marks the current session; ending other sessions needs the password', async () => {
  using bench = new AccountsBench();
  const { accounts, sessions } = await bench.people();
  const own = await bench.signIn(accounts, EMAIL);
  const stranger = await bench.signIn(accounts, 'mallory@example.com');
  const logIn = async (clientName: string): Promise<string> => {
    bench.nowMs += 60_000;
    return (await accounts.login({ email: EMAIL, password: PASSWORD }, HOME, { clientName })).session_token;
  };
  const [phone, laptop] = [await logIn('Chrome on Android'), await logIn('Firefox on Linux')];
  await logIn('curl');
  const { sessions: listed } = await sessions.list(own);
  expect(listed.map(({ client, current }) => [client, current])).toEqual([
    ['curl', false],
    ['Firefox on Linux', false],
    ['Chrome on Android', false],
    [null, true],
  ]);
  expect(new Set(listed.map((one) => one.session_id)).size).toBe(4);
  expect(JSON.stringify(listed)).not.toContain(own.tokenHash);
  const idOf = (client: string) => listed.find((one) => one.client === client)!.session_id;
  const wrong = { password: 'not the password', session_id: idOf('Chrome on Android') };
  expect(await failureOf(sessions.end(wrong, own))).toBe('unauthorized');
  for (const session_id of [idOf('curl'), 'sid_none', own.tokenHash, '']) {
    expect(await failureOf(sessions.end({ password: PASSWORD, session_id }, stranger))).toBe('not_found');
  }
  bench.nowMs += 60_000;
  expect(await sessions.end({ ...wrong, password: PASSWORD }, own)).toEqual({ ended_sessions: 1 });
  expect(await failureOf(bench.bearer(phone))).toBe('unauthorized');
  expect(await failureOf(bench.bearer(laptop))).toBe('none');
  expect(await failureOf(sessions.end({ ...wrong, password: PASSWORD }, own))).toBe('not_found');
  expect(await sessions.end({ password: PASSWORD }, own)).toEqual({ ended_sessions: 2 });
  expect((await sessions.list(own)).sessions.map(({ current }) => current)).toEqual([true]);
  expect((await sessions.list(stranger)).sessions).toHaveLength(1);
});

test('clientNameOf: names browsers and programs in words, for any input', () => {
  const names = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    ['curl/8.14.1', 'curl'],
    ['python-requests/2.32', 'python-requests'],
    [`${'x'.repeat(9_999)}`, 'x'.repeat(40)],
    ['<script>alert(1)</script>', null],
    ['', null],
    [null, null],
  ] as const;
  for (const [header, name] of names) expect([header, clientNameOf(header)]).toEqual([header, name]);
});

test('in any Cookie header, the fast search finds the same session token as a full parser of cookies', () => {
  const part = fc.constantFrom(
    ...['overround_session', '__Host-overround_session', 'overround_device', 'a', '=', '=', ';', ';', ' '],
    ...['\t', '"', '%61', '%', '\v', 'Ü'],
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const all = new Bun.CookieMap(parts.join(''));
      const expected = all.get('__Host-overround_session') || all.get('overround_session') || null;
      expect(sessionTokenOf(parts.join(''))).toBe(expected);
    }),
    { numRuns: 5_000 },
  );
});

test('a Cookie header of 16 KB is not parsed to find the session in it', () => {
  const header = `${'a=1;'.repeat(4_000)}overround_session=ses_1`;
  const timeOf = (work: () => unknown): number => {
    const startNs = Bun.nanoseconds();
    for (let count = 0; count < 100; count++) work();
    return Bun.nanoseconds() - startNs;
  };
  expect(sessionTokenOf(header)).toBe('ses_1');
  timeOf(() => sessionTokenOf(header));
  const parsedNs = timeOf(() => new Bun.CookieMap(header));
  expect(timeOf(() => sessionTokenOf(header))).toBeLessThan(parsedNs / 4);
});

const OPTIONS = { publicUrl: 'https://odds.example.com', idleMs: HOUR_MS };

function sessionsOf({ accounts, uses, clock }: AccountsBench): Sessions {
  return new Sessions({ ...OPTIONS, accounts, uses, clock });
}

function bearer(token: string) {
  return { authorization: `Bearer ${token}`, cookie: null, origin: null, host: null, isWrite: false };
}
