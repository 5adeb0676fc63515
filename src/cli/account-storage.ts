// Accounts and keys for the operator's commands, in a data folder or, with DATABASE_URL, in Postgres. The
// commands can run while servers use the same storage.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AccountRepository } from '../accounts/account-repository.ts';
import { KeyRepository } from '../accounts/keys/key-repository.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../accounts/schema.ts';
import { SessionUses } from '../accounts/sessions/session-uses.ts';
import { loadConfig } from '../settings/config.ts';
import { notThere, POSTGRES_SCHEMA, placeOf } from '../start/data/postgres.ts';
import { DATABASE_NAME, openDatabase } from '../storage/database.ts';
import { PostgresPool } from '../storage/postgres.ts';
import { preparePostgres } from '../storage/postgres-schema.ts';
import { postgresSql } from '../storage/postgres-sql.ts';
import type { SqlDatabase } from '../storage/sql.ts';
import { sqliteSql } from '../storage/sqlite-sql.ts';
import { StorageError } from '../storage/storage-errors.ts';
import { type CommandInput, settingsOf } from './command.ts';

/** A command may wait longer for a busy database than a server does. */
const BUSY_TIMEOUT_MS = 5_000;

export interface AccountStorage {
  readonly accounts: AccountRepository;
  readonly uses: SessionUses;
  readonly keys: KeyRepository;
  /** Where the accounts are: an absolute folder, or a Postgres address. */
  readonly place: string;
}

interface OpenedStorage extends AccountStorage {
  close(): Promise<void>;
}

/**
 * Opens the storage that the settings name, runs the work of a command on it, and closes it.
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
    ...repositoriesOf(sqliteSql(database)),
    place: folder,
    close: async () => database.close(),
  };
}

async function openShared(url: string): Promise<OpenedStorage> {
  const pool = new PostgresPool({ url, connections: 1, deadlineMs: BUSY_TIMEOUT_MS });
  try {
    await preparePostgres(pool, POSTGRES_SCHEMA);
  } catch (error) {
    await pool.close();
    throw error instanceof StorageError ? notThere(url, error) : error;
  }
  return {
    ...repositoriesOf(postgresSql(pool)),
    place: placeOf(url),
    close: () => pool.close(),
  };
}

function repositoriesOf(sql: SqlDatabase): Omit<AccountStorage, 'place'> {
  return { accounts: new AccountRepository(sql), uses: new SessionUses(sql), keys: new KeyRepository(sql) };
}
