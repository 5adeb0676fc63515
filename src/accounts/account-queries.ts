// Reads and changes of one account that several repositories need, each inside the caller's transaction.

import type { SealedSql, Sql } from '../storage/sql.ts';
import type { AccountRecord } from './records.ts';
import { type AccountRow, toAccountRecord } from './rows.ts';

/** Reads the account and locks it: no other transaction can change it until this one ends. */
export function lockAccount(sql: SealedSql, accountId: string): Promise<AccountRecord | null> {
  return findAccount(sql, { column: 'id', value: accountId, isLocked: true });
}

export async function findAccount(
  sql: SealedSql,
  key: { readonly column: 'id' | 'email'; readonly value: string; readonly isLocked?: boolean },
): Promise<AccountRecord | null> {
  const row = await sql.find<AccountRow>('accounts', key);
  return row === null ? null : toAccountRecord(row);
}

export async function updateAccount(
  sql: SealedSql,
  accountId: string,
  set: Readonly<Record<string, string | number>>,
): Promise<void> {
  await sql.update('accounts', { where: 'id = $1', parameters: [accountId], set });
}

export interface PasswordChange {
  readonly accountId: string;
  readonly passwordHash: string;
  /** The session that continues; null ends all. */
  readonly keptTokenHash: string | null;
}

/**
 * Stores a password, deletes the account's codes and ends its sessions, except the kept one. @returns how
 * many sessions ended
 */
export async function setPassword(
  sql: SealedSql,
  { accountId, passwordHash, keptTokenHash }: PasswordChange,
): Promise<number> {
  await updateAccount(sql, accountId, { password_hash: passwordHash });
  await sql.run('DELETE FROM confirmations WHERE account_id = $1', [accountId]);
  await sql.run('DELETE FROM verification_codes WHERE account_id = $1', [accountId]);
  return endSessions(sql, accountId, keptTokenHash);
}

export function endSessions(sql: Sql, accountId: string, keptTokenHash: string | null): Promise<number> {
  return sql.run('DELETE FROM sessions WHERE account_id = $1 AND token_hash <> $2', [
    accountId,
    keptTokenHash ?? '',
  ]);
}
