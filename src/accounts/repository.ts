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

/** A session as its owner may tell it from others. */
export interface UsedSession extends Omit<SessionRecord, 'accountId'> {
  /** The program that logged in, in words; null when it did not say. */
  readonly client: string | null;
  readonly usedAtMs: number;
}

/** When sessions were used, so that one that nobody uses ends by itself. */
export interface SessionUses {
  /** Notes a use of a session, if there is such a session. `client` counts at the first one alone. */
  note(use: {
    readonly tokenHash: string;
    readonly client: string | null;
    readonly atMs: number;
  }): Promise<void>;
  /** Null when no use was noted, as of a session that a release before started. */
  lastUseMs(tokenHash: string): Promise<number | null>;
  /** The account's sessions that have not expired, the one used last first. */
  list(accountId: string, nowMs: number): Promise<UsedSession[]>;
  /**
   * Ends the sessions that were last used before `usedBeforeMs`. One whose use was never noted counts as used now.
   * @returns how many
   */
  endUnused(usedBeforeMs: number, nowMs: number): Promise<number>;
}

/** What a long code of a mail does: sets a new password, or moves the account to another address. */
export type Purpose = 'password' | 'email';

export interface ConfirmationRecord {
  readonly accountId: string;
  readonly purpose: Purpose;
  readonly codeHash: string;
  /** The address that the account moves to; null for a password. */
  readonly email: string | null;
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
  /** Null: it works until it is revoked. */
  readonly expiresAtMs: number | null;
  /** Addresses and ranges it may be used from; empty: any. */
  readonly allowedAddresses: readonly string[];
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
  readonly expiresAtMs: number | null;
  readonly allowedAddresses: readonly string[];
}

export interface AccountRepository {
  /** False, and nothing stored, when the address already has an account. */
  createAccount(account: AccountRecord): Promise<boolean>;
  findAccount(id: string): Promise<AccountRecord | null>;
  /** Accounts there are, and how many of them are verified. */
  countAccounts(): Promise<{ readonly signUps: number; readonly verified: number }>;
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
  /** Ends the account's sessions but one. @returns how many */
  deleteOtherSessions(accountId: string, tokenHash: string): Promise<number>;
  /** Ends the sessions of all accounts. @returns how many */
  deleteAllSessions(): Promise<number>;

  /** Stores a new password and ends the account's sessions but one, and what was asked for by the old one. @returns how many */
  changePassword(accountId: string, passwordHash: string, tokenHash: string): Promise<number>;
  /** Stores a code; the oldest of the account and purpose beyond CONFIRMATIONS_PER_ACCOUNT_MAX is void. */
  addConfirmation(confirmation: ConfirmationRecord): Promise<void>;
  /** What a code that has not expired stands for, or null. */
  findConfirmation(purpose: Purpose, codeHash: string, nowMs: number): Promise<ConfirmationRecord | null>;
  /**
   * Uses a code: stores the new password, and ends all the account's sessions and codes.
   * @returns the account, or null when the code is no longer there
   */
  resetPassword(codeHash: string, passwordHash: string, nowMs: number): Promise<AccountRecord | null>;
  /**
   * Uses a code of this account: moves it, its sessions and its keys to another address and the id of that address.
   * @returns the account as it was before, or null when the code is no longer there or the address has an account
   */
  changeEmail(
    codeHash: string,
    accountId: string,
    newId: string,
    nowMs: number,
  ): Promise<AccountRecord | null>;
  /** Deletes the account with its keys, sessions and codes. */
  deleteAccount(accountId: string): Promise<void>;

  /** Deletes expired sessions, codes, attempts and known clients, and accounts not verified since before `unverifiedBeforeMs`. */
  deleteExpired(nowMs: number, unverifiedBeforeMs: number): Promise<void>;

  /** The secret stored under the name; `proposed` is stored first when there is none. */
  secret(name: string, proposed: string): Promise<string>;
}

/** Attempts, which are counted against guessing, and the clients whose attempts are counted apart from a stranger's. */
export interface Attempts {
  /**
   * Counts an attempt within the sliding window, on every thread and process together.
   * @returns 0 when it may go on; else, with nothing counted, the milliseconds until it may
   */
  take(subject: string, limit: AttemptLimit, nowMs: number): Promise<number>;
  /**
   * Notes that a client logged in to the account. It is known until `expiresAtMs`; beyond CLIENTS_PER_ACCOUNT_MAX the one
   * that was away longest is forgotten.
   */
  rememberClient(accountId: string, hash: string, expiresAtMs: number): Promise<void>;
  knowsClient(accountId: string, hash: string, nowMs: number): Promise<boolean>;
}

/** Requests of a key on one UTC day. */
export interface KeyUsageDay {
  readonly keyId: string;
  /** Days since 1970. */
  readonly day: number;
  readonly requests: number;
}

export interface KeyRepository {
  /** Null, and nothing stored, when the account has ACTIVE_KEYS_PER_ACCOUNT_MAX active keys. Operators have no limit. */
  createKey(key: NewKey): Promise<KeyRecord | null>;
  /** Stores the key only if there is no active key at all; null when there is one. */
  createFirstKey(key: NewKey): Promise<KeyRecord | null>;
  findKey(keyId: string): Promise<KeyRecord | null>;
  /** SHA-256 of the operator's active key with this label, the newest of several; null when there is none. */
  findOperatorHash(label: string): Promise<string | null>;
  /** By day, then key; days without a request are left out. */
  listUsageDaysOf(accountId: string): Promise<KeyUsageDay[]>;
  /** Oldest first. */
  listKeysOf(accountId: string): Promise<KeyRecord[]>;
  /** Every key, oldest first. */
  listAllKeys(): Promise<KeyRecord[]>;
  /** Replaces an active key's secret; null when there is no such active key. The old secret dies at once. */
  rotateKey(keyId: string, secret: KeySecret): Promise<KeyRecord | null>;
  /** Revokes a key, for good; null when there is no such key. Revoking twice is the same as once. */
  revokeKey(keyId: string): Promise<KeyRecord | null>;
}
