// The deliveries that wait or are being sent, counted in all, by account and by rule. A new alert reserves
// its place before it is written to the database, so that the bounds of the outbox hold at every moment.

import { AccountShares, type ShareHolder } from './account-shares.ts';
import { OUTBOX_MAX, OUTBOX_PER_RULE_MAX } from './outbox-store.ts';

interface Waiting {
  readonly messageId: string;
  readonly ruleId: string;
}

export class WaitingDeliveries {
  /**
   * For each message id, the account that holds its place, with the plan that the account had when it took
   * the place.
   */
  readonly #holders = new Map<string, ShareHolder>();
  /** Message ids of alerts that have a place but are not in the database yet. */
  readonly #reserved = new Set<string>();
  readonly #ofAccounts = new AccountShares(OUTBOX_MAX);
  readonly #ofRule = new Map<string, number>();

  get size(): number {
    return this.#holders.size;
  }

  has(messageId: string): boolean {
    return this.#holders.has(messageId);
  }

  /** Takes a place for a new alert. @returns false when the rule or its account has no place left */
  reserve(alert: Waiting, holder: ShareHolder): boolean {
    if (!this.#ofAccounts.hasRoomFor(holder)) return false;
    if ((this.#ofRule.get(alert.ruleId) ?? 0) >= OUTBOX_PER_RULE_MAX) return false;
    this.#reserved.add(alert.messageId);
    this.add(alert, holder);
    return true;
  }

  /**
   * Frees the place that was reserved for an alert. Call it when the alert is in the database; `add` then
   * counts the delivery again.
   */
  endReservation(alert: Waiting): void {
    if (this.#reserved.delete(alert.messageId)) this.remove(alert);
  }

  add({ messageId, ruleId }: Waiting, holder: ShareHolder): void {
    this.#ofAccounts.add(holder);
    this.#holders.set(messageId, holder);
    this.#ofRule.set(ruleId, (this.#ofRule.get(ruleId) ?? 0) + 1);
  }

  remove({ messageId, ruleId }: Waiting): void {
    const holder = this.#holders.get(messageId);
    if (holder === undefined) return;
    this.#holders.delete(messageId);
    this.#ofAccounts.remove(holder);
    const left = (this.#ofRule.get(ruleId) ?? 1) - 1;
    if (left > 0) this.#ofRule.set(ruleId, left);
    else this.#ofRule.delete(ruleId);
  }

  clear(): void {
    this.#holders.clear();
    this.#reserved.clear();
    this.#ofAccounts.clear();
    this.#ofRule.clear();
  }
}
