// Accounts in the database, with the repositories of their sessions and codes. All methods are atomic. When
// the database is too busy they throw ServiceError upstream_unavailable.

import { TIER_KEYS, type TierKey } from '../domain/tiers.ts';
import type { SealedSql, SqlDatabase } from '../storage/sql.ts';
import { findAccount, lockAccount, setPassword, updateAccount } from './account-queries.ts';
import { CodeRepository, confirmationOf } from './credentials/code-repository.ts';
import {
  CODE_LASTS_MS,
  EXPIRED_ROWS_PER_SIGNUP_MAX,
  UNVERIFIED_ACCOUNTS_MAX,
  UNVERIFIED_PER_SIGNUP_MAX,
} from './limits.ts';
import type { AccountRecord } from './records.ts';
import { SessionRepository } from './sessions/session-repository.ts';

/**
 * Tables, besides sessions and api_keys, in which `moveReferences` changes an account's id: their references
 * do not cascade on update.
 */
const ACCOUNT_TABLES = ['verification_codes', 'confirmations'] as const;

/** Tables whose rows expire, with the columns that identify a row. */
const EXPIRING = {
  sessions: 'token_hash',
  verification_codes: 'id',
  confirmations: 'id',
  known_clients: 'account_id, hash',
  attempts: 'row_number',
} as const;

interface HashRow {
  readonly password_hash: string;
}

export class AccountRepository {
  readonly sessions: SessionRepository;
  readonly codes: CodeRepository;
  readonly #sql: SqlDatabase;

  constructor(sql: SqlDatabase) {
    this.#sql = sql;
    this.sessions = new SessionRepository(sql);
    this.codes = new CodeRepository(sql);
  }

