// The operator's keys on the command line: `bun run keys create|list|revoke|rotate`. Works beside a running server on
// the same DATA_DIR: a new key works at once, a revoked or rotated one stops within 100 ms. Standard output carries
// the key, or the list, alone.

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { toTier } from './accounts/input.ts';
import { createOperatorKey, rotateOperatorKey, toKeyView } from './accounts/key-service.ts';
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
    const operator = { keys, clock: options.clock, fillRandom: crypto.getRandomValues.bind(crypto) };
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
  const parsed = parseFlags(argv);
  if (parsed === null) return null;
  const { values, positionals } = parsed;
  const [name, keyId, ...rest] = positionals;
  if (name === 'create' && keyId === undefined && values.tier !== undefined) {
    return { name, tier: values.tier, label: values.label ?? '' };
  }
  if (values.tier !== undefined || values.label !== undefined || rest.length > 0) return null;
  if (name === 'list' && keyId === undefined) return { name };
  return (name === 'revoke' || name === 'rotate') && keyId !== undefined ? { name, keyId } : null;
}

/** Null when a flag is unknown, has no value, or comes twice. */
function parseFlags(argv: readonly string[]) {
  try {
    const options = { tier: { type: 'string' }, label: { type: 'string' } } as const;
    const parsed = parseArgs({ args: [...argv], options, allowPositionals: true, tokens: true });
    const flags = parsed.tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    return new Set(flags).size === flags.length ? parsed : null;
  } catch {
    return null;
  }
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
