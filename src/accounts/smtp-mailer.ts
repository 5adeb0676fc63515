// Mail over SMTP, for production.

import { createTransport, type Transporter } from 'nodemailer';
import { ServiceError } from '../errors.ts';
import type { Mail, Mailer } from './mailer.ts';

/** Below the deadline of a request, so that a silent mail server is an answer and not a hang. */
const SMTP_TIMEOUT_MS = 4_000;

export interface SmtpOptions {
  /** smtp:// or smtps:// with user and password when the server wants them. */
  readonly url: string;
  /** The From header, such as `Overround <no-reply@example.com>`. */
  readonly from: string;
  /** Told why a mail could not be sent. */
  readonly onError: (error: unknown) => void;
}

export class SmtpMailer implements Mailer {
  readonly #transport: Transporter;
  readonly #from: string;
  readonly #onError: (error: unknown) => void;

  constructor(options: SmtpOptions) {
    const url = new URL(options.url);
    const secure = url.protocol === 'smtps:';
    this.#transport = createTransport({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
      secure,
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
    this.#from = options.from;
    this.#onError = options.onError;
  }

  async send(mail: Mail): Promise<void> {
    try {
      await this.#transport.sendMail({
        from: this.#from,
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
      });
    } catch (error) {
      this.#onError(error);
      throw new ServiceError('upstream_unavailable', 'Cannot send mail: the mail server did not take it', {
        fix: 'Try again in a minute',
        retryAfterSeconds: 60,
      });
    }
  }
}
