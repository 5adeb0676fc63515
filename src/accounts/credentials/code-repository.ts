// Mailed codes in the database. They verify a sign-up, or confirm a new password or address. All methods are
// atomic. A method that counts rows before it adds a row locks the account first, so two nodes cannot exceed
// a limit together.

import type { Sql, SqlDatabase } from '../../storage/sql.ts';
import { endSessions, findAccount, lockAccount, setPassword, updateAccount } from '../account-queries.ts';
import {
  CODE_TRIES_MAX,
  CONFIRMATIONS_PER_ACCOUNT_MAX,
  UNMAILED_SIGNUPS_PER_ACCOUNT_MAX,
} from '../limits.ts';
import type { AccountRecord, CodeRecord, ConfirmationRecord, EnteredCode, Purpose } from '../records.ts';
import { codeKey, codePrefix } from '../rows.ts';

/** A value of `code_hash`. A row with it shows that sign-ups of the account were forgotten. */
const FORGOTTEN = 'forgotten';

export class CodeRepository {
  readonly #sql: SqlDatabase;

  constructor(sql: SqlDatabase) {
    this.#sql = sql;
  }

  /**
   * Enters a code. The right code verifies the account and deletes its codes. The account gets the password
   * of the sign-up that the code belongs to. But if the code is long or belongs to a sign-up from another
   * network, and the client's own network signed up too, the account gets the password of that network's
   * newest sign-up. If that password differs from the stored one, existing sessions end.
   *
   * If sign-ups may have been forgotten, a network without a stored sign-up cannot use the code of another
   * network: its own sign-up may be among the forgotten, and the account would get a stranger's password.
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
      const [newest] = await sql.rows<{ code_hash: string; password_hash: string }>(
        `SELECT code_hash, password_hash FROM verification_codes
         WHERE account_id = $1 AND expires_at_ms > $2 AND code_hash LIKE $3 ORDER BY id DESC LIMIT 1`,
        [accountId, nowMs, `${homePrefix}%`],
      );
      if (newest === undefined && (await hasForgotten(sql, accountId, nowMs))) return false;
      const { password_hash } = right.code_hash.startsWith(homePrefix) ? right : (newest ?? right);
      await updateAccount(sql, accountId, { password_hash, verified_at_ms: nowMs });
      await sql.run('DELETE FROM verification_codes WHERE account_id = $1', [accountId]);
      if (password_hash !== account.passwordHash) await endSessions(sql, accountId, null);
      // The account's sessions count as keys from now on. This is the last statement, because in Postgres
      // every transaction must lock this row last (schema.ts).
      await sql.run('UPDATE key_epoch SET value = value + 1 WHERE id = 1');
      return true;
    });
  }

  /**
   * Stores the codes of a sign-up unless its account is gone. A sign-up that mailed nothing replaces the
   * former one of its network; the oldest beyond UNMAILED_SIGNUPS_PER_ACCOUNT_MAX are forgotten. Codes that
   * were mailed are kept until they expire: the limit of mails bounds them.
   */
  addCodes(accountId: string, codes: readonly CodeRecord[]): Promise<void> {
    return this.#sql.transaction(async (sql) => {
      if ((await lockAccount(sql, accountId)) === null) return;
      for (const code of codes) {
        if (code.scope === 'unmailed') await deleteCodes(sql, accountId, codeKey(code));
        await insertCode(sql, accountId, { ...code, codeKey: codeKey(code) });
      }
      await forgetUnmailed(sql, accountId, Math.max(...codes.map(({ expiresAtMs }) => expiresAtMs)));
    });
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

  /** The confirmation that a code belongs to, or null if there is none or it has expired. */
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
}

interface CodeRow extends Pick<CodeRecord, 'passwordHash' | 'expiresAtMs'> {
  readonly codeKey: string;
}

async function insertCode(sql: Sql, accountId: string, code: CodeRow): Promise<void> {
  await sql.run(
    'INSERT INTO verification_codes (account_id, code_hash, password_hash, expires_at_ms) VALUES ($1, $2, $3, $4)',
    [accountId, code.codeKey, code.passwordHash, code.expiresAtMs],
  );
}

function deleteCodes(sql: Sql, accountId: string, key: string): Promise<number> {
  return sql.run('DELETE FROM verification_codes WHERE account_id = $1 AND code_hash = $2', [accountId, key]);
}

/** @param expiresAtMs when the last of the forgotten sign-ups would have expired, or later */
async function forgetUnmailed(sql: Sql, accountId: string, expiresAtMs: number): Promise<void> {
  const unmailed = `account_id = $1 AND code_hash LIKE '${codePrefix('unmailed', '%')}%'`;
  const forgotten = await sql.run(
    `DELETE FROM verification_codes WHERE ${unmailed} AND id NOT IN (
       SELECT id FROM verification_codes WHERE ${unmailed} ORDER BY id DESC LIMIT $2)`,
    [accountId, UNMAILED_SIGNUPS_PER_ACCOUNT_MAX],
  );
  if (forgotten === 0) return;
  await deleteCodes(sql, accountId, FORGOTTEN);
  await insertCode(sql, accountId, { codeKey: FORGOTTEN, passwordHash: '', expiresAtMs });
}

async function hasForgotten(sql: Sql, accountId: string, nowMs: number): Promise<boolean> {
  const rows = await sql.rows(
    'SELECT 1 FROM verification_codes WHERE account_id = $1 AND code_hash = $2 AND expires_at_ms > $3',
    [accountId, FORGOTTEN, nowMs],
  );
  return rows.length > 0;
}

function countTry(sql: Sql, accountId: string, { client }: EnteredCode): Promise<number> {
  return sql.run(
    `UPDATE verification_codes SET tries = tries + 1
     WHERE account_id = $1 AND (code_hash LIKE $2 OR code_hash LIKE $3)`,
    [accountId, `${codePrefix('home', client)}%`, `${codePrefix('elsewhere', client)}%`],
  );
}

interface ConfirmationQuestion {
  readonly purpose: Purpose;
  readonly codeHash: string;
  readonly nowMs: number;
  /**
   * True when this transaction uses the code: if two try at the same time, the second finds the code gone.
   */
  readonly isLocked: boolean;
}

export async function confirmationOf(
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
