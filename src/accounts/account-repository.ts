// Accounts, sessions and codes in the database. All methods are atomic. Methods that count rows before they
// add one lock the account first, so two nodes cannot exceed a limit together. When the database is too busy
// they throw ServiceError upstream_unavailable.

import { TIER_KEYS, type TierKey } from '../domain/tiers.ts';
import { assert } from '../errors.ts';
import type { SealedSql, Sql, SqlDatabase } from '../storage/sql.ts';
import {
  CODE_TRIES_MAX,
  CODES_PER_ACCOUNT_MAX,
  CONFIRMATIONS_PER_ACCOUNT_MAX,
  SESSIONS_PER_ACCOUNT_MAX,
} from './limits.ts';
import type {
  AccountRecord,
  CodeRecord,
  ConfirmationRecord,
  EnteredCode,
  Purpose,
  SessionRecord,
} from './records.ts';
import { type AccountRow, codeKey, codePrefix, toAccountRecord } from './rows.ts';

/** Tables that refer to an account by its id, besides sessions and api_keys. */
const ACCOUNT_TABLES = ['verification_codes', 'confirmations', 'known_clients'] as const;

/** Tables whose rows expire, with the columns that identify a row. */
const EXPIRING = {
  sessions: 'token_hash',
  verification_codes: 'id',
  confirmations: 'id',
  known_clients: 'account_id, hash',
  attempts: 'row_number',
} as const;

export class AccountRepository {
  readonly #sql: SqlDatabase;

