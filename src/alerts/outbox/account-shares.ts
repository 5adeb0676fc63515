// Limits how much each account may hold of something that all alerts share, such as places in the outbox.
// Accounts without a paid plan are also limited together. So any number of them leaves room for customers,
// and one customer leaves room for others.

/** The part of the whole that accounts without a paid plan share. */
const FREE_SHARE = 1 / 4;
/** The part of the whole that one account may hold, with and without a paid plan. */
const PAID_ACCOUNT_SHARE = 1 / 3;
const FREE_ACCOUNT_SHARE = 1 / 32;
/**
 * The part of FREE_SHARE that is kept for accounts that hold nothing yet. So a few accounts at their limit
 * leave places for others.
 */
const FIRST_SHARE = 1 / 4;

export interface ShareHolder {
  readonly accountId: string;
  readonly isPaid: boolean;
}

/** The part of the whole that this account may hold. */
export function accountShareOf({ isPaid }: ShareHolder): number {
  return isPaid ? PAID_ACCOUNT_SHARE : FREE_ACCOUNT_SHARE;
}

export class AccountShares {
  readonly #total: number;
  readonly #heldByAccount = new Map<string, number>();
  #heldByFree = 0;
  #heldByPaid = 0;

  /** @param total what all accounts together may hold */
  constructor(total: number) {
    this.#total = total;
  }

  /** Whether the account may hold one more. */
  hasRoomFor(holder: ShareHolder): boolean {
    const { accountId, isPaid } = holder;
    const heldByAccount = this.#heldByAccount.get(accountId) ?? 0;
    const held = isPaid ? this.#heldByPaid : this.#heldByFree;
    const freeShare = heldByAccount > 0 ? FREE_SHARE * (1 - FIRST_SHARE) : FREE_SHARE;
    const share = isPaid ? 1 - FREE_SHARE : freeShare;
    return held + 1 <= this.#total * share && heldByAccount + 1 <= this.#total * accountShareOf(holder);
  }

  /**
   * Counts one more, even if `hasRoomFor` is false: a delivery that is already in the database is not
   * refused.
   */
  add(holder: ShareHolder): void {
    this.#count(holder, 1);
  }

  /** @param holder as it was passed to `add`: the account's plan may have changed since */
  remove(holder: ShareHolder): void {
    this.#count(holder, -1);
  }

  clear(): void {
    this.#heldByAccount.clear();
    this.#heldByFree = 0;
    this.#heldByPaid = 0;
  }

  #count({ accountId, isPaid }: ShareHolder, change: 1 | -1): void {
    if (isPaid) this.#heldByPaid += change;
    else this.#heldByFree += change;
    const held = (this.#heldByAccount.get(accountId) ?? 0) + change;
    if (held > 0) this.#heldByAccount.set(accountId, held);
    else this.#heldByAccount.delete(accountId);
  }
}
