// People: sign-up, verification, login, logout, plan. Plain values in and out; HTTP maps them. No answer tells whether
// an address has an account.

import type { Static } from '@sinclair/typebox';
import { type Clock, toIsoText } from '../clock.ts';
import type {
  Account,
  AccountAnswer,
  LoginAnswer,
  LogoutAnswer,
  SignupAnswer,
} from '../contract/platform.ts';
import { ServiceError } from '../errors.ts';
import { ATTEMPT_LIMITS, type AttemptLimit, takeAttempt } from './attempts.ts';
import { checkNewPassword, toEmail, toTier } from './input.ts';
import { CODE_LASTS_MS, SESSION_DAYS, UNVERIFIED_KEPT_MS } from './limits.ts';
import { alreadyRegisteredMail, type Mailer, verificationMail } from './mailers.ts';
import type { PasswordHasher } from './passwords.ts';
import type { AccountRecord, AccountRepository } from './repository.ts';
import {
  accountIdOf,
  createHmacSecret,
  createSessionToken,
  createVerificationCode,
  type FillRandom,
  hashText,
} from './secrets.ts';
import type { Session } from './session.ts';

const SECRET_NAME = 'account-id';

export interface AccountServiceOptions {
  readonly accounts: AccountRepository;
  readonly hasher: PasswordHasher;
  /** Null when this server cannot send mail: sign-up is closed then. */
  readonly mailer: Mailer | null;
  readonly clock: Clock;
  readonly fillRandom: FillRandom;
  /** The subject under which a client address is throttled, such as the /64 of an IPv6 address. */
  readonly subjectOf: (clientAddress: string) => string;
  /** Disables the plan stub. */
  readonly isProduction: boolean;
}

/** Makes the service, and its secret when the storage is new. */
export async function createAccountService(options: AccountServiceOptions): Promise<AccountService> {
  const proposed = createHmacSecret(options.fillRandom);
  return new AccountService(options, await options.accounts.secret(SECRET_NAME, proposed));
}

export class AccountService {
  readonly #options: AccountServiceOptions;
  readonly #idSecret: string;

  /** @param idSecret makes account ids that do not tell whether the account was there before */
  constructor(options: AccountServiceOptions, idSecret: string) {
    this.#options = options;
    this.#idSecret = idSecret;
  }

