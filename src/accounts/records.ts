// Records of accounts, codes, sessions and keys, as stored.

import type { TierKey } from '../domain/tiers.ts';

export interface AccountRecord {
  readonly id: string;
  /** Lower case. */
  readonly email: string;
  readonly passwordHash: string;
  readonly plan: TierKey;
  readonly verifiedAtMs: number | null;
  readonly createdAtMs: number;
}

/**
 * Where a code can be entered: from the network that signed up, from any other network, or (a long code) from
 * anywhere. `unmailed` is no code: it keeps the password of a sign-up that mailed nothing.
 */
export type CodeScope = 'home' | 'elsewhere' | 'long' | 'unmailed';

/** A code of a sign-up, with the password chosen there and a hash of the client network that signed up. */
export interface CodeRecord {
  readonly scope: CodeScope;
  readonly client: string;
  readonly codeHash: string;
  readonly passwordHash: string;
  readonly expiresAtMs: number;
}

export interface EnteredCode {
  readonly client: string;
  readonly codeHash: string;
  readonly isLong: boolean;
}

export interface SessionRecord {
  readonly tokenHash: string;
  readonly accountId: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** A session as shown to its owner. */
export interface UsedSession extends Omit<SessionRecord, 'accountId'> {
  /** The program that logged in, in words; null when unknown. */
  readonly client: string | null;
  readonly usedAtMs: number;
}

/** What a long code from a mail does: sets a new password, or moves the account to another address. */
export type Purpose = 'password' | 'email';

export interface ConfirmationRecord {
  readonly accountId: string;
  readonly purpose: Purpose;
  readonly codeHash: string;
  /** The address that the account moves to; null for a code that sets a password. */
  readonly email: string | null;
  readonly expiresAtMs: number;
}

export interface KeyRecord {
  /**
   * The key's number. It survives rotation and is never reused; usage and daily counts are stored under it.
   */
  readonly number: number;
  readonly keyId: string;
  /** Null for a key of the operator. */
  readonly accountId: string | null;
  readonly label: string;
  readonly tier: TierKey;
  readonly lastFour: string;
  readonly status: 'active' | 'revoked';
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
  /** When the key expires; null: it works until it is revoked. */
  readonly expiresAtMs: number | null;
  /** Addresses and ranges that it may be used from; any if the list is empty. */
  readonly allowedAddresses: readonly string[];
}

/** What is stored of a key's text: its SHA-256 and its last four characters. */
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

/** Requests made with a key on one UTC day. */
export interface KeyUsageDay {
  readonly keyId: string;
  /** Days since 1970. */
  readonly day: number;
  readonly requests: number;
}
