// The rate limit of requests that cost no unit: pages, documents, health checks and /platform. Each serving
// thread counts per client network (an IPv4 address or an IPv6 /64) and per session, so that no client keeps
// a thread busy with free requests.

import { subjectTextOf } from '../client-address.ts';
import { FREE_NETWORKS_MAX, FREE_REQUESTS_BURST, FREE_REQUESTS_PER_SECOND } from '../limits.ts';

const INTERVAL_MS = 1_000 / FREE_REQUESTS_PER_SECOND;
const WINDOW_MS = INTERVAL_MS * FREE_REQUESTS_BURST;

/** The monotonic milliseconds at which the bucket of each subject is full again, as in quotas/bucket.ts. */
type Buckets = Map<string, number>;

export class FreePace {
  readonly #networks: Buckets = new Map();
  /**
   * Sessions have a map of their own, because a client can send any number of session tokens, and would fill
   * the map of networks.
   */
  readonly #sessions: Buckets = new Map();

  /**
   * Charges one request of a client.
   * @param weight how many plain requests it counts as
   * @returns 0; or, with nothing charged, the milliseconds until the request fits
   */
  take(clientAddress: string, weight: number, nowMs: number): number {
    return charge(this.#networks, { subject: subjectTextOf(clientAddress), weight, nowMs });
  }

  /** Charges one request of a session, from any network. Arguments and result are those of `take`. */
  takeSession(token: string, weight: number, nowMs: number): number {
    return charge(this.#sessions, { subject: String(Bun.hash(token)), weight, nowMs });
  }
}

interface Charge {
  readonly subject: string;
  readonly weight: number;
  readonly nowMs: number;
}

function charge(buckets: Buckets, { subject, weight, nowMs }: Charge): number {
  const fullAtMs = Math.max(buckets.get(subject) ?? 0, nowMs) + weight * INTERVAL_MS;
  const waitMs = fullAtMs - nowMs - WINDOW_MS;
  if (waitMs > 0) return waitMs;
  if (buckets.size >= FREE_NETWORKS_MAX && !buckets.has(subject)) buckets.clear();
  buckets.set(subject, fullAtMs);
  return 0;
}
