// The operator's keys on the command line: `bun run keys create|list|revoke|rotate`. Works beside a running server on
// the same DATA_DIR: a new key works at once, a revoked or rotated one stops within 100 ms. Standard output carries
// the key, or the list, alone.

import { join } from 'node:path';
import { mintKey } from './access/key-format.ts';
import { toTier } from './accounts/input.ts';
import { toKeyView } from './accounts/key-service.ts';
import { createOperatorKey, type OperatorKeyOptions, rotateOperatorKey } from './accounts/operator-keys.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from './accounts/schema.ts';
import { SqliteKeyRepository } from './accounts/sqlite-key-repository.ts';
import { type Clock, systemClock } from './clock.ts';
import { loadConfig } from './config.ts';
import { DATABASE_NAME, openDatabase } from './database.ts';
import { ServiceError, ValidationError } from './errors.ts';
import { ConfigError } from './setting-reader.ts';

const USAGE = `Usage:
  bun run keys create --tier free|standard|realtime|enterprise --label <text>
  bun run keys list
  bun run keys revoke <key_id>
  bun run keys rotate <key_id>`;

/** A person may wait for a busy server longer than a server may wait for anybody. */
const BUSY_TIMEOUT_MS = 5_000;

export interface KeysCliOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly writeOutput: (line: string) => void;
  readonly writeError: (line: string) => void;
}

/** Runs one command. @returns the exit code: 0 done, 1 it failed, 2 it was not understood */
export async function runKeysCli(argv: readonly string[], options: KeysCliOptions): Promise<number> {
  const command = parseCommand(argv);
  if (command === null) {
    options.writeError(USAGE);
    return 2;
  }
  try {
    return await runCommand(command, options);
  } catch (error) {
    options.writeError(messageOf(error));
    return 1;
  }
}

type Command =
  | { readonly name: 'create'; readonly tier: string; readonly label: string }
  | { readonly name: 'list' }
  | { readonly name: 'revoke' | 'rotate'; readonly keyId: string };

async function runCommand(command: Command, options: KeysCliOptions): Promise<number> {
  // An unknown tier must not leave a database behind.
  const tier = command.name === 'create' ? toTier(command.tier) : null;
  const database = openDatabase({
    path: join(options.dataDir, DATABASE_NAME),
    schemas: [ACCOUNTS_SCHEMA, KEYS_SCHEMA],
    create: true,
    check: false,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    durability: 'power',
  });
  try {
    const keys = new SqliteKeyRepository(database);
    const fillRandom: OperatorKeyOptions['fillRandom'] = (bytes) => crypto.getRandomValues(bytes);
    const operator = { keys, clock: options.clock, fillRandom, mintKey: () => mintKey(fillRandom) };
    if (command.name === 'list') {
      for (const key of await keys.listAllKeys()) {
        options.writeOutput(JSON.stringify({ ...toKeyView(key), account_id: key.accountId }));
      }
      return 0;
    }
    if (command.name === 'create' && tier !== null) {
      const { text, record } = await createOperatorKey(operator, { tier, label: command.label });
      options.writeError(`Created ${record.keyId}, tier ${record.tier}; the key is shown this once`);
      options.writeOutput(text);
      return 0;
    }
    if (command.name === 'rotate') {
      const rotated = await rotateOperatorKey(operator, command.keyId);
      if (rotated === null) throw new Error(`Cannot rotate key: '${command.keyId}' is not an active key`);
      options.writeError(`Rotated ${command.keyId}; the new key is shown this once`);
      options.writeOutput(rotated.text);
      return 0;
    }
    if (command.name === 'revoke') {
      const revoked = await keys.revokeKey(command.keyId);
      if (revoked === null) throw new Error(`Cannot revoke key: there is no key '${command.keyId}'`);
      options.writeError(`Revoked ${command.keyId}`);
    }
    return 0;
  } finally {
    database.close();
  }
}

function parseCommand(argv: readonly string[]): Command | null {
  const [name, ...rest] = argv;
  if (name === 'list') return rest.length === 0 ? { name } : null;
  if (name === 'revoke' || name === 'rotate') {
    const [keyId] = rest;
    return rest.length === 1 && keyId !== undefined && !keyId.startsWith('-') ? { name, keyId } : null;
  }
  if (name !== 'create') return null;
  const settings = new Map<string, string>();
  for (let index = 0; index < rest.length; index += 2) {
    const flag = rest[index];
    const value = rest[index + 1];
    if ((flag !== '--tier' && flag !== '--label') || value === undefined || settings.has(flag)) return null;
    settings.set(flag, value);
  }
  const tier = settings.get('--tier');
  return tier === undefined ? null : { name, tier, label: settings.get('--label') ?? '' };
}

function messageOf(error: unknown): string {
  if (error instanceof ServiceError)
    return error.fix === null ? error.message : `${error.message}. ${error.fix}`;
  if (error instanceof ValidationError) return error.detail.map((item) => item.msg).join('; ');
  return error instanceof Error ? error.message : String(error);
}

async function main(): Promise<number> {
  const writeError = (line: string): void => console.error(line);
  try {
    const { dataDir } = loadConfig();
    return await runKeysCli(Bun.argv.slice(2), {
      dataDir,
      clock: systemClock,
      writeOutput: (line) => console.log(line),
      writeError,
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    writeError(error.message);
    return 1;
  }
}

if (import.meta.main) process.exitCode = await main();
