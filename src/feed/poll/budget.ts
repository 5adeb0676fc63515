// How fast a source may spend its quota: what is left, spread over the rest of its period. Pure: time comes
// in. Unused allowance is saved for up to a day, so that a Saturday afternoon may cost more than a Tuesday
// night.

const DAY_MS = 86_400_000;
/**
 * Savings are spent over this long, so that they lower the intervals of many requests rather than fall to the
 * first.
 */
const SAVINGS_SPENT_OVER_MS = 6 * 3_600_000;

/** What an answer says about the quota. */
export interface Quota {
  /** Credits still to be spent in this period. */
  readonly left: number;
  /** Credits of the whole period, null when the upstream does not say. */
  readonly limit: number | null;
  /** When the credits are full again, Unix ms. */
  readonly periodEndMs: number;
  /**
   * A credit at most every so many milliseconds on average, whatever is left; 0 for none. For plans so small
   * that spending the end of a month's rest in a rush is no use.
   */
  readonly leastMsPerCredit: number;
}

/** A request as the plan wants it. */
export interface CostedRequest {
  readonly cost: number;
  readonly everyMs: number;
}

export class Budget {
  #quota: Quota | null = null;
  #savedCredits = 0;
  #accruedAtMs = 0;

  /** What the last answer said, null before any did: then nothing is held back. */
  get quota(): Quota | null {
    return this.#quota;
  }

  /** An answer said what is left. */
  learn(quota: Quota, nowMs: number): void {
    this.#accrue(nowMs);
    const renewed = this.#quota !== null && nowMs >= this.#quota.periodEndMs;
    if (this.#quota === null || renewed) this.#savedCredits = Math.max(0, this.#savedCredits);
    this.#quota = quota;
  }

  /**
   * A request was made. @param isFree whether it is part of the first round, which the allowance does not pay
   */
  spend(cost: number, isFree: boolean, nowMs: number): void {
    this.#accrue(nowMs);
    if (!isFree) this.#savedCredits -= cost;
  }

  /** Credits a millisecond, Infinity without a quota. */
  rate(nowMs: number): number {
    const quota = this.#quota;
    if (quota === null) return Number.POSITIVE_INFINITY;
    const restMs = Math.max(1, quota.periodEndMs - nowMs);
    // What is saved is spoken for already: only the rest of what is left is spread.
    const spread = Math.max(0, quota.left - Math.max(0, this.#savedCredits)) / restMs;
    return quota.leastMsPerCredit > 0 ? Math.min(spread, 1 / quota.leastMsPerCredit) : spread;
  }

  /**
   * How many times longer than wanted every interval must be for the plan to fit: 1 when it fits. Requests
   * keep their proportions, so what is in play or near its kickoff stays first.
   */
  stretch(requests: readonly CostedRequest[], nowMs: number): number {
    const wanted = requests.reduce((sum, { cost, everyMs }) => sum + cost / everyMs, 0);
    if (this.#quota === null || wanted === 0) return 1;
    this.#accrue(nowMs);
    const affordable = this.rate(nowMs) + Math.max(0, this.#savedCredits) / SAVINGS_SPENT_OVER_MS;
    return affordable === 0 ? Number.POSITIVE_INFINITY : Math.max(1, wanted / affordable);
  }

  /** When so many credits may be spent, Unix ms: `nowMs` or earlier for at once. */
  affordableAtMs(cost: number, nowMs: number): number {
    const quota = this.#quota;
    if (quota === null || cost === 0) return nowMs;
    if (!this.hasLeft(cost, nowMs)) return quota.periodEndMs;
    this.#accrue(nowMs);
    const missing = cost - this.#savedCredits;
    if (missing <= 0) return nowMs;
    const rate = this.rate(nowMs);
    return rate === 0 ? quota.periodEndMs : Math.min(quota.periodEndMs, nowMs + Math.ceil(missing / rate));
  }

  /** Whether the upstream still has so many credits for us. */
  hasLeft(cost: number, nowMs: number): boolean {
    const quota = this.#quota;
    return quota === null || cost === 0 || quota.left >= cost || nowMs >= quota.periodEndMs;
  }

  #accrue(nowMs: number): void {
    const elapsedMs = Math.max(0, nowMs - this.#accruedAtMs);
    const rate = this.rate(this.#accruedAtMs);
    this.#accruedAtMs = nowMs;
    if (!Number.isFinite(rate)) return;
    const most = Math.min(this.#quota?.left ?? 0, Math.max(this.#savedCredits, rate * DAY_MS));
    this.#savedCredits = Math.min(this.#savedCredits + elapsedMs * rate, most);
  }
}
