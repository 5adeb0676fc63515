// Sign-up, verification, login, logout and plan of accounts. Takes and returns plain values; HTTP maps them.
// No answer reveals whether an address has an account.

import type { Static } from '@sinclair/typebox';
import type { AccountAnswer, LoginAnswer, LogoutAnswer, SignupAnswer } from '../contract/platform.ts';
import { ServiceError } from '../errors.ts';
import {
  AccountParts,
  type AccountServiceOptions,
  type LoginAttempt,
  ownerOf,
  refuseLogin,
  toAccountView,
} from './account-parts.ts';
import { CredentialService } from './credentials/credential-service.ts';
import type { HashCaller } from './credentials/hash-queue.ts';
import { LoginGuard } from './credentials/login-guard.ts';
import { checkNewPassword } from './credentials/password-rules.ts';
import {
  createHmacSecret,
  createLongCode,
  createVerificationCode,
  hashText,
  tidyLongCode,
} from './credentials/secrets.ts';
import { SignUpMails } from './credentials/sign-up-mails.ts';
import { toEmail, toTier } from './input.ts';
import { CODE_LASTS_MS, UNVERIFIED_KEPT_MS } from './limits.ts';
import { alreadyRegisteredMail, verificationMail } from './mailers.ts';
import type { AccountRecord } from './records.ts';
import type { Session } from './sessions/session.ts';
import { SessionService } from './sessions/session-service.ts';

const SECRET_NAME = 'account-id';

export type People = Readonly<Awaited<ReturnType<typeof createPeople>>>;

