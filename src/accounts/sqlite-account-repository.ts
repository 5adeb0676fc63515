// Accounts, sessions, codes and attempts on SQLite.

import type { Database } from 'bun:sqlite';
import { inTransaction } from '../database.ts';
import { TIER_KEYS, type TierKey } from '../domain/tiers.ts';
import type { AttemptLimit } from './attempts.ts';
import { CODE_TRIES_MAX, SESSIONS_PER_ACCOUNT_MAX } from './limits.ts';
import type { AccountRecord, AccountRepository, CodeRecord, SessionRecord } from './repository.ts';
import { toTierKey } from './sqlite-key-repository.ts';

const COLUMNS = 'id, email, password_hash, plan, verified_at_ms, created_at_ms';

interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly password_hash: string;
  readonly plan: string;
  readonly verified_at_ms: number | null;
  readonly created_at_ms: number;
}

export class SqliteAccountRepository implements AccountRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async createAccount(account: AccountRecord): Promise<boolean> {
    const { id, email, passwordHash, plan, verifiedAtMs, createdAtMs } = account;
    return inTransaction(this.#database, () => {
      const result = this.#database.run(
        `INSERT INTO accounts (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        [id, email, passwordHash, plan, verifiedAtMs, createdAtMs],
      );
      return result.changes === 1;
    });
  }

  async findAccount(id: string): Promise<AccountRecord | null> {
    return this.#findBy('id', id);
  }

  async findAccountByEmail(email: string): Promise<AccountRecord | null> {
    return this.#findBy('email', email);
  }

  async setPlan(accountId: string, plan: TierKey): Promise<void> {
    inTransaction(this.#database, () => {
      this.#database.run('UPDATE accounts SET plan = ? WHERE id = ?', [plan, accountId]);
      for (const above of TIER_KEYS.slice(TIER_KEYS.indexOf(plan) + 1)) {
        this.#database.run(
          `UPDATE api_keys SET tier = ? WHERE account_id = ? AND tier = ? AND status = 'active'`,
          [plan, accountId, above],
        );
      }
    });
  }

  async verifyAccount(accountId: string, codeHash: string, nowMs: number): Promise<boolean> {
    return inTransaction(this.#database, () => {
      const account = this.#findBy('id', accountId);
      if (account === null || account.verifiedAtMs !== null) return false;
      const code = this.#database
        .query<{ password_hash: string }, [string, string, number, number]>(
          `SELECT password_hash FROM verification_codes
           WHERE account_id = ? AND code_hash = ? AND expires_at_ms > ? AND tries < ? ORDER BY id DESC`,
        )
        .get(accountId, codeHash, nowMs, CODE_TRIES_MAX);
      if (code === null) {
        this.#database.run('UPDATE verification_codes SET tries = tries + 1 WHERE account_id = ?', [
          accountId,
        ]);
        return false;
      }
      this.#database.run('UPDATE accounts SET password_hash = ?, verified_at_ms = ? WHERE id = ?', [
        code.password_hash,
        nowMs,
        accountId,
      ]);
      this.#database.run('DELETE FROM verification_codes WHERE account_id = ?', [accountId]);
      if (code.password_hash !== account.passwordHash) {
        this.#database.run('DELETE FROM sessions WHERE account_id = ?', [accountId]);
      }
      return true;
    });
  }

  async addCode(accountId: string, code: CodeRecord): Promise<void> {
    inTransaction(this.#database, () => {
      this.#database.run('DELETE FROM verification_codes WHERE account_id = ?', [accountId]);
      this.#database.run(
        `INSERT INTO verification_codes (account_id, code_hash, password_hash, expires_at_ms) VALUES (?, ?, ?, ?)`,
        [accountId, code.codeHash, code.passwordHash, code.expiresAtMs],
      );
    });
  }

  async createSession(session: SessionRecord): Promise<void> {
    inTransaction(this.#database, () => {
      this.#database.run(
        'INSERT INTO sessions (token_hash, account_id, created_at_ms, expires_at_ms) VALUES (?, ?, ?, ?)',
        [session.tokenHash, session.accountId, session.createdAtMs, session.expiresAtMs],
      );
      this.#database.run(
        `DELETE FROM sessions WHERE account_id = ?1 AND token_hash NOT IN (
           SELECT token_hash FROM sessions WHERE account_id = ?1 ORDER BY created_at_ms DESC, rowid DESC LIMIT ?2)`,
        [session.accountId, SESSIONS_PER_ACCOUNT_MAX],
      );
    });
  }

  async findSessionAccount(tokenHash: string, nowMs: number): Promise<AccountRecord | null> {
    const session = this.#database
      .query<{ account_id: string }, [string, number]>(
        'SELECT account_id FROM sessions WHERE token_hash = ? AND expires_at_ms > ?',
      )
      .get(tokenHash, nowMs);
    return session === null ? null : this.#findBy('id', session.account_id);
  }

  async deleteSession(tokenHash: string): Promise<void> {
    inTransaction(this.#database, () => {
      this.#database.run('DELETE FROM sessions WHERE token_hash = ?', [tokenHash]);
    });
  }

  async takeAttempt(subject: string, limit: AttemptLimit, nowMs: number): Promise<number> {
    const { max, windowMs } = limit;
    return inTransaction(this.#database, () => {
      this.#database.run('DELETE FROM attempts WHERE expires_at_ms <= ?', [nowMs]);
      // The attempt that must leave the window before this one may enter: the max-th youngest.
      const blocking = this.#database
        .query<{ at_ms: number }, [string, number, number]>(
          'SELECT at_ms FROM attempts WHERE subject = ? AND at_ms > ? ORDER BY at_ms DESC LIMIT 1 OFFSET ?',
        )
        .get(subject, nowMs - windowMs, max - 1);
      if (blocking !== null) return blocking.at_ms + windowMs - nowMs;
      this.#database.run('INSERT INTO attempts (subject, at_ms, expires_at_ms) VALUES (?, ?, ?)', [
        subject,
        nowMs,
        nowMs + windowMs,
      ]);
      return 0;
    });
  }

  async deleteExpired(nowMs: number, unverifiedBeforeMs: number): Promise<void> {
    inTransaction(this.#database, () => {
      this.#database.run('DELETE FROM sessions WHERE expires_at_ms <= ?', [nowMs]);
      this.#database.run('DELETE FROM verification_codes WHERE expires_at_ms <= ?', [nowMs]);
      this.#database.run('DELETE FROM attempts WHERE expires_at_ms <= ?', [nowMs]);
      this.#database.run('DELETE FROM accounts WHERE verified_at_ms IS NULL AND created_at_ms < ?', [
        unverifiedBeforeMs,
      ]);
    });
  }

  async secret(name: string, proposed: string): Promise<string> {
    return inTransaction(this.#database, () => {
      this.#database.run('INSERT OR IGNORE INTO account_secrets (name, value) VALUES (?, ?)', [
        name,
        proposed,
      ]);
      const row = this.#database
        .query<{ value: string }, [string]>('SELECT value FROM account_secrets WHERE name = ?')
        .get(name);
      return row?.value ?? proposed;
    });
  }

  #findBy(column: 'id' | 'email', value: string): AccountRecord | null {
    const row = this.#database
      .query<AccountRow, [string]>(`SELECT ${COLUMNS} FROM accounts WHERE ${column} = ?`)
      .get(value);
    return row === null ? null : toAccountRecord(row);
  }
}

function toAccountRecord(row: AccountRow): AccountRecord {
  return {
    id: row.id,
    email: row.email,
    passwordHash: row.password_hash,
    plan: toTierKey(row.plan),
    verifiedAtMs: row.verified_at_ms,
    createdAtMs: row.created_at_ms,
  };
}
