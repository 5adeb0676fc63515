// Attacks by strangers on a person who signs up: they never keep the person out, and get few guesses. Every
// storage must pass, because nodes share attempts and codes in it.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { networkTextOf, subjectTextOf } from '../../../src/access/client-address.ts';
import { type AccountService, createPeople } from '../../../src/accounts/account-service.ts';
import { ATTEMPT_LIMITS } from '../../../src/accounts/credentials/attempts.ts';
import { PasswordHasher } from '../../../src/accounts/credentials/passwords.ts';
import { CODE_TRIES_MAX } from '../../../src/accounts/limits.ts';
import type { Mail } from '../../../src/accounts/mailers.ts';
import { MINUTE_MS } from '../../../src/clock.ts';
import { fillRandom } from '../../../src/start/threads/random.ts';
import { failureOf, PASSWORD } from '../support.ts';
import { NOW_MS, type Repositories } from './records.ts';

const EMAIL = 'owner@example.com';
const HOME = '192.0.2.1';
const CHEAP = { memoryCost: 8, timeCost: 1 };

class Scene {
  readonly mails: Mail[] = [];
  nowMs = NOW_MS;

  async service(storage: Repositories): Promise<AccountService> {
    const clock = { wallMs: () => this.nowMs, monotonicMs: () => this.nowMs };
    const { accounts } = await createPeople({
      ...{ accounts: storage.accounts, attempts: storage.attempts, uses: storage.uses, clock, fillRandom },
      hasher: new PasswordHasher({ atOnce: 2, cost: CHEAP }),
      mailer: { send: async (mail) => void this.mails.push(mail) },
      subjectOf: subjectTextOf,
      networkOf: networkTextOf,
      publicUrl: 'http://localhost',
      isProduction: true,
      onKeysChanged: () => {},
      onLogin: () => {},
      onLateFailure: () => {},
    });
    return accounts;
  }

  /**
   * The code that a person would use from the newest mail: the six digits if there are any, otherwise the
   * long code.
   */
  get newestCode(): string {
    return this.mails.at(-1)!.code!;
  }

  get longCodes(): string[] {
    return this.mails.flatMap(({ text }) => text.match(/(?:[0-9A-Z]{5}-){5}[0-9A-Z]{5}/g) ?? []);
  }
}

function strangerOf(network: number): string {
  return `2001:db8:${network.toString(16)}::1`;
}

