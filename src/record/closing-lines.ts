// When the closing prices of a fixture of a recording are settled. Kickoff is when the match was first seen
// live; a match that is never seen live counts as begun at its stated kickoff and is settled ten minutes
// later, because sources move kickoffs.

import { QUOTE_OPEN } from '../domain/catalogue.ts';
import { CLOSE_SETTLING_MS, LastOpenPrices } from '../history/closing-price.ts';

export interface ClosedQuote {
  /** The quote key: market, period, line and bookmaker. */
  readonly key: number;
  /** Ten-thousandths, in outcome order. */
  readonly pricesE4: readonly number[];
  /** Source time of the price. Unix ms. */
  readonly closedAtMs: number;
}

export class ClosingLines {
  readonly #lines = new LastOpenPrices<number, ClosedQuote>();
  #statedMs = Number.NaN;
  #atStated: readonly ClosedQuote[] | null = null;
  #frozen: readonly ClosedQuote[] | null = null;

  /** The closing prices, null until they are settled. */
  get frozen(): readonly ClosedQuote[] | null {
    return this.#frozen;
  }

  /**
   * Notes the kickoff that a source states, Unix ms or NaN. A postponed match gets its closing prices at its
   * new kickoff.
   */
  kickoffStated(kickoffMs: number, nowMs: number): void {
    if (Object.is(kickoffMs, this.#statedMs)) return;
    this.#statedMs = kickoffMs;
    if (!(kickoffMs <= nowMs)) this.#atStated = null;
  }

  /** When `advance` next has something to do, Unix ms; Infinity when it has nothing to do. */
  get nextMs(): number {
    if (this.#frozen !== null || Number.isNaN(this.#statedMs)) return Number.POSITIVE_INFINITY;
    return this.#atStated === null ? this.#statedMs : this.#statedMs + CLOSE_SETTLING_MS;
  }

  /**
   * Does what is due at `nowMs`. At the stated kickoff it notes the open prices, and CLOSE_SETTLING_MS later
   * these become the closing prices. Call it before anything that is published then.
   */
  advance(nowMs: number): void {
    if (this.#frozen !== null || !(this.#statedMs <= nowMs)) return;
    this.#atStated ??= this.#closeAt(this.#statedMs);
    if (nowMs >= this.#statedMs + CLOSE_SETTLING_MS) this.#freeze(this.#atStated);
  }

  /** Notes that the match is live. Call it before the prices that are published at the same time. */
  live(nowMs: number): void {
    if (this.#frozen === null) this.#freeze(this.#closeAt(nowMs));
  }

  /** Notes a price or a status that was published. */
  put(price: ClosedQuote, status: number, nowMs: number): void {
    if (this.#frozen !== null) return;
    if (status === QUOTE_OPEN) this.#lines.open(price.key, price);
    else this.#lines.gone(price.key, nowMs);
  }

  /** Notes that the line left the slate. */
  withdraw(key: number, nowMs: number): void {
    if (this.#frozen === null) this.#lines.gone(key, nowMs);
  }

  #closeAt(kickoffMs: number): readonly ClosedQuote[] {
    return this.#lines.closeAt(kickoffMs).map(({ price }) => price);
  }

  #freeze(prices: readonly ClosedQuote[]): void {
    this.#frozen = prices;
    this.#lines.clear();
  }
}
