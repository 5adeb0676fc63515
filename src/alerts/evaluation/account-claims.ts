// Divides something that rules of many accounts share, such as views of signals. Each item counts for the
// account whose rule claimed it first; rules of other accounts then use it too and pay nothing. So one
// account cannot take all items, and popular items stay open to everybody.

import { accountShareOf, type ShareHolder } from '../outbox/account-shares.ts';

export class AccountClaims<Item> {
  readonly #total: number;
  readonly #claimed = new Set<Item>();
  readonly #ofAccount = new Map<string, number>();

  /** @param total how many items there are for all accounts together */
  constructor(total: number) {
    this.#total = total;
  }

  /**
   * Whether the account may use the item. Every account may use one.
   * @param item null for one that does not exist yet
   */
  hasRoomFor(item: Item | null, holder: ShareHolder): boolean {
    if (item !== null && this.#claimed.has(item)) return true;
    const held = this.#ofAccount.get(holder.accountId) ?? 0;
    return held + 1 <= Math.max(1, this.#total * accountShareOf(holder));
  }

  /** Notes that the account uses the item. */
  claim(item: Item, { accountId }: ShareHolder): void {
    if (this.#claimed.has(item)) return;
    this.#claimed.add(item);
    this.#ofAccount.set(accountId, (this.#ofAccount.get(accountId) ?? 0) + 1);
  }
}
