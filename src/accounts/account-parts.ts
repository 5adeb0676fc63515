// Shared by all account services: their options, attempt limits, the mailer, and starting a session.

import type { Static } from '@sinclair/typebox';
import { type Clock, DAY_MS, toIsoText } from '../clock.ts';
import type { Account, LoginAnswer } from '../contract/platform.ts';
import type { TierKey } from '../domain/tiers.ts';
import { ServiceError } from '../errors.ts';
import type { AccountRepository } from './account-repository.ts';
import type { Attempts } from './credentials/attempts.ts';
import { ATTEMPT_LIMITS, takeAttempt } from './credentials/attempts.ts';
import type { HashCaller } from './credentials/hash-queue.ts';
import type { PasswordHasher } from './credentials/passwords.ts';
import { accountIdOf, createSessionToken, type FillRandom, hashText } from './credentials/secrets.ts';
import { mailboxOf } from './input.ts';
import { SESSION_DAYS } from './limits.ts';
import type { Mail, Mailer } from './mailers.ts';
import type { AccountRecord } from './records.ts';
import type { SessionUses } from './sessions/session-uses.ts';

/**
 * A login attempt, for the log. It names the account by its id: the id that an account with the e-mail
 * address has or would have.
 */
export interface LoginAttempt {
  readonly accountId: string;
  /**
   * `held`: too many attempts before; `failed`: no decision was possible, for example because the disk is
   * full.
   */
  readonly outcome: 'let_in' | 'refused' | 'held' | 'failed';
}

export interface AccountServiceOptions {
  readonly accounts: AccountRepository;
  readonly attempts: Attempts;
  readonly uses: SessionUses;
  readonly hasher: PasswordHasher;
  /** Sends mails; null when this server cannot, and sign-up is then closed. */
  readonly mailer: Mailer | null;
  readonly clock: Clock;
  readonly fillRandom: FillRandom;
  /** The subject that a client address is rate-limited under, such as the /64 of an IPv6 address. */
  readonly subjectOf: (clientAddress: string) => string;
  /** The network that counts as one caller when passwords of strangers are hashed, such as an IPv6 /48. */
  readonly networkOf: (clientAddress: string) => string;
  /** Base of the links in mails, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether only the operator may set plans. Otherwise accounts set their own, since nothing is paid. */
  readonly isProduction: boolean;
  /**
   * Called after keys were deleted with their account, or an account was verified, so that threads notice it
   * before the next check of the database.
   */
  readonly onKeysChanged: () => void | Promise<void>;
  readonly onLogin: (attempt: LoginAttempt) => void;
  /** Called when a session has begun, with the SHA-256 of its token in hexadecimal. Default: nothing. */
  readonly onSession?: (tokenHash: string, plan: TierKey) => void;
  /** Called when a request for a new password failed after its answer. */
  readonly onLateFailure: (error: unknown) => void;
}

export class AccountParts {
  readonly options: AccountServiceOptions;
  readonly #idSecret: string;

  /**
   * @param idSecret keys the hash for account ids, so that an id does not show whether the account existed
   * before
   */
  constructor(options: AccountServiceOptions, idSecret: string) {
    this.options = options;
    this.#idSecret = idSecret;
  }

