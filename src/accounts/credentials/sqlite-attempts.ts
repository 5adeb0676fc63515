// Attempts and known clients on SQLite.

import type { Database } from 'bun:sqlite';
import { inTransaction } from '../../storage/database.ts';
import { CLIENTS_PER_ACCOUNT_MAX } from '../limits.ts';
import type { AttemptLimit, Attempts } from '../records.ts';

export class SqliteAttempts implements Attempts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async rememberClient(accountId: string, hash: string, expiresAtMs: number): Promise<void> {
    inTransaction(this.#database, () => {
      this.#database.run(
        `INSERT INTO known_clients (account_id, hash, expires_at_ms) SELECT id, ?2, ?3 FROM accounts WHERE id = ?1
         ON CONFLICT DO UPDATE SET expires_at_ms = excluded.expires_at_ms`,
        [accountId, hash, expiresAtMs],
      );
      this.#database.run(
        `DELETE FROM known_clients WHERE account_id = ?1 AND hash NOT IN (
           SELECT hash FROM known_clients WHERE account_id = ?1 ORDER BY expires_at_ms DESC, hash LIMIT ?2)`,
        [accountId, CLIENTS_PER_ACCOUNT_MAX],
      );
    });
  }

  async knowsClient(accountId: string, hash: string, nowMs: number): Promise<boolean> {
    const row = this.#database
      .query<unknown, [string, string, number]>(
        'SELECT 1 FROM known_clients WHERE account_id = ? AND hash = ? AND expires_at_ms > ?',
      )
      .get(accountId, hash, nowMs);
    return row !== null;
  }

  async take(subject: string, limit: AttemptLimit, nowMs: number): Promise<number> {
    const { max, windowMs } = limit;
    return inTransaction(this.#database, () => {
      this.#database.run('DELETE FROM attempts WHERE expires_at_ms <= ?', [nowMs]);
      // The max-th newest attempt blocks until it leaves the window. Attempts more than a window in the
      // future are ignored: the clock was set back since.
      const blocking = this.#database
        .query<{ at_ms: number }, [string, number, number, number]>(
          `SELECT at_ms FROM attempts WHERE subject = ? AND at_ms > ? AND at_ms < ?
           ORDER BY at_ms DESC LIMIT 1 OFFSET ?`,
        )
        .get(subject, nowMs - windowMs, nowMs + windowMs, max - 1);
      if (blocking !== null) return blocking.at_ms + windowMs - nowMs;
      this.#database.run('INSERT INTO attempts (subject, at_ms, expires_at_ms) VALUES (?, ?, ?)', [
        subject,
        nowMs,
        nowMs + windowMs,
      ]);
      return 0;
    });
  }
}
