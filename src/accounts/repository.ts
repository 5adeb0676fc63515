// What accounts and keys need from storage. One suite of tests runs on every implementation of these interfaces. All
// methods are atomic; a storage that is too busy answers with ServiceError upstream_unavailable.

import type { TierKey } from '../domain/tiers.ts';
import type { AttemptLimit } from './attempts.ts';

export interface AccountRecord {
  readonly id: string;
  /** Lower case. */
  readonly email: string;
  readonly passwordHash: string;
  readonly plan: TierKey;
  readonly verifiedAtMs: number | null;
  readonly createdAtMs: number;
}

/** A code sent by mail. It carries the password chosen at the sign-up it was sent for. */
export interface CodeRecord {
  readonly codeHash: string;
  readonly passwordHash: string;
  readonly expiresAtMs: number;
}

export interface SessionRecord {
  readonly tokenHash: string;
  readonly accountId: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export interface KeyRecord {
  /** Stable through rotation and never used again: what usage and daily counts are kept under. */
  readonly number: number;
  readonly keyId: string;
  /** null for a key of the operator. */
  readonly accountId: string | null;
  readonly label: string;
  readonly tier: TierKey;
  readonly lastFour: string;
  readonly status: 'active' | 'revoked';
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

/** What is stored of a key's text. */
export interface KeySecret {
  readonly hash: string;
  readonly lastFour: string;
}

export interface NewKey extends KeySecret {
  readonly keyId: string;
  readonly accountId: string | null;
  readonly label: string;
  readonly tier: TierKey;
  readonly createdAtMs: number;
}

export interface AccountRepository {
  /** False, and nothing stored, when the address already has an account. */
  createAccount(account: AccountRecord): Promise<boolean>;
  findAccount(id: string): Promise<AccountRecord | null>;
  findAccountByEmail(email: string): Promise<AccountRecord | null>;
  /** Sets the plan and lowers the account's active keys that lie above it. */
  setPlan(accountId: string, plan: TierKey): Promise<void>;
  /**
   * Enters a code. The right one marks the account as verified with that code's password and deletes its codes; when
   * that password is not the one stored before, its sessions end too. A wrong one counts as a try, and
   * CODE_TRIES_MAX of them kill the code. False for a wrong, dead or expired code and for an account that
   * is verified already.
   */
  verifyAccount(accountId: string, codeHash: string, nowMs: number): Promise<boolean>;
  /** Stores a code, which makes the account's older ones void. */
  addCode(accountId: string, code: CodeRecord): Promise<void>;

  /** Stores a session and ends the oldest beyond SESSIONS_PER_ACCOUNT_MAX. */
  createSession(session: SessionRecord): Promise<void>;
  /** The account of a session that has not expired. */
  findSessionAccount(tokenHash: string, nowMs: number): Promise<AccountRecord | null>;
  deleteSession(tokenHash: string): Promise<void>;

  /**
   * Counts an attempt within the sliding window, on every thread and process together.
   * @returns 0 when it may go on; else, with nothing counted, the milliseconds until it may
   */
  takeAttempt(subject: string, limit: AttemptLimit, nowMs: number): Promise<number>;
  /** Deletes expired sessions, codes and attempts, and accounts not verified since before `unverifiedBeforeMs`. */
  deleteExpired(nowMs: number, unverifiedBeforeMs: number): Promise<void>;

  /** The secret stored under the name; `proposed` is stored first when there is none. */
  secret(name: string, proposed: string): Promise<string>;
}

export interface KeyRepository {
  /** Null, and nothing stored, when the account has ACTIVE_KEYS_PER_ACCOUNT_MAX active keys. Operators have no limit. */
  createKey(key: NewKey): Promise<KeyRecord | null>;
  /** Stores the key only if there is no active key at all; null when there is one. */
  createFirstKey(key: NewKey): Promise<KeyRecord | null>;
  findKey(keyId: string): Promise<KeyRecord | null>;
  /** Oldest first. */
  listKeysOf(accountId: string): Promise<KeyRecord[]>;
  /** Every key, oldest first. */
  listAllKeys(): Promise<KeyRecord[]>;
  /** Replaces an active key's secret; null when there is no such active key. The old secret dies at once. */
  rotateKey(keyId: string, secret: KeySecret): Promise<KeyRecord | null>;
  /** Revokes a key, for good; null when there is no such key. Revoking twice is the same as once. */
  revokeKey(keyId: string): Promise<KeyRecord | null>;
}
