// What every implementation of Attempts must do.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CLIENTS_PER_ACCOUNT_MAX } from '../../../src/accounts/limits.ts';
import { ACCOUNT, NOW_MS, type Repositories } from './records.ts';

export function defineAttemptCases(name: string, open: () => Promise<Repositories>): void {
  describe(`${name}: attempts`, () => {
    test('take agrees with a list of timestamps, per subject', async () => {
      const step = fc.record({ waitMs: fc.nat(40), subject: fc.constantFrom('a', 'b') });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
          await using storage = await open();
          const taken: { subject: string; atMs: number }[] = [];
          let nowMs = NOW_MS;
          for (const { waitMs, subject } of steps) {
            nowMs += waitMs;
            const wait = await storage.attempts.take(subject, { max: 3, windowMs: 100 }, nowMs);
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

    test('take: after the clock was set back by hours, nobody waits for hours', async () => {
      await using storage = await open();
      const limit = { max: 1, windowMs: 1_000 };
      const take = (nowMs: number) => storage.attempts.take('s', limit, nowMs);
      expect(await take(NOW_MS)).toBe(0);
      expect(await take(NOW_MS - 3_600_000)).toBe(0);
      expect(await take(NOW_MS - 3_600_000)).toBe(1_000);
    });

    test('take: of many concurrent attempts only as many as the limit are allowed', async () => {
      await using storage = await open();
      const waits = await Promise.all(
        Array.from({ length: 12 }, () => storage.attempts.take('s', { max: 5, windowMs: 1_000 }, NOW_MS)),
      );
      expect(waits.filter((wait) => wait === 0)).toHaveLength(5);
    });

    test('known clients: the most recently seen ones stay known until they expire', async () => {
      await using storage = await open();
      const { accounts, attempts } = storage;
      await accounts.createAccount(ACCOUNT);
      for (let index = 0; index <= CLIENTS_PER_ACCOUNT_MAX; index++) {
        await attempts.rememberClient(ACCOUNT.id, `client-${index}`, NOW_MS + 10 + index);
      }
      expect(await attempts.knowsClient(ACCOUNT.id, 'client-0', NOW_MS)).toBe(false);
      expect(await attempts.knowsClient(ACCOUNT.id, 'client-1', NOW_MS)).toBe(true);
      expect(await attempts.knowsClient(ACCOUNT.id, 'client-1', NOW_MS + 11)).toBe(false);
      expect(await accounts.countAccounts()).toEqual({ signUps: 1, verified: 0 });
    });
  });
}
