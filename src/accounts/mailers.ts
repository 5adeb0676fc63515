// The mails that accounts send: to an outbox file in development, over SMTP in production.

import { appendFile, rm, stat } from 'node:fs/promises';
import type { Transporter } from 'nodemailer';
import { type Clock, toIsoText } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import { isLoopback } from '../ip-address.ts';
import { StorageError } from '../storage/storage-errors.ts';
import { CODE_LASTS_MS, OUTBOX_BYTES_MAX } from './limits.ts';
import { MailQueue } from './mail-queue.ts';

/** Shorter than the deadline of a request: a mail server that does not answer causes an error, not a hang. */
const SMTP_TIMEOUT_MS = 4_000;

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The code in the text, or null. */
  readonly code: string | null;
}

export interface MailOptions {
  /** Whether a sign-up caused the mail. Then it waits behind other mails. */
  readonly isSignUp: boolean;
}

export interface Mailer {
  /** Resolves when the mail was handed over. @throws ServiceError upstream_unavailable when that fails */
  send(mail: Mail, options?: MailOptions): Promise<void>;
}

/**
 * The mail with the codes of a sign-up.
 * @param shortCode six digits; null when this address got so many such codes within a day that somebody may
 * be guessing them
 */
export function verificationMail(
  to: string,
  { shortCode, longCode }: { readonly shortCode: string | null; readonly longCode: string },
): Mail {
  const code = shortCode ?? longCode;
  const other =
    'If it is refused because somebody else entered wrong codes in your name, enter this one instead:';
  const subject = shortCode === null ? 'Your Overround code' : `${shortCode} is your Overround code`;
  return mailOf({ to, subject, code }, [
    `Your code is ${code}. It can be entered for ${CODE_LASTS_MS / 60_000} minutes.`,
    ...(shortCode === null ? [] : [other, longCode]),
    '',
    'If you did not sign up for Overround, ignore this mail and give its codes to nobody.',
  ]);
}

/**
 * Sent instead of a code when the address has a verified account, because the answer must not reveal that.
 */
export function alreadyRegisteredMail(to: string): Mail {
  return mailOf({ to, subject: 'You already have an Overround account' }, [
    'Somebody, probably you, tried to sign up with this address, which has an account already.',
    '',
    'Log in with your password. If it was not you, there is nothing to do.',
  ]);
}

/** The mail with a code for a new password. The link leads to the form of the console. */
export function resetMail(to: string, code: string, publicUrl: string): Mail {
  return mailOf({ to, subject: 'A new password for your Overround account', code }, [
    'Somebody, probably you, asked for a new password. This code sets one and is valid for an hour:',
    '',
    code,
    '',
    'Or open this form, which has the code filled in:',
    `${publicUrl}/console#reset=${code}`,
    '',
    'If it was not you, ignore this mail and give the code to nobody. Your password stays as it is.',
  ]);
}

/**
 * Sent instead of a code when the address has no verified account, because the answer must not reveal that.
 */
export function noAccountMail(to: string): Mail {
  return mailOf({ to, subject: 'There is no Overround account with this address' }, [
    'Somebody, probably you, asked for a new password. This address has no account, so there is no password to set.',
    '',
    'Sign up to create one. If it was not you, there is nothing to do.',
  ]);
}

export function passwordChangedMail(to: string): Mail {
  return notice(to, 'The password of your Overround account was changed', [
    'The password was changed, and other sessions were ended.',
  ]);
}

/** The mail with a code, sent to the new address of an account that is to move. */
export function addressCodeMail(to: string, code: string): Mail {
  return mailOf({ to, subject: 'Confirm this address for your Overround account', code }, [
    'An Overround account is to be moved to this address. The owner confirms the move with this code, valid for an hour:',
    '',
    code,
    '',
    'If you have no such account, ignore this mail and give the code to nobody.',
  ]);
}

export function addressRequestedMail(to: string): Mail {
  return notice(to, 'Your Overround account is to be moved to another address', [
    'Somebody who knows the password asked to move the account to another address. It moves when the code that was',
    'mailed there is entered.',
  ]);
}

