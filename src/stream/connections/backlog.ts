// Counts the bytes that were sent on one connection but that its client has not read, against the memory
// budget.

import type { FairShares, Holder } from '../../access/quotas/fair-shares.ts';

export class Backlog {
  readonly #budget: Pick<FairShares, 'reserve' | 'release'>;
  readonly #holder: Holder;
  #bytes = 0;

  constructor(budget: Pick<FairShares, 'reserve' | 'release'>, holder: Holder) {
    this.#budget = budget;
    this.#holder = holder;
  }

  /**
   * Sets the current number of unread bytes.
   * @returns false if the budget has no room for that many; the count then does not grow
   */
  set(bytes: number): boolean {
    const more = bytes - this.#bytes;
    if (more > 0 && !this.#budget.reserve(this.#holder, more)) return false;
    if (more < 0) this.#budget.release(this.#holder, -more);
    this.#bytes = bytes;
    return true;
  }
}
