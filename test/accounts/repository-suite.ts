// The suite that every AccountRepository and KeyRepository must pass, whatever the storage.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  ACTIVE_KEYS_PER_ACCOUNT_MAX,
  CLIENTS_PER_ACCOUNT_MAX,
  CODE_TRIES_MAX,
  CONFIRMATIONS_PER_ACCOUNT_MAX,
  KEYS_PER_ACCOUNT_MAX,
  SESSIONS_PER_ACCOUNT_MAX,
} from '../../src/accounts/limits.ts';
import type {
  AccountRecord,
  AccountRepository,
  ConfirmationRecord,
  KeyRepository,
  NewKey,
  Purpose,
  SessionUses,
} from '../../src/accounts/repository.ts';

export interface Repositories extends AsyncDisposable {
  readonly accounts: AccountRepository;
  readonly keys: KeyRepository;
  readonly uses: SessionUses;
}

const NOW_MS = 1_800_000_000_000;

const ACCOUNT: AccountRecord = {
  id: 'acc_1',
  email: 'one@example.com',
  passwordHash: 'hash-1',
  plan: 'free',
  verifiedAtMs: null,
  createdAtMs: NOW_MS,
};

let serial = 0;

function newKey(changes: Partial<NewKey> = {}): NewKey {
  serial++;
  return {
    keyId: `key_${serial}`,
    accountId: ACCOUNT.id,
    label: 'a label',
    tier: 'free',
    hash: `hash-${serial}`,
    lastFour: 'abcd',
    createdAtMs: NOW_MS + serial,
    expiresAtMs: null,
    allowedAddresses: [],
    ...changes,
  };
}

function newCode(codeHash: string, passwordHash = 'hash-2', expiresAtMs = NOW_MS + 1_000) {
  return { codeHash, passwordHash, expiresAtMs };
}

function newSession(tokenHash: string) {
  return { tokenHash, accountId: ACCOUNT.id, createdAtMs: NOW_MS, expiresAtMs: NOW_MS + 1_000 };
}

function newConfirmation(
  purpose: Purpose,
  codeHash: string,
  email: string | null = null,
): ConfirmationRecord {
  return { accountId: ACCOUNT.id, purpose, codeHash, email, expiresAtMs: NOW_MS + 1_000 };
}

