// What every AccountRepository must do with accounts, their codes, plans and addresses.

import { describe, expect, test } from 'bun:test';
import {
  CODE_TRIES_MAX,
  CONFIRMATIONS_PER_ACCOUNT_MAX,
  UNMAILED_SIGNUPS_PER_ACCOUNT_MAX,
  UNVERIFIED_PER_SIGNUP_MAX,
} from '../../../src/accounts/limits.ts';
import type { CodeRecord, EnteredCode } from '../../../src/accounts/records.ts';
import { codeKey } from '../../../src/accounts/rows.ts';
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

/**
 * When a case stores many codes, the repository itself adds only this many, the last ones. They reach the
 * limits.
 */
const ADDED_BY_REPOSITORY = 5;

/** Adds codes of different networks. All but the last few are written by one statement, to save time. */
async function addMany({ sql, accounts }: Repositories, all: readonly CodeRecord[]): Promise<void> {
  const rows = all
    .slice(0, -ADDED_BY_REPOSITORY)
    .map((code) => [ACCOUNT.id, codeKey(code), code.passwordHash, code.expiresAtMs]);
  await sql.insertAll('verification_codes', { columns: CODE_COLUMNS, rows }, '(id) DO NOTHING');
  await accounts.codes.addCodes(ACCOUNT.id, all.slice(-ADDED_BY_REPOSITORY));
}

const CODE_COLUMNS = {
  account_id: 'text',
  code_hash: 'text',
  password_hash: 'text',
  expires_at_ms: 'bigint',
} as const;

