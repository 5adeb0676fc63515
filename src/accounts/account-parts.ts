// What all services over accounts have in common: their options, throttles, the mailer, and how a session starts.

import type { Static } from '@sinclair/typebox';
import { type Clock, toIsoText } from '../clock.ts';
import type { Account, LoginAnswer } from '../contract/platform.ts';
import { ServiceError } from '../errors.ts';
import { ATTEMPT_LIMITS, takeAttempt } from './attempts.ts';
import { SESSION_DAYS } from './limits.ts';
import type { Mail, Mailer } from './mailers.ts';
import type { PasswordHasher } from './passwords.ts';
import type { AccountRecord, AccountRepository, Attempts, SessionUses } from './repository.ts';
import { accountIdOf, createSessionToken, type FillRandom, hashText } from './secrets.ts';

const DAY_MS = 86_400_000;

/** A try to log in, for the log: by the id that the account of that address has or would have. */
export interface LoginAttempt {
  readonly accountId: string;
  /** `held`: after too many tries; `failed`: it could not be decided, such as when the disk is full. */
  readonly outcome: 'let_in' | 'refused' | 'held' | 'failed';
}

export interface AccountServiceOptions {
  readonly accounts: AccountRepository;
  readonly attempts: Attempts;
  readonly uses: SessionUses;
  readonly hasher: PasswordHasher;
  /** Null when this server cannot send mail: sign-up is closed then. */
  readonly mailer: Mailer | null;
  readonly clock: Clock;
  readonly fillRandom: FillRandom;
  /** The subject under which a client address is throttled, such as the /64 of an IPv6 address. */
  readonly subjectOf: (clientAddress: string) => string;
  /** Base of links in mails, no trailing slash. */
  readonly publicUrl: string;
  /** Disables the plan stub. */
  readonly isProduction: boolean;
  /** Told after keys died with their account, so that threads forget them before the next look at the database. */
  readonly onKeysChanged: () => void | Promise<void>;
  readonly onLogin: (attempt: LoginAttempt) => void;
}

export class AccountParts {
  readonly options: AccountServiceOptions;
  readonly #idSecret: string;

  /** @param idSecret makes account ids that do not tell whether the account was there before */
  constructor(options: AccountServiceOptions, idSecret: string) {
    this.options = options;
    this.#idSecret = idSecret;
  }

  /** The id of the account of an address. */
  idOf(email: string): string {
    return accountIdOf(email, this.#idSecret);
  }

  /** A text that stands for another in the database and cannot be turned back without its secret. */
  sealed(text: string): string {
    return new Bun.CryptoHasher('sha256', this.#idSecret).update(text).digest('hex');
  }

  /** @throws ServiceError rate_limit_exceeded, with nothing counted, when the subject must wait */
  throttle(limit: keyof typeof ATTEMPT_LIMITS, subject: string): Promise<void> {
    const { attempts, clock } = this.options;
    return takeAttempt(attempts, {
      subject: `${limit} ${subject}`,
      limit: ATTEMPT_LIMITS[limit],
      nowMs: clock.wallMs(),
    });
  }

  /** The subject of a client's address. */
  from(clientAddress: string): string {
    return `from ${this.options.subjectOf(clientAddress)}`;
  }

  /** The subject of an account's address, which does not stand in the database in clear for it. */
  for(email: string): string {
    return `for ${hashText(email)}`;
  }

  /** @throws ServiceError forbidden when this server cannot send mail */
  requireMailer(what: string): Mailer {
    const { mailer } = this.options;
    if (mailer !== null) return mailer;
    throw new ServiceError('forbidden', `Cannot ${what}: this server sends no mail`, {
      fix: 'Ask the operator of this server, who sets SMTP_URL or makes a key with `overround keys create`',
    });
  }

  /** Tells a person what has been done already: a mail that cannot be sent undoes nothing, and the mailer has logged it. */
  async notify(mail: Mail): Promise<void> {
    try {
      await this.options.mailer?.send(mail);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  }

  /** @throws ServiceError unauthorized for a wrong password, rate_limit_exceeded */
  async requirePassword(account: AccountRecord, password: string): Promise<void> {
    await this.throttle('passwordPerAccount', account.id);
    if (await this.options.hasher.verify(password, account.passwordHash)) return;
    throw new ServiceError('unauthorized', 'Cannot go on: the password is wrong', {
      fix: 'Send the password that the account has now, or reset it with POST /platform/password/forgot',
    });
  }

  /**
   * Starts a session of SESSION_DAYS.
   * @param client the program that logs in, for its owner to know it by
   */
  async startSession(account: AccountRecord, client: string | null): Promise<Static<typeof LoginAnswer>> {
    const { accounts, uses, clock, fillRandom } = this.options;
    const nowMs = clock.wallMs();
    const token = createSessionToken(fillRandom);
    const expiresAtMs = nowMs + SESSION_DAYS * DAY_MS;
    const tokenHash = hashText(token);
    await accounts.createSession({
      tokenHash,
      accountId: account.id,
      createdAtMs: nowMs,
      expiresAtMs,
    });
    await uses.note({ tokenHash, client, atMs: nowMs });
    return { session_token: token, expires_at: toIsoText(expiresAtMs), account: toAccountView(account) };
  }
}

/** What of an account its owner sees: no hash. */
export function toAccountView(account: AccountRecord): Static<typeof Account> {
  return {
    id: account.id,
    email: account.email,
    plan: account.plan,
    verified: account.verifiedAtMs !== null,
    created_at: toIsoText(account.createdAtMs),
  };
}