  /**
   * Signs up: stores the account unless there is one, and sends a code, or to a verified account's owner a notice. The
   * answer is that of a new account either way.
   * @throws ValidationError, ServiceError forbidden when this server cannot send mail, rate_limit_exceeded,
   * upstream_unavailable
   */
  async signup(
    body: { readonly email: string; readonly password: string },
    clientAddress: string,
  ): Promise<Static<typeof SignupAnswer>> {
    const { accounts, hasher, clock, fillRandom } = this.#options;
    const mailer = this.#requireMailer('sign up');
    const email = toEmail(body.email);
    checkNewPassword(body.password);
    await this.#throttle('signup', ATTEMPT_LIMITS.signupPerAddress, this.#addressSubject(clientAddress));
    await this.#throttle('signup', ATTEMPT_LIMITS.signupPerAccount, emailSubject(email));
    const nowMs = clock.wallMs();
    await accounts.deleteExpired(nowMs, nowMs - UNVERIFIED_KEPT_MS);
    const account: AccountRecord = {
      id: accountIdOf(email, this.#idSecret),
      email,
      passwordHash: await hasher.hash(body.password),
      plan: 'free',
      verifiedAtMs: null,
      createdAtMs: nowMs,
    };
    await accounts.createAccount(account);
    const stored = await accounts.findAccountByEmail(email);
    if (stored === null || stored.verifiedAtMs !== null) {
      await mailer.send(alreadyRegisteredMail(email));
    } else {
      const code = createVerificationCode(fillRandom);
      await accounts.addCode(stored.id, {
        codeHash: hashCode(stored.id, code),
        passwordHash: account.passwordHash,
        expiresAtMs: nowMs + CODE_LASTS_MS,
      });
      await mailer.send(verificationMail(email, code));
    }
    return { account: toAccountView(account), verification: 'sent' };
  }

  /**
   * Enters the code of a mail. The account gets the password chosen at the sign-up that sent this code, so nobody who
   * signed up with somebody else's address keeps a way in.
   * @throws ValidationError, ServiceError invalid_request for a code that is not right, rate_limit_exceeded
   */
  async verify(
    body: { readonly email: string; readonly code: string },
    clientAddress: string,
  ): Promise<Static<typeof AccountAnswer>> {
    const { accounts, clock } = this.#options;
    const email = toEmail(body.email);
    await this.#throttle('verify', ATTEMPT_LIMITS.verifyPerAddress, this.#addressSubject(clientAddress));
    await this.#throttle('verify', ATTEMPT_LIMITS.verifyPerAccount, emailSubject(email));
    const id = accountIdOf(email, this.#idSecret);
    if (!(await accounts.verifyAccount(id, hashCode(id, body.code), clock.wallMs()))) throw refuseCode();
    const account = await accounts.findAccount(id);
    if (account === null) throw refuseCode();
    return { account: toAccountView(account) };
  }

  /**
   * Starts a session of 30 days. An unknown address and a wrong password take the same time and get the same answer.
   * @throws ValidationError, ServiceError unauthorized, rate_limit_exceeded, upstream_unavailable
   */
  async login(
    body: { readonly email: string; readonly password: string },
    clientAddress: string,
  ): Promise<Static<typeof LoginAnswer>> {
    const { accounts, hasher, clock, fillRandom } = this.#options;
    const email = toEmail(body.email);
    await this.#throttle('login', ATTEMPT_LIMITS.loginPerAddress, this.#addressSubject(clientAddress));
    await this.#throttle('login', ATTEMPT_LIMITS.loginPerAccount, emailSubject(email));
    const account = await accounts.findAccountByEmail(email);
    const matches = await hasher.verify(body.password, account?.passwordHash ?? null);
    if (account === null || !matches) {
      throw new ServiceError('unauthorized', 'Cannot log in: the address or the password is wrong', {
        fix: 'Check both; sign up with POST /platform/signup if there is no account yet',
      });
    }
    const nowMs = clock.wallMs();
    const token = createSessionToken(fillRandom);
    const expiresAtMs = nowMs + SESSION_DAYS * 86_400_000;
    await accounts.createSession({
      tokenHash: hashText(token),
      accountId: account.id,
      createdAtMs: nowMs,
      expiresAtMs,
    });
    return {
      session_token: token,
      expires_at: toIsoText(expiresAtMs),
      account: toAccountView(account),
    };
  }

  /** Ends this session; others of the account go on. */
  async logout(session: Session): Promise<Static<typeof LogoutAnswer>> {
    await this.#options.accounts.deleteSession(session.tokenHash);
    return { logged_out: true };
  }

  me(session: Session): Static<typeof AccountAnswer> {
    return { account: toAccountView(session.account) };
  }

  /**
   * Sets the plan without payment, in development only. Active keys above the new plan are lowered to it.
   * @throws ServiceError forbidden in production, invalid_request for a plan that is no tier
   */
  async setPlan(body: { readonly plan: string }, session: Session): Promise<Static<typeof AccountAnswer>> {
    if (this.#options.isProduction) {
      throw new ServiceError('forbidden', 'Cannot set plan: the plan stub is off in production', {
        fix: 'Ask the operator of this server to change the plan',
      });
    }
    const plan = toTier(body.plan);
    await this.#options.accounts.setPlan(session.account.id, plan);
    return { account: toAccountView({ ...session.account, plan }) };
  }

  #requireMailer(what: string): Mailer {
    const { mailer } = this.#options;
    if (mailer !== null) return mailer;
    throw new ServiceError('forbidden', `Cannot ${what}: this server sends no mail`, {
      fix: 'Ask the operator of this server, who sets SMTP_URL or makes a key with `overround keys create`',
    });
  }

  #throttle(action: string, limit: AttemptLimit, subject: string): Promise<void> {
    const { accounts, clock } = this.#options;
    return takeAttempt(accounts, { subject: `${action} ${subject}`, limit, nowMs: clock.wallMs() });
  }

  #addressSubject(clientAddress: string): string {
    return `from ${this.#options.subjectOf(clientAddress)}`;
  }
}

/** What of an account its owner sees: no hash. */
function toAccountView(account: AccountRecord): Static<typeof Account> {
  return {
    id: account.id,
    email: account.email,
    plan: account.plan,
    verified: account.verifiedAtMs !== null,
    created_at: toIsoText(account.createdAtMs),
  };
}

function refuseCode(): ServiceError {
  return new ServiceError('invalid_request', 'Cannot verify: the code is wrong, used or expired', {
    fix: 'Enter the six digits of the newest mail, or sign up again to get a new code',
  });
}

/** Subjects of attempts hold no address in clear: they stay in the database for a while. */
function emailSubject(email: string): string {
  return `for ${hashText(email)}`;
}

function hashCode(accountId: string, code: string): string {
  return hashText(`${accountId} ${code}`);
}
