// Keys on SQLite.

import type { Database } from 'bun:sqlite';
import { toTierKey } from './key-directory.ts';
import { ACTIVE_KEYS_PER_ACCOUNT_MAX, KEYS_PER_ACCOUNT_MAX } from './limits.ts';
import type { KeyRecord, KeyRepository, KeySecret, NewKey } from './repository.ts';
import { inTransaction } from './sqlite-storage.ts';

const COLUMNS = 'id, key_id, account_id, label, tier, last4, status, created_at_ms, last_used_at_ms';

interface KeyRow {
  readonly id: number;
  readonly key_id: string;
  readonly account_id: string | null;
  readonly label: string;
  readonly tier: string;
  readonly last4: string;
  readonly status: 'active' | 'revoked';
  readonly created_at_ms: number;
  readonly last_used_at_ms: number | null;
}

export class SqliteKeyRepository implements KeyRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async createKey(key: NewKey): Promise<KeyRecord | null> {
    return inTransaction(this.#database, () => {
      if (key.accountId !== null && !this.#makeRoom(key.accountId)) return null;
      return this.#insert(key);
    });
  }

  async createFirstKey(key: NewKey): Promise<KeyRecord | null> {
    return inTransaction(this.#database, () => {
      const active = this.#database.query(`SELECT 1 FROM api_keys WHERE status = 'active' LIMIT 1`).get();
      return active === null ? this.#insert(key) : null;
    });
  }

  async findKey(keyId: string): Promise<KeyRecord | null> {
    return toKey(
      this.#database.query<KeyRow, [string]>(`SELECT ${COLUMNS} FROM api_keys WHERE key_id = ?`).get(keyId),
    );
  }

  async listKeysOf(accountId: string): Promise<KeyRecord[]> {
    const rows = this.#database
      .query<KeyRow, [string]>(`SELECT ${COLUMNS} FROM api_keys WHERE account_id = ? ORDER BY id`)
      .all(accountId);
    return rows.map(toKeyRecord);
  }

  async listAllKeys(): Promise<KeyRecord[]> {
    return this.#database
      .query<KeyRow, []>(`SELECT ${COLUMNS} FROM api_keys ORDER BY id`)
      .all()
      .map(toKeyRecord);
  }

  async rotateKey(keyId: string, secret: KeySecret): Promise<KeyRecord | null> {
    return inTransaction(this.#database, () =>
      toKey(
        this.#database
          .query<KeyRow, [string, string, string]>(
            `UPDATE api_keys SET hash = ?, last4 = ? WHERE key_id = ? AND status = 'active' RETURNING ${COLUMNS}`,
          )
          .get(secret.hash, secret.lastFour, keyId),
      ),
    );
  }

  async revokeKey(keyId: string): Promise<KeyRecord | null> {
    return inTransaction(this.#database, () =>
      toKey(
        this.#database
          .query<KeyRow, [string]>(
            `UPDATE api_keys SET status = 'revoked' WHERE key_id = ? RETURNING ${COLUMNS}`,
          )
          .get(keyId),
      ),
    );
  }

  #insert(key: NewKey): KeyRecord | null {
    return toKey(
      this.#database
        .query<KeyRow, [string, string | null, string, string, string, string, number]>(
          `INSERT INTO api_keys (key_id, account_id, label, tier, hash, last4, status, created_at_ms)
           VALUES (?, ?, ?, ?, ?, ?, 'active', ?) RETURNING ${COLUMNS}`,
        )
        .get(key.keyId, key.accountId, key.label, key.tier, key.hash, key.lastFour, key.createdAtMs),
    );
  }

  /** False when the account has all the active keys it may have. Old revoked keys make room for the new one. */
  #makeRoom(accountId: string): boolean {
    const counts = this.#database
      .query<{ total: number; active: number }, [string]>(
        `SELECT count(*) AS total, count(*) FILTER (WHERE status = 'active') AS active
         FROM api_keys WHERE account_id = ?`,
      )
      .get(accountId);
    if (counts === null || counts.active >= ACTIVE_KEYS_PER_ACCOUNT_MAX) return false;
    this.#database
      .query<unknown, [string, number]>(
        `DELETE FROM api_keys WHERE id IN (
           SELECT id FROM api_keys WHERE account_id = ? AND status = 'revoked' ORDER BY id LIMIT ?)`,
      )
      .run(accountId, Math.max(0, counts.total - KEYS_PER_ACCOUNT_MAX + 1));
    return true;
  }
}

function toKey(row: KeyRow | null): KeyRecord | null {
  return row === null ? null : toKeyRecord(row);
}

function toKeyRecord(row: KeyRow): KeyRecord {
  return {
    number: row.id,
    keyId: row.key_id,
    accountId: row.account_id,
    label: row.label,
    tier: toTierKey(row.tier),
    lastFour: row.last4,
    status: row.status,
    createdAtMs: row.created_at_ms,
    lastUsedAtMs: row.last_used_at_ms,
  };
}
