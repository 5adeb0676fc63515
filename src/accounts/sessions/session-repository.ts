// Sessions in the database. All methods are atomic. The method that adds a session first locks the account,
// then counts its sessions, so two nodes cannot exceed the limit together.

import { assert } from '../../errors.ts';
import type { SqlDatabase } from '../../storage/sql.ts';
import { endSessions, findAccount, lockAccount } from '../account-queries.ts';
import { SESSIONS_PER_ACCOUNT_MAX } from '../limits.ts';
import type { AccountRecord, SessionRecord } from '../records.ts';

export class SessionRepository {
  readonly #sql: SqlDatabase;

  constructor(sql: SqlDatabase) {
    this.#sql = sql;
  }

  /**
   * Stores a session and ends the oldest beyond SESSIONS_PER_ACCOUNT_MAX. Returns false when the account is
   * gone.
   */
  createSession(session: SessionRecord): Promise<boolean> {
    return this.#sql.transaction(async (sql) => {
      if ((await lockAccount(sql, session.accountId)) === null) return false;
      const row = await sql.insert('sessions', {
        token_hash: session.tokenHash,
        account_id: session.accountId,
        created_at_ms: session.createdAtMs,
        expires_at_ms: session.expiresAtMs,
      });
      assert(row !== null, 'a session token is new');
      await sql.run(
        `DELETE FROM sessions WHERE account_id = $1 AND token_hash NOT IN (
           SELECT token_hash FROM sessions WHERE account_id = $1
           ORDER BY created_at_ms DESC, row_number DESC LIMIT $2)`,
        [session.accountId, SESSIONS_PER_ACCOUNT_MAX],
      );
      return true;
    });
  }

  /** The account of a session; null when there is no such session, or it has expired. */
  async findSessionAccount(tokenHash: string, nowMs: number): Promise<AccountRecord | null> {
    const session = await this.#sql.find<{ account_id: string; expires_at_ms: number }>('sessions', {
      column: 'token_hash',
      value: tokenHash,
    });
    if (session === null || session.expires_at_ms <= nowMs) return null;
    return findAccount(this.#sql, { column: 'id', value: session.account_id });
  }

  async deleteSession(tokenHash: string): Promise<void> {
    await this.#sql.run('DELETE FROM sessions WHERE token_hash = $1', [tokenHash]);
  }

  /** Ends all sessions of the account except the one with this token hash. @returns how many ended */
  deleteOtherSessions(accountId: string, tokenHash: string): Promise<number> {
    return endSessions(this.#sql, accountId, tokenHash);
  }

  /** Ends the sessions of all accounts. @returns how many ended */
  deleteAllSessions(): Promise<number> {
    return this.#sql.run('DELETE FROM sessions');
  }
}