/** Sent to both the old and the new address. */
export function addressChangedMail(to: string, which: 'old' | 'new'): Mail {
  const subject = 'The address of your Overround account was changed';
  const lines = [
    'The account was moved from one address to another; both get this mail. Log in with the new one from now on.',
  ];
  return notice(to, subject, lines, which === 'old' ? ADVICE_WITHOUT_ACCOUNT : ADVICE);
}

export function accountDeletedMail(to: string): Mail {
  const lines = ['The account was deleted with all its keys, which no longer work.'];
  return notice(to, 'Your Overround account was deleted', lines, ADVICE_WITHOUT_ACCOUNT);
}

const ADVICE = 'If it was not you, reset the password at once and ask the operator of the server for help.';
/** For an address that has no account any more, so that it cannot reset a password. */
const ADVICE_WITHOUT_ACCOUNT = [
  'If it was not you, somebody else knows the password. Ask the operator of the server for help at once, and change',
  'the password wherever else you use it. It cannot be reset here, because this address has no account any more.',
].join('\n');

function notice(to: string, subject: string, lines: readonly string[], advice = ADVICE): Mail {
  return mailOf({ to, subject }, [...lines, '', advice]);
}

/** A mail of these lines. It has no code by default. */
export function mailOf(head: Omit<Mail, 'text' | 'code'> & Partial<Mail>, lines: readonly string[]): Mail {
  return { code: null, ...head, text: lines.join('\n') };
}

export interface OutboxOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Called for every mail. Development only: the mail contains a code. */
  readonly onMail: (mail: Mail) => void;
}

/** Development mail: appends one JSON object per line to a file. */
export class OutboxMailer implements Mailer {
  readonly #options: OutboxOptions;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /**
   * @throws StorageError when the file cannot be written: the disk is full or read-only, or the folder is
   * gone
   */
  async send(mail: Mail): Promise<void> {
    const { path, clock, onMail } = this.#options;
    const line = `${JSON.stringify({ at: toIsoText(clock.wallMs()), ...mail })}\n`;
    try {
      const size = await stat(path).then(
        (file) => file.size,
        () => 0,
      );
      if (size > OUTBOX_BYTES_MAX) await rm(path, { force: true });
      await appendFile(path, line, { mode: 0o600 });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw new StorageError('the outbox takes no mail', error, { isBusy: false, maybeDone: true });
    }
    onMail(mail);
  }
}

export interface SmtpOptions {
  /** smtp:// or smtps://, with user and password when the server needs them. */
  readonly url: string;
  /** The From header, such as `Overround <no-reply@example.com>`. */
  readonly from: string;
  /** Called with the reason when a mail could not be sent. */
  readonly onError: (error: unknown) => void;
}

export class SmtpMailer implements Mailer {
  readonly #url: URL;
  readonly #from: string;
  readonly #onError: (error: unknown) => void;
  readonly #queue = new MailQueue();
  /** Loaded at the first mail and null before, because the package takes ten megabytes. */
  #transport: Transporter | null = null;

  constructor(options: SmtpOptions) {
    this.#url = new URL(options.url);
    this.#from = options.from;
    this.#onError = options.onError;
  }

  send(mail: Mail, { isSignUp }: MailOptions = { isSignUp: false }): Promise<void> {
    return this.#queue.run(() => this.#sendNow(mail), isSignUp);
  }

  async #sendNow(mail: Mail): Promise<void> {
    try {
      this.#transport ??= await openTransport(this.#url);
      await this.#transport.sendMail({
        from: this.#from,
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
      });
    } catch (error) {
      this.#onError(error);
      throw new ServiceError('upstream_unavailable', 'Cannot send mail: the mail server did not accept it', {
        fix: 'Try again in a minute',
        retryAfterSeconds: 60,
      });
    }
  }
}

async function openTransport(url: URL): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const secure = url.protocol === 'smtps:';
  return createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    // Never send a password over an unencrypted connection. A mail server on this machine is exempt: that
    // connection does not leave it.
    requireTLS: !secure && url.username !== '' && !isLoopback(url.hostname),
    ...(url.username === ''
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    dnsTimeout: SMTP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
