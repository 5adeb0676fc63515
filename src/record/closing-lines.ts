// The closing prices of one fixture: of each line the last open price published strictly before kickoff,
// unless its bookmaker had withdrawn or suspended it for longer than ten minutes by then. Kickoff is when the
// match was first seen live; a match that is never seen live kicks off as stated, and that is settled ten
// minutes later, because sources move kickoffs.

import { QUOTE_OPEN } from '../domain/catalogue.ts';

/**
 * How long a line may be gone at kickoff and still have a close. A stated kickoff may move for as long.
 */
const SETTLING_MS = 10 * 60_000;

export interface ClosedQuote {
  /** The quote key: market, period, line and bookmaker. */
  readonly key: number;
  /** Ten-thousandths, in outcome order. */
  readonly pricesE4: readonly number[];
  /** Source time of the price. Unix ms. */
  readonly closedAtMs: number;
}

interface LineNow extends ClosedQuote {
  /** Since when the line has not been open, NaN while it is. Unix ms. */
  readonly goneSinceMs: number;
}

export class ClosingLines {
  readonly #lines = new Map<number, LineNow>();
  #statedMs = Number.NaN;
  #atStated: readonly ClosedQuote[] | null = null;
  #frozen: readonly ClosedQuote[] | null = null;

  /** The closing prices, null until they are settled. */
  get frozen(): readonly ClosedQuote[] | null {
    return this.#frozen;
  }

  /** The kickoff as stated, Unix ms or NaN. A match that is put off takes its close along. */
  kickoffStated(kickoffMs: number, nowMs: number): void {
    if (Object.is(kickoffMs, this.#statedMs)) return;
    this.#statedMs = kickoffMs;
    if (!(kickoffMs <= nowMs)) this.#atStated = null;
  }

  /** When `advance` next has something to do, Unix ms; Infinity when it has not. */
  get nextMs(): number {
    if (this.#frozen !== null || Number.isNaN(this.#statedMs)) return Number.POSITIVE_INFINITY;
    return this.#atStated === null ? this.#statedMs : this.#statedMs + SETTLING_MS;
  }

  /** Time passes. Call it before whatever is published at `nowMs`. */
  advance(nowMs: number): void {
    if (this.#frozen !== null || !(this.#statedMs <= nowMs)) return;
    this.#atStated ??= this.#closeAt(this.#statedMs);
    if (nowMs >= this.#statedMs + SETTLING_MS) this.#freeze(this.#atStated);
  }

  /** The match is live. Call it before the prices that are published with that. */
  live(nowMs: number): void {
    if (this.#frozen === null) this.#freeze(this.#closeAt(nowMs));
  }

  /** A price or a status was published. */
  put(price: ClosedQuote, status: number, nowMs: number): void {
    if (this.#frozen !== null) return;
    const held = this.#lines.get(price.key);
    if (status === QUOTE_OPEN) this.#lines.set(price.key, { ...price, goneSinceMs: Number.NaN });
    else if (held !== undefined) this.#gone(held, nowMs);
  }

  /** The line left the slate. */
  withdraw(key: number, nowMs: number): void {
    const held = this.#lines.get(key);
    if (this.#frozen === null && held !== undefined) this.#gone(held, nowMs);
  }

  #gone(held: LineNow, nowMs: number): void {
    if (Number.isNaN(held.goneSinceMs)) this.#lines.set(held.key, { ...held, goneSinceMs: nowMs });
  }

  #closeAt(kickoffMs: number): readonly ClosedQuote[] {
    return [...this.#lines.values()].filter(({ goneSinceMs }) => !(kickoffMs - goneSinceMs > SETTLING_MS));
  }

  #freeze(prices: readonly ClosedQuote[]): void {
    this.#frozen = prices;
    this.#lines.clear();
  }
}