  constructor(sql: SqlDatabase) {
    this.#sql = sql;
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

  /**
   * Enters a code. The right code verifies the account and deletes its codes. The account gets the password
   * of the sign-up that the code belongs to. But if the client's own network also signed up, it gets the
   * password of that network's newest sign-up. If this differs from the stored password, existing sessions
   * end.
   *
   * A wrong short code counts as a try against the short codes of the client's network, and against those
   * that may be entered elsewhere; after CODE_TRIES_MAX tries a code is void. Returns false for a wrong, void
   * or expired code, and for an account that is already verified.
   */
  verifyAccount(accountId: string, code: EnteredCode, nowMs: number): Promise<boolean> {
    const homePrefix = codePrefix('home', code.client);
    const keys = (code.isLong ? (['long'] as const) : (['home', 'elsewhere'] as const)).map((scope) =>
      codeKey({ ...code, scope }),
    );
    return this.#sql.transaction(async (sql) => {
      const account = await lockAccount(sql, accountId);
      if (account === null || account.verifiedAtMs !== null) return false;
      const rows = await sql.rows<{ code_hash: string; password_hash: string }>(
        `SELECT code_hash, password_hash FROM verification_codes
         WHERE account_id = $1 AND expires_at_ms > $2 AND tries < $3 AND code_hash IN ($4, $5) ORDER BY id DESC`,
        [accountId, nowMs, CODE_TRIES_MAX, keys[0]!, keys.at(-1)!],
      );
      const right = rows.find(({ code_hash }) => code_hash.startsWith(homePrefix)) ?? rows[0];
      if (right === undefined) {
        if (!code.isLong) await countTry(sql, accountId, code);
        return false;
      }
      const [newest = right] = await sql.rows<{ code_hash: string; password_hash: string }>(
        `SELECT code_hash, password_hash FROM verification_codes
         WHERE account_id = $1 AND expires_at_ms > $2 AND code_hash LIKE $3 ORDER BY id DESC LIMIT 1`,
        [accountId, nowMs, `${homePrefix}%`],
      );
      const { password_hash } = right.code_hash.startsWith(homePrefix) ? right : newest;
      await updateAccount(sql, accountId, { password_hash, verified_at_ms: nowMs });
      await sql.run('DELETE FROM verification_codes WHERE account_id = $1', [accountId]);
      if (password_hash !== account.passwordHash) await endSessions(sql, accountId, null);
      return true;
    });
  }

  /**
   * Stores the codes of a sign-up unless its account is gone. The oldest beyond CODES_PER_ACCOUNT_MAX are
   * deleted.
   */
  addCodes(accountId: string, codes: readonly CodeRecord[]): Promise<void> {
    return this.#sql.transaction(async (sql) => {
      if ((await lockAccount(sql, accountId)) === null) return;
      for (const code of codes) {
        await sql.run(
          'INSERT INTO verification_codes (account_id, code_hash, password_hash, expires_at_ms) VALUES ($1, $2, $3, $4)',
          [accountId, codeKey(code), code.passwordHash, code.expiresAtMs],
        );
      }
      await sql.run(
        `DELETE FROM verification_codes WHERE account_id = $1 AND id NOT IN (
           SELECT id FROM verification_codes WHERE account_id = $1 ORDER BY id DESC LIMIT $2)`,
        [accountId, CODES_PER_ACCOUNT_MAX],
      );
    });
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

  /** The account of a session that has not expired. */
  async findSessionAccount(tokenHash: string, nowMs: number): Promise<AccountRecord | null> {
    const session = await this.#sql.find<{ account_id: string; expires_at_ms: number }>('sessions', {
      column: 'token_hash',
      value: tokenHash,
    });
    if (session === null || session.expires_at_ms <= nowMs) return null;
    return this.findAccount(session.account_id);
  }

  async deleteSession(tokenHash: string): Promise<void> {
    await this.#sql.run('DELETE FROM sessions WHERE token_hash = $1', [tokenHash]);
  }

  /** Ends all sessions of the account except this one. @returns how many ended */
  deleteOtherSessions(accountId: string, tokenHash: string): Promise<number> {
    return endSessions(this.#sql, accountId, tokenHash);
  }

  /** Ends the sessions of all accounts. @returns how many ended */
  deleteAllSessions(): Promise<number> {
    return this.#sql.run('DELETE FROM sessions');
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
   * Stores a code. The oldest of the account and purpose beyond CONFIRMATIONS_PER_ACCOUNT_MAX are deleted.
   */
  addConfirmation(confirmation: ConfirmationRecord): Promise<void> {
    const { accountId, purpose, codeHash, email, expiresAtMs } = confirmation;
    return this.#sql.transaction(async (sql) => {
      if ((await lockAccount(sql, accountId)) === null) return;
      await sql.run(
        'INSERT INTO confirmations (account_id, purpose, code_hash, email, expires_at_ms) VALUES ($1, $2, $3, $4, $5)',
        [accountId, purpose, codeHash, email, expiresAtMs],
      );
      await sql.run(
        `DELETE FROM confirmations WHERE account_id = $1 AND purpose = $2 AND id NOT IN (
           SELECT id FROM confirmations WHERE account_id = $1 AND purpose = $2 ORDER BY id DESC LIMIT $3)`,
        [accountId, purpose, CONFIRMATIONS_PER_ACCOUNT_MAX],
      );
    });
  }

  /** The confirmation that a code belongs to, or null if not found or it has expired. */
  findConfirmation(purpose: Purpose, codeHash: string, nowMs: number): Promise<ConfirmationRecord | null> {
    return confirmationOf(this.#sql, { purpose, codeHash, nowMs, isLocked: false });
  }

  /**
   * Uses a code: stores the new password and ends all sessions and codes of the account.
   * @returns the account, or null when the code is gone
   */
  resetPassword(codeHash: string, passwordHash: string, nowMs: number): Promise<AccountRecord | null> {
    return this.#sql.transaction(async (sql) => {
      const confirmation = await confirmationOf(sql, {
        purpose: 'password',
        codeHash,
        nowMs,
        isLocked: true,
      });
      if (confirmation === null) return null;
      const { accountId } = confirmation;
      await setPassword(sql, { accountId, passwordHash, keptTokenHash: null });
      return findAccount(sql, { column: 'id', value: accountId });
    });
  }

  /**
   * Uses a code of this account: moves the account with its sessions and keys to a new address, and to the id
   * made from that address.
   * @returns the account as it was before, or null when the code is gone or the new address has an account
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
   * `unverifiedBeforeMs`.
   */
  deleteExpired(nowMs: number, unverifiedBeforeMs: number): Promise<void> {
    return this.#sql.transaction(async (sql) => {
      for (const [table, key] of Object.entries(EXPIRING)) {
        // SKIP LOCKED: nodes that do this at the same time share the work instead of waiting for each other.
        await sql.run(
          `DELETE FROM ${table} WHERE (${key}) IN (
             SELECT ${key} FROM ${table} WHERE expires_at_ms <= $1 FOR UPDATE SKIP LOCKED)`,
          [nowMs],
        );
      }
      await sql.run('DELETE FROM accounts WHERE verified_at_ms IS NULL AND created_at_ms < $1', [
        unverifiedBeforeMs,
      ]);
    });
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

