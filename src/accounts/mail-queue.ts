// Bounds the connections to the mail server. Mails after sign-ups, which strangers can cause, may use only a
// part of them and wait behind all other mails.

import { ServiceError } from '../errors.ts';
import { MAILS_AT_ONCE_MAX, MAILS_WAITING_MAX, SIGNUP_MAILS_AT_ONCE_MAX } from './limits.ts';

export class MailQueue {
  /** How many mails are being sent. */
  #running = 0;
  #runningSignUps = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #waitingSignUps: (() => void)[] = [];

  /**
   * Calls `send` when there is a free connection for it.
   * @param isSignUp whether the mail belongs to a sign-up
   * @throws ServiceError upstream_unavailable when too many mails wait; and what `send` throws
   */
  async run(send: () => Promise<void>, isSignUp: boolean): Promise<void> {
    if (this.#mayStart(isSignUp)) this.#start(isSignUp);
    else await this.#turn(isSignUp);
    try {
      await send();
    } finally {
      this.#running -= 1;
      if (isSignUp) this.#runningSignUps -= 1;
      this.#startNext();
    }
  }

  #mayStart(isSignUp: boolean): boolean {
    if (this.#running >= MAILS_AT_ONCE_MAX) return false;
    return !isSignUp || this.#runningSignUps < SIGNUP_MAILS_AT_ONCE_MAX;
  }

  #start(isSignUp: boolean): void {
    this.#running += 1;
    if (isSignUp) this.#runningSignUps += 1;
  }

  #turn(isSignUp: boolean): Promise<void> {
    const waiting = isSignUp ? this.#waitingSignUps : this.#waiting;
    if (waiting.length >= MAILS_WAITING_MAX) {
      throw new ServiceError('upstream_unavailable', 'Cannot send mail: too many mails are waiting', {
        fix: 'Try again in a minute',
        retryAfterSeconds: 60,
      });
    }
    return new Promise((resolve) => waiting.push(resolve));
  }

  /**
   * Counts the started mail here, before the waiting call runs, so that no new call takes its connection in
   * between.
   */
  #startNext(): void {
    for (const [waiting, isSignUp] of [
      [this.#waiting, false],
      [this.#waitingSignUps, true],
    ] as const) {
      while (waiting.length > 0 && this.#mayStart(isSignUp)) {
        this.#start(isSignUp);
        waiting.shift()!();
      }
    }
  }
}
