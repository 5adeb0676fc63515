// Accounts on a database in its own folder, with a clock that only the test moves, and a mailer that keeps
// its mails.

import type { Database } from 'bun:sqlite';
import { join } from 'node:path';
import type { Static } from '@sinclair/typebox';
import { networkTextOf, subjectTextOf } from '../../src/access/client-address.ts';
import type { LoginAttempt } from '../../src/accounts/account-parts.ts';
import { AccountRepository } from '../../src/accounts/account-repository.ts';
import { type AccountService, createPeople, type People } from '../../src/accounts/account-service.ts';
import { ATTEMPT_LIMITS, Attempts } from '../../src/accounts/credentials/attempts.ts';
import { PasswordHasher } from '../../src/accounts/credentials/passwords.ts';
import { KeyRepository } from '../../src/accounts/keys/key-repository.ts';
import { KeyService, type KeyServiceOptions } from '../../src/accounts/keys/key-service.ts';
import { HASHES_AT_ONCE_MAX } from '../../src/accounts/limits.ts';
import type { Mail } from '../../src/accounts/mailers.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../../src/accounts/schema.ts';
import { type Session, Sessions } from '../../src/accounts/sessions/session.ts';
import { SessionUses } from '../../src/accounts/sessions/session-uses.ts';
import type { Clock } from '../../src/clock.ts';
import type { UsageCounters } from '../../src/contract/operations.ts';
import { ServiceError, ValidationError } from '../../src/errors.ts';
import { fillRandom } from '../../src/start/threads/random.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export const START_MS = Date.UTC(2026, 2, 4, 10);
/** Longer than any session lasts. Tests of the idle time make their own Sessions. */
const IDLE_MS = 31 * 86_400_000;
export const PASSWORD = 'correct horse battery';
/** The cheapest argon2id: these tests are not about its cost. */
const CHEAP = { memoryCost: 8, timeCost: 1 };

export function openAccounts(folder: string): Database {
  return openDatabase({
    path: join(folder, DATABASE_NAME),
    schemas: [ACCOUNTS_SCHEMA, KEYS_SCHEMA],
    create: true,
  });
}

const ATTEMPT_COLUMNS = { subject: 'text', at_ms: 'bigint', expires_at_ms: 'bigint' } as const;

/** All services of accounts. Dispose of it with `using`. */
export class AccountsBench {
  readonly folder = temporaryFolder();
  readonly database = openAccounts(this.folder.path);
  readonly sql = sqliteSql(this.database);
  readonly accounts = new AccountRepository(this.sql);
  readonly attempts = new Attempts(this.sql);
  readonly keys = new KeyRepository(this.sql);
  readonly mails: Mail[] = [];
  nowMs = START_MS;
  keysChanged = 0;
  readonly logins: LoginAttempt[] = [];
  /** Sessions that have begun: the hash of the token and the plan. */
  readonly begun: (readonly [string, string])[] = [];
  readonly lateFailures: unknown[] = [];
  readonly clock: Clock = { wallMs: () => this.nowMs, monotonicMs: () => this.nowMs };
  readonly hasher = new PasswordHasher({ atOnce: HASHES_AT_ONCE_MAX, cost: CHEAP });
  readonly uses = new SessionUses(this.sql);
  readonly sessions = new Sessions({
    accounts: this.accounts,
    uses: this.uses,
    clock: this.clock,
    publicUrl: 'https://odds.example.com',
    idleMs: IDLE_MS,
  });
  readonly keyOptions: KeyServiceOptions = {
    attempts: this.attempts,
    keys: this.keys,
    usage: { usageOfKeys: (numbers) => usageOf(sum(numbers)) },
    clock: this.clock,
    fillRandom,
    onKeysChanged: () => {
      this.keysChanged++;
    },
  };
  readonly keyService = new KeyService(this.keyOptions);

  async service(isProduction = false): Promise<AccountService> {
    return (await this.people(isProduction)).accounts;
  }

  async people(isProduction = false): Promise<People> {
    return createPeople({
      accounts: this.accounts,
      attempts: this.attempts,
      uses: this.uses,
      hasher: this.hasher,
      mailer: {
        send: async (mail) => {
          this.mails.push(mail);
        },
      },
      clock: this.clock,
      fillRandom,
      subjectOf: subjectTextOf,
      networkOf: networkTextOf,
      publicUrl: 'http://localhost',
      isProduction,
      onKeysChanged: () => {
        this.keysChanged++;
      },
      onLogin: (attempt) => this.logins.push(attempt),
      onSession: (tokenHash, plan) => this.begun.push([tokenHash, plan]),
      onLateFailure: (error) => this.lateFailures.push(error),
    });
  }

  /** Counts attempts now, without making them. */
  countAttempts(limit: keyof typeof ATTEMPT_LIMITS, subject: string, count: number): Promise<void> {
    const row = [`${limit} ${subject}`, this.nowMs, this.nowMs + ATTEMPT_LIMITS[limit].windowMs];
    const rows = new Array<typeof row>(count).fill(row);
    return this.sql.insertAll('attempts', { columns: ATTEMPT_COLUMNS, rows }, 'DO NOTHING');
  }

  /** The code of the newest mail; `none` if it has no code. */
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

  /** The session that a request with this bearer token gets. */
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

/**
 * The error code that the promise fails with, `validation_error`, or `none` if it succeeds. Any other failure
 * fails the test.
 */
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
