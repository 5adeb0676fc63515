// Keys in Postgres, read by one thread for all threads of a node. Results are cached until Postgres reports
// that a key has changed, so cached keys cost no query and keep working while Postgres is unreachable.
// Look-ups that arrive during a query are batched into the next one.

import { assert } from '../../errors.ts';
import type { Sql } from '../../storage/sql.ts';
import { StorageError } from '../../storage/storage-errors.ts';
import { toAddresses, toTierKey } from '../rows.ts';
import type { LiveKey, RemoteKeyDirectory } from './key-directory.ts';

/**
 * Number of key changes kept for nodes to read. Older ones are deleted, and a node that missed some drops its
 * whole cache.
 */
const KEY_CHANGES_KEPT = 10_000;
/** Maximum number of cached keys and sessions. For a new one, the one cached longest ago is dropped. */
const KNOWN_MAX = 65_536;
/** Maximum number of look-ups in one query. The rest wait for the next query. */
const ASKED_TOGETHER_MAX = 256;
/** Maximum number of waiting look-ups. A further one is refused at once. */
const WAITING_MAX = 4_096;

interface LiveRow {
  readonly hash: string;
  readonly number: number;
  readonly key_id: string;
  readonly owner_id: string;
  readonly tier: string;
  readonly last4: string;
  readonly expires_at_ms: number | null;
  readonly allowed_addresses: string | null;
  readonly of_account: boolean;
}

/**
 * A session of a verified account counts as a key with its account's plan; its number is the account's
 * number, negated.
 */
const SELECT_LIVE = `
  WITH asked AS (SELECT json_array_elements_text($1::text::json) AS hash)
  SELECT api_keys.hash, id AS number, key_id, coalesce(account_id, key_id) AS owner_id, tier, last4,
    expires_at_ms, allowed_addresses, account_id IS NOT NULL AS of_account
  FROM api_keys JOIN asked ON asked.hash = api_keys.hash WHERE status = 'active'
  UNION ALL
  SELECT token_hash, -accounts.row_number, accounts.id, accounts.id, plan, right(accounts.id, 4),
    expires_at_ms, NULL, FALSE
  FROM sessions JOIN asked ON asked.hash = token_hash JOIN accounts ON accounts.id = account_id
  WHERE verified_at_ms IS NOT NULL`;

type Waiting = PromiseWithResolvers<LiveKey | null>;

export class PostgresKeyDirectory implements RemoteKeyDirectory {
  readonly #pool: Sql;
  readonly #isTrusted: () => boolean;
  readonly #known = new Map<string, LiveKey>();
  readonly #waiting = new Map<string, Waiting>();
  #isAsking = false;
  /** The epoch that `#known` is valid for; null before the first check. */
  #epoch: number | null = null;

  /** @param isTrusted whether key changes were read recently enough for cached keys to be used */
  constructor(pool: Sql, isTrusted: () => boolean) {
    this.#pool = pool;
    this.#isTrusted = isTrusted;
  }

  fetchLive(hash: string): Promise<LiveKey | null> {
    const known = this.#known.get(hash);
    if (known !== undefined && this.#isTrusted()) return Promise.resolve(known);
    const waiting = this.#waiting.get(hash);
    if (waiting !== undefined) return waiting.promise;
    if (this.#waiting.size >= WAITING_MAX) {
      const state = 'too many keys are looked up';
      return Promise.reject(new StorageError(state, new Error(state), { isBusy: true }));
    }
    const added = Promise.withResolvers<LiveKey | null>();
    this.#waiting.set(hash, added);
    if (!this.#isAsking) void this.#ask();
    return added.promise;
  }

  /**
   * Drops the cached keys that have changed since the last call. Call it every KEY_CHANGES_EVERY_MS, one call
   * after the other.
   * @returns the epoch, which rises with every change. @throws StorageError
   */
  async check(): Promise<number> {
    const [row] = await this.#pool.rows<{ value: number }>('SELECT value FROM key_epoch WHERE id = 1');
    assert(row !== undefined, 'the key epoch has its row');
    const { value: epoch } = row;
    const since = this.#epoch;
    if (epoch === since) return epoch;
    if (since === null || epoch < since || epoch - since >= KEY_CHANGES_KEPT) this.#known.clear();
    else {
      const changes = await this.#pool.rows<{ hash: string }>(
        'SELECT hash FROM key_changes WHERE epoch > $1 AND epoch <= $2',
        [since, epoch],
      );
      for (const { hash } of changes) this.#known.delete(hash);
    }
    // Set the epoch before the next `await`: a query that read a key before its change, and whose result
    // comes after the change was applied here, must find another epoch. Otherwise the key would stay cached.
    this.#epoch = epoch;
    await this.#pool.run('DELETE FROM key_changes WHERE epoch < $1', [epoch - KEY_CHANGES_KEPT]);
    return epoch;
  }

  /** Queries all waiting look-ups, batch by batch, until none is left. */
  async #ask(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.size > 0) {
      const asked = Array.from(this.#waiting.entries().take(ASKED_TOGETHER_MAX));
      for (const [hash] of asked) this.#waiting.delete(hash);
      const epoch = this.#epoch;
      try {
        const rows = await this.#pool.rows<LiveRow>(SELECT_LIVE, [
          JSON.stringify(asked.map(([hash]) => hash)),
        ]);
        const found = new Map(rows.map((row) => [row.hash, toLiveKey(row)]));
        for (const [hash, { resolve }] of asked) {
          const key = found.get(hash) ?? null;
          // If the epoch moved during the query, the result may be stale already, so it is not cached.
          if (key !== null && epoch !== null && epoch === this.#epoch) this.#remember(hash, key);
          resolve(key);
        }
      } catch (error) {
        for (const [, { reject }] of asked) reject(error);
      }
    }
    this.#isAsking = false;
  }

  #remember(hash: string, key: LiveKey): void {
    this.#known.delete(hash);
    if (this.#known.size >= KNOWN_MAX) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(hash, key);
  }
}

function toLiveKey(row: LiveRow): LiveKey {
  return {
    number: row.number,
    keyId: row.key_id,
    ownerId: row.owner_id,
    tier: toTierKey(row.tier),
    lastFour: row.last4,
    expiresAtMs: row.expires_at_ms,
    allowedAddresses: toAddresses(row.allowed_addresses),
    isOfAccount: row.of_account,
  };
}