/** Registers the suite. `open` makes empty repositories; closing is theirs. */
export function defineRepositorySuite(name: string, open: () => Promise<Repositories>): void {
  describe(`${name}: accounts`, () => {
    test('createAccount and find: stored as given; a second account of an address is refused', async () => {
      await using storage = await open();
      const { accounts } = storage;
      expect(await accounts.createAccount(ACCOUNT)).toBe(true);
      expect(await accounts.createAccount({ ...ACCOUNT, id: 'acc_2', passwordHash: 'x' })).toBe(false);
      expect(await accounts.findAccount(ACCOUNT.id)).toEqual(ACCOUNT);
      expect(await accounts.findAccountByEmail(ACCOUNT.email)).toEqual(ACCOUNT);
      expect(await accounts.findAccount('acc_2')).toBeNull();
      expect(await accounts.findAccountByEmail('ONE@example.com')).toBeNull();
    });

    test('verifyAccount: the right code verifies once, with the password of its sign-up', async () => {
      await using storage = await open();
      const { accounts } = storage;
      await accounts.createAccount(ACCOUNT);
      await accounts.addCode(ACCOUNT.id, newCode('c1', 'hash-other'));
      await accounts.addCode(ACCOUNT.id, newCode('c2'));
      expect(await accounts.verifyAccount(ACCOUNT.id, 'wrong', NOW_MS)).toBe(false);
      expect(await accounts.verifyAccount('acc_9', 'c2', NOW_MS)).toBe(false);
      expect(await accounts.verifyAccount(ACCOUNT.id, 'c2', NOW_MS + 5)).toBe(true);
      const after = await accounts.findAccount(ACCOUNT.id);
      expect(after).toEqual({ ...ACCOUNT, passwordHash: 'hash-2', verifiedAtMs: NOW_MS + 5 });
      expect(await accounts.verifyAccount(ACCOUNT.id, 'c2', NOW_MS + 6)).toBe(false);
      expect(await accounts.verifyAccount(ACCOUNT.id, 'c1', NOW_MS + 6)).toBe(false);
    });

    test('verifyAccount: a code dies when it expires, after its tries, and when there is a newer one', async () => {
      await using storage = await open();
      const { accounts } = storage;
      await accounts.createAccount(ACCOUNT);
      await accounts.addCode(ACCOUNT.id, newCode('late', 'h', NOW_MS));
      expect(await accounts.verifyAccount(ACCOUNT.id, 'late', NOW_MS)).toBe(false);
      await accounts.addCode(ACCOUNT.id, newCode('old'));
      await accounts.addCode(ACCOUNT.id, newCode('new'));
      expect(await accounts.verifyAccount(ACCOUNT.id, 'old', NOW_MS)).toBe(false);
      for (let tries = 1; tries < CODE_TRIES_MAX; tries++) {
        expect(await accounts.verifyAccount(ACCOUNT.id, 'wrong', NOW_MS)).toBe(false);
      }
      expect(await accounts.verifyAccount(ACCOUNT.id, 'new', NOW_MS)).toBe(false);
    });

    test('verifyAccount: sessions go on with the same password and end with another', async () => {
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
        await accounts.createSession(session);
        await accounts.addCode(ACCOUNT.id, newCode('c', passwordHash));
        expect(await accounts.verifyAccount(ACCOUNT.id, 'c', NOW_MS)).toBe(true);
        const found = await accounts.findSessionAccount('t', NOW_MS);
        expect(found === null).toBe(passwordHash === 'another');
      }
    });

    test('sessions: live until they expire or are deleted; the oldest beyond the limit ends', async () => {
      await using storage = await open();
      const { accounts } = storage;
      await accounts.createAccount(ACCOUNT);
      for (let index = 0; index <= SESSIONS_PER_ACCOUNT_MAX; index++) {
        await accounts.createSession({
          tokenHash: `t${index}`,
          accountId: ACCOUNT.id,
          createdAtMs: NOW_MS + index,
          expiresAtMs: NOW_MS + 1_000,
        });
      }
      expect(await accounts.findSessionAccount('t0', NOW_MS)).toBeNull();
      expect(await accounts.findSessionAccount('t1', NOW_MS + 999)).toEqual(ACCOUNT);
      expect(await accounts.findSessionAccount('t1', NOW_MS + 1_000)).toBeNull();
      await accounts.deleteSession('t2');
      expect(await accounts.findSessionAccount('t2', NOW_MS)).toBeNull();
      expect(await accounts.findSessionAccount('t3', NOW_MS)).toEqual(ACCOUNT);
    });

    test('session uses: noted for sessions there are, listed by time; one that was not used since is ended', async () => {
      await using storage = await open();
      const { accounts, uses } = storage;
      await accounts.createAccount(ACCOUNT);
      await accounts.createAccount({ ...ACCOUNT, id: 'acc_2', email: 'two@example.com' });
      for (const tokenHash of ['a', 'b', 'c']) await accounts.createSession(newSession(tokenHash));
      await accounts.createSession({ ...newSession('other'), accountId: 'acc_2' });
      await accounts.createSession({ ...newSession('over'), expiresAtMs: NOW_MS });
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
      // A session whose use nobody noted counts as used at the first look.
      expect(await uses.lastUseMs('c')).toBe(NOW_MS + 40);
      expect(await uses.endUnused(NOW_MS + 31, NOW_MS + 41)).toBe(2);
      expect(await accounts.findSessionAccount('a', NOW_MS)).toBeNull();
      expect(await accounts.findSessionAccount('c', NOW_MS)).toEqual(ACCOUNT);
      expect((await uses.list('acc_2', NOW_MS)).map((one) => one.tokenHash)).toEqual(['other']);
      await accounts.deleteAllSessions();
      expect([await uses.lastUseMs('c'), await uses.list(ACCOUNT.id, NOW_MS)]).toEqual([null, []]);
    });

    test('takeAttempt agrees with a list of timestamps, per subject', async () => {
      const step = fc.record({ waitMs: fc.nat(40), subject: fc.constantFrom('a', 'b') });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
          await using storage = await open();
          const taken: { subject: string; atMs: number }[] = [];
          let nowMs = NOW_MS;
          for (const { waitMs, subject } of steps) {
            nowMs += waitMs;
            const wait = await storage.accounts.takeAttempt(subject, { max: 3, windowMs: 100 }, nowMs);
            const inside = taken.filter((one) => one.subject === subject && one.atMs > nowMs - 100);
            if (inside.length < 3) {
              expect(wait).toBe(0);
              taken.push({ subject, atMs: nowMs });
            } else {
              expect(wait).toBe((inside.at(-3)?.atMs ?? 0) + 100 - nowMs);
            }
          }
        }),
        { numRuns: 15 },
      );
    });

    test('setPlan lowers the active keys above it, and only those', async () => {
      await using storage = await open();
      const { accounts, keys } = storage;
      await accounts.createAccount(ACCOUNT);
      await accounts.createAccount({ ...ACCOUNT, id: 'acc_2', email: 'two@example.com' });
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

    test('takeAttempt: after a clock was set back by hours nobody waits for hours', async () => {
      await using storage = await open();
      const limit = { max: 1, windowMs: 1_000 };
      const take = (nowMs: number) => storage.accounts.takeAttempt('s', limit, nowMs);
      expect(await take(NOW_MS)).toBe(0);
      expect(await take(NOW_MS - 3_600_000)).toBe(0);
      expect(await take(NOW_MS - 3_600_000)).toBe(1_000);
    });

    test('takeAttempt: of many at once no more than the limit go on', async () => {
      await using storage = await open();
      const waits = await Promise.all(
        Array.from({ length: 12 }, () =>
          storage.accounts.takeAttempt('s', { max: 5, windowMs: 1_000 }, NOW_MS),
        ),
      );
      expect(waits.filter((wait) => wait === 0)).toHaveLength(5);
    });

    test('changePassword and deleteOtherSessions end all sessions but one', async () => {
      await using storage = await open();
      const { accounts } = storage;
      await accounts.createAccount(ACCOUNT);
      for (const tokenHash of ['a', 'b', 'c']) await accounts.createSession(newSession(tokenHash));
      expect(await accounts.deleteOtherSessions(ACCOUNT.id, 'a')).toBe(2);
      await accounts.createSession(newSession('d'));
      await accounts.addConfirmation(newConfirmation('password', 'asked before'));
      expect(await accounts.changePassword(ACCOUNT.id, 'new', 'd')).toBe(1);
      expect(await accounts.findSessionAccount('a', NOW_MS)).toBeNull();
      expect((await accounts.findSessionAccount('d', NOW_MS))?.passwordHash).toBe('new');
      expect(await accounts.findConfirmation('password', 'asked before', NOW_MS)).toBeNull();
    });

    test('deleteAllSessions ends those of all accounts, and says how many there were', async () => {
      await using storage = await open();
      const { accounts } = storage;
      await accounts.createAccount(ACCOUNT);
      await accounts.createAccount({ ...ACCOUNT, id: 'acc_2', email: 'two@example.com' });
      await accounts.createSession(newSession('a'));
      await accounts.createSession({ ...newSession('b'), accountId: 'acc_2' });
      expect(await accounts.deleteAllSessions()).toBe(2);
      for (const tokenHash of ['a', 'b'])
        expect(await accounts.findSessionAccount(tokenHash, NOW_MS)).toBeNull();
      expect(await accounts.deleteAllSessions()).toBe(0);
      expect(await accounts.findAccount('acc_2')).not.toBeNull();
    });

    test('confirmations: the newest ones count, each once, until they expire', async () => {
      await using storage = await open();
      const { accounts } = storage;
      await accounts.createAccount(ACCOUNT);
      for (let index = 0; index <= CONFIRMATIONS_PER_ACCOUNT_MAX; index++) {
        await accounts.addConfirmation(newConfirmation('password', `code-${index}`));
      }
      expect(await accounts.findConfirmation('password', 'code-0', NOW_MS)).toBeNull();
      expect(await accounts.findConfirmation('email', 'code-1', NOW_MS)).toBeNull();
      expect(await accounts.findConfirmation('password', 'code-1', NOW_MS + 1_000)).toBeNull();
      expect(await accounts.findConfirmation('password', 'code-1', NOW_MS)).toEqual(
        newConfirmation('password', 'code-1'),
      );
      await accounts.createSession(newSession('a'));
      const both = await Promise.all(
        ['x', 'y'].map((passwordHash) => accounts.resetPassword('code-1', passwordHash, NOW_MS)),
      );
      expect(both.filter((account) => account !== null)).toHaveLength(1);
      expect(await accounts.findSessionAccount('a', NOW_MS)).toBeNull();
    });

    test('changeEmail moves the account with its sessions and keys, unless a verified one has the address', async () => {
      await using storage = await open();
      const { accounts, keys } = storage;
      await accounts.createAccount(ACCOUNT);
      await accounts.createSession(newSession('a'));
      const key = await keys.createKey(newKey());
      const unproved = { ...ACCOUNT, id: 'acc_2', email: 'new@example.com' };
      await accounts.createAccount(unproved);
      const taken = { ...ACCOUNT, id: 'acc_3', email: 'taken@example.com', verifiedAtMs: NOW_MS };
      await accounts.createAccount(taken);
      await accounts.addConfirmation(newConfirmation('email', 'to-taken', taken.email));
      expect(await accounts.changeEmail('to-taken', ACCOUNT.id, 'acc_9', NOW_MS)).toBeNull();
      await accounts.addConfirmation(newConfirmation('email', 'to-new', unproved.email));
      expect(await accounts.changeEmail('to-new', ACCOUNT.id, 'acc_4', NOW_MS)).toEqual(ACCOUNT);
      expect(await accounts.findAccount(ACCOUNT.id)).toBeNull();
      expect(await accounts.findAccount(unproved.id)).toBeNull();
      const moved = { ...ACCOUNT, id: 'acc_4', email: unproved.email };
      expect(await accounts.findSessionAccount('a', NOW_MS)).toEqual(moved);
      expect((await keys.findKey(key?.keyId ?? ''))?.accountId).toBe('acc_4');
      await accounts.deleteAccount('acc_4');
      expect(await accounts.findSessionAccount('a', NOW_MS)).toBeNull();
      expect(await keys.findKey(key?.keyId ?? '')).toBeNull();
    });

    test('known clients: the ones seen last are known, until they are forgotten', async () => {
      await using storage = await open();
      const { accounts } = storage;
      await accounts.createAccount(ACCOUNT);
      for (let index = 0; index <= CLIENTS_PER_ACCOUNT_MAX; index++) {
        await accounts.rememberClient(ACCOUNT.id, `client-${index}`, NOW_MS + 10 + index);
      }
      expect(await accounts.knowsClient(ACCOUNT.id, 'client-0', NOW_MS)).toBe(false);
      expect(await accounts.knowsClient(ACCOUNT.id, 'client-1', NOW_MS)).toBe(true);
      expect(await accounts.knowsClient(ACCOUNT.id, 'client-1', NOW_MS + 11)).toBe(false);
      expect(await accounts.countAccounts()).toEqual({ signUps: 1, verified: 0 });
    });

    test('deleteExpired: unverified accounts of before go, verified and younger ones stay', async () => {
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

    test('secret: the first proposal stays', async () => {
      await using storage = await open();
      expect(await storage.accounts.secret('s', 'first')).toBe('first');
      expect(await storage.accounts.secret('s', 'second')).toBe('first');
    });
  });

  describe(`${name}: keys`, () => {
    test('createKey, findKey and lists: stored as given, never with a hash', async () => {
      await using storage = await open();
      const { accounts, keys } = storage;
      await accounts.createAccount(ACCOUNT);
      const wanted = newKey({ tier: 'realtime', label: 'näme' });
      const { hash, ...visible } = wanted;
      const key = await keys.createKey(wanted);
      expect(key).toEqual({ ...visible, number: key?.number ?? -1, status: 'active', lastUsedAtMs: null });
      expect(JSON.stringify(key)).not.toContain(hash);
      const operators = await keys.createKey(newKey({ accountId: null }));
      expect(await keys.findKey(wanted.keyId)).toEqual(key);
      expect(await keys.listKeysOf(ACCOUNT.id)).toEqual([key as NonNullable<typeof key>]);
      expect((await keys.listAllKeys()).map((one) => one.keyId)).toEqual([
        wanted.keyId,
        operators?.keyId ?? '',
      ]);
      expect(await keys.findKey('key_none')).toBeNull();
    });

    test('rotateKey keeps number and id, changes the last four; revoked or unknown keys do not rotate', async () => {
      await using storage = await open();
      const { accounts, keys } = storage;
      await accounts.createAccount(ACCOUNT);
      const key = await keys.createKey(newKey());
      const keyId = key?.keyId ?? '';
      const rotated = await keys.rotateKey(keyId, { hash: 'rotated', lastFour: 'wxyz' });
      expect(rotated).toEqual({ ...(key as NonNullable<typeof key>), lastFour: 'wxyz' });
      expect((await keys.revokeKey(keyId))?.status).toBe('revoked');
      expect((await keys.revokeKey(keyId))?.status).toBe('revoked');
      expect(await keys.rotateKey(keyId, { hash: 'again', lastFour: 'wxyz' })).toBeNull();
      expect(await keys.rotateKey('key_none', { hash: 'none', lastFour: 'wxyz' })).toBeNull();
      expect(await keys.revokeKey('key_none')).toBeNull();
    });

    test('createKey: an account has a limit of active keys and of all keys, the operator has none', async () => {
      await using storage = await open();
      const { accounts, keys } = storage;
      await accounts.createAccount(ACCOUNT);
      for (let index = 0; index < ACTIVE_KEYS_PER_ACCOUNT_MAX; index++) {
        expect(await keys.createKey(newKey())).not.toBeNull();
      }
      expect(await keys.createKey(newKey())).toBeNull();
      expect(await keys.createKey(newKey({ accountId: null }))).not.toBeNull();
      for (let round = 0; round < KEYS_PER_ACCOUNT_MAX + 5; round++) {
        const [oldest] = (await keys.listKeysOf(ACCOUNT.id)).filter((key) => key.status === 'active');
        await keys.revokeKey(oldest?.keyId ?? '');
        expect(await keys.createKey(newKey())).not.toBeNull();
      }
      const all = await keys.listKeysOf(ACCOUNT.id);
      expect(all).toHaveLength(KEYS_PER_ACCOUNT_MAX);
      expect(all.filter((key) => key.status === 'active')).toHaveLength(ACTIVE_KEYS_PER_ACCOUNT_MAX);
    });

    test('createKey: of many at once no more than the limit are made', async () => {
      await using storage = await open();
      const { accounts, keys } = storage;
      await accounts.createAccount(ACCOUNT);
      const asked = Array.from({ length: ACTIVE_KEYS_PER_ACCOUNT_MAX + 4 }, () => keys.createKey(newKey()));
      const made = (await Promise.all(asked)).filter((key) => key !== null);
      expect(made).toHaveLength(ACTIVE_KEYS_PER_ACCOUNT_MAX);
      const first = Array.from({ length: 3 }, () => keys.createFirstKey(newKey({ accountId: null })));
      expect((await Promise.all(first)).filter((key) => key !== null)).toHaveLength(0);
    });

    test('createFirstKey: only when no key is active', async () => {
      await using storage = await open();
      const { keys } = storage;
      const first = await keys.createFirstKey(newKey({ accountId: null }));
      expect(first).not.toBeNull();
      expect(await keys.createFirstKey(newKey({ accountId: null }))).toBeNull();
      await keys.revokeKey(first?.keyId ?? '');
      expect(await keys.createFirstKey(newKey({ accountId: null }))).not.toBeNull();
    });
  });
}
