// Accounts and keys for the operator's commands: those of a data folder or, with DATABASE_URL, of a Postgres, beside the
// servers that run on it.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PostgresAccountRepository } from '../accounts/postgres-account-repository.ts';
import { PostgresKeyRepository } from '../accounts/postgres-key-repository.ts';
import { PostgresSessionUses } from '../accounts/postgres-session-uses.ts';
import type { AccountRepository, KeyRepository, SessionUses } from '../accounts/repository.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../accounts/schema.ts';
import { SqliteAccountRepository } from '../accounts/sqlite-account-repository.ts';
import { SqliteKeyRepository } from '../accounts/sqlite-key-repository.ts';
import { SqliteSessionUses } from '../accounts/sqlite-session-uses.ts';
import { loadConfig } from '../config.ts';
import { DATABASE_NAME, openDatabase } from '../database.ts';
import { PostgresPool } from '../postgres.ts';
import { preparePostgres } from '../postgres-schema.ts';
import { notThere, POSTGRES_SCHEMA, placeOf } from '../start/postgres.ts';
import { StorageError } from '../storage-errors.ts';
import { type CommandInput, settingsOf } from './command.ts';

/** A person may wait for a busy server longer than a server may wait for anybody. */
const BUSY_TIMEOUT_MS = 5_000;

export interface AccountStorage {
  readonly accounts: AccountRepository;
  readonly uses: SessionUses;
  readonly keys: KeyRepository;
  /** Where they are: an absolute folder, or a Postgres. */
  readonly place: string;
}

interface OpenedStorage extends AccountStorage {
  close(): Promise<void>;
}

/**
 * Does the work of a command on the storage that its settings name, and closes it.
 * @returns the exit code 0. @throws Error for the operator when it cannot be opened, and what the work throws
 */
export async function withStorage(
  input: CommandInput,
  work: (storage: AccountStorage) => Promise<void>,
): Promise<number> {
  const { dataDir, databaseUrl } = loadConfig(settingsOf(input));
  const storage = databaseUrl === null ? openFolder(resolve(dataDir), input) : await openShared(databaseUrl);
  try {
    await work(storage);
    return 0;
  } finally {
    await storage.close();
  }
}

function openFolder(folder: string, input: CommandInput): OpenedStorage {
  const path = join(folder, DATABASE_NAME);
  if (!existsSync(path) && input.flags.create === undefined) {
    throw new Error(
      `Cannot use ${folder}: no server has used this data folder. Set DATA_DIR or --data-dir to the server's, or add --create to keys create`,
    );
  }
  const database = openDatabase({
    path,
    schemas: [ACCOUNTS_SCHEMA, KEYS_SCHEMA],
    create: true,
    check: false,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    durability: 'power',
  });
  return {
    accounts: new SqliteAccountRepository(database),
    uses: new SqliteSessionUses(database),
    keys: new SqliteKeyRepository(database),
    place: folder,
    close: async () => database.close(),
  };
}

async function openShared(url: string): Promise<OpenedStorage> {
  const pool = new PostgresPool({ url, connections: 1, deadlineMs: BUSY_TIMEOUT_MS });
  const place = placeOf(url);
  try {
    await preparePostgres(pool, POSTGRES_SCHEMA);
  } catch (error) {
    await pool.close();
    throw error instanceof StorageError ? notThere(url, error) : error;
  }
  return {
    accounts: new PostgresAccountRepository(pool),
    uses: new PostgresSessionUses(pool),
    keys: new PostgresKeyRepository(pool),
    place,
    close: () => pool.close(),
  };
}
