// Accounts, sessions and codes on Postgres. Whatever counts rows before it adds one locks the account, so that two nodes do
// it one after the other.

import { TIER_KEYS, type TierKey } from '../domain/tiers.ts';
import type { PostgresPool, Sql } from '../postgres.ts';
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
import { ACCOUNT_TABLES } from './sqlite-account-repository.ts';

/** Changes of keys that nodes may still have to read. Older ones are deleted: a node that has slept forgets all keys. */
export const KEY_CHANGES_KEPT = 10_000;

export class PostgresAccountRepository implements AccountRepository {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  async createAccount(account: AccountRecord): Promise<boolean> {
    const { id, email, passwordHash, plan, verifiedAtMs, createdAtMs } = account;
    const inserted = await this.#pool.run(
      `INSERT INTO accounts (id, email, password_hash, plan, verified_at_ms, created_at_ms)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
      [id, email, passwordHash, plan, verifiedAtMs, createdAtMs],
    );
    return inserted === 1;
  }

  findAccount(id: string): Promise<AccountRecord | null> {
    return findBy(this.#pool, 'id', id);
  }

  async countAccounts(): Promise<{ readonly signUps: number; readonly verified: number }> {
    const [row] = await this.#pool.rows<{ signUps: number; verified: number }>(
      'SELECT count(*) AS "signUps", count(verified_at_ms) AS verified FROM accounts',
    );
    return row ?? { signUps: 0, verified: 0 };
  }

  findAccountByEmail(email: string): Promise<AccountRecord | null> {
    return findBy(this.#pool, 'email', email);
  }

  async setPlan(accountId: string, plan: TierKey): Promise<void> {
    const above = TIER_KEYS.slice(TIER_KEYS.indexOf(plan) + 1);
    await this.#pool.transaction(async (sql) => {
      await sql.run('UPDATE accounts SET plan = $2 WHERE id = $1', [accountId, plan]);
      for (const tier of above) {
        await sql.run(
          `UPDATE api_keys SET tier = $3 WHERE account_id = $1 AND tier = $2 AND status = 'active'`,
          [accountId, tier, plan],
        );
      }
    });
  }

  verifyAccount(accountId: string, codeHash: string, nowMs: number): Promise<boolean> {
    return this.#pool.transaction(async (sql) => {
      const account = await lockAccount(sql, accountId);
      if (account === null || account.verifiedAtMs !== null) return false;
      const [code] = await sql.rows<{ password_hash: string }>(
        `SELECT password_hash FROM verification_codes
         WHERE account_id = $1 AND code_hash = $2 AND expires_at_ms > $3 AND tries < $4 ORDER BY id DESC LIMIT 1`,
        [accountId, codeHash, nowMs, CODE_TRIES_MAX],
      );
      if (code === undefined) {
        await sql.run('UPDATE verification_codes SET tries = tries + 1 WHERE account_id = $1', [accountId]);
        return false;
      }
      await sql.run('UPDATE accounts SET password_hash = $2, verified_at_ms = $3 WHERE id = $1', [
        accountId,
        code.password_hash,
        nowMs,
      ]);
      await sql.run('DELETE FROM verification_codes WHERE account_id = $1', [accountId]);
      if (code.password_hash !== account.passwordHash) await endSessions(sql, accountId, '');
      return true;
    });
  }

  async addCode(accountId: string, code: CodeRecord): Promise<void> {
    await this.#pool.transaction(async (sql) => {
      await lockAccount(sql, accountId);
      await sql.run('DELETE FROM verification_codes WHERE account_id = $1', [accountId]);
      await sql.run(
        'INSERT INTO verification_codes (account_id, code_hash, password_hash, expires_at_ms) VALUES ($1, $2, $3, $4)',
        [accountId, code.codeHash, code.passwordHash, code.expiresAtMs],
      );
    });
  }

  async createSession(session: SessionRecord): Promise<void> {
    const { tokenHash, accountId, createdAtMs, expiresAtMs } = session;
    await this.#pool.transaction(async (sql) => {
      await lockAccount(sql, accountId);
      await sql.run(
        'INSERT INTO sessions (token_hash, account_id, created_at_ms, expires_at_ms) VALUES ($1, $2, $3, $4)',
        [tokenHash, accountId, createdAtMs, expiresAtMs],
      );
      await sql.run(
        `DELETE FROM sessions WHERE account_id = $1 AND token_hash NOT IN (
           SELECT token_hash FROM sessions WHERE account_id = $1
           ORDER BY created_at_ms DESC, row_number DESC LIMIT $2)`,
        [accountId, SESSIONS_PER_ACCOUNT_MAX],
      );
    });
  }

  async findSessionAccount(tokenHash: string, nowMs: number): Promise<AccountRecord | null> {
    return toAccount(
      await this.#pool.rows<AccountRow>(
        `SELECT accounts.* FROM sessions JOIN accounts ON accounts.id = account_id
         WHERE token_hash = $1 AND expires_at_ms > $2`,
        [tokenHash, nowMs],
      ),
    );
  }

  async deleteSession(tokenHash: string): Promise<void> {
    await this.#pool.run('DELETE FROM sessions WHERE token_hash = $1', [tokenHash]);
  }

  deleteOtherSessions(accountId: string, tokenHash: string): Promise<number> {
    return endSessions(this.#pool, accountId, tokenHash);
  }

  deleteAllSessions(): Promise<number> {
    return this.#pool.run('DELETE FROM sessions', []);
  }

  changePassword(accountId: string, passwordHash: string, tokenHash: string): Promise<number> {
    return this.#pool.transaction((sql) => setPassword(sql, { accountId, passwordHash, tokenHash }));
  }

  async addConfirmation(confirmation: ConfirmationRecord): Promise<void> {
    const { accountId, purpose, codeHash, email, expiresAtMs } = confirmation;
    await this.#pool.transaction(async (sql) => {
      await lockAccount(sql, accountId);
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

  findConfirmation(purpose: Purpose, codeHash: string, nowMs: number): Promise<ConfirmationRecord | null> {
    return confirmationOf(this.#pool, { purpose, codeHash, nowMs });
  }

  resetPassword(codeHash: string, passwordHash: string, nowMs: number): Promise<AccountRecord | null> {
    return this.#pool.transaction(async (sql) => {
      const confirmation = await confirmationOf(sql, { purpose: 'password', codeHash, nowMs, isTaken: true });
      if (confirmation === null) return null;
      const { accountId } = confirmation;
      await setPassword(sql, { accountId, passwordHash, tokenHash: '' });
      return findBy(sql, 'id', accountId);
    });
  }

  changeEmail(
    codeHash: string,
    accountId: string,
    newId: string,
    nowMs: number,
  ): Promise<AccountRecord | null> {
    return this.#pool.transaction(async (sql) => {
      const account = await lockAccount(sql, accountId);
      const confirmation = await confirmationOf(sql, { purpose: 'email', codeHash, nowMs, isTaken: true });
      if (confirmation === null || confirmation.email === null || account === null) return null;
      if (confirmation.accountId !== accountId) return null;
      const holder = await findBy(sql, 'email', confirmation.email);
      if (holder !== null && holder.verifiedAtMs !== null) return null;
      // Who signed up with the address and never proved it makes room.
      await sql.run('DELETE FROM accounts WHERE email = $1', [confirmation.email]);
      // References are checked at the end of the transaction, when all have moved.
      await sql.run('SET CONSTRAINTS ALL DEFERRED');
      await sql.run('UPDATE accounts SET id = $2, email = $3 WHERE id = $1', [
        accountId,
        newId,
        confirmation.email,
      ]);
      for (const table of ['sessions', 'api_keys', ...ACCOUNT_TABLES]) {
        await sql.run(`UPDATE ${table} SET account_id = $2 WHERE account_id = $1`, [accountId, newId]);
      }
      await sql.run('DELETE FROM confirmations WHERE account_id = $1', [newId]);
      return account;
    });
  }

  async deleteAccount(accountId: string): Promise<void> {
    await this.#pool.run('DELETE FROM accounts WHERE id = $1', [accountId]);
  }

  async deleteExpired(nowMs: number, unverifiedBeforeMs: number): Promise<void> {
    await this.#pool.transaction(async (sql) => {
      for (const table of ['sessions', 'verification_codes', 'confirmations', 'known_clients', 'attempts']) {
        await sql.run(
          `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
             SELECT ctid FROM ${table} WHERE expires_at_ms <= $1 FOR UPDATE SKIP LOCKED))`,
          [nowMs],
        );
      }
      await sql.run('DELETE FROM accounts WHERE verified_at_ms IS NULL AND created_at_ms < $1', [
        unverifiedBeforeMs,
      ]);
      await sql.run('DELETE FROM key_changes WHERE epoch < (SELECT value FROM key_epoch) - $1', [
        KEY_CHANGES_KEPT,
      ]);
    });
  }

  async secret(name: string, proposed: string): Promise<string> {
    await this.#pool.run('INSERT INTO account_secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      name,
      proposed,
    ]);
    const [row] = await this.#pool.rows<{ value: string }>(
      'SELECT value FROM account_secrets WHERE name = $1',
      [name],
    );
    return row?.value ?? proposed;
  }
}

/** The account, which nobody else changes until this transaction ends. */
export async function lockAccount(sql: Sql, accountId: string): Promise<AccountRecord | null> {
  return toAccount(
    await sql.rows<AccountRow>('SELECT * FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]),
  );
}

async function findBy(sql: Sql, column: 'id' | 'email', value: string): Promise<AccountRecord | null> {
  return toAccount(await sql.rows<AccountRow>(`SELECT * FROM accounts WHERE ${column} = $1`, [value]));
}

interface PasswordChange {
  readonly accountId: string;
  readonly passwordHash: string;
  /** Of the session that goes on; none has an empty one. */
  readonly tokenHash: string;
}

/** Codes that were asked for under the old password die with it. @returns how many sessions ended */
async function setPassword(
  sql: Sql,
  { accountId, passwordHash, tokenHash }: PasswordChange,
): Promise<number> {
  await sql.run('UPDATE accounts SET password_hash = $2 WHERE id = $1', [accountId, passwordHash]);
  await sql.run('DELETE FROM confirmations WHERE account_id = $1', [accountId]);
  await sql.run('DELETE FROM verification_codes WHERE account_id = $1', [accountId]);
  return endSessions(sql, accountId, tokenHash);
}

function endSessions(sql: Sql, accountId: string, keptTokenHash: string): Promise<number> {
  return sql.run('DELETE FROM sessions WHERE account_id = $1 AND token_hash <> $2', [
    accountId,
    keptTokenHash,
  ]);
}

interface CodeQuestion {
  readonly purpose: Purpose;
  readonly codeHash: string;
  readonly nowMs: number;
  /** Whether this transaction uses the code: of two that try, the second finds it gone. */
  readonly isTaken?: boolean;
}

async function confirmationOf(
  sql: Sql,
  { purpose, codeHash, nowMs, isTaken = false }: CodeQuestion,
): Promise<ConfirmationRecord | null> {
  const [row] = await sql.rows<{ account_id: string; email: string | null; expires_at_ms: number }>(
    `SELECT account_id, email, expires_at_ms FROM confirmations
     WHERE purpose = $1 AND code_hash = $2 AND expires_at_ms > $3 ${isTaken ? 'FOR UPDATE' : ''}`,
    [purpose, codeHash, nowMs],
  );
  if (row === undefined) return null;
  return { accountId: row.account_id, purpose, codeHash, email: row.email, expiresAtMs: row.expires_at_ms };
}

function toAccount([row]: readonly AccountRow[]): AccountRecord | null {
  return row === undefined ? null : toAccountRecord(row);
}
