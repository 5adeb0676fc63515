// Accounts, sessions and codes on SQLite.

import type { Database } from 'bun:sqlite';
import { inTransaction } from '../database.ts';
import { TIER_KEYS, type TierKey } from '../domain/tiers.ts';
import { assert } from '../errors.ts';
import { insertRow, updateRows } from '../row-checksums.ts';
import { CODE_TRIES_MAX, CONFIRMATIONS_PER_ACCOUNT_MAX, SESSIONS_PER_ACCOUNT_MAX } from './limits.ts';
import type {
  AccountRecord,
  AccountRepository,
  CodeRecord,
  ConfirmationRecord,
  Purpose,
  SessionRecord,
} from './repository.ts';
import { type AccountRow, toAccountRecord } from './rows.ts';
import { intact } from './sqlite-key-repository.ts';

/** What refers to an account by its id, besides sessions and keys. */
export const ACCOUNT_TABLES = ['verification_codes', 'confirmations', 'known_clients'] as const;

export class SqliteAccountRepository implements AccountRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async createAccount(account: AccountRecord): Promise<boolean> {
    const { id, email, passwordHash, plan, verifiedAtMs, createdAtMs } = account;
    return inTransaction(this.#database, () => {
      const row = insertRow(this.#database, 'accounts', {
        id,
        email,
        password_hash: passwordHash,
        plan,
        verified_at_ms: verifiedAtMs,
        created_at_ms: createdAtMs,
      });
      return row !== null;
    });
  }

  async findAccount(id: string): Promise<AccountRecord | null> {
    return this.#findBy('id', id);
  }

  async countAccounts(): Promise<{ readonly signUps: number; readonly verified: number }> {
    const row = this.#database
      .query<{ signUps: number; verified: number }, []>(
        'SELECT count(*) AS signUps, count(verified_at_ms) AS verified FROM accounts',
      )
      .get();
    return row ?? { signUps: 0, verified: 0 };
  }

  async findAccountByEmail(email: string): Promise<AccountRecord | null> {
    return this.#findBy('email', email);
  }

  async setPlan(accountId: string, plan: TierKey): Promise<void> {
    inTransaction(this.#database, () => {
      this.#updateAccount(accountId, { plan });
      for (const above of TIER_KEYS.slice(TIER_KEYS.indexOf(plan) + 1)) {
        updateRows(this.#database, 'api_keys', {
          where: `account_id = ? AND tier = ? AND status = 'active'`,
          parameters: [accountId, above],
          set: { tier: plan },
        });
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
      this.#updateAccount(accountId, { password_hash: code.password_hash, verified_at_ms: nowMs });
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
      const row = insertRow(this.#database, 'sessions', {
        token_hash: session.tokenHash,
        account_id: session.accountId,
        created_at_ms: session.createdAtMs,
        expires_at_ms: session.expiresAtMs,
      });
      assert(row !== null, 'a session token is new');
      this.#database.run(
        `DELETE FROM sessions WHERE account_id = ?1 AND token_hash NOT IN (
           SELECT token_hash FROM sessions WHERE account_id = ?1 ORDER BY created_at_ms DESC, rowid DESC LIMIT ?2)`,
        [session.accountId, SESSIONS_PER_ACCOUNT_MAX],
      );
    });
  }

  async findSessionAccount(tokenHash: string, nowMs: number): Promise<AccountRecord | null> {
    const session = this.#database
      .query<{ account_id: string; token_hash: string }, [string, number]>(
        'SELECT * FROM sessions WHERE token_hash = ? AND expires_at_ms > ?',
      )
      .get(tokenHash, nowMs);
    if (session === null || intact('sessions', session).token_hash !== tokenHash) return null;
    return this.#findBy('id', session.account_id);
  }

  async deleteSession(tokenHash: string): Promise<void> {
    inTransaction(this.#database, () => {
      this.#database.run('DELETE FROM sessions WHERE token_hash = ?', [tokenHash]);
    });
  }

  async deleteOtherSessions(accountId: string, tokenHash: string): Promise<number> {
    return inTransaction(this.#database, () => this.#endSessions(accountId, tokenHash));
  }

  async deleteAllSessions(): Promise<number> {
    return inTransaction(this.#database, () => this.#database.run('DELETE FROM sessions').changes);
  }

  async changePassword(accountId: string, passwordHash: string, tokenHash: string): Promise<number> {
    return inTransaction(this.#database, () => this.#setPassword(accountId, passwordHash, tokenHash));
  }

  async addConfirmation(confirmation: ConfirmationRecord): Promise<void> {
    const { accountId, purpose, codeHash, email, expiresAtMs } = confirmation;
    inTransaction(this.#database, () => {
      this.#database.run(
        `INSERT INTO confirmations (account_id, purpose, code_hash, email, expires_at_ms) VALUES (?, ?, ?, ?, ?)`,
        [accountId, purpose, codeHash, email, expiresAtMs],
      );
      this.#database.run(
        `DELETE FROM confirmations WHERE account_id = ?1 AND purpose = ?2 AND id NOT IN (
           SELECT id FROM confirmations WHERE account_id = ?1 AND purpose = ?2 ORDER BY id DESC LIMIT ?3)`,
        [accountId, purpose, CONFIRMATIONS_PER_ACCOUNT_MAX],
      );
    });
  }

  async findConfirmation(
    purpose: Purpose,
    codeHash: string,
    nowMs: number,
  ): Promise<ConfirmationRecord | null> {
    return this.#confirmationOf(purpose, codeHash, nowMs);
  }

  async resetPassword(codeHash: string, passwordHash: string, nowMs: number): Promise<AccountRecord | null> {
    return inTransaction(this.#database, () => {
      const confirmation = this.#confirmationOf('password', codeHash, nowMs);
      if (confirmation === null) return null;
      this.#setPassword(confirmation.accountId, passwordHash, null);
      return this.#findBy('id', confirmation.accountId);
    });
  }

  async changeEmail(
    codeHash: string,
    accountId: string,
    newId: string,
    nowMs: number,
  ): Promise<AccountRecord | null> {
    return inTransaction(this.#database, () => {
      const confirmation = this.#confirmationOf('email', codeHash, nowMs);
      const account = this.#findBy('id', accountId);
      if (confirmation === null || confirmation.email === null || account === null) return null;
      if (confirmation.accountId !== accountId || this.#hasVerified(confirmation.email)) return null;
      // Who signed up with the address and never proved it makes room.
      this.#database.run('DELETE FROM accounts WHERE email = ?', [confirmation.email]);
      // References are checked at the end of the transaction, when all have moved.
      this.#database.run('PRAGMA defer_foreign_keys = ON');
      this.#updateAccount(accountId, { id: newId, email: confirmation.email });
      for (const table of ['sessions', 'api_keys'] as const) {
        updateRows(this.#database, table, {
          where: 'account_id = ?',
          parameters: [accountId],
          set: { account_id: newId },
        });
        // What is left is damaged and works for nobody. It follows its account, so that it is deleted with it.
        this.#database.run(`UPDATE ${table} SET account_id = ? WHERE account_id = ?`, [newId, accountId]);
      }
      for (const table of ACCOUNT_TABLES) {
        this.#database.run(`UPDATE ${table} SET account_id = ? WHERE account_id = ?`, [newId, accountId]);
      }
      this.#database.run('DELETE FROM confirmations WHERE account_id = ?', [newId]);
      return account;
    });
  }

  async deleteAccount(accountId: string): Promise<void> {
    inTransaction(this.#database, () => {
      this.#database.run('DELETE FROM accounts WHERE id = ?', [accountId]);
    });
  }

  async deleteExpired(nowMs: number, unverifiedBeforeMs: number): Promise<void> {
    inTransaction(this.#database, () => {
      this.#database.run('DELETE FROM sessions WHERE expires_at_ms <= ?', [nowMs]);
      this.#database.run('DELETE FROM verification_codes WHERE expires_at_ms <= ?', [nowMs]);
      this.#database.run('DELETE FROM confirmations WHERE expires_at_ms <= ?', [nowMs]);
      this.#database.run('DELETE FROM known_clients WHERE expires_at_ms <= ?', [nowMs]);
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

  /** Codes that were asked for under the old password die with it. */
  #setPassword(accountId: string, passwordHash: string, keptTokenHash: string | null): number {
    this.#updateAccount(accountId, { password_hash: passwordHash });
    this.#database.run('DELETE FROM confirmations WHERE account_id = ?', [accountId]);
    this.#database.run('DELETE FROM verification_codes WHERE account_id = ?', [accountId]);
    return this.#endSessions(accountId, keptTokenHash ?? '');
  }

  #updateAccount(accountId: string, set: Readonly<Record<string, string | number>>): void {
    updateRows(this.#database, 'accounts', { where: 'id = ?', parameters: [accountId], set });
  }

  #endSessions(accountId: string, keptTokenHash: string): number {
    return this.#database.run('DELETE FROM sessions WHERE account_id = ? AND token_hash <> ?', [
      accountId,
      keptTokenHash,
    ]).changes;
  }

  #confirmationOf(purpose: Purpose, codeHash: string, nowMs: number): ConfirmationRecord | null {
    const row = this.#database
      .query<{ account_id: string; email: string | null; expires_at_ms: number }, [string, string, number]>(
        `SELECT account_id, email, expires_at_ms FROM confirmations
         WHERE purpose = ? AND code_hash = ? AND expires_at_ms > ?`,
      )
      .get(purpose, codeHash, nowMs);
    if (row === null) return null;
    return { accountId: row.account_id, purpose, codeHash, email: row.email, expiresAtMs: row.expires_at_ms };
  }

  #hasVerified(email: string): boolean {
    const account = this.#findBy('email', email);
    return account !== null && account.verifiedAtMs !== null;
  }

  #findBy(column: 'id' | 'email', value: string): AccountRecord | null {
    const row = this.#database
      .query<AccountRow, [string]>(`SELECT * FROM accounts WHERE ${column} = ?`)
      .get(value);
    return row === null || intact('accounts', row)[column] !== value ? null : toAccountRecord(row);
  }
}
