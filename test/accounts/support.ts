// Accounts on a database in a folder of its own, with a clock that only moves when told and mail that is kept.

import type { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Static } from '@sinclair/typebox';
import { subjectTextOf } from '../../src/access/client-address.ts';
import type { LoginAttempt } from '../../src/accounts/account-parts.ts';
import { type AccountService, createPeople, type People } from '../../src/accounts/account-service.ts';
import { KeyService } from '../../src/accounts/key-service.ts';
import { HASHES_AT_ONCE_MAX } from '../../src/accounts/limits.ts';
import type { Mail } from '../../src/accounts/mailers.ts';
import { PasswordHasher } from '../../src/accounts/passwords.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../../src/accounts/schema.ts';
import { type Session, Sessions } from '../../src/accounts/session.ts';
import { SqliteAccountRepository } from '../../src/accounts/sqlite-account-repository.ts';
import { SqliteAttempts } from '../../src/accounts/sqlite-attempts.ts';
import { SqliteKeyRepository } from '../../src/accounts/sqlite-key-repository.ts';
import { SqliteSessionUses } from '../../src/accounts/sqlite-session-uses.ts';
import type { Clock } from '../../src/clock.ts';
import type { UsageCounters } from '../../src/contract/operations.ts';
import { DATABASE_NAME, openDatabase } from '../../src/database.ts';
import { ServiceError, ValidationError } from '../../src/errors.ts';

export const START_MS = Date.UTC(2026, 2, 4, 10);
/** How long a session lasts that nobody uses: as long as any, unless a test says otherwise. */
export const IDLE_MS = 31 * 86_400_000;
export const PASSWORD = 'correct horse battery';
/** argon2id at its cheapest: these tests are not about its cost. */
const CHEAP = { memoryCost: 8, timeCost: 1 };

export function fillRandom(bytes: Uint8Array<ArrayBuffer>): unknown {
  return crypto.getRandomValues(bytes);
}

export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), 'overround-accounts-'));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export function openAccounts(folder: string): Database {
  return openDatabase({
    path: join(folder, DATABASE_NAME),
    schemas: [ACCOUNTS_SCHEMA, KEYS_SCHEMA],
    create: true,
  });
}

/** Everything accounts consist of. Dispose of it with `using`. */
export class AccountsBench {
  readonly folder = new Folder();
  readonly database = openAccounts(this.folder.path);
  readonly accounts = new SqliteAccountRepository(this.database);
  readonly attempts = new SqliteAttempts(this.database);
  readonly keys = new SqliteKeyRepository(this.database);
  readonly mails: Mail[] = [];
  nowMs = START_MS;
  keysChanged = 0;
  readonly logins: LoginAttempt[] = [];
  readonly clock: Clock = { wallMs: () => this.nowMs, monotonicMs: () => this.nowMs };
  readonly uses = new SqliteSessionUses(this.database);
  readonly sessions = new Sessions({
    accounts: this.accounts,
    uses: this.uses,
    clock: this.clock,
    publicUrl: 'https://odds.example.com',
    idleMs: IDLE_MS,
  });
  readonly keyService = new KeyService({
    attempts: this.attempts,
    keys: this.keys,
    usage: { usageOfKeys: (numbers) => usageOf(sum(numbers)) },
    clock: this.clock,
    fillRandom,
    onKeysChanged: () => {
      this.keysChanged++;
    },
  });

  async service(isProduction = false): Promise<AccountService> {
    return (await this.people(isProduction)).accounts;
  }

  async people(isProduction = false): Promise<People> {
    return createPeople({
      accounts: this.accounts,
      attempts: this.attempts,
      uses: this.uses,
      hasher: await PasswordHasher.create({ atOnce: HASHES_AT_ONCE_MAX, cost: CHEAP }),
      mailer: {
        send: async (mail) => {
          this.mails.push(mail);
        },
      },
      clock: this.clock,
      fillRandom,
      subjectOf: subjectTextOf,
      publicUrl: 'http://localhost',
      isProduction,
      onKeysChanged: () => {
        this.keysChanged++;
      },
      onLogin: (attempt) => this.logins.push(attempt),
    });
  }

  /** The code of the newest mail. */
  code(): string {
    return this.mails.at(-1)?.code ?? 'none';
  }

  /** A session of a new, verified account. */
  async signIn(service: AccountService, email: string): Promise<Session> {
    await service.signup({ email, password: PASSWORD }, '192.0.2.1');
    await service.verify({ email, code: this.code() }, '192.0.2.1');
    const { session_token } = await service.login({ email, password: PASSWORD }, '192.0.2.1');
    return this.bearer(session_token);
  }

  /** The session of a token, as a request with it as bearer would have. */
  bearer(token: string): Promise<Session> {
    return this.sessions.authenticate({
      authorization: `Bearer ${token}`,
      cookie: null,
      origin: null,
      host: null,
      isWrite: true,
    });
  }

  [Symbol.dispose](): void {
    this.database.close();
    this.folder[Symbol.dispose]();
  }
}

/** The code of the ServiceError, or `validation_error`, that the promise fails with; anything else fails the test. */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    if (error instanceof ValidationError) return 'validation_error';
    throw error;
  }
  return 'none';
}

function usageOf(requests: number): Static<typeof UsageCounters> {
  return { requests, errors: 0, error_rate: 0, avg_latency_ms: 0, max_latency_ms: 0 };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
