// When sessions were used, on SQLite.

import type { Database } from 'bun:sqlite';
import { inTransaction } from '../database.ts';
import { isIntact } from '../row-checksums.ts';
import { storageErrorOf } from '../storage-errors.ts';
import type { SessionUses, UsedSession } from './repository.ts';
import { type SessionRow, toUsedSession } from './rows.ts';

export class SqliteSessionUses implements SessionUses {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async note(use: { tokenHash: string; client: string | null; atMs: number }): Promise<void> {
    inTransaction(this.#database, () => {
      this.#database.run(
        `INSERT INTO session_uses (token_hash, client, used_at_ms)
         SELECT token_hash, ?2, ?3 FROM sessions WHERE token_hash = ?1
         ON CONFLICT (token_hash) DO UPDATE SET used_at_ms = excluded.used_at_ms`,
        [use.tokenHash, use.client, use.atMs],
      );
    });
  }

  async lastUseMs(tokenHash: string): Promise<number | null> {
    const row = this.#database
      .query<{ used_at_ms: number }, [string]>('SELECT used_at_ms FROM session_uses WHERE token_hash = ?')
      .get(tokenHash);
    return row?.used_at_ms ?? null;
  }

  /** Leaves damaged rows out: they work for nobody, and the log names them. */
  async list(accountId: string, nowMs: number): Promise<UsedSession[]> {
    return this.#database
      .query<SessionRow & { readonly checksum: number }, [string, number]>(
        `SELECT sessions.*, client, used_at_ms FROM sessions LEFT JOIN session_uses USING (token_hash)
         WHERE account_id = ? AND expires_at_ms > ?
         ORDER BY coalesce(used_at_ms, created_at_ms) DESC, created_at_ms DESC, token_hash`,
      )
      .all(accountId, nowMs)
      .filter((row) => isIntact('sessions', row))
      .map(toUsedSession);
  }

  async endUnused(usedBeforeMs: number, nowMs: number): Promise<number> {
    if (!this.#isAnyUnused(usedBeforeMs)) return 0;
    return inTransaction(this.#database, () => {
      this.#database.run(
        `INSERT INTO session_uses (token_hash, used_at_ms) SELECT token_hash, ? FROM sessions
         WHERE token_hash NOT IN (SELECT token_hash FROM session_uses)`,
        [nowMs],
      );
      return this.#database.run(
        'DELETE FROM sessions WHERE token_hash IN (SELECT token_hash FROM session_uses WHERE used_at_ms < ?)',
        [usedBeforeMs],
      ).changes;
    });
  }

  /** Looks without the write lock, because there is seldom anything to do. @throws StorageError */
  #isAnyUnused(usedBeforeMs: number): boolean {
    try {
      const row = this.#database
        .query(
          `SELECT 1 FROM sessions LEFT JOIN session_uses USING (token_hash)
           WHERE used_at_ms IS NULL OR used_at_ms < ? LIMIT 1`,
        )
        .get(usedBeforeMs);
      return row !== null;
    } catch (error) {
      throw storageErrorOf(error) ?? error;
    }
  }
}
