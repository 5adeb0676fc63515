// Changes to a password, an address or the account itself. Each change that could take something away needs
// the account's password or a code mailed to it, and the owner is notified by mail.

import type { Static } from '@sinclair/typebox';
import type {
  AccountAnswer,
  ChangeEmailAnswer,
  DeletedAnswer,
  LoginAnswer,
  PasswordChangedAnswer,
  ResetAskedAnswer,
} from '../../contract/platform.ts';
import { ServiceError } from '../../errors.ts';
import { eventLoopTurn } from '../../pause.ts';
import { StorageError } from '../../storage/storage-errors.ts';
import { type AccountParts, ownerOf, toAccountView } from '../account-parts.ts';
import { invalidField, toEmail } from '../input.ts';
import { CONFIRMATION_LASTS_MS, LATE_RESETS_MAX } from '../limits.ts';
import {
  accountDeletedMail,
  addressChangedMail,
  addressCodeMail,
  addressRequestedMail,
  alreadyRegisteredMail,
  type Mail,
  noAccountMail,
  passwordChangedMail,
  resetMail,
} from '../mailers.ts';
import type { ConfirmationRecord } from '../records.ts';
import type { Session } from '../sessions/session.ts';
import type { LoginClient, LoginGuard } from './login-guard.ts';
import { checkNewPassword } from './password-rules.ts';
import { createLongCode, hashText, tidyLongCode } from './secrets.ts';

export class CredentialService {
  readonly #parts: AccountParts;
  readonly #guard: LoginGuard;
  /** Requests for a new password that were answered and are still worked on. */
  #lateCount = 0;

  constructor(parts: AccountParts, guard: LoginGuard) {
    this.#parts = parts;
    this.#guard = guard;
  }

