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

/** Keys that this thread can read by itself. */
export interface KeyDirectory {
  /** The active key, or session, with this SHA-256; or null. Whether it has expired is for the caller to see. */
  findLive(hash: string): LiveKey | null;
  /** Rises with every change that may end a key's life or alter what it may do, made by any process. */
  epoch(): number;
}

/** Keys that another thread reads. It also says in shared memory when keys have changed (access/beat.ts). */
export interface FarKeyDirectory {
  /** As `findLive`. @throws ServiceError upstream_unavailable when nobody can say now */
  fetchLive(hash: string): Promise<LiveKey | null>;
}

/** The name of every call of it. */
export const KEY_CALLS = ['fetchLive'] as const satisfies readonly (keyof FarKeyDirectory)[];

/** When a key was last used. */
export interface KeyLastUse {
  readonly number: number;
  readonly atMs: number;
}

/** Requests of a key since they were last told. */
export interface KeyUse {
  readonly number: number;
  readonly requests: number;
}
