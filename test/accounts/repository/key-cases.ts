// What every KeyRepository must do.

import { describe, expect, test } from 'bun:test';
import { ACTIVE_KEYS_PER_ACCOUNT_MAX, KEYS_PER_ACCOUNT_MAX } from '../../../src/accounts/limits.ts';
import { failureOf } from '../support.ts';
import { ACCOUNT, newKey, type Repositories } from './records.ts';

export function defineKeyCases(name: string, open: () => Promise<Repositories>): void {
  describe(`${name}: keys`, () => {
    test('createKey, findKey and lists: a key is stored as given, and never returned with its hash', async () => {
      await using storage = await open();
      const { accounts, keys } = storage;
      await accounts.createAccount({ ...ACCOUNT, plan: 'realtime' });
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

    test('createKey: an account has a limit of active keys and of all keys, the operator has no limit', async () => {
      await using storage = await open();
      const { accounts, keys } = storage;
      await accounts.createAccount(ACCOUNT);
      const active: string[] = [];
      const create = async () => {
        const key = await keys.createKey(newKey());
        if (key === null) throw new Error(`no key after ${active.length}`);
        active.push(key.keyId);
      };
      for (let index = 0; index < ACTIVE_KEYS_PER_ACCOUNT_MAX; index++) await create();
      expect(await keys.createKey(newKey())).toBeNull();
      expect(await keys.createKey(newKey({ accountId: null }))).not.toBeNull();
      for (let round = 0; round < KEYS_PER_ACCOUNT_MAX + 5; round++) {
        expect(await keys.revokeKey(active.shift()!)).not.toBeNull();
        await create();
      }
      const all = await keys.listKeysOf(ACCOUNT.id);
      expect(all).toHaveLength(KEYS_PER_ACCOUNT_MAX);
      expect(all.filter((key) => key.status === 'active')).toHaveLength(ACTIVE_KEYS_PER_ACCOUNT_MAX);
    });

    test('createKey: of many concurrent calls only as many as the limit create a key', async () => {
      await using storage = await open();
      const { accounts, keys } = storage;
      await accounts.createAccount(ACCOUNT);
      const asked = Array.from({ length: ACTIVE_KEYS_PER_ACCOUNT_MAX + 4 }, () => keys.createKey(newKey()));
      const made = (await Promise.all(asked)).filter((key) => key !== null);
      expect(made).toHaveLength(ACTIVE_KEYS_PER_ACCOUNT_MAX);
      const first = Array.from({ length: 3 }, () => keys.createFirstKey(newKey({ accountId: null })));
      expect((await Promise.all(first)).filter((key) => key !== null)).toHaveLength(0);
    });

    test('createKey: refuses a tier above the plan; if the plan is lowered meanwhile, no key keeps a tier above it', async () => {
      await using storage = await open();
      const { accounts, keys } = storage;
      await accounts.createAccount({ ...ACCOUNT, plan: 'standard' });
      expect(await failureOf(keys.createKey(newKey({ tier: 'realtime' })))).toBe('plan_limit');
      expect(await keys.listKeysOf(ACCOUNT.id)).toEqual([]);
      const made = ['first', 'second', 'third'].map(() =>
        failureOf(keys.createKey(newKey({ tier: 'standard' }))),
      );
      await Promise.all([...made, accounts.setPlan(ACCOUNT.id, 'free')]);
      const standard = (await keys.listKeysOf(ACCOUNT.id)).filter(({ tier }) => tier !== 'free');
      expect(standard).toEqual([]);
    });

    test('createFirstKey: creates a key only if none is active', async () => {
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
