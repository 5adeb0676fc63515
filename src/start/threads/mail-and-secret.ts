// What the threads of accounts and of alerts share: the mailer that the settings name, and the secret that
// alerts are signed with. They are in a file of their own so that the thread of alerts need not load
// accounts.ts.

import { join } from 'node:path';
import type { AccountRepository } from '../../accounts/account-repository.ts';
import { createHmacSecret } from '../../accounts/credentials/secrets.ts';
import { type Mailer, OutboxMailer, SmtpMailer } from '../../accounts/mailers.ts';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { Config } from '../../settings/config.ts';
import { fillRandom } from './random.ts';

/**
 * The secret from which the secrets that sign alerts are made. Without the setting it is in the database;
 * then a copy of the database is enough to sign alerts.
 */
export async function alertSecret(
  accounts: AccountRepository,
  { alertsSecret }: Pick<Config, 'alertsSecret'>,
): Promise<string> {
  return alertsSecret ?? (await accounts.secret('alerts', createHmacSecret(fillRandom)));
}

/** The mailer; null if mail cannot be sent. Then nobody can sign up. */
export function openMailer(config: Config, clock: Clock, log: Log): Mailer | null {
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
