// Accounts, for the thread that runs them: repositories on its own connection, mail as configured, and the services
// over them.

import { join } from 'node:path';
import { EpochWatch } from '../access/beat.ts';
import { subjectTextOf } from '../access/client-address.ts';
import { attachAccessMemory } from '../access/memory.ts';
import { SharedUsage } from '../access/usage.ts';
import { createPeople } from '../accounts/account-service.ts';
import { KeyService } from '../accounts/key-service.ts';
import { type Mailer, OutboxMailer, SmtpMailer } from '../accounts/mailers.ts';
import { PasswordHasher } from '../accounts/passwords.ts';
import { createPlatform, type Platform } from '../accounts/platform.ts';
import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../accounts/schema.ts';
import { Sessions } from '../accounts/session.ts';
import { SqliteAccountRepository } from '../accounts/sqlite-account-repository.ts';
import { SqliteKeyDirectory, SqliteKeyRepository } from '../accounts/sqlite-key-repository.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { DATABASE_NAME, openDatabase } from '../database.ts';
import type { Log } from '../log.ts';
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
}

/**
 * Opens them. Takes a while: the hasher makes one hash that log-ins with an unknown address are checked against, so
 * that they cost as much as those with a known one.
 */
export async function openAccounts({ config, clock, log, accessMemory }: AccountsOptions): Promise<Accounts> {
  const database = openDatabase({
    path: join(config.dataDir, DATABASE_NAME),
    schemas: [ACCOUNTS_SCHEMA, KEYS_SCHEMA],
    create: false,
    check: false,
    durability: 'power',
  });
  const accounts = new SqliteAccountRepository(database);
  const memory = attachAccessMemory(accessMemory);
  const epoch = new EpochWatch(memory, new SqliteKeyDirectory(database));
  const people = await createPeople({
    accounts,
    hasher: await PasswordHasher.create(),
    mailer: openMailer(config, clock, log),
    clock,
    fillRandom,
    subjectOf: subjectTextOf,
    isProduction: config.production,
    onKeysChanged: () => epoch.look(),
  });
  const keys = new KeyService({
    accounts,
    keys: new SqliteKeyRepository(database),
    usage: new SharedUsage(memory),
    clock,
    fillRandom,
    onKeysChanged: () => epoch.look(),
  });
  const sessions = new Sessions(accounts, clock, config.publicUrl);
  const platform = createPlatform({
    people,
    keys,
    sessions,
    operator: { emails: config.operatorEmails, count: () => accounts.countAccounts() },
  });
  return { platform, close: () => database.close() };
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