  /** Returns false, and stores nothing, when the address already has an account. */
  async createAccount(account: AccountRecord): Promise<boolean> {
    const row = await this.#sql.insert('accounts', {
      id: account.id,
      email: account.email,
      password_hash: account.passwordHash,
      plan: account.plan,
      verified_at_ms: account.verifiedAtMs,
      created_at_ms: account.createdAtMs,
    });
    return row !== null;
  }

  findAccount(id: string): Promise<AccountRecord | null> {
    return findAccount(this.#sql, { column: 'id', value: id });
  }

  findAccountByEmail(email: string): Promise<AccountRecord | null> {
    return findAccount(this.#sql, { column: 'email', value: email });
  }

  /**
   * The password hash of the account with this id, otherwise of the one with the next higher id, otherwise of
   * the one with the lowest id. Null if there is no account, or if the rows that were read are damaged.
   */
  async hashNear(id: string): Promise<string | null> {
    const select = 'SELECT * FROM accounts';
    const next = await this.#sql.list<HashRow>('accounts', `${select} WHERE id >= $1 ORDER BY id LIMIT 1`, [
      id,
    ]);
    if (next[0] !== undefined) return next[0].password_hash;
    const [first] = await this.#sql.list<HashRow>('accounts', `${select} ORDER BY id LIMIT 1`);
    return first?.password_hash ?? null;
  }

  /** The number of all accounts, and of the verified ones. */
  async countAccounts(): Promise<{ readonly signUps: number; readonly verified: number }> {
    const [row] = await this.#sql.rows<{ signUps: number; verified: number }>(
      'SELECT count(*) AS "signUps", count(verified_at_ms) AS verified FROM accounts',
    );
    return row ?? { signUps: 0, verified: 0 };
  }

  /** Sets the plan and lowers active keys of the account that are above it. */
  setPlan(accountId: string, plan: TierKey): Promise<void> {
    return this.#sql.transaction(async (sql) => {
      await updateAccount(sql, accountId, { plan });
      for (const above of TIER_KEYS.slice(TIER_KEYS.indexOf(plan) + 1)) {
        await sql.update('api_keys', {
          where: `account_id = $1 AND tier = $2 AND status = 'active'`,
          parameters: [accountId, above],
          set: { tier: plan },
        });
      }
    });
  }

  /** Stores another hash of the same password, unless the password was changed meanwhile. */
  async replaceHash(accountId: string, { before, after }: { before: string; after: string }): Promise<void> {
    await this.#sql.update('accounts', {
      where: 'id = $1 AND password_hash = $2',
      parameters: [accountId, before],
      set: { password_hash: after },
    });
  }

  /**
   * Stores a new password, deletes the account's codes and ends all its sessions except one. @returns how
   * many ended
   */
  changePassword(accountId: string, passwordHash: string, tokenHash: string): Promise<number> {
    return this.#sql.transaction((sql) =>
      setPassword(sql, { accountId, passwordHash, keptTokenHash: tokenHash }),
    );
  }

  /**
   * Uses a code of this account. The account moves, with its sessions and keys, to a new address and to the
   * id made from that address. Its known clients are forgotten: their hashes are made with the old id.
   * @returns the account as it was before, or null when the code is gone or the new address has a verified
   * account
   */
  changeEmail(
    codeHash: string,
    accountId: string,
    newId: string,
    nowMs: number,
  ): Promise<AccountRecord | null> {
    return this.#sql.transaction(async (sql) => {
      const account = await lockAccount(sql, accountId);
      const confirmation = await confirmationOf(sql, { purpose: 'email', codeHash, nowMs, isLocked: true });
      if (account === null || confirmation?.accountId !== accountId || confirmation.email === null)
        return null;
      const holder = await findAccount(sql, { column: 'email', value: confirmation.email });
      if (holder !== null && holder.verifiedAtMs !== null) return null;
      // An unverified account at the new address never proved that it owns the address, so it is deleted.
      await sql.run('DELETE FROM accounts WHERE email = $1', [confirmation.email]);
      await sql.run('DELETE FROM known_clients WHERE account_id = $1', [accountId]);
      await sql.deferReferences();
      await updateAccount(sql, accountId, { id: newId, email: confirmation.email });
      await moveReferences(sql, accountId, newId);
      await sql.run('DELETE FROM confirmations WHERE account_id = $1', [newId]);
      return account;
    });
  }

  /** Deletes the account with its keys, sessions and codes. */
  async deleteAccount(accountId: string): Promise<void> {
    await this.#sql.run('DELETE FROM accounts WHERE id = $1', [accountId]);
  }

  /**
   * Deletes expired sessions, codes, attempts and known clients, and unverified accounts created before
   * `unverifiedBeforeMs` that have no valid code. Deletes only some of each, the oldest, so that a sign-up
   * does not wait long.
   */
  deleteExpired(nowMs: number, unverifiedBeforeMs: number): Promise<void> {
    return this.#sql.transaction(async (sql) => {
      for (const [table, key] of Object.entries(EXPIRING)) {
        // SKIP LOCKED: nodes that do this at the same time share the work instead of waiting for each other.
        await sql.run(
          `DELETE FROM ${table} WHERE (${key}) IN (
             SELECT ${key} FROM ${table} WHERE expires_at_ms <= $1
             ORDER BY expires_at_ms LIMIT $2 FOR UPDATE SKIP LOCKED)`,
          [nowMs, EXPIRED_ROWS_PER_SIGNUP_MAX],
        );
      }
      await deleteUnverified(sql, unverifiedBeforeMs, nowMs);
    });
  }

  /**
   * Checks that there is room for one more unverified account. If there is none, it deletes the oldest ones
   * that have no valid code: their owners must sign up again anyway.
   * @returns false when there is still no room
   */
  async makeUnverifiedRoom(nowMs: number): Promise<boolean> {
    const full = await this.#sql.rows(
      'SELECT 1 FROM accounts WHERE verified_at_ms IS NULL ORDER BY created_at_ms LIMIT 1 OFFSET $1',
      [UNVERIFIED_ACCOUNTS_MAX - 1],
    );
    if (full.length === 0) return true;
    return (await this.#sql.transaction((sql) => deleteUnverified(sql, nowMs - CODE_LASTS_MS, nowMs))) > 0;
  }

  /** The secret stored under the name. If it is missing, `proposed` is stored and returned. */
  secret(name: string, proposed: string): Promise<string> {
    return this.#sql.transaction(async (sql) => {
      await sql.run('INSERT INTO account_secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        name,
        proposed,
      ]);
      const [row] = await sql.rows<{ value: string }>('SELECT value FROM account_secrets WHERE name = $1', [
        name,
      ]);
      return row?.value ?? proposed;
    });
  }
}

/**
 * Deletes the oldest unverified accounts created before `beforeMs` that have no valid code. Accounts with a
 * valid code are kept, because an address that signs up again keeps its old account, and its new code must
 * work.
 * @returns how many were deleted
 */
function deleteUnverified(sql: SealedSql, beforeMs: number, nowMs: number): Promise<number> {
  return sql.run(
    `DELETE FROM accounts WHERE id IN (
       SELECT id FROM accounts WHERE verified_at_ms IS NULL AND created_at_ms < $1 AND NOT EXISTS (
         SELECT 1 FROM verification_codes WHERE account_id = accounts.id AND expires_at_ms > $2)
       ORDER BY created_at_ms LIMIT $3 FOR UPDATE SKIP LOCKED)`,
    [beforeMs, nowMs, UNVERIFIED_PER_SIGNUP_MAX],
  );
}

async function moveReferences(sql: SealedSql, fromId: string, toId: string): Promise<void> {
  for (const table of ['sessions', 'api_keys'] as const) {
    await sql.update(table, { where: 'account_id = $1', parameters: [fromId], set: { account_id: toId } });
  }
  // Any rows still left in sessions and api_keys are damaged. They follow the account, so that they are
  // deleted with it.
  for (const table of ['sessions', 'api_keys', ...ACCOUNT_TABLES]) {
    await sql.run(`UPDATE ${table} SET account_id = $2 WHERE account_id = $1`, [fromId, toId]);
  }
}
