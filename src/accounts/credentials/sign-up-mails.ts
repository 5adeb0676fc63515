// Decides whether a sign-up may send its mail. Nothing here depends on whether the address has an account, so
// neither the answer nor its time reveals that.

import { HOUR_MS } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import type { AccountParts } from '../account-parts.ts';
import { mailboxOf } from '../input.ts';
import { FEW_SIGNUPS } from './attempts.ts';

export class SignUpMails {
  readonly #parts: AccountParts;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  /**
   * Checks, without counting, that the limits allow the sign-up's mail, or that the sign-up sends none.
   * Refuses a flood before its passwords are hashed.
   * @throws ServiceError upstream_unavailable when too many mails were sent within an hour
   */
  async requireRoom(email: string, clientAddress: string): Promise<void> {
    if (await this.#wouldSend(email)) await this.#requireRoomInAll('hasFewer', clientAddress);
  }

  /**
   * Counts the mail of a sign-up. A sign-up that sends none, because its address has had enough, does not
   * count.
   * @returns whether it sends a mail
   * @throws ServiceError upstream_unavailable when too many mails were sent within an hour
   */
  async take(email: string, clientAddress: string): Promise<boolean> {
    const parts = this.#parts;
    // Count the mail against the limit of all sign-ups before the limit of its address: a sign-up that is
    // refused here must not use up a mail of the address' owner.
    if (!(await this.#wouldSend(email))) return false;
    await this.#requireRoomInAll('hasRoom', clientAddress);
    return (
      (await parts.hasTaggedRoom('signupMailPerTaggedMailbox', email)) &&
      (await parts.hasRoom('signupMailPerAccount', parts.for(email)))
    );
  }

  /** @param method `hasRoom` counts the mail against the limits on all sign-ups, `hasFewer` only checks */
  async #requireRoomInAll(method: 'hasFewer' | 'hasRoom', clientAddress: string): Promise<void> {
    const parts = this.#parts;
    if (await parts[method]('signupInAll', 'all')) return;
    if ((await this.#hasFew(clientAddress)) && (await parts[method]('signupOfFewInAll', 'all'))) return;
    throw tooManySignUps();
  }

  async #wouldSend(email: string): Promise<boolean> {
    const parts = this.#parts;
    const mailbox = mailboxOf(email);
    if (mailbox !== email && !(await parts.hasFewer('signupMailPerTaggedMailbox', parts.for(mailbox))))
      return false;
    return parts.hasFewer('signupMailPerAccount', parts.for(email));
  }

  /** Whether the client's network has at most FEW_SIGNUPS within an hour, this one included. */
  #hasFew(clientAddress: string): Promise<boolean> {
    const parts = this.#parts;
    return parts.hasFewer('signupPerNetwork', parts.fromNetwork(clientAddress), FEW_SIGNUPS + 1);
  }
}

/** The limit on sign-ups also limits the mails that strangers can make this server send to other people. */
function tooManySignUps(): ServiceError {
  return new ServiceError(
    'upstream_unavailable',
    'Cannot sign up: too many people signed up within an hour',
    {
      fix: 'Try again in an hour',
      retryAfterSeconds: HOUR_MS / 1_000,
    },
  );
}