/** Reads the account and locks it: no other transaction can change it until this one ends. */
export function lockAccount(sql: SealedSql, accountId: string): Promise<AccountRecord | null> {
  return findAccount(sql, { column: 'id', value: accountId, isLocked: true });
}

async function findAccount(
  sql: SealedSql,
  key: { readonly column: 'id' | 'email'; readonly value: string; readonly isLocked?: boolean },
): Promise<AccountRecord | null> {
  const row = await sql.find<AccountRow>('accounts', key);
  return row === null ? null : toAccountRecord(row);
}

async function updateAccount(
  sql: SealedSql,
  accountId: string,
  set: Readonly<Record<string, string | number>>,
): Promise<void> {
  await sql.update('accounts', { where: 'id = $1', parameters: [accountId], set });
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

interface PasswordChange {
  readonly accountId: string;
  readonly passwordHash: string;
  /** The session that continues; null ends all. */
  readonly keptTokenHash: string | null;
}

/** Codes requested under the old password are deleted too. @returns how many sessions ended */
async function setPassword(
  sql: SealedSql,
  { accountId, passwordHash, keptTokenHash }: PasswordChange,
): Promise<number> {
  await updateAccount(sql, accountId, { password_hash: passwordHash });
  await sql.run('DELETE FROM confirmations WHERE account_id = $1', [accountId]);
  await sql.run('DELETE FROM verification_codes WHERE account_id = $1', [accountId]);
  return endSessions(sql, accountId, keptTokenHash);
}

function countTry(sql: Sql, accountId: string, { client }: EnteredCode): Promise<number> {
  return sql.run(
    `UPDATE verification_codes SET tries = tries + 1
     WHERE account_id = $1 AND (code_hash LIKE $2 OR code_hash LIKE $3)`,
    [accountId, `${codePrefix('home', client)}%`, `${codePrefix('elsewhere', client)}%`],
  );
}

function endSessions(sql: Sql, accountId: string, keptTokenHash: string | null): Promise<number> {
  return sql.run('DELETE FROM sessions WHERE account_id = $1 AND token_hash <> $2', [
    accountId,
    keptTokenHash ?? '',
  ]);
}

interface ConfirmationQuestion {
  readonly purpose: Purpose;
  readonly codeHash: string;
  readonly nowMs: number;
  /** True when this transaction uses the code: if two try at once, the second finds the code gone. */
  readonly isLocked: boolean;
}

async function confirmationOf(
  sql: Sql,
  { purpose, codeHash, nowMs, isLocked }: ConfirmationQuestion,
): Promise<ConfirmationRecord | null> {
  const [row] = await sql.rows<{ account_id: string; email: string | null; expires_at_ms: number }>(
    `SELECT account_id, email, expires_at_ms FROM confirmations
     WHERE purpose = $1 AND code_hash = $2 AND expires_at_ms > $3${isLocked ? ' FOR UPDATE' : ''}`,
    [purpose, codeHash, nowMs],
  );
  if (row === undefined) return null;
  return { accountId: row.account_id, purpose, codeHash, email: row.email, expiresAtMs: row.expires_at_ms };
}
