// Divides what all alerts share, such as places in the outbox, among accounts. Accounts without a paid plan
// share one part of it, and each account gets a part. So no number of accounts that cost nothing takes what
// customers pay for, and one customer leaves room for the others.

/** The part of the whole that accounts without a paid plan share. */
const FREE_SHARE = 1 / 4;
/** The part of the whole that one account may hold, with and without a paid plan. */
const PAID_ACCOUNT_SHARE = 1 / 3;
const FREE_ACCOUNT_SHARE = 1 / 32;
/**
 * The part of what accounts without a paid plan share that is left to those of them that hold nothing, so
 * that a few that hold all they can leave places for the others.
 */
const FIRST_SHARE = 1 / 4;

export interface ShareHolder {
  readonly accountId: string;
  readonly isPaid: boolean;
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
  hasRoomFor({ accountId, isPaid }: ShareHolder): boolean {
    const heldByAccount = this.#heldByAccount.get(accountId) ?? 0;
    const held = isPaid ? this.#heldByPaid : this.#heldByFree;
    const freeShare = heldByAccount > 0 ? FREE_SHARE * (1 - FIRST_SHARE) : FREE_SHARE;
    const share = isPaid ? 1 - FREE_SHARE : freeShare;
    const accountShare = isPaid ? PAID_ACCOUNT_SHARE : FREE_ACCOUNT_SHARE;
    return held + 1 <= this.#total * share && heldByAccount + 1 <= this.#total * accountShare;
  }

  /** Counts one more, also without room: what is in the database already is not refused. */
  add(holder: ShareHolder): void {
    this.#count(holder, 1);
  }

  /** @param holder as it was when this one was added: its plan may have changed since */
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
