// Records when sessions were last used, so that unused ones end automatically.

import type { SqlDatabase } from '../../storage/sql.ts';
import type { UsedSession } from '../records.ts';
import { type SessionRow, toUsedSession } from '../rows.ts';

export class SessionUses {
  readonly #sql: SqlDatabase;

  constructor(sql: SqlDatabase) {
    this.#sql = sql;
  }

  /** Records a use of a session, if the session exists. `client` is stored only at the first use. */
  async note(use: {
    readonly tokenHash: string;
    readonly client: string | null;
    readonly atMs: number;
  }): Promise<void> {
    // The lock prevents the session from being ended between the read and the insert.
    await this.#sql.run(
      `INSERT INTO session_uses (token_hash, client, used_at_ms)
       SELECT token_hash, $2::text, $3::bigint FROM sessions WHERE token_hash = $1 FOR KEY SHARE
       ON CONFLICT (token_hash) DO UPDATE SET used_at_ms = excluded.used_at_ms`,
      [use.tokenHash, use.client, use.atMs],
    );
  }

  /**
   * When a session was last used; null when no use was recorded, for example for a session that an older
   * release started.
   */
  async lastUseMs(tokenHash: string): Promise<number | null> {
    const [row] = await this.#sql.rows<{ used_at_ms: number }>(
      'SELECT used_at_ms FROM session_uses WHERE token_hash = $1',
      [tokenHash],
    );
    return row?.used_at_ms ?? null;
  }

  /** The account's unexpired sessions, most recently used first. Damaged rows are left out. */
  async list(accountId: string, nowMs: number): Promise<UsedSession[]> {
    const rows = await this.#sql.list<SessionRow>(
      'sessions',
      `SELECT sessions.*, client, used_at_ms FROM sessions LEFT JOIN session_uses USING (token_hash)
       WHERE account_id = $1 AND expires_at_ms > $2
       ORDER BY coalesce(used_at_ms, created_at_ms) DESC, created_at_ms DESC, token_hash`,
      [accountId, nowMs],
    );
    return rows.map(toUsedSession);
  }

  /**
   * Ends sessions last used before `usedBeforeMs`. A session without a recorded use counts as used now.
   * @returns how many ended
   */
  async endUnused(usedBeforeMs: number, nowMs: number): Promise<number> {
    // Read first: usually there is nothing to do, and a read does not need the write lock.
    const unused = await this.#sql.rows(
      `SELECT 1 FROM sessions LEFT JOIN session_uses USING (token_hash)
       WHERE used_at_ms IS NULL OR used_at_ms < $1 LIMIT 1`,
      [usedBeforeMs],
    );
    if (unused.length === 0) return 0;
    return this.#sql.transaction(async (sql) => {
      await sql.run(
        `INSERT INTO session_uses (token_hash, used_at_ms) SELECT token_hash, $1::bigint FROM sessions
         WHERE NOT EXISTS (SELECT 1 FROM session_uses WHERE session_uses.token_hash = sessions.token_hash)
         FOR KEY SHARE ON CONFLICT DO NOTHING`,
        [nowMs],
      );
      // SKIP LOCKED: nodes that do this at the same time share the work instead of waiting for each other.
      return sql.run(
        `DELETE FROM sessions WHERE token_hash IN (
           SELECT token_hash FROM sessions JOIN session_uses USING (token_hash) WHERE used_at_ms < $1
           FOR UPDATE SKIP LOCKED)`,
        [usedBeforeMs],
      );
    });
  }
}
