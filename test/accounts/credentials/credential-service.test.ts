// Passwords, addresses and the deletion of an account: who may change them, which sessions and keys end, who
// is notified.

import { describe, expect, test } from 'bun:test';
import { ATTEMPT_LIMITS } from '../../../src/accounts/credentials/attempts.ts';
import { tidyLongCode } from '../../../src/accounts/credentials/secrets.ts';
import { CONFIRMATION_LASTS_MS, LATE_RESETS_MAX } from '../../../src/accounts/limits.ts';
import { eventLoopTurn } from '../../../src/pause.ts';
import { StorageError } from '../../../src/storage/storage-errors.ts';
import { AccountsBench, failureOf, PASSWORD } from '../support.ts';

const EMAIL = 'ana@example.com';
const HOME = '192.0.2.1';
const CLIENT = { address: HOME, device: null };
const NEW = 'of tin and copper';

function advisesReset(text: string): boolean {
  return text.includes('reset the password');
}

describe('a password reset by mail', () => {
  test('a reset sets a new password, once, within an hour, ends every session and notifies the owner', async () => {
    using bench = new AccountsBench();
    const { accounts, credentials } = await bench.people();
    const session = await bench.signIn(accounts, EMAIL);
    const { key_id: keyId } = await bench.keyService.create({}, session);
    await credentials.askForReset({ email: EMAIL }, HOME);
    const late = bench.code();
    bench.nowMs += CONFIRMATION_LASTS_MS;
    const reset = (code: string, new_password = NEW) =>
      credentials.resetPassword({ code, new_password }, HOME);
    expect(await failureOf(reset(late))).toBe('invalid_request');
    await credentials.askForReset({ email: EMAIL }, HOME);
    const first = bench.code();
    await credentials.askForReset({ email: EMAIL }, HOME);
    const second = bench.code();
    expect(await failureOf(reset('00000-00000-00000-00000'))).toBe('invalid_request');
    expect(await failureOf(reset(first, 'password123'))).toBe('validation_error');
    const answer = await reset(` ${first.toLowerCase().replaceAll('0', 'o').replaceAll('-', ' ')}`);
    expect(answer.account.email).toBe(EMAIL);
    expect(bench.mails.at(-1)?.subject).toContain('was changed');
    for (const code of [first, second]) expect(await failureOf(reset(code))).toBe('invalid_request');
    expect(await bench.accounts.sessions.findSessionAccount(session.tokenHash, bench.nowMs)).toBeNull();
    expect((await bench.keyService.list(await bench.bearer(answer.session_token))).keys[0]?.key_id).toBe(
      keyId,
    );
    expect(await failureOf(accounts.login({ email: EMAIL, password: PASSWORD }, HOME))).toBe('unauthorized');
    await accounts.login({ email: EMAIL, password: NEW }, HOME);
  });

  test('a request for a reset gets the same answer if the address has no account, or one that was never verified', async () => {
    using bench = new AccountsBench();
    const { accounts, credentials } = await bench.people();
    await bench.signIn(accounts, EMAIL);
    await accounts.signup({ email: 'new@example.com', password: PASSWORD }, HOME);
    const answers = [];
    for (const email of [EMAIL, 'new@example.com', 'nobody@example.com']) {
      answers.push(await credentials.askForReset({ email }, HOME));
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(bench.mails.slice(-3).map(({ to, code }) => [to, code !== null])).toEqual([
      [EMAIL, true],
      ['new@example.com', false],
      ['nobody@example.com', false],
    ]);
  });

  test('a reset works for the owner, no matter how often strangers request resets', async () => {
    using bench = new AccountsBench();
    const { accounts, credentials } = await bench.people();
    await bench.signIn(accounts, EMAIL);
    await credentials.askForReset({ email: EMAIL }, HOME);
    const own = bench.code();
    for (let request = 0; request < 100; request++) {
      await failureOf(credentials.askForReset({ email: EMAIL }, `198.51.100.${request}`));
    }
    await credentials.resetPassword({ code: own, new_password: NEW }, HOME);
  });
});

describe('changes that a session makes', () => {
  test('requests of strangers cause a bounded number of mails, and owners still get each code that they request', async () => {
    using bench = new AccountsBench();
    const { accounts, credentials } = await bench.people();
    await bench.signIn(accounts, 'ana@example.com');
    await bench.signIn(accounts, 'ana+shop@example.com');
    bench.mails.length = 0;
    const ask = (email: string, address: string) => failureOf(credentials.askForReset({ email }, address));
    const of24 = [];
    for (let index = 0; index < 61; index++) of24.push(await ask(`${index}@example.com`, `192.0.3.${index}`));
    expect(of24).toEqual([...new Array(60).fill('none'), 'rate_limit_exceeded']);
    expect(bench.mails).toHaveLength(60);
    // Addresses that differ only in their tag get ten of these mails together.
    for (let index = 0; index < 30; index++) await ask(`ana+${index}@example.com`, `198.51.${index}.1`);
    expect(bench.mails).toHaveLength(70);
    for (let index = 0; index < 1_000; index++) {
      await ask(`x${index}@example.com`, `203.0.${index >> 4}.${index & 15}`);
      // Once the limit is used up, the rest of the work is done after the answer.
      await eventLoopTurn();
    }
    expect(bench.mails).toHaveLength(ATTEMPT_LIMITS.resetAskedInAll.max - 20);
    const codes = () =>
      bench.database.query<{ codes: number }, []>('SELECT count(*) AS codes FROM confirmations').get()!.codes;
    for (const [index, email] of ['ana@example.com', 'ana+shop@example.com'].entries()) {
      const mailsBefore = bench.mails.length;
      expect(await ask(email, '198.51.100.7')).toBe('none');
      // The code is stored in a later turn of the event loop than the answer, so that the answer takes the
      // same time without an account.
      for (let step = 0; step < 100; step++) await Promise.resolve();
      expect(codes()).toBe(index);
      while (bench.mails.length === mailsBefore) await eventLoopTurn();
      expect(bench.mails.at(-1)!.to).toBe(email);
    }
    expect(await ask('nobody@example.com', '198.51.100.7')).toBe('none');
    await eventLoopTurn();
    expect(bench.mails.at(-1)!.to).toBe('ana+shop@example.com');
    expect(bench.lateFailures).toEqual([]);
    // The work after the answers is bounded, and its failures are logged.
    const asked = Array.from({ length: LATE_RESETS_MAX + 5 }, (_, index) =>
      ask(`y${index}@example.com`, `2001:db8:${index.toString(16)}::1`),
    );
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['none']));
    expect(bench.lateFailures).toHaveLength(5);
    await eventLoopTurn();
    bench.database.run('ALTER TABLE confirmations RENAME TO damaged');
    expect(await ask('ana@example.com', '198.51.100.7')).toBe('none');
    while (bench.lateFailures.length === 5) await eventLoopTurn();
    expect(bench.mails.at(-1)!.to).toBe('ana+shop@example.com');
  }, 60_000);

  test('changing the password needs the current one, and ends the other sessions', async () => {
    using bench = new AccountsBench();
    const { accounts, credentials } = await bench.people();
    const session = await bench.signIn(accounts, EMAIL);
    const other = await accounts.login({ email: EMAIL, password: PASSWORD }, HOME);
    await credentials.askForReset({ email: EMAIL }, HOME);
    const code = bench.code();
    const change = (password: string) => credentials.changePassword({ password, new_password: NEW }, session);
    expect(await failureOf(change('not the password'))).toBe('unauthorized');
    expect((await change(PASSWORD)).ended_sessions).toBe(1);
    expect(await failureOf(bench.bearer(other.session_token))).toBe('unauthorized');
    expect(await bench.accounts.sessions.findSessionAccount(session.tokenHash, bench.nowMs)).not.toBeNull();
    // A reset code requested before the password was changed is void, so old mail gives no access.
    expect(await failureOf(credentials.resetPassword({ code, new_password: NEW }, HOME))).toBe(
      'invalid_request',
    );
    expect(bench.mails.at(-1)).toMatchObject({ to: EMAIL, code: null });
    for (let guess = 0; guess < 10; guess++) await failureOf(change('a guess'));
    expect(await failureOf(change(NEW))).toBe('rate_limit_exceeded');
  });

  test('the address changes by a code mailed to the new one; both addresses are notified, keys and sessions stay, and the old address is free', async () => {
    using bench = new AccountsBench();
    const { accounts, credentials } = await bench.people();
    const session = await bench.signIn(accounts, EMAIL);
    const { key_id: keyId } = await bench.keyService.create({}, session);
    const epoch = () =>
      bench.database.query<{ value: number }, []>('SELECT value FROM key_epoch').get()!.value;
    const before = epoch();
    const ask = (new_email: string, password = PASSWORD) =>
      credentials.askForEmail({ password, new_email }, session);
    expect(await failureOf(ask('ana@new.example', 'not the password'))).toBe('unauthorized');
    expect(await failureOf(ask(EMAIL.toUpperCase()))).toBe('validation_error');
    await ask('ana@new.example');
    expect(bench.mails.slice(-2).map(({ to, code }) => [to, code !== null])).toEqual([
      ['ana@new.example', true],
      [EMAIL, false],
    ]);
    expect(advisesReset(bench.mails.at(-1)!.text)).toBe(true);
    const code = bench.mails.at(-2)!.code!;
    const stranger = await bench.signIn(accounts, 'eve@example.com');
    expect(await failureOf(credentials.confirmEmail({ code }, stranger, CLIENT))).toBe('invalid_request');
    const { account } = await credentials.confirmEmail({ code }, session, CLIENT);
    expect(account).toMatchObject({ email: 'ana@new.example', verified: true });
    expect(account.id).not.toBe(session.account.id);
    expect(bench.mails.slice(-2).map(({ to, text }) => [to, advisesReset(text)])).toEqual([
      [EMAIL, false],
      ['ana@new.example', true],
    ]);
    expect(epoch()).toBeGreaterThan(before);
    const moved = await bench.accounts.sessions.findSessionAccount(session.tokenHash, bench.nowMs);
    expect(moved?.id).toBe(account.id);
    expect((await bench.keys.listKeysOf(account.id)).map((key) => key.keyId)).toEqual([keyId]);
    await accounts.login({ email: 'ana@new.example', password: PASSWORD }, HOME);
    const next = await bench.signIn(accounts, EMAIL);
    expect(next.account.id).toBe(session.account.id);
    expect(await bench.keys.listKeysOf(next.account.id)).toEqual([]);
  });

  test('if the new address has an account, that account gets a notice, and the answer does not reveal it', async () => {
    using bench = new AccountsBench();
    const { accounts, credentials } = await bench.people();
    const session = await bench.signIn(accounts, EMAIL);
    await bench.signIn(accounts, 'bob@example.com');
    const ask = (new_email: string) => credentials.askForEmail({ password: PASSWORD, new_email }, session);
    expect(await ask('bob@example.com')).toEqual(await ask('free@example.com'));
    expect(bench.mails.at(-4)).toMatchObject({ to: 'bob@example.com', code: null });
    // If another person takes the new address before the code is entered, the code changes nothing.
    const code = bench.mails.at(-2)!.code!;
    await bench.signIn(accounts, 'free@example.com');
    expect(await failureOf(credentials.confirmEmail({ code }, session, CLIENT))).toBe('invalid_request');
    expect((await bench.accounts.findAccount(session.account.id))?.email).toBe(EMAIL);
  });

  test('the account is deleted only with its password, together with its keys, sessions and codes', async () => {
    using bench = new AccountsBench();
    const { accounts, credentials } = await bench.people();
    const session = await bench.signIn(accounts, EMAIL);
    const before = bench.keysChanged;
    await bench.keyService.create({}, session);
    expect(await failureOf(credentials.deleteAccount({ password: 'a guess' }, session))).toBe('unauthorized');
    expect(bench.keysChanged).toBe(before);
    await credentials.deleteAccount({ password: PASSWORD }, session);
    expect(bench.keysChanged).toBe(before + 1);
    expect(bench.mails.at(-1)).toMatchObject({ to: EMAIL, code: null });
    // The mail does not suggest a password reset: that would only answer that this address has no account.
    expect(advisesReset(bench.mails.at(-1)!.text)).toBe(false);
    for (const table of ['accounts', 'sessions', 'api_keys', 'confirmations', 'known_clients']) {
      expect([table, bench.database.query(`SELECT * FROM ${table}`).all()]).toEqual([table, []]);
    }
  });
});

