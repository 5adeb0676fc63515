// Keys on SQLite: what accounts and the command line do with them, and what access control reads of them. Access control
// reads synchronously, because a request's admission has no await: the first request of a key on a thread costs one
// read, and the epoch says when what was read may be out of date.

import type { Database, Statement } from 'bun:sqlite';
import { inTransaction } from '../database.ts';
import { assert } from '../errors.ts';
import { insertRow, isIntact, type SealedTable, updateRows } from '../row-checksums.ts';
import { StorageError, storageErrorOf } from '../storage-errors.ts';
import type { KeyDirectory, KeyLastUse, KeyUse, LiveKey } from './key-directory.ts';
import { ACTIVE_KEYS_PER_ACCOUNT_MAX, KEYS_PER_ACCOUNT_MAX } from './limits.ts';
import type { KeyRecord, KeyRepository, KeySecret, KeyUsageDay, NewKey } from './repository.ts';
import { type KeyRow, toKeyRecord, toTierKey } from './rows.ts';

interface SessionRow extends Record<string, unknown> {
  readonly token_hash: string;
  readonly account_id: string;
  readonly expires_at_ms: number;
}

interface PlanRow extends Record<string, unknown> {
  readonly row_number: number;
  readonly id: string;
  readonly plan: string;
}

export class SqliteKeyRepository implements KeyRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async createKey(key: NewKey): Promise<KeyRecord | null> {
    return inTransaction(this.#database, () => {
      if (key.accountId !== null && !this.#makeRoom(key.accountId, key.createdAtMs)) return null;
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
    const row = this.#database.query<KeyRow, [string]>('SELECT * FROM api_keys WHERE key_id = ?').get(keyId);
    return row === null ? null : toKeyRecord(intact('api_keys', row));
  }

  async listKeysOf(accountId: string): Promise<KeyRecord[]> {
    const rows = this.#database
      .query<KeyRow, [string]>('SELECT * FROM api_keys WHERE account_id = ? ORDER BY id')
      .all(accountId);
    return intactKeys(rows);
  }

  async findOperatorHash(label: string): Promise<string | null> {
    const row = this.#database
      .query<{ hash: string }, [string]>(
        `SELECT hash FROM api_keys WHERE account_id IS NULL AND label = ? AND status = 'active'
         ORDER BY id DESC LIMIT 1`,
      )
      .get(label);
    return row?.hash ?? null;
  }

  async listUsageDaysOf(accountId: string): Promise<KeyUsageDay[]> {
    return this.#database
      .query<KeyUsageDay, [string]>(
        `SELECT key_id AS keyId, day, requests FROM key_usage_days
         JOIN api_keys ON api_keys.id = key_number WHERE account_id = ? ORDER BY day, key_number`,
      )
      .all(accountId);
  }

  async listAllKeys(): Promise<KeyRecord[]> {
    return intactKeys(this.#database.query<KeyRow, []>('SELECT * FROM api_keys ORDER BY id').all());
  }

  async rotateKey(keyId: string, secret: KeySecret): Promise<KeyRecord | null> {
    return this.#update(
      { where: `key_id = ? AND status = 'active'`, keyId },
      { hash: secret.hash, last4: secret.lastFour },
    );
  }

  async revokeKey(keyId: string): Promise<KeyRecord | null> {
    return this.#update({ where: 'key_id = ?', keyId }, { status: 'revoked' });
  }

  #update(
    { where, keyId }: { readonly where: string; readonly keyId: string },
    set: Readonly<Record<string, string>>,
  ): KeyRecord | null {
    return inTransaction(this.#database, () =>
      toKey(updateRows<KeyRow>(this.#database, 'api_keys', { where, parameters: [keyId], set })[0] ?? null),
    );
  }

  #insert(key: NewKey): KeyRecord | null {
    return toKey(
      insertRow<KeyRow>(this.#database, 'api_keys', {
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
      }),
    );
  }

  /** False when the account has all the active keys it may have. Old dead keys make room for the new one. */
  #makeRoom(accountId: string, nowMs: number): boolean {
    const counts = this.#database
      .query<{ total: number; active: number }, [number, string]>(
        `SELECT count(*) AS total,
           count(*) FILTER (WHERE status = 'active' AND coalesce(expires_at_ms > ?, true)) AS active
         FROM api_keys WHERE account_id = ?`,
      )
      .get(nowMs, accountId);
    if (counts === null || counts.active >= ACTIVE_KEYS_PER_ACCOUNT_MAX) return false;
    this.#database
      .query<unknown, [string, number, number]>(
        `DELETE FROM api_keys WHERE id IN (
           SELECT id FROM api_keys WHERE account_id = ? AND (status = 'revoked' OR expires_at_ms <= ?)
           ORDER BY id LIMIT ?)`,
      )
      .run(accountId, nowMs, Math.max(0, counts.total - KEYS_PER_ACCOUNT_MAX + 1));
    return true;
  }
}