  /**
   * Mails a code for a new password, or a notice if the address has no verified account. The answer is the
   * same in both cases. A stranger who requests a reset only makes the owner receive a code; earlier codes
   * stay valid.
   * @throws ValidationError, ServiceError forbidden without mail, rate_limit_exceeded, upstream_unavailable
   */
  async askForReset(
    body: { readonly email: string },
    clientAddress: string,
  ): Promise<Static<typeof ResetAskedAnswer>> {
    const parts = this.#parts;
    const mailer = parts.requireMailer('reset the password');
    const email = toEmail(body.email);
    await parts.throttle('resetAskedPerAddress', parts.from(clientAddress));
    await parts.throttle('resetAskedPerNetwork', parts.fromNetwork(clientAddress));
    await parts.throttle('resetAskedPerAccount', parts.for(email));
    if (!(await this.#isCalm(email))) {
      void this.#mailLate(email);
      return { reset: 'sent' };
    }
    await mailer.send((await this.#resetMailOf(email)) ?? noAccountMail(email));
    return { reset: 'sent' };
  }

  /**
   * Mails a code after the answer, if the address has a verified account. The account is also looked for
   * after the answer, in a later turn of the event loop, so that the time of the answer does not show whether
   * there is one.
   */
  async #mailLate(email: string): Promise<void> {
    const { options } = this.#parts;
    if (this.#lateCount >= LATE_RESETS_MAX) {
      options.onLateFailure(new Error('Cannot mail a code: too many requests for a new password wait'));
      return;
    }
    this.#lateCount++;
    try {
      await eventLoopTurn();
      const mail = await this.#resetMailOf(email);
      if (mail !== null) await options.mailer?.send(mail);
    } catch (error) {
      options.onLateFailure(error);
    } finally {
      this.#lateCount--;
    }
  }

  /** A mail with a new code; null if the address has no verified account. */
  async #resetMailOf(email: string): Promise<Mail | null> {
    const { accounts, publicUrl } = this.#parts.options;
    const account = await accounts.findAccountByEmail(email);
    if (account === null || account.verifiedAtMs === null) return null;
    const code = await this.#newCode({ accountId: account.id, purpose: 'password', email: null });
    return resetMail(email, code, publicUrl);
  }

  /**
   * Sets a new password with a code from a mail, ends all sessions of the account and starts a new one.
   * @throws ValidationError, ServiceError invalid_request for a wrong code, rate_limit_exceeded
   */
  async resetPassword(
    body: { readonly code: string; readonly new_password: string },
    clientAddress: string,
    clientName: string | null = null,
  ): Promise<Static<typeof LoginAnswer>> {
    const parts = this.#parts;
    const { accounts, hasher, clock } = parts.options;
    await parts.throttle('codePerAddress', parts.from(clientAddress));
    const codeHash = hashText(tidyLongCode(body.code));
    const confirmation = await accounts.codes.findConfirmation('password', codeHash, clock.wallMs());
    const owner = confirmation === null ? null : await accounts.findAccount(confirmation.accountId);
    if (owner === null) throw refuseCode();
    await checkNewPassword(body.new_password, owner.email, 'new_password');
    // Use up the code only after the hash is made, because making the hash can be refused.
    const passwordHash = await hasher.hash(body.new_password, ownerOf(owner));
    const account = await accounts.codes.resetPassword(codeHash, passwordHash, clock.wallMs());
    if (account === null) throw refuseCode();
    const answer = await parts.startSession(account, clientName);
    await parts.notify(passwordChangedMail(account.email));
    return answer;
  }

  /**
   * Changes the password and ends all other sessions.
   * @throws ValidationError, ServiceError unauthorized for a wrong password, rate_limit_exceeded
   */
  async changePassword(
    body: { readonly password: string; readonly new_password: string },
    session: Session,
  ): Promise<Static<typeof PasswordChangedAnswer>> {
    const { account, tokenHash } = session;
    const { accounts, hasher } = this.#parts.options;
    await checkNewPassword(body.new_password, account.email, 'new_password');
    await this.#parts.requirePassword(account, body.password);
    const passwordHash = await hasher.hash(body.new_password, ownerOf(account));
    const ended = await accounts.changePassword(account.id, passwordHash, tokenHash);
    await this.#parts.notify(passwordChangedMail(account.email));
    return { account: toAccountView(account), ended_sessions: ended };
  }

  /**
   * Mails a code to the new address and a notice to the current one.
   * @throws ValidationError, ServiceError unauthorized for a wrong password, forbidden without mail,
   * rate_limit_exceeded, upstream_unavailable
   */
  async askForEmail(
    body: { readonly password: string; readonly new_email: string },
    { account }: Session,
  ): Promise<Static<typeof ChangeEmailAnswer>> {
    const mailer = this.#parts.requireMailer('change the address');
    const email = toEmail(body.new_email, 'new_email');
    if (email === account.email) throw invalidField('new_email', 'the address of the account already');
    await this.#parts.requirePassword(account, body.password);
    await this.#parts.throttle('changeEmailPerAccount', account.id);
    const other = await this.#parts.options.accounts.findAccountByEmail(email);
    if (other !== null && other.verifiedAtMs !== null) {
      await mailer.send(alreadyRegisteredMail(email));
    } else {
      const code = await this.#newCode({ accountId: account.id, purpose: 'email', email });
      await mailer.send(addressCodeMail(email, code));
    }
    await this.#parts.notify(addressRequestedMail(account.email));
    return { account: toAccountView(account), confirmation: 'sent' };
  }

  /**
   * Moves the account to the address that the code was mailed to. The account's id changes with the address.
   * The account then knows only the client that sends the code, and no longer those that logged in before.
   * @throws ServiceError invalid_request for a wrong code, rate_limit_exceeded
   */
  async confirmEmail(
    body: { readonly code: string },
    { account }: Session,
    client: LoginClient,
  ): Promise<Static<typeof AccountAnswer>> {
    const { accounts, clock } = this.#parts.options;
    await this.#parts.throttle('passwordPerAccount', account.id);
    const codeHash = hashText(tidyLongCode(body.code));
    const nowMs = clock.wallMs();
    const confirmation = await accounts.codes.findConfirmation('email', codeHash, nowMs);
    if (confirmation === null || confirmation.email === null) throw refuseCode();
    const id = this.#parts.idOf(confirmation.email);
    const before = await accounts.changeEmail(codeHash, account.id, id, nowMs);
    const after = before === null ? null : await accounts.findAccount(id);
    if (before === null || after === null) throw refuseCode();
    await this.#parts.notify(addressChangedMail(before.email, 'old'));
    await this.#parts.notify(addressChangedMail(after.email, 'new'));
    // Ignore a busy database: the address has changed already, and an error would look as if it had not. The
    // client then counts as a stranger until its next log-in.
    await this.#guard.welcome(id, client).catch(ignoreStorageError);
    return { account: toAccountView(after) };
  }

  /**
   * Deletes the account with its keys. The keys stop working on every thread of this process within 100 ms.
   * @throws ServiceError unauthorized for a wrong password, rate_limit_exceeded
   */
  async deleteAccount(
    body: { readonly password: string },
    { account }: Session,
  ): Promise<Static<typeof DeletedAnswer>> {
    const { accounts, onKeysChanged } = this.#parts.options;
    await this.#parts.requirePassword(account, body.password);
    await accounts.deleteAccount(account.id);
    await onKeysChanged();
    await this.#parts.notify(accountDeletedMail(account.email));
    return { deleted: true };
  }

  /**
   * Counts a request for a reset. @returns whether there were so few that an address without an account may
   * get a mail too
   */
  async #isCalm(email: string): Promise<boolean> {
    const parts = this.#parts;
    if (!(await parts.hasRoom('resetAskedInAll', 'all'))) return false;
    return parts.hasTaggedRoom('resetAskedPerTaggedMailbox', email);
  }

  /** Stores a new code for a mail. @returns the code */
  async #newCode(confirmation: Pick<ConfirmationRecord, 'accountId' | 'purpose' | 'email'>): Promise<string> {
    const { accounts, clock, fillRandom } = this.#parts.options;
    const code = createLongCode(fillRandom);
    const expiresAtMs = clock.wallMs() + CONFIRMATION_LASTS_MS;
    await accounts.codes.addConfirmation({ ...confirmation, codeHash: hashText(code), expiresAtMs });
    return code;
  }
}

function ignoreStorageError(error: unknown): void {
  if (!(error instanceof StorageError)) throw error;
}

function refuseCode(): ServiceError {
  return new ServiceError('invalid_request', 'Cannot use code: it is wrong, used or expired', {
    fix: 'Copy the code from the newest mail, or request another mail',
  });
}
