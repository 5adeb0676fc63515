// `overround keys ...`: the operator's keys. They work beside running servers on the same data folder or, with
// DATABASE_URL, the same Postgres: a new key works at once, a revoked or rotated one stops within 100 ms, over Postgres
// within a second. Standard output carries the key, or the list, alone.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { toExpiry, toTier } from '../accounts/input.ts';
import {
  createOperatorKey,
  type OperatorKeyOptions,
  rotateOperatorKey,
  toKeyView,
} from '../accounts/key-service.ts';
import { PostgresKeyRepository } from '../accounts/postgres-key-repository.ts';
import type { KeyRepository } from '../accounts/repository.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../accounts/schema.ts';
import { SqliteKeyRepository } from '../accounts/sqlite-key-repository.ts';
import { loadConfig } from '../config.ts';
import { DATABASE_NAME, openDatabase } from '../database.ts';
import { TIER_KEYS } from '../domain/tiers.ts';
import { PostgresPool } from '../postgres.ts';
import { preparePostgres } from '../postgres-schema.ts';
import { notThere, POSTGRES_SCHEMA, placeOf } from '../start/postgres.ts';
import { StorageError } from '../storage-errors.ts';
import { type Command, type CommandInput, SETTING_FLAGS, settingsOf } from './command.ts';

/** A person may wait for a busy server longer than a server may wait for anybody. */
const BUSY_TIMEOUT_MS = 5_000;
const FOLDER_FLAG = { 'data-dir': SETTING_FLAGS['data-dir'] };

export const keysCommands: readonly Command[] = [
  {
    name: 'keys create',
    summary: 'Makes a key and prints it, this once',
    flags: {
      tier: { value: TIER_KEYS.join('|'), help: 'what the key may do', isRequired: true },
      label: { value: 'text', help: 'what it is for, for people' },
      'expires-at': { value: 'instant', help: 'when it ends by itself, such as 2027-01-01T00:00:00Z' },
      'allowed-addresses': { value: 'list', help: 'addresses and ranges it works from, comma-separated' },
      create: { help: 'makes the database when no server has used the folder yet' },
      ...FOLDER_FLAG,
    },
    run: async (input) => {
      const tier = toTier(input.flags.tier!);
      return await withKeys(input, async ({ operator, place }) => {
        const { text, record } = await createOperatorKey(operator, {
          tier,
          label: input.flags.label ?? '',
          expiresAtMs: toExpiry(input.flags['expires-at'] ?? null, input.clock.wallMs()),
          allowedAddresses: (input.flags['allowed-addresses'] ?? '').split(',').flatMap((part) => {
            const entry = part.trim();
            return entry === '' ? [] : [entry];
          }),
        });
        input.writeError(
          `Created ${record.keyId}, tier ${record.tier}, in ${place}; the key is shown this once`,
        );
        input.writeOutput(text);
      });
    },
  },
  {
    name: 'keys list',
    summary: 'Prints every key as a line of JSON, without its text',
    flags: FOLDER_FLAG,
    run: (input) =>
      withKeys(input, async ({ operator }) => {
        for (const key of await operator.keys.listAllKeys()) {
          input.writeOutput(JSON.stringify({ ...toKeyView(key), account_id: key.accountId }));
        }
      }),
  },
  {
    name: 'keys revoke',
    summary: 'Ends a key for good',
    arguments: ['key_id'],
    flags: FOLDER_FLAG,
    run: (input) =>
      withKeys(input, async ({ operator, place }) => {
        const keyId = input.arguments.key_id!;
        const revoked = await operator.keys.revokeKey(keyId);
        if (revoked === null) throw new Error(`Cannot revoke key: there is no key '${keyId}' in ${place}`);
        input.writeError(`Revoked ${keyId} in ${place}`);
      }),
  },
  {
    name: 'keys rotate',
    summary: 'Gives a key a new text and prints it, this once; the old one ends',
    arguments: ['key_id'],
    flags: FOLDER_FLAG,
    run: (input) =>
      withKeys(input, async ({ operator, place }) => {
        const keyId = input.arguments.key_id!;
        const rotated = await rotateOperatorKey(operator, keyId);
        if (rotated === null) {
          throw new Error(`Cannot rotate key: '${keyId}' is not an active key in ${place}`);
        }
        input.writeError(`Rotated ${keyId} in ${place}; the new key is shown this once`);
        input.writeOutput(rotated.text);
      }),
  },
];

interface OpenKeys {
  readonly operator: OperatorKeyOptions;
  /** Where they are: an absolute folder, or a Postgres. */
  readonly place: string;
}

async function withKeys(input: CommandInput, work: (keys: OpenKeys) => Promise<void>): Promise<number> {
  const { dataDir, databaseUrl } = loadConfig(settingsOf(input));
  const { keys, place, close } =
    databaseUrl === null ? openFolder(resolve(dataDir), input) : await openShared(databaseUrl);
  try {
    const operator = { keys, clock: input.clock, fillRandom: crypto.getRandomValues.bind(crypto) };
    await work({ operator, place });
    return 0;
  } finally {
    await close();
  }
}

interface OpenedRepository {
  readonly keys: KeyRepository;
  readonly place: string;
  close(): Promise<void>;
}

function openFolder(folder: string, input: CommandInput): OpenedRepository {
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
  return { keys: new SqliteKeyRepository(database), place: folder, close: async () => database.close() };
}

async function openShared(url: string): Promise<OpenedRepository> {
  const pool = new PostgresPool({ url, connections: 1, deadlineMs: BUSY_TIMEOUT_MS });
  const place = placeOf(url);
  try {
    await preparePostgres(pool, POSTGRES_SCHEMA);
  } catch (error) {
    await pool.close();
    throw error instanceof StorageError ? notThere(url, error) : error;
  }
  return { keys: new PostgresKeyRepository(pool), place, close: () => pool.close() };
}