/** The directory on the SQLite file. */
export class SqliteKeyDirectory implements KeyDirectory {
  readonly #find: Statement<KeyRow, [string]>;
  readonly #epoch: Statement<{ value: number }, []>;
  readonly #markUsed: Statement<unknown, [number, number, number]>;
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    this.#find = database.prepare('SELECT * FROM api_keys WHERE hash = ?');
    this.#epoch = database.prepare('SELECT value FROM key_epoch WHERE id = 1');
    this.#markUsed = database.prepare(
      'UPDATE api_keys SET last_used_at_ms = ?1 WHERE id = ?2 AND coalesce(last_used_at_ms, 0) < ?3',
    );
  }

  /** @throws StorageError when its row is damaged or cannot be read */
  findLive(hash: string): LiveKey | null {
    try {
      const row = this.#find.get(hash);
      if (row === null) return this.#findSession(hash);
      const key = toKeyRecord(intact('api_keys', row));
      // An index that is damaged leads to another row, which is whole.
      if (row.hash !== hash || key.status !== 'active') return null;
      const { number, keyId, tier, lastFour, expiresAtMs, allowedAddresses } = key;
      return { number, keyId, tier, lastFour, expiresAtMs, allowedAddresses };
    } catch (error) {
      throw storageErrorOf(error) ?? error;
    }
  }

  #findSession(hash: string): LiveKey | null {
    const session = this.#database
      .query<SessionRow, [string]>('SELECT * FROM sessions WHERE token_hash = ?')
      .get(hash);
    if (session === null || intact('sessions', session).token_hash !== hash) return null;
    const account = this.#database
      .query<PlanRow, [string]>('SELECT rowid AS row_number, * FROM accounts WHERE id = ?')
      .get(session.account_id);
    if (account === null || intact('accounts', account).id !== session.account_id) return null;
    return {
      number: -account.row_number,
      keyId: account.id,
      tier: toTierKey(account.plan),
      lastFour: account.id.slice(-4),
      expiresAtMs: session.expires_at_ms,
      allowedAddresses: [],
    };
  }

  epoch(): number {
    const row = this.#epoch.get();
    assert(row !== null, 'the key epoch has its row');
    return row.value;
  }

  /** Adds to the requests of a day, counted in days since 1970, and deletes the days before `keptFromDay`. */
  addUsage(uses: readonly KeyUse[], day: number, keptFromDay: number): void {
    // Of keys alone: a session has no row to count under, and a key may have been deleted meanwhile.
    const add = this.#database.query<unknown, [number, number, number]>(
      `INSERT INTO key_usage_days (key_number, day, requests)
       SELECT id, ?2, ?3 FROM api_keys WHERE id = ?1
       ON CONFLICT DO UPDATE SET requests = requests + excluded.requests`,
    );
    for (const use of uses) add.run(use.number, day, use.requests);
    this.#database.query<unknown, [number]>('DELETE FROM key_usage_days WHERE day < ?').run(keptFromDay);
  }

  /** Notes when keys were last used; never moves a date back. */
  markUsed(uses: readonly KeyLastUse[]): void {
    for (const use of uses) this.#markUsed.run(use.atMs, use.number, use.atMs);
  }
}

/** The row, if it is as it was written. @throws StorageError */
export function intact<Row extends Readonly<Record<string, unknown>>>(table: SealedTable, row: Row): Row {
  if (isIntact(table, row)) return row;
  const cause = new Error(`Damaged row of ${table}`);
  throw new StorageError('a row of its database is damaged', cause, { isBusy: false });
}

/** Lists leave damaged keys out: they work for nobody, and the log names them. */
function intactKeys(rows: readonly KeyRow[]): KeyRecord[] {
  return rows.filter((row) => isIntact('api_keys', row)).map(toKeyRecord);
}

function toKey(row: KeyRow | null): KeyRecord | null {
  return row === null ? null : toKeyRecord(row);
}
