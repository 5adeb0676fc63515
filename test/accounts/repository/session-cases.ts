// What every AccountRepository and SessionUses must do with sessions.

import { describe, expect, test } from 'bun:test';
import { SESSIONS_PER_ACCOUNT_MAX } from '../../../src/accounts/limits.ts';
import {
  ACCOUNT,
  entered,
  NOW_MS,
  newCode,
  newConfirmation,
  newKey,
  newSession,
  type Repositories,
} from './records.ts';

export function defineSessionCases(name: string, open: () => Promise<Repositories>): void {
  describe(`${name}: sessions`, () => {
    test('sessions live until they expire or are deleted; the oldest beyond the limit ends', async () => {
      await using storage = await open();
      const { accounts } = storage;
      await accounts.createAccount(ACCOUNT);
      for (let index = 0; index <= SESSIONS_PER_ACCOUNT_MAX; index++) {
        await accounts.sessions.createSession({
          tokenHash: `t${index}`,
          accountId: ACCOUNT.id,
          createdAtMs: NOW_MS + index,
          expiresAtMs: NOW_MS + 1_000,
        });
      }
      expect(await accounts.sessions.findSessionAccount('t0', NOW_MS)).toBeNull();
      expect(await accounts.sessions.findSessionAccount('t1', NOW_MS + 999)).toEqual(ACCOUNT);
      expect(await accounts.sessions.findSessionAccount('t1', NOW_MS + 1_000)).toBeNull();
      await accounts.sessions.deleteSession('t2');
      expect(await accounts.sessions.findSessionAccount('t2', NOW_MS)).toBeNull();
      expect(await accounts.sessions.findSessionAccount('t3', NOW_MS)).toEqual(ACCOUNT);
    });

    test('uses are recorded for existing sessions and listed by time; endUnused ends the sessions that were last used before an instant', async () => {
      await using storage = await open();
      const { accounts, uses } = storage;
      await accounts.createAccount(ACCOUNT);
      await accounts.createAccount({ ...ACCOUNT, id: 'acc_2', email: 'two@example.com' });
      for (const tokenHash of ['a', 'b', 'c']) await accounts.sessions.createSession(newSession(tokenHash));
      await accounts.sessions.createSession({ ...newSession('other'), accountId: 'acc_2' });
      await accounts.sessions.createSession({ ...newSession('over'), expiresAtMs: NOW_MS });
      await uses.note({ tokenHash: 'none', client: null, atMs: NOW_MS });
      await uses.note({ tokenHash: 'a', client: 'Firefox on Linux', atMs: NOW_MS });
      await uses.note({ tokenHash: 'a', client: 'curl', atMs: NOW_MS + 30 });
      await uses.note({ tokenHash: 'b', client: null, atMs: NOW_MS + 20 });
      expect([await uses.lastUseMs('none'), await uses.lastUseMs('c')]).toEqual([null, null]);
      expect(await uses.lastUseMs('a')).toBe(NOW_MS + 30);
      const listed = await uses.list(ACCOUNT.id, NOW_MS);
      expect(listed.map((one) => [one.tokenHash, one.client, one.usedAtMs])).toEqual([
        ['a', 'Firefox on Linux', NOW_MS + 30],
        ['b', null, NOW_MS + 20],
        ['c', null, newSession('c').createdAtMs],
      ]);
      expect(listed[0]).toMatchObject({ expiresAtMs: newSession('a').expiresAtMs });
      expect(await uses.endUnused(NOW_MS + 20, NOW_MS + 40)).toBe(0);
      // A session without a recorded use counts as used at the first check.
      expect(await uses.lastUseMs('c')).toBe(NOW_MS + 40);
      expect(await uses.endUnused(NOW_MS + 31, NOW_MS + 41)).toBe(2);
      expect(await accounts.sessions.findSessionAccount('a', NOW_MS)).toBeNull();
      expect(await accounts.sessions.findSessionAccount('c', NOW_MS)).toEqual(ACCOUNT);
      expect((await uses.list('acc_2', NOW_MS)).map((one) => one.tokenHash)).toEqual(['other']);
      await accounts.sessions.deleteAllSessions();
      expect([await uses.lastUseMs('c'), await uses.list(ACCOUNT.id, NOW_MS)]).toEqual([null, []]);
    });

    test('calls for an account that was deleted meanwhile store nothing and do not fail', async () => {
      await using storage = await open();
      const { accounts, attempts, keys } = storage;
      await accounts.createAccount(ACCOUNT);
      await accounts.deleteAccount(ACCOUNT.id);
      expect(await accounts.sessions.createSession(newSession('t'))).toBe(false);
      expect(await accounts.sessions.findSessionAccount('t', NOW_MS)).toBeNull();
      await attempts.rememberClient(ACCOUNT.id, 'client', NOW_MS + 1);
      expect(await attempts.knowsClient(ACCOUNT.id, 'client', NOW_MS)).toBe(false);
      await accounts.codes.addCodes(ACCOUNT.id, [newCode('c')]);
      await accounts.codes.addConfirmation(newConfirmation('password', 'c'));
      expect(await accounts.codes.findConfirmation('password', 'c', NOW_MS)).toBeNull();
      expect(await keys.createKey(newKey())).toBeNull();
    });

    test('verifyAccount: sessions continue if the password stays, and end if it changes', async () => {
      for (const passwordHash of [ACCOUNT.passwordHash, 'another']) {
        await using storage = await open();
        const { accounts } = storage;
        await accounts.createAccount(ACCOUNT);
        const session = {
          tokenHash: 't',
          accountId: ACCOUNT.id,
          createdAtMs: NOW_MS,
          expiresAtMs: NOW_MS + 9,
        };
        await accounts.sessions.createSession(session);
        await accounts.codes.addCodes(ACCOUNT.id, [newCode('c', { passwordHash })]);
        expect(await accounts.codes.verifyAccount(ACCOUNT.id, entered('c'), NOW_MS)).toBe(true);
        const found = await accounts.sessions.findSessionAccount('t', NOW_MS);
        expect(found === null).toBe(passwordHash === 'another');
      }
    });

    test('changePassword and deleteOtherSessions end all sessions except one', async () => {
      await using storage = await open();
      const { accounts } = storage;
      await accounts.createAccount(ACCOUNT);
      for (const tokenHash of ['a', 'b', 'c']) await accounts.sessions.createSession(newSession(tokenHash));
      expect(await accounts.sessions.deleteOtherSessions(ACCOUNT.id, 'a')).toBe(2);
      await accounts.sessions.createSession(newSession('d'));
      await accounts.codes.addConfirmation(newConfirmation('password', 'asked before'));
      expect(await accounts.changePassword(ACCOUNT.id, 'new', 'd')).toBe(1);
      expect(await accounts.sessions.findSessionAccount('a', NOW_MS)).toBeNull();
      expect((await accounts.sessions.findSessionAccount('d', NOW_MS))?.passwordHash).toBe('new');
      expect(await accounts.codes.findConfirmation('password', 'asked before', NOW_MS)).toBeNull();
    });

    test('deleteAllSessions ends the sessions of all accounts, and returns how many there were', async () => {
      await using storage = await open();
      const { accounts } = storage;
      await accounts.createAccount(ACCOUNT);
      await accounts.createAccount({ ...ACCOUNT, id: 'acc_2', email: 'two@example.com' });
      await accounts.sessions.createSession(newSession('a'));
      await accounts.sessions.createSession({ ...newSession('b'), accountId: 'acc_2' });
      expect(await accounts.sessions.deleteAllSessions()).toBe(2);
      for (const tokenHash of ['a', 'b'])
        expect(await accounts.sessions.findSessionAccount(tokenHash, NOW_MS)).toBeNull();
      expect(await accounts.sessions.deleteAllSessions()).toBe(0);
      expect(await accounts.findAccount('acc_2')).not.toBeNull();
    });
  });
}
