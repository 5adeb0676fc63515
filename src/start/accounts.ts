// Accounts, for the thread that runs them: repositories on its own connection, mail as configured, and the services
// over them.

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { EpochWatch } from '../access/beat.ts';
import { subjectTextOf } from '../access/client-address.ts';
import { type AccessMemory, attachAccessMemory } from '../access/memory.ts';
import { SharedUsage } from '../access/usage.ts';
import { createPeople } from '../accounts/account-service.ts';
import { KeyService } from '../accounts/key-service.ts';
import { type Mailer, OutboxMailer, SmtpMailer } from '../accounts/mailers.ts';
import { hashesAtOnce, PasswordHasher } from '../accounts/passwords.ts';
import { createPlatform, type Platform } from '../accounts/platform.ts';
import { PostgresAccountRepository } from '../accounts/postgres-account-repository.ts';
import { PostgresAttempts } from '../accounts/postgres-attempts.ts';
import { PostgresKeyRepository } from '../accounts/postgres-key-repository.ts';
import { PostgresSessionUses } from '../accounts/postgres-session-uses.ts';
import type { AccountRepository, Attempts, KeyRepository, SessionUses } from '../accounts/repository.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../accounts/schema.ts';
import { Sessions } from '../accounts/session.ts';
import { SqliteAccountRepository } from '../accounts/sqlite-account-repository.ts';
import { SqliteAttempts } from '../accounts/sqlite-attempts.ts';
import { SqliteKeyDirectory, SqliteKeyRepository } from '../accounts/sqlite-key-repository.ts';
import { SqliteSessionUses } from '../accounts/sqlite-session-uses.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { DATABASE_NAME, openDatabase } from '../database.ts';
import type { Log } from '../log.ts';
import type { PostgresPool } from '../postgres.ts';
import { StorageError } from '../storage-errors.ts';
import type { FarKeys } from './far-keys.ts';
import { fillRandom } from './random.ts';
import type { ServedConfig } from './requirements.ts';

export interface Accounts {
  readonly platform: Platform;
  close(): void;
}

export interface AccountsOptions {
  readonly config: ServedConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly accessMemory: SharedArrayBuffer;
  /** Where they are; null: in the file of the data folder. */
  readonly pool: PostgresPool | null;
  /** Who tells all threads of changed keys that are in Postgres. */
  readonly keys: FarKeys | null;
}

interface Repositories {
  readonly accounts: AccountRepository;
  readonly attempts: Attempts;
  readonly uses: SessionUses;
  readonly keys: KeyRepository;
  readonly onKeysChanged: () => void | Promise<void>;
  close(): void;
}

interface OpeningOptions {
  /** One try. @throws StorageError when the disk or Postgres fails; any other error ends the tries */
  readonly openOnce: () => Promise<Accounts>;
  /** Resolves when it is time for the next try. */
  readonly pause: () => Promise<void>;
  readonly onStorageError: (cause: unknown) => void;
  /** No further try is made. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Opens accounts, again and again while the storage fails: a disk may be full or Postgres away when their thread is started.
 * @returns what waits for the accounts while a try is under way, and fails as the last try did until the next one begins
 */
export function keepOpening({
  openOnce,
  pause,
  onStorageError,
  onFailure,
}: OpeningOptions): () => Promise<Accounts> {
  let latest = openOnce();
  const open = async (): Promise<void> => {
    for (;;) {
      try {
        await latest;
        return;
      } catch (error) {
        if (!(error instanceof StorageError)) return onFailure(error);
        onStorageError(error.cause);
      }
      await pause();
      latest = openOnce();
    }
  };
  void open();
  return () => latest;
}

/**
 * Opens them once. Takes a while: the hasher makes one hash that log-ins with an unknown address are checked against, so
 * that they cost as much as those with a known one.
 */
export async function openAccounts(options: AccountsOptions): Promise<Accounts> {
  const { config, clock, log } = options;
  const memory = attachAccessMemory(options.accessMemory);
  const {
    accounts,
    attempts,
    uses,
    keys: repository,
    onKeysChanged,
    close,
  } = openRepositories(options, memory);
  const hasher = await PasswordHasher.create({ atOnce: hashesAtOnce(availableParallelism()) });
  const people = await createPeople({
    accounts,
    attempts,
    uses,
    hasher,
    mailer: openMailer(config, clock, log),
    clock,
    fillRandom,
    subjectOf: subjectTextOf,
    publicUrl: config.publicUrl,
    isProduction: config.production,
    onKeysChanged,
    onLogin: ({ accountId, outcome }) => log.info('login', { account: accountId, outcome }),
  }).catch((error: unknown) => {
    close();
    throw error;
  });
  const keys = new KeyService({
    attempts,
    keys: repository,
    usage: new SharedUsage(memory),
    clock,
    fillRandom,
    onKeysChanged,
  });
  const { publicUrl, sessionIdleMs: idleMs } = config;
  const sessions = new Sessions({ accounts, uses, clock, publicUrl, idleMs });
  const timer = setInterval(() => {
    sessions.endUnused().catch((error: unknown) => {
      if (!(error instanceof StorageError)) throw error;
      // The next look does what this one could not.
      log.warn('unused_sessions_not_ended', { error: String(error.cause) });
    });
  }, sessions.stepMs);
  const platform = createPlatform({
    people,
    keys,
    sessions,
    operator: { emails: config.operatorEmails, count: () => accounts.countAccounts() },
  });
  return {
    platform,
    close: () => {
      clearInterval(timer);
      close();
    },
  };
}

function openRepositories({ config, pool, keys }: AccountsOptions, memory: AccessMemory): Repositories {
  if (pool !== null) {
    return {
      accounts: new PostgresAccountRepository(pool),
      attempts: new PostgresAttempts(pool),
      uses: new PostgresSessionUses(pool),
      keys: new PostgresKeyRepository(pool),
      onKeysChanged: () => keys?.look(),
      close: () => {},
    };
  }
  const database = openDatabase({
    path: join(config.dataDir, DATABASE_NAME),
    schemas: [ACCOUNTS_SCHEMA, KEYS_SCHEMA],
    create: false,
    check: false,
    durability: 'power',
  });
  const epoch = new EpochWatch(memory, new SqliteKeyDirectory(database));
  return {
    accounts: new SqliteAccountRepository(database),
    attempts: new SqliteAttempts(database),
    uses: new SqliteSessionUses(database),
    keys: new SqliteKeyRepository(database),
    onKeysChanged: () => epoch.look(),
    close: () => database.close(),
  };
}

/** Null when there is no way to send mail: then nobody can sign up. */
function openMailer(config: Config, clock: Clock, log: Log): Mailer | null {
  if (config.smtpUrl !== null) {
    return new SmtpMailer({
      url: config.smtpUrl,
      from: config.mailFrom,
      onError: (error) => log.error('mail_failed', { error: String(error) }),
    });
  }
  if (config.production) {
    log.warn('sign_up_closed', { because: 'SMTP_URL is not set' });
    return null;
  }
  return new OutboxMailer({
    path: join(config.dataDir, 'outbox.ndjson'),
    clock,
    onMail: (mail) => log.info('mail_in_outbox', { subject: mail.subject, text: mail.text }),
  });
}
