// Keys on Postgres. Rows have no checksums of ours there: Postgres keeps one of every page.

import type { PostgresPool, Sql } from '../postgres.ts';
import { ACTIVE_KEYS_PER_ACCOUNT_MAX, KEYS_PER_ACCOUNT_MAX } from './limits.ts';
import type { KeyRecord, KeyRepository, KeySecret, KeyUsageDay, NewKey } from './repository.ts';
import { type KeyRow, toKeyRecord } from './rows.ts';

/** "KEY1": held by who makes the first key, so that of two nodes that start together one makes it. */
const FIRST_KEY_LOCK = 0x4b_45_59_31;

export class PostgresKeyRepository implements KeyRepository {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  createKey(key: NewKey): Promise<KeyRecord | null> {
    return this.#pool.transaction(async (sql) => {
      if (key.accountId !== null && !(await makeRoom(sql, key.accountId, key.createdAtMs))) return null;
      return insert(sql, key);
    });
  }

  createFirstKey(key: NewKey): Promise<KeyRecord | null> {
    return this.#pool.transaction(async (sql) => {
      await sql.rows('SELECT pg_advisory_xact_lock($1)', [FIRST_KEY_LOCK]);
      const active = await sql.rows(`SELECT 1 FROM api_keys WHERE status = 'active' LIMIT 1`);
      return active.length === 0 ? insert(sql, key) : null;
    });
  }

  async findKey(keyId: string): Promise<KeyRecord | null> {
    return toKey(await this.#pool.rows<KeyRow>('SELECT * FROM api_keys WHERE key_id = $1', [keyId]));
  }

  async listKeysOf(accountId: string): Promise<KeyRecord[]> {
    const rows = await this.#pool.rows<KeyRow>('SELECT * FROM api_keys WHERE account_id = $1 ORDER BY id', [
      accountId,
    ]);
    return rows.map(toKeyRecord);
  }

  async findOperatorHash(label: string): Promise<string | null> {
    const [row] = await this.#pool.rows<{ hash: string }>(
      `SELECT hash FROM api_keys WHERE account_id IS NULL AND label = $1 AND status = 'active'
       ORDER BY id DESC LIMIT 1`,
      [label],
    );
    return row?.hash ?? null;
  }

  listUsageDaysOf(accountId: string): Promise<KeyUsageDay[]> {
    return this.#pool.rows<KeyUsageDay>(
      `SELECT key_id AS "keyId", day, requests FROM key_usage_days
       JOIN api_keys ON api_keys.id = key_number WHERE account_id = $1 ORDER BY day, key_number`,
      [accountId],
    );
  }

  async listAllKeys(): Promise<KeyRecord[]> {
    return (await this.#pool.rows<KeyRow>('SELECT * FROM api_keys ORDER BY id')).map(toKeyRecord);
  }

  async rotateKey(keyId: string, secret: KeySecret): Promise<KeyRecord | null> {
    return toKey(
      await this.#pool.rows<KeyRow>(
        `UPDATE api_keys SET hash = $2, last4 = $3 WHERE key_id = $1 AND status = 'active' RETURNING *`,
        [keyId, secret.hash, secret.lastFour],
      ),
    );
  }

  async revokeKey(keyId: string): Promise<KeyRecord | null> {
    return toKey(
      await this.#pool.rows<KeyRow>(`UPDATE api_keys SET status = 'revoked' WHERE key_id = $1 RETURNING *`, [
        keyId,
      ]),
    );
  }
}

async function insert(sql: Sql, key: NewKey): Promise<KeyRecord | null> {
  return toKey(
    await sql.rows<KeyRow>(
      `INSERT INTO api_keys
       (key_id, account_id, label, tier, hash, last4, status, created_at_ms, expires_at_ms, allowed_addresses)
       VALUES ($1, $2, $3, $4, $5, $6, 'active', $7, $8, $9) ON CONFLICT DO NOTHING RETURNING *`,
      [
        key.keyId,
        key.accountId,
        key.label,
        key.tier,
        key.hash,
        key.lastFour,
        key.createdAtMs,
        key.expiresAtMs,
        key.allowedAddresses.length === 0 ? null : key.allowedAddresses.join(','),
      ],
    ),
  );
}

/** False when the account has all the active keys it may have. Old dead keys make room for the new one. */
async function makeRoom(sql: Sql, accountId: string, nowMs: number): Promise<boolean> {
  // Two keys of one account are made one after the other, or both would find room for the last.
  await sql.rows('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
  const [counts] = await sql.rows<{ total: number; active: number }>(
    `SELECT count(*) AS total,
       count(*) FILTER (WHERE status = 'active' AND coalesce(expires_at_ms > $1, true)) AS active
     FROM api_keys WHERE account_id = $2`,
    [nowMs, accountId],
  );
  if (counts === undefined || counts.active >= ACTIVE_KEYS_PER_ACCOUNT_MAX) return false;
  await sql.run(
    `DELETE FROM api_keys WHERE id IN (
       SELECT id FROM api_keys WHERE account_id = $1 AND (status = 'revoked' OR expires_at_ms <= $2)
       ORDER BY id LIMIT $3)`,
    [accountId, nowMs, Math.max(0, counts.total - KEYS_PER_ACCOUNT_MAX + 1)],
  );
  return true;
}

function toKey([row]: readonly KeyRow[]): KeyRecord | null {
  return row === undefined ? null : toKeyRecord(row);
}
