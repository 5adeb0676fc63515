// Attempts and known clients on Postgres. Before it counts rows and adds one, a transaction locks the account
// or the subject, so two nodes cannot exceed a limit together.

import type { PostgresPool } from '../../storage/postgres.ts';
import { CLIENTS_PER_ACCOUNT_MAX } from '../limits.ts';
import type { AttemptLimit, Attempts } from '../records.ts';

/** Expired attempts deleted along with each new attempt, at most. */
const EXPIRED_ATTEMPTS_MAX = 1_000;

export class PostgresAttempts implements Attempts {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  async rememberClient(accountId: string, hash: string, expiresAtMs: number): Promise<void> {
    await this.#pool.transaction(async (sql) => {
      const accounts = await sql.rows('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
      if (accounts.length === 0) return;
      await sql.run(
        `INSERT INTO known_clients (account_id, hash, expires_at_ms) VALUES ($1, $2, $3)
         ON CONFLICT (account_id, hash) DO UPDATE SET expires_at_ms = excluded.expires_at_ms`,
        [accountId, hash, expiresAtMs],
      );
      await sql.run(
        `DELETE FROM known_clients WHERE account_id = $1 AND hash NOT IN (
           SELECT hash FROM known_clients WHERE account_id = $1 ORDER BY expires_at_ms DESC, hash LIMIT $2)`,
        [accountId, CLIENTS_PER_ACCOUNT_MAX],
      );
    });
  }

  async knowsClient(accountId: string, hash: string, nowMs: number): Promise<boolean> {
    const rows = await this.#pool.rows(
      'SELECT 1 FROM known_clients WHERE account_id = $1 AND hash = $2 AND expires_at_ms > $3',
      [accountId, hash, nowMs],
    );
    return rows.length > 0;
  }

  take(subject: string, limit: AttemptLimit, nowMs: number): Promise<number> {
    const { max, windowMs } = limit;
    return this.#pool.transaction(async (sql) => {
      await sql.rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [subject]);
      await sql.run(
        `DELETE FROM attempts WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM attempts WHERE expires_at_ms <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED))`,
        [nowMs, EXPIRED_ATTEMPTS_MAX],
      );
      // The max-th newest attempt blocks until it leaves the window. Attempts more than a window in the
      // future are ignored: the clock was set back since.
      const [blocking] = await sql.rows<{ at_ms: number }>(
        `SELECT at_ms FROM attempts WHERE subject = $1 AND at_ms > $2 AND at_ms < $3
         ORDER BY at_ms DESC LIMIT 1 OFFSET $4`,
        [subject, nowMs - windowMs, nowMs + windowMs, max - 1],
      );
      if (blocking !== undefined) return blocking.at_ms + windowMs - nowMs;
      await sql.run('INSERT INTO attempts (subject, at_ms, expires_at_ms) VALUES ($1, $2, $3)', [
        subject,
        nowMs,
        nowMs + windowMs,
      ]);
      return 0;
    });
  }
}