/** @param isWhole whether to run attacks whose SQL the cases of accounts and attempts test already */
export function defineSignUpCases(name: string, open: () => Promise<Repositories>, isWhole: boolean): void {
  describe(`${name}: sign-ups in another's name`, () => {
    const act = fc.record({
      network: fc.nat(40),
      isSignUp: fc.boolean(),
      times: fc.integer({ min: 1, max: 8 }),
      waitMs: fc.oneof(fc.constant(0), fc.nat(20 * MINUTE_MS)),
    });

    test('whatever strangers do, the owner can sign up and enter the code, and gets the password of that sign-up', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(act, { maxLength: 30 }), async (acts) => {
          await using storage = await open();
          const scene = new Scene();
          const service = await scene.service(storage);
          for (const { network, isSignUp, times, waitMs } of acts) {
            for (let time = 0; time < times; time++) {
              const from = strangerOf(network + time);
              const tried = isSignUp
                ? service.signup({ email: EMAIL, password: 'of the stranger' }, from)
                : service.verify({ email: EMAIL, code: '999999' }, from);
              await failureOf(tried);
            }
            scene.nowMs += waitMs;
          }
          const mailsBefore = scene.mails.length;
          await service.signup({ email: EMAIL, password: PASSWORD }, HOME);
          // Strangers go on entering wrong codes after the mail is sent and before the owner enters the code.
          for (let network = 0; network < 8; network++) {
            await failureOf(service.verify({ email: EMAIL, code: '999999' }, strangerOf(network)));
          }
          const code = scene.mails.length > mailsBefore ? scene.newestCode : scene.longCodes.at(-1)!;
          await service.verify({ email: EMAIL, code }, HOME);
          const { account } = await service.login({ email: EMAIL, password: PASSWORD }, HOME);
          expect(account.verified).toBe(true);
        }),
        { numRuns: 12 },
      );
    }, 120_000);

    test('an attack of six sign-ups and 22 wrong codes does not lock the owner out', async () => {
      await using storage = await open();
      const scene = new Scene();
      const service = await scene.service(storage);
      for (let time = 0; time < 6; time++) {
        await failureOf(service.signup({ email: EMAIL, password: 'of the stranger' }, '203.0.113.5'));
      }
      for (let time = 0; time < 22; time++) {
        await failureOf(service.verify({ email: EMAIL, code: '999999' }, '203.0.113.5'));
      }
      await service.signup({ email: EMAIL, password: PASSWORD }, HOME);
      for (let time = 0; time < 22; time++) {
        await failureOf(service.verify({ email: EMAIL, code: '999999' }, '203.0.113.6'));
      }
      expect(scene.newestCode).toMatch(/^\d{6}$/);
      await service.verify({ email: EMAIL, code: scene.newestCode }, HOME);
      expect((await service.login({ email: EMAIL, password: PASSWORD }, HOME)).account.verified).toBe(true);
    });

    // account-cases.ts tests each storage with more codes than it keeps.
    const networks = 60;
    test(`${networks} sign-ups from other networks do not void the code that was mailed`, async () => {
      await using storage = await open();
      const scene = new Scene();
      const service = await scene.service(storage);
      await service.signup({ email: EMAIL, password: PASSWORD }, HOME);
      const code = scene.newestCode;
      for (let network = 0; network < networks; network++) {
        await service.signup({ email: EMAIL, password: 'of the stranger' }, strangerOf(network));
      }
      await service.verify({ email: EMAIL, code }, HOME);
      expect((await service.login({ email: EMAIL, password: PASSWORD }, HOME)).account.verified).toBe(true);
    }, 120_000);

    if (!isWhole) return;
    test('six hours of attacks from everywhere get a bounded number of guesses, mails and short codes', async () => {
      await using storage = await open();
      const scene = new Scene();
      const service = await scene.service(storage);
      const halfHours = 12;
      for (let halfHour = 0; halfHour < halfHours; halfHour++) {
        const mailsBefore = scene.mails.length;
        for (let network = 0; network < 30; network++) {
          const from = strangerOf(halfHour * 100 + network);
          await failureOf(service.signup({ email: EMAIL, password: 'of the stranger' }, from));
        }
        const { max } = ATTEMPT_LIMITS.signupMailPerAccount;
        expect(scene.mails.length - mailsBefore).toBeLessThanOrEqual(max);
        scene.nowMs += 31 * MINUTE_MS;
      }
      const shortCodes = scene.mails.filter(({ code }) => /^\d{6}$/.test(code ?? ''));
      expect(shortCodes.length).toBe(ATTEMPT_LIMITS.shortCodePerAccount.max);
      // The tries of one short code: some for its home network, some for all others together.
      scene.nowMs += 86_400_000;
      await service.signup({ email: EMAIL, password: PASSWORD }, HOME);
      const code = scene.newestCode;
      const wrong = code === '000000' ? '000001' : '000000';
      for (const place of ['elsewhere', 'home'] as const) {
        for (let tries = 0; tries < 2 * CODE_TRIES_MAX; tries++) {
          const from = place === 'home' ? HOME : strangerOf(tries);
          await failureOf(service.verify({ email: EMAIL, code: wrong }, from));
        }
        const from = place === 'home' ? HOME : strangerOf(50);
        expect(await failureOf(service.verify({ email: EMAIL, code }, from))).toBe('invalid_request');
      }
      await service.verify({ email: EMAIL, code: scene.longCodes.at(-1)! }, HOME);
    }, 120_000);
  });
}
