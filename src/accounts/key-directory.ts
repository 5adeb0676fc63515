// What access control reads about keys, synchronously, because a request's admission has no await. The first request
// of a key on a thread costs one read; the epoch says when what was read may be out of date.

import type { Database, Statement } from 'bun:sqlite';
import { TIER_KEYS, type TierKey } from '../domain/tiers.ts';
import { assert } from '../errors.ts';

/** A key that is active. */
export interface LiveKey {
  /** Number of the key, stable through rotation, never used again. */
  readonly number: number;
  readonly keyId: string;
  readonly tier: TierKey;
  readonly lastFour: string;
}

export interface KeyDirectory {
  /** The active key with this SHA-256, or null. */
  findLive(hash: string): LiveKey | null;
  /** Rises with every change that may end a key's life or alter what it may do, made by any process. */
  epoch(): number;
  /** Notes when keys were last used; never moves a date back. */
  markUsed(uses: readonly { readonly number: number; readonly atMs: number }[]): void;
}

interface KeyRow {
  readonly id: number;
  readonly key_id: string;
  readonly tier: string;
  readonly last4: string;
}

/** The directory on the SQLite file. */
export class SqliteKeyDirectory implements KeyDirectory {
  readonly #find: Statement<KeyRow, [string]>;
  readonly #epoch: Statement<{ value: number }, []>;
  readonly #markUsed: Statement<unknown, [number, number, number]>;

  constructor(database: Database) {
    this.#find = database.prepare(
      `SELECT id, key_id, tier, last4 FROM api_keys WHERE hash = ? AND status = 'active'`,
    );
    this.#epoch = database.prepare('SELECT value FROM key_epoch WHERE id = 1');
    this.#markUsed = database.prepare(
      'UPDATE api_keys SET last_used_at_ms = ?1 WHERE id = ?2 AND coalesce(last_used_at_ms, 0) < ?3',
    );
  }

  findLive(hash: string): LiveKey | null {
    const row = this.#find.get(hash);
    if (row === null) return null;
    return { number: row.id, keyId: row.key_id, tier: toTierKey(row.tier), lastFour: row.last4 };
  }

  epoch(): number {
    const row = this.#epoch.get();
    assert(row !== null, 'the key epoch has its row');
    return row.value;
  }

  markUsed(uses: readonly { readonly number: number; readonly atMs: number }[]): void {
    for (const use of uses) this.#markUsed.run(use.atMs, use.number, use.atMs);
  }
}

/** A tier as read from a table. */
export function toTierKey(text: string): TierKey {
  const tier = TIER_KEYS.find((key) => key === text);
  assert(tier !== undefined, `'${text}' is a tier`);
  return tier;
}
