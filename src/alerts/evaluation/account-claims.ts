// Divides something that rules of many accounts share, such as views of signals. Each item counts for the
// account whose rule claimed it first; rules of other accounts then use it too and pay nothing. What no
// account claims within its share is left over, and other accounts may have it, except a quarter. So one
// account cannot take all items, and popular items stay open to everybody.

import { accountShareOf, type ShareHolder } from '../outbox/account-shares.ts';

/**
 * The part that may be claimed beyond the shares. The rest is kept for accounts that are still within their
 * share.
 */
const BEYOND_SHARES = 3 / 4;
/** The part of the whole that accounts without a paid plan may claim together. */
const FREE_PART = 1 / 2;

export class AccountClaims<Item> {
  readonly #total: number;
  readonly #claimed = new Set<Item>();
  readonly #ofAccount = new Map<string, number>();
  #ofFree = 0;

  /** @param total how many items there are for all accounts together */
  constructor(total: number) {
    this.#total = total;
  }

  /**
   * Whether the account may use the item within its share. Every account may use at least one item.
   * @param item null for one that does not exist yet
   */
  hasRoomFor(item: Item | null, holder: ShareHolder): boolean {
    if (item !== null && this.#claimed.has(item)) return true;
    const held = this.#ofAccount.get(holder.accountId) ?? 0;
    return held + 1 <= Math.max(1, this.#total * accountShareOf(holder));
  }

  /** Whether the account may use the item, within its share or because others leave room. */
  hasRoomLeftFor(item: Item | null, holder: ShareHolder): boolean {
    if (this.hasRoomFor(item, holder)) return true;
    const left = this.#total * BEYOND_SHARES;
    return this.#claimed.size + 1 <= left && (holder.isPaid || this.#ofFree + 1 <= left * FREE_PART);
  }

  /** Notes that the account uses the item. */
  claim(item: Item, { accountId, isPaid }: ShareHolder): void {
    if (this.#claimed.has(item)) return;
    this.#claimed.add(item);
    if (!isPaid) this.#ofFree++;
    this.#ofAccount.set(accountId, (this.#ofAccount.get(accountId) ?? 0) + 1);
  }
}