/** Creates the services. If the storage is new, it also creates their secret. */
export async function createPeople(options: AccountServiceOptions) {
  const proposed = createHmacSecret(options.fillRandom);
  const parts = new AccountParts(options, await options.accounts.secret(SECRET_NAME, proposed));
  const guard = new LoginGuard(parts);
  return {
    accounts: new AccountService(parts, guard),
    credentials: new CredentialService(parts, guard),
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
  readonly #mails: SignUpMails;

  constructor(parts: AccountParts, guard: LoginGuard) {
    this.#parts = parts;
    this.#mails = new SignUpMails(parts);
    this.#guard = guard;
  }

  /**
   * Signs up: stores the account if the address has none, and mails a code. If the address has a verified
   * account, its owner gets a notice instead. The answer is the same either way.
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
    await checkNewPassword(body.password, email);
    const parts = this.#parts;
    const client = parts.from(clientAddress);
    const stranger = parts.stranger(clientAddress);
    // This check reads and writes no table, so a flood of sign-ups does not delay owners.
    hasher.requireRoom(stranger);
    await parts.throttle('signupPerAddress', client);
    await parts.throttle('signupPerAccountAndAddress', `${parts.for(email)} ${client}`);
    await parts.throttle('signupPerNetwork', parts.fromNetwork(clientAddress));
    await this.#mails.requireRoom(email, clientAddress);
    const nowMs = clock.wallMs();
    if (!(await accounts.makeUnverifiedRoom(nowMs))) throw tooManyUnverified();
    const account: AccountRecord = {
      id: this.#parts.idOf(email),
      email,
      passwordHash: await hasher.hash(body.password, stranger),
      plan: 'free',
      verifiedAtMs: null,
      createdAtMs: nowMs,
    };
    const sendsMail = await this.#mails.take(email, clientAddress);
    await accounts.deleteExpired(nowMs, nowMs - UNVERIFIED_KEPT_MS);
    await accounts.createAccount(account);
    const stored = await accounts.findAccountByEmail(email);
    if (stored === null || stored.verifiedAtMs !== null) {
      if (sendsMail) await mailer.send(alreadyRegisteredMail(email), { isSignUp: true });
    } else {
      const isShort = sendsMail && (await parts.hasRoom('shortCodePerAccount', parts.for(email)));
      const codes = {
        shortCode: isShort ? createVerificationCode(fillRandom) : null,
        longCode: createLongCode(fillRandom),
      };
      const client = this.#clientOf(email, clientAddress);
      if (sendsMail) {
        await this.#keepCodes(account, { ...codes, client });
        await mailer.send(verificationMail(email, codes), { isSignUp: true });
      } else {
        await this.#keepUnmailed(account, client);
      }
    }
    return { account: toAccountView(account), verification: 'sent' };
  }

  /**
   * Stores the password of a sign-up that mails nothing: if its client then enters the long code of an
   * earlier mail, the account gets this password.
   */
  #keepUnmailed({ id, passwordHash, createdAtMs }: AccountRecord, client: string): Promise<void> {
    const expiresAtMs = createdAtMs + CODE_LASTS_MS;
    return this.#parts.options.accounts.codes.addCodes(id, [
      { scope: 'unmailed', client, codeHash: '', passwordHash, expiresAtMs },
    ]);
  }

  async #keepCodes(
    { id, passwordHash, createdAtMs }: AccountRecord,
    codes: { readonly shortCode: string | null; readonly longCode: string; readonly client: string },
  ): Promise<void> {
    const { client } = codes;
    const shared = { client, passwordHash, expiresAtMs: createdAtMs + CODE_LASTS_MS };
    const shortHash = hashCode(id, codes.shortCode ?? createLongCode(this.#parts.options.fillRandom));
    await this.#parts.options.accounts.codes.addCodes(id, [
      { ...shared, scope: 'home', codeHash: shortHash },
      { ...shared, scope: 'elsewhere', codeHash: shortHash },
      { ...shared, scope: 'long', codeHash: hashCode(id, codes.longCode) },
    ]);
  }

  /** A keyed hash of the network that a person signs up from, for the database. */
  #clientOf(email: string, clientAddress: string): string {
    return this.#parts.sealed(`${this.#parts.for(email)} ${this.#parts.from(clientAddress)}`);
  }

  /**
   * Enters the code of a mail, either the six digits or the long code. The account gets the password chosen
   * in the sign-up that the code belongs to. If this network signed up itself, its own password applies
   * instead: a person who enters the code from a stranger's sign-up must not give the stranger access.
   * @throws ValidationError, ServiceError invalid_request for a wrong code, rate_limit_exceeded
   */
  async verify(
    body: { readonly email: string; readonly code: string },
    clientAddress: string,
  ): Promise<Static<typeof AccountAnswer>> {
    const { accounts, clock, onKeysChanged } = this.#parts.options;
    const email = toEmail(body.email);
    await this.#parts.throttle('verifyPerAddress', this.#parts.from(clientAddress));
    const id = this.#parts.idOf(email);
    const isLong = !/^\d{6}$/.test(body.code);
    const codeHash = hashCode(id, isLong ? tidyLongCode(body.code) : body.code);
    const entered = { client: this.#clientOf(email, clientAddress), codeHash, isLong };
    if (!(await accounts.codes.verifyAccount(id, entered, clock.wallMs()))) throw refuseCode();
    await onKeysChanged();
    const account = await accounts.findAccount(id);
    if (account === null) throw refuseCode();
    return { account: toAccountView(account) };
  }

  /**
   * Starts a session of 30 days. An unknown address and a wrong password take the same time and get the same
   * answer.
   * @param client what is known of the client: the token of its device cookie, and its name in words
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
      const isKnown = await this.#guard.admit(email, { address: clientAddress, device });
      const caller = isKnown ? ownerOf({ id: accountId }) : this.#parts.stranger(clientAddress);
      const account = await this.#authenticate(email, body.password, caller);
      const answer = await this.#parts.startSession(account, clientName);
      onLogin({ accountId, outcome: 'let_in' });
      return answer;
    } catch (error) {
      onLogin({ accountId, outcome: outcomeOf(error) });
      throw error;
    }
  }

  /** The account of an address, if the password is right. @throws ServiceError unauthorized otherwise */
  async #authenticate(email: string, password: string, caller: HashCaller): Promise<AccountRecord> {
    const { accounts, hasher } = this.#parts.options;
    const account = await accounts.findAccountByEmail(email);
    const before = account?.passwordHash ?? null;
    // How long a hash takes to check depends on when it was made. For an unknown address, the hash of another
    // account is checked, always the same for that address. So the time does not show whether the address has
    // an account.
    const standIn = await accounts.hashNear(this.#parts.idOf(email));
    const { matches, renewed } = await hasher.verifyAndRenew(password, before, caller, standIn);
    if (account === null || !matches) throw refuseLogin();
    if (renewed !== null) {
      await accounts.replaceHash(account.id, { before: account.passwordHash, after: renewed });
    }
    return account;
  }

  /** Ends this session; other sessions of the account continue. */
  async logout(session: Session): Promise<Static<typeof LogoutAnswer>> {
    await this.#parts.options.accounts.sessions.deleteSession(session.tokenHash);
    return { logged_out: true };
  }

  /** Ends the sessions of these tokens, of any account. A token without a session is ignored. */
  async endSessions(tokens: readonly string[]): Promise<void> {
    for (const token of tokens) await this.#parts.options.accounts.sessions.deleteSession(hashText(token));
  }

  me(session: Session): Static<typeof AccountAnswer> {
    return { account: toAccountView(session.account) };
  }

  /**
   * Sets the plan without payment, in development only. Active keys above the new plan are lowered to it.
   * @throws ServiceError forbidden in production, invalid_request for an unknown tier
   */
  async setPlan(body: { readonly plan: string }, session: Session): Promise<Static<typeof AccountAnswer>> {
    if (this.#parts.options.isProduction) {
      throw new ServiceError(
        'forbidden',
        'Cannot set plan: in production accounts cannot change their own plan',
        {
          fix: 'Ask the operator of this server to run `overround accounts plan <email> <plan>`',
        },
      );
    }
    const plan = toTier(body.plan);
    await this.#parts.options.accounts.setPlan(session.account.id, plan);
    return { account: toAccountView({ ...session.account, plan }) };
  }
}

/** The log outcome of a failed login. */
function outcomeOf(error: unknown): LoginAttempt['outcome'] {
  if (!(error instanceof ServiceError)) return 'failed';
  if (error.code === 'unauthorized') return 'refused';
  return error.code === 'rate_limit_exceeded' ? 'held' : 'failed';
}

/** This error is thrown for an address that has an account too, so that it does not reveal the account. */
function tooManyUnverified(): ServiceError {
  return new ServiceError(
    'upstream_unavailable',
    'Cannot sign up: too many new accounts wait for their code',
    {
      fix: 'Try again in half an hour',
      retryAfterSeconds: CODE_LASTS_MS / 1_000,
    },
  );
}

function refuseCode(): ServiceError {
  return new ServiceError('invalid_request', 'Cannot verify: the code is wrong, used or expired', {
    fix: 'Enter the six digits of the newest mail or the long code below them, or sign up again to get new ones',
  });
}

function hashCode(accountId: string, code: string): string {
  return hashText(`${accountId} ${code}`);
}