describe('the lock-out', () => {
  test('wrong passwords lock out everyone except devices and networks that have logged in', async () => {
    using bench = new AccountsBench();
    const { accounts, guard } = await bench.people();
    const session = await bench.signIn(accounts, EMAIL);
    const device = await guard.welcome(session.account.id, { address: HOME, device: null });
    const login = (password: string, address: string, token: string | null = null) =>
      failureOf(accounts.login({ email: EMAIL, password }, address, { device: token }));
    bench.nowMs += 61_000;
    for (let minute = 0; minute < 3; minute++) {
      // A hundred addresses guess; only five tries are checked.
      const results = [];
      for (let guess = 0; guess < 100; guess++) results.push(await login('a guess', `198.51.100.${guess}`));
      expect(results.filter((result) => result === 'unauthorized')).toHaveLength(5);
      expect(await login(PASSWORD, '203.0.113.5')).toBe('rate_limit_exceeded');
      expect(await login(PASSWORD, '203.0.113.5', 'dev_forged')).toBe('rate_limit_exceeded');
      expect(await login(PASSWORD, '203.0.113.5', device)).toBe('none');
      expect(await login(PASSWORD, HOME)).toBe('none');
      bench.nowMs += 61_000;
    }
    // For another account this device is a stranger.
    await bench.signIn(accounts, 'bob@example.com');
    bench.nowMs += 61_000;
    const toBob = (guess: number) =>
      failureOf(
        accounts.login({ email: 'bob@example.com', password: 'x' }, `198.51.100.${guess}`, { device }),
      );
    for (let guess = 0; guess < 5; guess++) expect(await toBob(guess)).toBe('unauthorized');
    expect(await toBob(5)).toBe('rate_limit_exceeded');
  });

  test('after a change of address, the device and the network that confirmed it are not locked out', async () => {
    using bench = new AccountsBench();
    const { accounts, credentials, guard } = await bench.people();
    const session = await bench.signIn(accounts, EMAIL);
    const device = await guard.welcome(session.account.id, { address: HOME, device: null });
    const email = 'ana@new.example';
    await credentials.askForEmail({ password: PASSWORD, new_email: email }, session);
    const { code } = bench.mails.at(-2)!;
    const { account } = await credentials.confirmEmail({ code: code! }, session, { address: HOME, device });
    const login = (password: string, address: string, token: string | null = null) =>
      failureOf(accounts.login({ email, password }, address, { device: token }));
    for (let guess = 0; guess < 5; guess++)
      expect(await login('a guess', `198.51.100.${guess}`)).toBe('unauthorized');
    expect(await login(PASSWORD, '203.0.113.5')).toBe('rate_limit_exceeded');
    expect(await login(PASSWORD, '203.0.113.5', device)).toBe('none');
    expect(await login(PASSWORD, HOME)).toBe('none');
    // Clients known under the old address take none of the places of those known under the new one.
    const known = bench.database.query('SELECT account_id FROM known_clients').all();
    expect(known).toEqual(new Array(2).fill({ account_id: account.id }));
  });

  test('a change of address is answered and mailed even if the database then fails to remember the client', async () => {
    using bench = new AccountsBench();
    const { accounts, credentials, guard } = await bench.people();
    const session = await bench.signIn(accounts, EMAIL);
    await credentials.askForEmail({ password: PASSWORD, new_email: 'ana@new.example' }, session);
    const { code } = bench.mails.at(-2)!;
    guard.welcome = () => Promise.reject(new StorageError('busy', new Error('busy'), { isBusy: true }));
    const { account } = await credentials.confirmEmail({ code: code! }, session, CLIENT);
    expect(account.email).toBe('ana@new.example');
    expect(bench.mails.slice(-2).map(({ to }) => to)).toEqual([EMAIL, 'ana@new.example']);
  });

  test('guesses from a known network lock out that network, but not a device that has logged in', async () => {
    using bench = new AccountsBench();
    const { accounts, guard } = await bench.people();
    const session = await bench.signIn(accounts, EMAIL);
    const device = await guard.welcome(session.account.id, { address: HOME, device: null });
    const login = (password: string, token: string | null) =>
      failureOf(accounts.login({ email: EMAIL, password }, HOME, { device: token }));
    bench.nowMs += 61_000;
    for (let guess = 0; guess < 5; guess++) expect(await login('a guess', null)).toBe('unauthorized');
    expect(await login('a guess', null)).toBe('rate_limit_exceeded');
    expect(await login(PASSWORD, device)).toBe('none');
  });
});

test('a code is accepted in small letters, without hyphens, with spaces, and with O or L in place of 0 or 1', () => {
  const code = '7H2KD-0QX9M-4TR1V-ZC3PA';
  for (const typed of [
    code,
    code.toLowerCase(),
    code.replaceAll('-', ''),
    '7h2kd oqx9m 4trlv zc3pa',
    ` ${code} `,
  ]) {
    expect(tidyLongCode(typed)).toBe(code);
  }
});
