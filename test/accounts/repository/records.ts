// The records that the suite stores, and the repositories that it stores them in.

import type { AccountRepository } from '../../../src/accounts/account-repository.ts';
import type { Attempts } from '../../../src/accounts/credentials/attempts.ts';
import type { KeyRepository } from '../../../src/accounts/keys/key-repository.ts';
import type {
  AccountRecord,
  CodeRecord,
  ConfirmationRecord,
  EnteredCode,
  NewKey,
  Purpose,
} from '../../../src/accounts/records.ts';
import type { SessionUses } from '../../../src/accounts/sessions/session-uses.ts';
import type { SqlDatabase } from '../../../src/storage/sql.ts';

export interface Repositories extends AsyncDisposable {
  /** The database of the repositories, to make many rows at once. */
  readonly sql: SqlDatabase;
  readonly accounts: AccountRepository;
  readonly attempts: Attempts;
  readonly keys: KeyRepository;
  readonly uses: SessionUses;
}

export const NOW_MS = 1_800_000_000_000;

export const ACCOUNT: AccountRecord = {
  id: 'acc_1',
  email: 'one@example.com',
  passwordHash: 'hash-1',
  plan: 'free',
  verifiedAtMs: null,
  createdAtMs: NOW_MS,
};

let serial = 0;

export function newKey(changes: Partial<NewKey> = {}): NewKey {
  serial++;
  return {
    keyId: `key_${serial}`,
    accountId: ACCOUNT.id,
    label: 'a label',
    tier: 'free',
    hash: `hash-${serial}`,
    lastFour: 'abcd',
    createdAtMs: NOW_MS + serial,
    expiresAtMs: null,
    allowedAddresses: [],
    ...changes,
  };
}

export function newCode(codeHash: string, changes: Partial<CodeRecord> = {}): CodeRecord {
  const expiresAtMs = NOW_MS + 1_000;
  return { scope: 'home', client: 'home', codeHash, passwordHash: 'hash-2', expiresAtMs, ...changes };
}

export function entered(codeHash: string, changes: Partial<EnteredCode> = {}): EnteredCode {
  return { client: 'home', codeHash, isLong: false, ...changes };
}

export function newSession(tokenHash: string) {
  return { tokenHash, accountId: ACCOUNT.id, createdAtMs: NOW_MS, expiresAtMs: NOW_MS + 1_000 };
}

export function newConfirmation(
  purpose: Purpose,
  codeHash: string,
  email: string | null = null,
): ConfirmationRecord {
  return { accountId: ACCOUNT.id, purpose, codeHash, email, expiresAtMs: NOW_MS + 1_000 };
}
