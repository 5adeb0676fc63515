// Mail as accounts see it, and the mails they send.

import { CODE_LASTS_MS } from './limits.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The verification code in the text, null when there is none. */
  readonly code: string | null;
}

export interface Mailer {
  /** Resolves when the mail is handed over. @throws ServiceError upstream_unavailable when it cannot be */
  send(mail: Mail): Promise<void>;
}

/** The mail that carries a code. */
export function verificationMail(to: string, code: string): Mail {
  return {
    to,
    subject: `${code} is your Overround code`,
    text: [
      `Your code is ${code}. It can be entered for ${CODE_LASTS_MS / 60_000} minutes.`,
      '',
      'If you did not sign up for Overround, ignore this mail and give the code to nobody.',
    ].join('\n'),
    code,
  };
}

/** Sent instead of a code when the address has a verified account, because the answer must not tell. */
export function alreadyRegisteredMail(to: string): Mail {
  return {
    to,
    subject: 'You already have an Overround account',
    text: [
      'Somebody, probably you, tried to sign up with this address, which has an account already.',
      '',
      'Log in with your password. If it was not you, there is nothing to do.',
    ].join('\n'),
    code: null,
  };
}
