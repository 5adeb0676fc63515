// The interface through which access control reads keys, independent of the database engine.

import type { TierKey } from '../../domain/tiers.ts';

/** An active key. A session of a verified account counts too: as a key with the plan of its account. */
export interface LiveKey {
  /**
   * Number of the key: it survives rotation and is never reused. For a session: the negative number of its
   * account.
   */
  readonly number: number;
  /** For a session: the id of its account. */
  readonly keyId: string;
  /** The account of the key or session; the key's id if it belongs to no account. */
  readonly ownerId: string;
  readonly tier: TierKey;
  readonly lastFour: string;
  /** When the key or session expires; null: it works until it is revoked. */
  readonly expiresAtMs: number | null;
  /** Addresses and ranges that it may be used from; any if the list is empty. */
  readonly allowedAddresses: readonly string[];
  /** True for a key of an account; false for an operator's key and for a session. */
  readonly isOfAccount: boolean;
}

/** Keys that this thread can read directly. */
export interface KeyDirectory {
  /** The active key or session with this SHA-256, or null. The caller must check whether it has expired. */
  findLive(hash: string): LiveKey | null;
  /**
   * A counter that rises with every change, made by any process, that may end a key or change what it may do.
   */
  epoch(): number;
}

/**
 * Keys that another thread reads. That thread also signals changes in shared memory (access/heartbeat.ts).
 */
export interface RemoteKeyDirectory {
  /** Same as `findLive`. @throws ServiceError upstream_unavailable when the other thread cannot answer now */
  fetchLive(hash: string): Promise<LiveKey | null>;
}

/** When a key was last used. */
export interface KeyLastUse {
  readonly number: number;
  readonly atMs: number;
}

/** Requests made with a key since the last report. */
export interface KeyUse {
  readonly number: number;
  readonly requests: number;
}
