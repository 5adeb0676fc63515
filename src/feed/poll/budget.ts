// How fast a source may spend its quota: the remaining credits, spread over the rest of the period. Pure:
// time is an argument. Unused allowance is saved, at most that of one day, so that a Saturday afternoon may
// cost more than a Tuesday night.

import { DAY_MS, HOUR_MS } from '../../clock.ts';

/**
 * Savings are spent over this long, so that they shorten the intervals of many requests and are not used up
 * by the first.
 */
const SAVINGS_SPENT_OVER_MS = 6 * HOUR_MS;

/** The quota as an answer reports it. */
export interface Quota {
  /** Remaining credits of this period. */
  readonly left: number;
  /** Credits of the whole period, null when the upstream does not report them. */
  readonly limit: number | null;
  /** When the quota is refilled, Unix ms. */
  readonly periodEndMs: number;
  /**
   * The least average time between two spent credits, in ms, even if more credits remain; 0 for no such
   * limit. For small plans, so that the credits left near the end of a month are not spent in one burst.
   */
  readonly leastMsPerCredit: number;
}

/** A request of the plan. */
export interface CostedRequest {
  readonly cost: number;
  readonly everyMs: number;
}

export class CreditBudget {
  #quota: Quota | null = null;
  #savedCredits = 0;
  #accruedAtMs = 0;

  /** The quota that was reported last; null before the first report. Until then no request has to wait. */
  get quota(): Quota | null {
    return this.#quota;
  }

  /** Notes the quota that an answer reported. */
  learn(quota: Quota, nowMs: number): void {
    this.#accrue(nowMs);
    const renewed = this.#quota !== null && nowMs >= this.#quota.periodEndMs;
    if (this.#quota === null || renewed) this.#savedCredits = Math.max(0, this.#savedCredits);
    this.#quota = quota;
  }

  /**
   * Notes that a request was sent.
   * @param isFree whether it belongs to the first round, which is not charged to the allowance
   */
  spend(cost: number, isFree: boolean, nowMs: number): void {
    this.#accrue(nowMs);
    if (!isFree) this.#savedCredits -= cost;
  }

  /** How many credits may be spent per ms on average; Infinity without a quota. */
  rate(nowMs: number): number {
    const quota = this.#quota;
    if (quota === null) return Number.POSITIVE_INFINITY;
    const restMs = Math.max(1, quota.periodEndMs - nowMs);
    // Saved credits are set aside, so only the other remaining credits are spread.
    const spread = Math.max(0, quota.left - Math.max(0, this.#savedCredits)) / restMs;
    return quota.leastMsPerCredit > 0 ? Math.min(spread, 1 / quota.leastMsPerCredit) : spread;
  }

  /**
   * The factor by which every interval must be stretched for the plan to fit the quota: 1 when it fits.
   * Requests keep their proportions, so matches in play or near kickoff stay first.
   */
  stretch(requests: readonly CostedRequest[], nowMs: number): number {
    const wanted = requests.reduce((sum, { cost, everyMs }) => sum + cost / everyMs, 0);
    if (this.#quota === null || wanted === 0) return 1;
    this.#accrue(nowMs);
    const affordable = this.rate(nowMs) + Math.max(0, this.#savedCredits) / SAVINGS_SPENT_OVER_MS;
    return affordable === 0 ? Number.POSITIVE_INFINITY : Math.max(1, wanted / affordable);
  }

  /** When this many credits may be spent, Unix ms; `nowMs` or earlier means now. */
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

  /** Whether the upstream still has this many credits for us. */
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
