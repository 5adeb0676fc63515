// The rate limit of requests that cost no unit: pages, documents, health checks and /platform. Each HTTP
// thread counts per client network and per session, so that no client keeps a thread busy with free requests.

import { subjectTextOf } from '../client-address.ts';
import { FREE_NETWORKS_MAX, FREE_REQUESTS_BURST, FREE_REQUESTS_PER_SECOND } from '../limits.ts';

const INTERVAL_MS = 1_000 / FREE_REQUESTS_PER_SECOND;
const WINDOW_MS = INTERVAL_MS * FREE_REQUESTS_BURST;

export class FreePace {
  /**
   * For each network and session, the monotonic milliseconds at which its bucket is full again, as in
   * access/quotas/bucket.ts.
   */
  readonly #fullAtMs = new Map<string, number>();

  /**
   * Charges one request of a client.
   * @param weight how many plain requests it counts as
   * @returns 0; or, with nothing charged, the milliseconds until the request fits
   */
  take(clientAddress: string, weight: number, nowMs: number): number {
    return this.#take(subjectTextOf(clientAddress), weight, nowMs);
  }

  /** Charges one request of a session, from whatever network. Arguments and result as of `take`. */
  takeSession(token: string, weight: number, nowMs: number): number {
    return this.#take(`session ${Bun.hash(token)}`, weight, nowMs);
  }

  #take(subject: string, weight: number, nowMs: number): number {
    const fullAtMs = Math.max(this.#fullAtMs.get(subject) ?? 0, nowMs) + weight * INTERVAL_MS;
    const waitMs = fullAtMs - nowMs - WINDOW_MS;
    if (waitMs > 0) return waitMs;
    if (this.#fullAtMs.size >= FREE_NETWORKS_MAX && !this.#fullAtMs.has(subject)) this.#fullAtMs.clear();
    this.#fullAtMs.set(subject, fullAtMs);
    return 0;
  }
}
