// What access control asks of keys and tells about them, whichever engine has them.

import type { TierKey } from '../domain/tiers.ts';

/** A key that is active, or the session of an account, which counts as a key of the account's plan. */
export interface LiveKey {
  /** Number of the key, stable through rotation, never used again; of a session that of its account, negative. */
  readonly number: number;
  /** Of a session the id of its account. */
  readonly keyId: string;
  readonly tier: TierKey;
  readonly lastFour: string;
  /** When it ends by itself, as a session does; null: it works until it is revoked. */
  readonly expiresAtMs: number | null;
  /** Addresses and ranges it may be used from; empty: any. */
  readonly allowedAddresses: readonly string[];
}

export interface KeyDirectory {
  /** The active key, or session, with this SHA-256; or null. Whether it has expired is for the caller to see. */
  findLive(hash: string): LiveKey | null;
  /** Rises with every change that may end a key's life or alter what it may do, made by any process. */
  epoch(): number;
  /** Notes when keys were last used; never moves a date back. */
  markUsed(uses: readonly { readonly number: number; readonly atMs: number }[]): void;
  /** Adds to the requests of a day, counted in days since 1970, and deletes the days before `keptFromDay`. */
  addUsage(uses: readonly KeyUse[], day: number, keptFromDay: number): void;
}

/** Requests of a key since they were last told. */
export interface KeyUse {
  readonly number: number;
  readonly requests: number;
}
