// People: sign-up, verification, login, logout, plan. Plain values in and out; HTTP maps them. No answer tells whether
// an address has an account.

import type { Static } from '@sinclair/typebox';
import type { AccountAnswer, LoginAnswer, LogoutAnswer, SignupAnswer } from '../contract/platform.ts';
import { ServiceError } from '../errors.ts';
import {
  AccountParts,
  type AccountServiceOptions,
  type LoginAttempt,
  toAccountView,
} from './account-parts.ts';
import { CredentialService } from './credential-service.ts';
import { toEmail, toTier } from './input.ts';
import { CODE_LASTS_MS, UNVERIFIED_KEPT_MS } from './limits.ts';
import { LoginGuard } from './login-guard.ts';
import { alreadyRegisteredMail, verificationMail } from './mailers.ts';
import { checkNewPassword } from './password-rules.ts';
import type { AccountRecord } from './repository.ts';
import { createHmacSecret, createVerificationCode, hashText } from './secrets.ts';
import type { Session } from './session.ts';
import { SessionService } from './session-service.ts';

const SECRET_NAME = 'account-id';

/** The services over accounts. */
export interface People {
  readonly accounts: AccountService;
  readonly credentials: CredentialService;
  readonly guard: LoginGuard;
  readonly sessions: SessionService;
}

/** Makes the services, and their secret when the storage is new. */
export async function createPeople(options: AccountServiceOptions): Promise<People> {
  const proposed = createHmacSecret(options.fillRandom);
  const parts = new AccountParts(options, await options.accounts.secret(SECRET_NAME, proposed));
  const guard = new LoginGuard(parts);
  return {
    accounts: new AccountService(parts, guard),
    credentials: new CredentialService(parts),
    guard,
    sessions: new SessionService(parts),
  };
}

interface KnownClient {
  readonly device?: string | null;
  readonly clientName?: string | null;
}

export class AccountService {
  readonly #parts: AccountParts;
  readonly #guard: LoginGuard;

  constructor(parts: AccountParts, guard: LoginGuard) {
    this.#parts = parts;
    this.#guard = guard;
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
    const { accounts, hasher, clock, fillRandom } = this.#parts.options;
    const mailer = this.#parts.requireMailer('sign up');
    const email = toEmail(body.email);
    checkNewPassword(body.password, email);
    await this.#parts.throttle('signupPerAddress', this.#parts.from(clientAddress));
    await this.#parts.throttle('signupPerAccount', this.#parts.for(email));
    const nowMs = clock.wallMs();
    await accounts.deleteExpired(nowMs, nowMs - UNVERIFIED_KEPT_MS);
    const account: AccountRecord = {
      id: this.#parts.idOf(email),
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
    const { accounts, clock } = this.#parts.options;
    const email = toEmail(body.email);
    await this.#parts.throttle('verifyPerAddress', this.#parts.from(clientAddress));
    await this.#parts.throttle('verifyPerAccount', this.#parts.for(email));
    const id = this.#parts.idOf(email);
    if (!(await accounts.verifyAccount(id, hashCode(id, body.code), clock.wallMs()))) throw refuseCode();
    const account = await accounts.findAccount(id);
    if (account === null) throw refuseCode();
    return { account: toAccountView(account) };
  }

  /**
   * Starts a session of 30 days. An unknown address and a wrong password take the same time and get the same answer.
   * @param client what of it is known: the token of its device cookie, and what it is, in words
   * @throws ValidationError, ServiceError unauthorized, rate_limit_exceeded, upstream_unavailable
   */
  async login(
    body: { readonly email: string; readonly password: string },
    clientAddress: string,
    { device = null, clientName = null }: KnownClient = {},
  ): Promise<Static<typeof LoginAnswer>> {
    const { onLogin } = this.#parts.options;
    const email = toEmail(body.email);
    const accountId = this.#parts.idOf(email);
    try {
      await this.#guard.admit(email, { address: clientAddress, device });
      const account = await this.#proven(email, body.password);
      const answer = await this.#parts.startSession(account, clientName);
      onLogin({ accountId, outcome: 'let_in' });
      return answer;
    } catch (error) {
      onLogin({ accountId, outcome: outcomeOf(error) });
      throw error;
    }
  }

  /** The account of an address, to who knows its password. @throws ServiceError unauthorized */
  async #proven(email: string, password: string): Promise<AccountRecord> {
    const { accounts, hasher } = this.#parts.options;
    const account = await accounts.findAccountByEmail(email);
    const matches = await hasher.verify(password, account?.passwordHash ?? null);
    if (account !== null && matches) return account;
    throw new ServiceError('unauthorized', 'Cannot log in: the address or the password is wrong', {
      fix: 'Check both; sign up with POST /platform/signup if there is no account yet',
    });
  }

  /** Ends this session; others of the account go on. */
  async logout(session: Session): Promise<Static<typeof LogoutAnswer>> {
    await this.#parts.options.accounts.deleteSession(session.tokenHash);
    return { logged_out: true };
  }

  /** Ends the sessions of these tokens, whosever they are. One that is no session is passed over. */
  async endSessions(tokens: readonly string[]): Promise<void> {
    for (const token of tokens) await this.#parts.options.accounts.deleteSession(hashText(token));
  }

  me(session: Session): Static<typeof AccountAnswer> {
    return { account: toAccountView(session.account) };
  }

  /**
   * Sets the plan without payment, in development only. Active keys above the new plan are lowered to it.
   * @throws ServiceError forbidden in production, invalid_request for a plan that is no tier
   */
  async setPlan(body: { readonly plan: string }, session: Session): Promise<Static<typeof AccountAnswer>> {
    if (this.#parts.options.isProduction) {
      throw new ServiceError('forbidden', 'Cannot set plan: the plan stub is off in production', {
        fix: 'Ask the operator of this server to change the plan',
      });
    }
    const plan = toTier(body.plan);
    await this.#parts.options.accounts.setPlan(session.account.id, plan);
    return { account: toAccountView({ ...session.account, plan }) };
  }
}

/** What a failed log-in was. */
function outcomeOf(error: unknown): LoginAttempt['outcome'] {
  if (!(error instanceof ServiceError)) return 'failed';
  if (error.code === 'unauthorized') return 'refused';
  return error.code === 'rate_limit_exceeded' ? 'held' : 'failed';
}

function refuseCode(): ServiceError {
  return new ServiceError('invalid_request', 'Cannot verify: the code is wrong, used or expired', {
    fix: 'Enter the six digits of the newest mail, or sign up again to get a new code',
  });
}

function hashCode(accountId: string, code: string): string {
  return hashText(`${accountId} ${code}`);
}