  /** The id that the account of an e-mail address has, or would have. */
  idOf(email: string): string {
    return accountIdOf(email, this.#idSecret);
  }

  /** A keyed hash that replaces a text in the database. Without the secret it cannot be reversed. */
  sealed(text: string): string {
    return new Bun.CryptoHasher('sha256', this.#idSecret).update(text).digest('hex');
  }

  /**
   * Counts an attempt.
   * @throws ServiceError rate_limit_exceeded, and counts nothing, when the subject must wait
   */
  throttle(limit: keyof typeof ATTEMPT_LIMITS, subject: string): Promise<void> {
    return takeAttempt(this.options, limit, `${limit} ${subject}`);
  }

  /** Counts an attempt if the limit allows it. @returns whether it did */
  async hasRoom(limit: keyof typeof ATTEMPT_LIMITS, subject: string): Promise<boolean> {
    const { attempts, clock } = this.options;
    return (await attempts.take(`${limit} ${subject}`, ATTEMPT_LIMITS[limit], clock.wallMs())) === 0;
  }

  /**
   * Whether fewer than `max` attempts are counted. Without `max`, the limit's own maximum applies. Counts
   * nothing.
   */
  async hasFewer(
    limit: keyof typeof ATTEMPT_LIMITS,
    subject: string,
    max: number = ATTEMPT_LIMITS[limit].max,
  ): Promise<boolean> {
    const { attempts, clock } = this.options;
    const { windowMs } = ATTEMPT_LIMITS[limit];
    return (await attempts.waitMs(`${limit} ${subject}`, { max, windowMs }, clock.wallMs())) === 0;
  }

  /** The rate-limit subject of a client's address. */
  from(clientAddress: string): string {
    return `from ${this.options.subjectOf(clientAddress)}`;
  }

  /** The caller that a password hash counts against until the request has proved that an owner sent it. */
  stranger(clientAddress: string): HashCaller {
    return { name: this.options.networkOf(clientAddress), isOwner: false };
  }

  /**
   * The rate-limit subject of an account's e-mail address, hashed so that the address is not stored in clear.
   */
  for(email: string): string {
    return `for ${hashText(email)}`;
  }

  /**
   * Counts an attempt for a mailbox if the address names it with a `+tag` and the limit allows it. An address
   * without a tag is not counted, so that strangers cannot use up its share.
   * @returns whether the address has no tag, or the attempt was counted
   */
  async hasTaggedRoom(limit: keyof typeof ATTEMPT_LIMITS, email: string): Promise<boolean> {
    const mailbox = mailboxOf(email);
    return mailbox === email || this.hasRoom(limit, this.for(mailbox));
  }

  /**
   * The rate-limit subject of a client's network, which includes more addresses than the subject that `from`
   * returns.
   */
  fromNetwork(clientAddress: string): string {
    return `network ${this.options.networkOf(clientAddress)}`;
  }

  /** @throws ServiceError forbidden when this server cannot send mail */
  requireMailer(what: string): Mailer {
    const { mailer } = this.options;
    if (mailer !== null) return mailer;
    throw new ServiceError('forbidden', `Cannot ${what}: this server sends no mail`, {
      fix: 'Ask the operator of this server, who sets SMTP_URL or makes a key with `overround keys create`',
    });
  }

  /**
   * Mails a person about a change that is already made. If the mail cannot be sent, the change stays; the
   * mailer has logged the failure.
   */
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
    if (await this.options.hasher.verify(password, account.passwordHash, ownerOf(account))) return;
    throw new ServiceError('unauthorized', 'Cannot continue: the password is wrong', {
      fix: 'Send the current password of the account, or reset it with POST /platform/password/forgot',
    });
  }

  /**
   * Starts a session of SESSION_DAYS.
   * @param client the program that logs in, shown to the owner in the list of sessions
   * @throws ServiceError unauthorized when the account is gone
   */
  async startSession(account: AccountRecord, client: string | null): Promise<Static<typeof LoginAnswer>> {
    const { accounts, uses, clock, fillRandom } = this.options;
    const nowMs = clock.wallMs();
    const token = createSessionToken(fillRandom);
    const expiresAtMs = nowMs + SESSION_DAYS * DAY_MS;
    const tokenHash = hashText(token);
    const session = { tokenHash, accountId: account.id, createdAtMs: nowMs, expiresAtMs };
    // This fails if the account was deleted while its password was checked.
    if (!(await accounts.sessions.createSession(session))) throw refuseLogin();
    await uses.note({ tokenHash, client, atMs: nowMs });
    this.options.onSession?.(tokenHash, account.plan);
    return { session_token: token, expires_at: toIsoText(expiresAtMs), account: toAccountView(account) };
  }
}

/** The error of a log-in. It is the same for an address without an account and for a wrong password. */
export function refuseLogin(): ServiceError {
  return new ServiceError('unauthorized', 'Cannot log in: the address or the password is wrong', {
    fix: 'Check both; sign up with POST /platform/signup if there is no account yet',
  });
}

/** An account as its owner sees it, without the password hash. */
export function toAccountView(account: AccountRecord): Static<typeof Account> {
  return {
    id: account.id,
    email: account.email,
    plan: account.plan,
    verified: account.verifiedAtMs !== null,
    created_at: toIsoText(account.createdAtMs),
  };
}

/** The owner of an account, as the caller of a password hash. */
export function ownerOf({ id }: Pick<AccountRecord, 'id'>): HashCaller {
  return { name: id, isOwner: true };
}
