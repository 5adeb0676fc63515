// Keys and sessions in SQLite, as access control reads them. Reads are synchronous, because the admission of
// a request must not await. The first request of a key on a thread costs one read; the epoch shows when a
// cached key may be out of date.

import type { Database, Statement } from 'bun:sqlite';
import { assert } from '../../errors.ts';
import { intact } from '../../storage/sqlite-sql.ts';
import { storageErrorOf } from '../../storage/storage-errors.ts';
import { type AccountRow, type KeyRow, type SessionRow, toKeyRecord, toTierKey } from '../rows.ts';
import type { KeyDirectory, LiveKey } from './key-directory.ts';

type LiveSession = SessionRow & { readonly account_id: string };
type NumberedAccount = AccountRow & { readonly row_number: number };

export class SqliteKeyDirectory implements KeyDirectory {
  readonly #find: Statement<KeyRow, [string]>;
  readonly #epoch: Statement<{ value: number }, []>;
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    this.#find = database.prepare('SELECT * FROM api_keys WHERE hash = ?');
    this.#epoch = database.prepare('SELECT value FROM key_epoch WHERE id = 1');
  }

  /** @throws StorageError when the row is damaged or cannot be read */
  findLive(hash: string): LiveKey | null {
    try {
      const row = this.#find.get(hash);
      if (row === null) return this.#findSession(hash);
      const key = toKeyRecord(intact('api_keys', row));
      // A damaged index can lead to a row of another key. That row is intact, so its checksum does not show
      // it.
      if (row.hash !== hash || key.status !== 'active') return null;
      const { number, keyId, tier, lastFour, expiresAtMs, allowedAddresses, accountId } = key;
      const isOfAccount = accountId !== null;
      const ownerId = accountId ?? keyId;
      return { number, keyId, ownerId, tier, lastFour, expiresAtMs, allowedAddresses, isOfAccount };
    } catch (error) {
      throw storageErrorOf(error) ?? error;
    }
  }

  #findSession(hash: string): LiveKey | null {
    const session = this.#database
      .query<LiveSession, [string]>('SELECT * FROM sessions WHERE token_hash = ?')
      .get(hash);
    if (session === null || intact('sessions', session).token_hash !== hash) return null;
    const account = this.#database
      .query<NumberedAccount, [string]>('SELECT rowid AS row_number, * FROM accounts WHERE id = ?')
      .get(session.account_id);
    if (account === null || intact('accounts', account).id !== session.account_id) return null;
    if (account.verified_at_ms === null) return null;
    return {
      number: -account.row_number,
      keyId: account.id,
      ownerId: account.id,
      tier: toTierKey(account.plan),
      lastFour: account.id.slice(-4),
      expiresAtMs: session.expires_at_ms,
      allowedAddresses: [],
      isOfAccount: false,
    };
  }

  epoch(): number {
    const row = this.#epoch.get();
    assert(row !== null, 'the key epoch has its row');
    return row.value;
  }
}
