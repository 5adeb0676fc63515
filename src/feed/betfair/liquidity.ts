// How much can be staked at the prices of Betfair's markets. Sizes change with every order, so a fixture's
// amounts are sent every few seconds at most. The stream's amounts are pounds, whatever the account's
// currency.

import type { Draft, PolledLiquidityRow } from '../poll/drafts.ts';

const SEND_MS = 5_000;
const CURRENCY = 'GBP';

interface Held {
  /** The rows of each market, by its id. */
  readonly rows: Map<string, readonly PolledLiquidityRow[]>;
  /** Source time, Unix ms. */
  sentAtMs: number;
  isChanged: boolean;
}

export class BetfairLiquidity {
  readonly #bookmaker: string;
  readonly #events = new Map<string, Held>();

  constructor(bookmaker: string) {
    this.#bookmaker = bookmaker;
  }

  clear(): void {
    this.#events.clear();
  }

  /** Sets all rows of one market of a fixture. */
  set(event: string, market: string, rows: readonly PolledLiquidityRow[]): void {
    const held = this.#events.getOrInsertComputed(event, () => ({
      rows: new Map(),
      sentAtMs: Number.NEGATIVE_INFINITY,
      isChanged: false,
    }));
    if (Bun.deepEquals(held.rows.get(market) ?? [], rows)) return;
    held.rows.set(market, rows);
    held.isChanged = true;
  }

  /** The liquidity of a fixture, if it has changed and was last sent long enough ago; otherwise no draft. */
  due(event: string, atMs: number): Draft[] {
    const held = this.#events.get(event);
    if (held?.isChanged !== true || atMs - held.sentAtMs < SEND_MS) return [];
    return [this.#draft(event, held, atMs)];
  }

  /** All liquidity of a fixture, for a snapshot. */
  whole(event: string, atMs: number): Draft[] {
    const held = this.#events.get(event);
    return held === undefined ? [] : [this.#draft(event, held, atMs)];
  }

  #draft(event: string, held: Held, atMs: number): Draft {
    held.sentAtMs = atMs;
    held.isChanged = false;
    const rows = [...held.rows.values()].flat();
    return { type: 'liquidity', event, atMs, bookmaker: this.#bookmaker, currency: CURRENCY, rows };
  }
}
