// Keys in the database, for account owners and the command line. Access control reads them through a key
// directory (key-directory.ts). All methods are atomic.

import type { SealedSql, SqlDatabase } from '../../storage/sql.ts';
import { lockAccount } from '../account-queries.ts';
import { checkTierOfKey } from '../input.ts';
import { ACTIVE_KEYS_PER_ACCOUNT_MAX, KEYS_PER_ACCOUNT_MAX } from '../limits.ts';
import type { KeyRecord, KeySecret, KeyUsageDay, NewKey } from '../records.ts';
import { type KeyRow, toKeyRecord } from '../rows.ts';

/** Lock held while the first key is created: if two nodes start together, only one creates it. */
const FIRST_KEY_LOCK = 'first key';

export class KeyRepository {
  readonly #sql: SqlDatabase;

  constructor(sql: SqlDatabase) {
    this.#sql = sql;
  }

  /**
   * Returns null, and stores nothing, when the account is gone or has ACTIVE_KEYS_PER_ACCOUNT_MAX active
   * keys. Operators have no limit.
   * @throws ServiceError plan_limit when the tier is above the account's plan
   */
  createKey(key: NewKey): Promise<KeyRecord | null> {
    return this.#sql.transaction(async (sql) => {
      if (key.accountId !== null && !(await makeRoom(sql, key.accountId, key))) return null;
      return insert(sql, key);
    });
  }

  /** Stores the key only if no key is active; otherwise returns null. */
  createFirstKey(key: NewKey): Promise<KeyRecord | null> {
    return this.#sql.transaction(async (sql) => {
      await sql.lock(FIRST_KEY_LOCK);
      const active = await sql.rows(`SELECT 1 FROM api_keys WHERE status = 'active' LIMIT 1`);
      return active.length === 0 ? insert(sql, key) : null;
    });
  }

  async findKey(keyId: string): Promise<KeyRecord | null> {
    const row = await this.#sql.find<KeyRow>('api_keys', { column: 'key_id', value: keyId });
    return row === null ? null : toKeyRecord(row);
  }

  /** SHA-256 of the newest active operator key with this label, or null if there is none. */
  async findOperatorHash(label: string): Promise<string | null> {
    const [row] = await this.#sql.rows<{ hash: string }>(
      `SELECT hash FROM api_keys WHERE account_id IS NULL AND label = $1 AND status = 'active'
       ORDER BY id DESC LIMIT 1`,
      [label],
    );
    return row?.hash ?? null;
  }

  /**
   * Requests with each of the account's keys on each day, by day, then key. Days without a request are left
   * out.
   */
  listUsageDaysOf(accountId: string): Promise<KeyUsageDay[]> {
    return this.#sql.rows<KeyUsageDay>(
      `SELECT key_id AS "keyId", day, requests FROM key_usage_days
       JOIN api_keys ON api_keys.id = key_number WHERE account_id = $1 ORDER BY day, key_number`,
      [accountId],
    );
  }

  /**
   * The account's keys, oldest first. Damaged keys are left out, here and in listAllKeys: they no longer
   * work, and the log names them.
   */
  async listKeysOf(accountId: string): Promise<KeyRecord[]> {
    const statement = 'SELECT * FROM api_keys WHERE account_id = $1 ORDER BY id';
    return (await this.#sql.list<KeyRow>('api_keys', statement, [accountId])).map(toKeyRecord);
  }

  /** The keys of all accounts and of the operator, oldest first. */
  async listAllKeys(): Promise<KeyRecord[]> {
    return (await this.#sql.list<KeyRow>('api_keys', 'SELECT * FROM api_keys ORDER BY id')).map(toKeyRecord);
  }

  /**
   * Replaces an active key's secret; null when there is no such active key. The old secret stops working as
   * fast as a revoked key.
   */
  async rotateKey(keyId: string, secret: KeySecret): Promise<KeyRecord | null> {
    const [row] = await this.#sql.update<KeyRow>('api_keys', {
      where: `key_id = $1 AND status = 'active'`,
      parameters: [keyId],
      set: { hash: secret.hash, last4: secret.lastFour },
    });
    return row === undefined ? null : toKeyRecord(row);
  }

  /**
   * Revokes a key for good. Returns null when there is no such key. A second revocation writes nothing,
   * because each change of a status makes all threads read all keys again.
   */
  async revokeKey(keyId: string): Promise<KeyRecord | null> {
    const [row] = await this.#sql.update<KeyRow>('api_keys', {
      where: `key_id = $1 AND status = 'active'`,
      parameters: [keyId],
      set: { status: 'revoked' },
    });
    return row === undefined ? this.findKey(keyId) : toKeyRecord(row);
  }
}

async function insert(sql: SealedSql, key: NewKey): Promise<KeyRecord | null> {
  const row = await sql.insert<KeyRow>('api_keys', {
    key_id: key.keyId,
    account_id: key.accountId,
    label: key.label,
    tier: key.tier,
    hash: key.hash,
    last4: key.lastFour,
    status: 'active',
    created_at_ms: key.createdAtMs,
    expires_at_ms: key.expiresAtMs,
    allowed_addresses: key.allowedAddresses.length === 0 ? null : key.allowedAddresses.join(','),
  });
  return row === null ? null : toKeyRecord(row);
}

/**
 * Whether the account may have one more key: false when it is gone or has all the active keys it may have. If
 * it has too many keys in total, its oldest revoked or expired ones are deleted.
 * @throws ServiceError plan_limit when the tier is above the account's plan
 */
async function makeRoom(
  sql: SealedSql,
  accountId: string,
  { tier, createdAtMs: nowMs }: NewKey,
): Promise<boolean> {
  // The lock serialises key creation per account; otherwise two requests could both get the last free slot.
  const account = await lockAccount(sql, accountId);
  if (account === null) return false;
  // Check the tier again: the plan may have been lowered since the request was checked.
  checkTierOfKey(tier, account.plan);
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