export function defineAccountCases(name: string, open: () => Promise<Repositories>): void {
  describe(`${name}: accounts`, () => {
    test('createAccount and find: an account is stored as given; a second account of an address is refused', async () => {
      await using storage = await open();
      const { accounts } = storage;
      expect(await accounts.createAccount(ACCOUNT)).toBe(true);
      expect(await accounts.createAccount({ ...ACCOUNT, id: 'acc_2', passwordHash: 'x' })).toBe(false);
      expect(await accounts.findAccount(ACCOUNT.id)).toEqual(ACCOUNT);
      expect(await accounts.findAccountByEmail(ACCOUNT.email)).toEqual(ACCOUNT);
      expect(await accounts.findAccount('acc_2')).toBeNull();
      expect(await accounts.findAccountByEmail('ONE@example.com')).toBeNull();
    });

    test('hashNear: returns the hash of the account with this id; otherwise that of the next id; after the last, that of the first', async () => {
      await using storage = await open();
      const { accounts } = storage;
      expect(await accounts.hashNear('acc_1')).toBeNull();
      for (const id of ['acc_3', 'acc_5'])
        await accounts.createAccount({ ...ACCOUNT, id, email: `${id}@example.com`, passwordHash: id });
      const near = ['acc_1', 'acc_3', 'acc_4', 'acc_5', 'acc_6'].map((id) => accounts.hashNear(id));
      expect(await Promise.all(near)).toEqual(['acc_3', 'acc_3', 'acc_5', 'acc_5', 'acc_3']);
    });

    test('verifyAccount: the right code verifies once, with the password of its sign-up', async () => {
      await using storage = await open();
      const { accounts } = storage;
      await accounts.createAccount(ACCOUNT);
      await accounts.codes.addCodes(ACCOUNT.id, [newCode('c1', { passwordHash: 'hash-other' })]);
      await accounts.codes.addCodes(ACCOUNT.id, [newCode('c2')]);
      const enter = (id: string, code: string, nowMs: number) =>
        accounts.codes.verifyAccount(id, entered(code), nowMs);
      expect(await enter(ACCOUNT.id, 'wrong', NOW_MS)).toBe(false);
      expect(await enter('acc_9', 'c2', NOW_MS)).toBe(false);
      expect(await enter(ACCOUNT.id, 'c2', NOW_MS + 5)).toBe(true);
      const after = await accounts.findAccount(ACCOUNT.id);
      expect(after).toEqual({ ...ACCOUNT, passwordHash: 'hash-2', verifiedAtMs: NOW_MS + 5 });
      expect(await enter(ACCOUNT.id, 'c2', NOW_MS + 6)).toBe(false);
      expect(await enter(ACCOUNT.id, 'c1', NOW_MS + 6)).toBe(false);
    });

    test('verifyAccount: a code is void once it expires; wrong tries void a short code, separately for its own network and for all others', async () => {
      await using storage = await open();
      const { accounts } = storage;
      await accounts.createAccount(ACCOUNT);
      const enter = (code: string, changes: Partial<EnteredCode> = {}, nowMs = NOW_MS) =>
        accounts.codes.verifyAccount(ACCOUNT.id, entered(code, changes), nowMs);
      const abroad = { client: 'abroad' };
      await accounts.codes.addCodes(ACCOUNT.id, [newCode('late', { expiresAtMs: NOW_MS })]);
      expect(await enter('late')).toBe(false);
      await accounts.codes.addCodes(ACCOUNT.id, [
        newCode('own'),
        newCode('own', { scope: 'elsewhere' }),
        newCode('long', { scope: 'long' }),
      ]);
      for (let tries = 0; tries < CODE_TRIES_MAX; tries++) expect(await enter('wrong', abroad)).toBe(false);
      expect(await enter('own', abroad)).toBe(false); // its tries elsewhere are used up
      for (let tries = 0; tries < 50; tries++) expect(await enter('wrong', { isLong: true })).toBe(false);
      for (let tries = 1; tries < CODE_TRIES_MAX; tries++) expect(await enter('wrong')).toBe(false);
      expect(await enter('wrong')).toBe(false);
      expect(await enter('own')).toBe(false);
      expect(await enter('long', { isLong: true })).toBe(true); // wrong tries do not void a long code
    });

    test('verifyAccount: a network that signed up gets the password it chose, no matter which code it enters', async () => {
      for (const [code, isLong, client, passwordHash] of [
        ['theirs', true, 'home', 'of home'],
        ['theirs', true, 'abroad', 'of abroad'],
        ['theirs', true, 'nowhere', 'of abroad'],
        ['home', false, 'home', 'of home'],
      ] as const) {
        await using storage = await open();
        const { accounts } = storage;
        await accounts.createAccount(ACCOUNT);
        await accounts.codes.addCodes(ACCOUNT.id, [newCode('home', { passwordHash: 'of home' })]);
        await accounts.codes.addCodes(ACCOUNT.id, [
          newCode('abroad', { client: 'abroad', passwordHash: 'of abroad' }),
          newCode('theirs', { client: 'abroad', scope: 'long', passwordHash: 'of abroad' }),
        ]);
        expect(
          await accounts.codes.verifyAccount(ACCOUNT.id, entered(code, { client, isLong }), NOW_MS),
        ).toBe(true);
        expect((await accounts.findAccount(ACCOUNT.id))?.passwordHash).toBe(passwordHash);
      }
    });

    test('addCodes: sign-ups that mailed nothing never void a code that was mailed', async () => {
      await using storage = await open();
      const { accounts } = storage;
      await accounts.createAccount(ACCOUNT);
      await accounts.codes.addCodes(ACCOUNT.id, [newCode('mailed', { passwordHash: 'of home' })]);
      const unmailed = Array.from({ length: UNMAILED_SIGNUPS_PER_ACCOUNT_MAX + 1 }, (_, index) =>
        newCode('', { scope: 'unmailed', client: `network ${index}`, passwordHash: 'of a stranger' }),
      );
      await addMany(storage, unmailed);
      expect(await accounts.codes.verifyAccount(ACCOUNT.id, entered('mailed'), NOW_MS)).toBe(true);
      expect((await accounts.findAccount(ACCOUNT.id))?.passwordHash).toBe('of home');
    });

    test('a code entered from a network whose sign-up was dropped never sets the password of another network', async () => {
      const theirs = newCode('theirs', { client: 'abroad', scope: 'long', passwordHash: 'of a stranger' });
      const own = newCode('', { scope: 'unmailed', passwordHash: 'of home' });
      const unmailed = Array.from({ length: UNMAILED_SIGNUPS_PER_ACCOUNT_MAX }, (_, index) =>
        newCode('', { scope: 'unmailed', client: `network ${index}`, passwordHash: 'of a stranger' }),
      );
      // The repeated sign-ups come from one network, so each replaces the one before. Together with the other
      // sign-ups and the account's own, they are exactly as many as are kept. So they push out no sign-up of
      // another network.
      const again = { ...unmailed[0]!, client: 'abroad' };
      const repeated = [...unmailed.slice(0, -2), ...new Array<CodeRecord>(ADDED_BY_REPOSITORY).fill(again)];
      for (const [strangers, isForgotten] of [
        [unmailed, true],
        [repeated, false],
      ] as const) {
        await using storage = await open();
        const { accounts } = storage;
        await accounts.createAccount(ACCOUNT);
        await accounts.codes.addCodes(ACCOUNT.id, [theirs]);
        await accounts.codes.addCodes(ACCOUNT.id, [own]);
        await addMany(storage, strangers);
        const enter = () =>
          accounts.codes.verifyAccount(ACCOUNT.id, entered('theirs', { isLong: true }), NOW_MS);
        expect(await enter()).toBe(!isForgotten);
        if (isForgotten) {
          await accounts.codes.addCodes(ACCOUNT.id, [own]);
          expect(await enter()).toBe(true);
        }
        expect((await accounts.findAccount(ACCOUNT.id))?.passwordHash).toBe('of home');
      }
    }, 60_000);

    test('replaceHash stores the new hash unless the stored one has changed', async () => {
      await using storage = await open();
      const { accounts } = storage;
      await accounts.createAccount(ACCOUNT);
      const { passwordHash: before } = ACCOUNT;
      await accounts.replaceHash(ACCOUNT.id, { before, after: 'after' });
      await accounts.replaceHash(ACCOUNT.id, { before, after: 'late' });
      expect((await accounts.findAccount(ACCOUNT.id))?.passwordHash).toBe('after');
    });

    test('setPlan lowers the active keys above it, and only those', async () => {
      await using storage = await open();
      const { accounts, keys } = storage;
      await accounts.createAccount(ACCOUNT);
      const other = { id: 'acc_2', email: 'two@example.com', plan: 'enterprise' } as const;
      await accounts.createAccount({ ...ACCOUNT, ...other });
      await accounts.setPlan(ACCOUNT.id, 'enterprise');
      for (const tier of ['free', 'standard', 'realtime', 'enterprise'] as const)
        await keys.createKey(newKey({ tier }));
      const foreign = await keys.createKey(newKey({ tier: 'enterprise', accountId: 'acc_2' }));
      await accounts.setPlan(ACCOUNT.id, 'standard');
      expect((await accounts.findAccount(ACCOUNT.id))?.plan).toBe('standard');
      const tiers = (await keys.listKeysOf(ACCOUNT.id)).map((key) => key.tier);
      expect(tiers).toEqual(['free', 'standard', 'standard', 'standard']);
      expect((await keys.findKey(foreign?.keyId ?? ''))?.tier).toBe('enterprise');
    });

    test('confirmations: only the newest ones of an account are valid; each is valid once, until it expires', async () => {
      await using storage = await open();
      const { accounts } = storage;
      await accounts.createAccount(ACCOUNT);
      for (let index = 0; index <= CONFIRMATIONS_PER_ACCOUNT_MAX; index++) {
        await accounts.codes.addConfirmation(newConfirmation('password', `code-${index}`));
      }
      expect(await accounts.codes.findConfirmation('password', 'code-0', NOW_MS)).toBeNull();
      expect(await accounts.codes.findConfirmation('email', 'code-1', NOW_MS)).toBeNull();
      expect(await accounts.codes.findConfirmation('password', 'code-1', NOW_MS + 1_000)).toBeNull();
      expect(await accounts.codes.findConfirmation('password', 'code-1', NOW_MS)).toEqual(
        newConfirmation('password', 'code-1'),
      );
      await accounts.sessions.createSession(newSession('a'));
      const both = await Promise.all(
        ['x', 'y'].map((passwordHash) => accounts.codes.resetPassword('code-1', passwordHash, NOW_MS)),
      );
      expect(both.filter((account) => account !== null)).toHaveLength(1);
      expect(await accounts.sessions.findSessionAccount('a', NOW_MS)).toBeNull();
    });

    test('changeEmail changes the address of the account and keeps its sessions and keys, unless a verified account has the new address', async () => {
      await using storage = await open();
      const { accounts, keys } = storage;
      await accounts.createAccount(ACCOUNT);
      await accounts.sessions.createSession(newSession('a'));
      const key = await keys.createKey(newKey());
      const unproved = { ...ACCOUNT, id: 'acc_2', email: 'new@example.com' };
      await accounts.createAccount(unproved);
      const taken = { ...ACCOUNT, id: 'acc_3', email: 'taken@example.com', verifiedAtMs: NOW_MS };
      await accounts.createAccount(taken);
      await accounts.codes.addConfirmation(newConfirmation('email', 'to-taken', taken.email));
      expect(await accounts.changeEmail('to-taken', ACCOUNT.id, 'acc_9', NOW_MS)).toBeNull();
      await accounts.codes.addConfirmation(newConfirmation('email', 'to-new', unproved.email));
      expect(await accounts.changeEmail('to-new', ACCOUNT.id, 'acc_4', NOW_MS)).toEqual(ACCOUNT);
      expect(await accounts.findAccount(ACCOUNT.id)).toBeNull();
      expect(await accounts.findAccount(unproved.id)).toBeNull();
      const moved = { ...ACCOUNT, id: 'acc_4', email: unproved.email };
      expect(await accounts.sessions.findSessionAccount('a', NOW_MS)).toEqual(moved);
      expect((await keys.findKey(key?.keyId ?? ''))?.accountId).toBe('acc_4');
      await accounts.deleteAccount('acc_4');
      expect(await accounts.sessions.findSessionAccount('a', NOW_MS)).toBeNull();
      expect(await keys.findKey(key?.keyId ?? '')).toBeNull();
    });

    test('deleteExpired: old unverified accounts are deleted, verified and younger ones stay', async () => {
      await using storage = await open();
      const { accounts } = storage;
      const verified = { ...ACCOUNT, id: 'acc_2', email: '2@example.com', verifiedAtMs: NOW_MS };
      const young = { ...ACCOUNT, id: 'acc_3', email: '3@example.com', createdAtMs: NOW_MS + 10 };
      for (const account of [ACCOUNT, verified, young]) await accounts.createAccount(account);
      await accounts.deleteExpired(NOW_MS + 20, NOW_MS + 10);
      expect(await accounts.findAccount(ACCOUNT.id)).toBeNull();
      expect(await accounts.findAccount(verified.id)).toEqual(verified);
      expect(await accounts.findAccount(young.id)).toEqual(young);
    });

    test('deleteExpired: an old account whose address signed up again keeps the new code until it expires', async () => {
      await using storage = await open();
      const { accounts } = storage;
      await accounts.createAccount(ACCOUNT);
      await accounts.codes.addCodes(ACCOUNT.id, [newCode('new', { expiresAtMs: NOW_MS + 100 })]);
      await accounts.deleteExpired(NOW_MS + 20, NOW_MS + 10);
      expect(await accounts.findAccount(ACCOUNT.id)).toEqual(ACCOUNT);
      await accounts.deleteExpired(NOW_MS + 100, NOW_MS + 90);
      expect(await accounts.findAccount(ACCOUNT.id)).toBeNull();
    });

    test('deleteExpired: one call deletes a bounded number of accounts, the oldest first', async () => {
      await using storage = await open();
      const { accounts } = storage;
      const before = NOW_MS + UNVERIFIED_PER_SIGNUP_MAX + 5;
      for (let index = UNVERIFIED_PER_SIGNUP_MAX + 2; index >= 0; index--) {
        const own = { id: `acc_${index}`, email: `${index}@example.com`, createdAtMs: NOW_MS + index };
        await accounts.createAccount({ ...ACCOUNT, ...own });
      }
      await accounts.deleteExpired(before, before);
      expect((await accounts.countAccounts()).signUps).toBe(3);
      expect(await accounts.findAccount(`acc_${UNVERIFIED_PER_SIGNUP_MAX}`)).not.toBeNull();
      expect(await accounts.makeUnverifiedRoom(before)).toBe(true);
      expect((await accounts.countAccounts()).signUps).toBe(3);
      await accounts.deleteExpired(before, before);
      expect((await accounts.countAccounts()).signUps).toBe(0);
    });

    test('secret: the first value proposed under a name is kept', async () => {
      await using storage = await open();
      expect(await storage.accounts.secret('s', 'first')).toBe('first');
      expect(await storage.accounts.secret('s', 'second')).toBe('first');
    });
  });
}
