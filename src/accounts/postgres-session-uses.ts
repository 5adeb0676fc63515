// When sessions were used, on Postgres.

import type { PostgresPool } from '../postgres.ts';
import type { SessionUses, UsedSession } from './repository.ts';
import { type SessionRow, toUsedSession } from './rows.ts';

export class PostgresSessionUses implements SessionUses {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  async note(use: { tokenHash: string; client: string | null; atMs: number }): Promise<void> {
    // The lock keeps the session from being ended between the look and the insert.
    await this.#pool.run(
      `INSERT INTO session_uses (token_hash, client, used_at_ms)
       SELECT token_hash, $2::text, $3::bigint FROM sessions WHERE token_hash = $1 FOR KEY SHARE
       ON CONFLICT (token_hash) DO UPDATE SET used_at_ms = excluded.used_at_ms`,
      [use.tokenHash, use.client, use.atMs],
    );
  }

  async lastUseMs(tokenHash: string): Promise<number | null> {
    const [row] = await this.#pool.rows<{ used_at_ms: number }>(
      'SELECT used_at_ms FROM session_uses WHERE token_hash = $1',
      [tokenHash],
    );
    return row?.used_at_ms ?? null;
  }

  async list(accountId: string, nowMs: number): Promise<UsedSession[]> {
    const rows = await this.#pool.rows<SessionRow>(
      `SELECT sessions.*, client, used_at_ms FROM sessions LEFT JOIN session_uses USING (token_hash)
       WHERE account_id = $1 AND expires_at_ms > $2
       ORDER BY coalesce(used_at_ms, created_at_ms) DESC, created_at_ms DESC, token_hash`,
      [accountId, nowMs],
    );
    return rows.map(toUsedSession);
  }

  async endUnused(usedBeforeMs: number, nowMs: number): Promise<number> {
    await this.#pool.run(
      `INSERT INTO session_uses (token_hash, used_at_ms) SELECT token_hash, $1::bigint FROM sessions
       WHERE NOT EXISTS (SELECT FROM session_uses WHERE session_uses.token_hash = sessions.token_hash)
       FOR KEY SHARE ON CONFLICT DO NOTHING`,
      [nowMs],
    );
    // Nodes that do this together share the work instead of waiting for each other.
    return this.#pool.run(
      `DELETE FROM sessions WHERE token_hash = ANY (ARRAY(
         SELECT token_hash FROM sessions JOIN session_uses USING (token_hash) WHERE used_at_ms < $1
         FOR UPDATE SKIP LOCKED))`,
      [usedBeforeMs],
    );
  }
}
