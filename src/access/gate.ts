// The seam between HTTP and access control: who a request counts as, and whether its budget admits it.

import type { KeyUsage } from '../accounts/usage.ts';
import type { Principal, TierKey } from '../domain/tiers.ts';
import type { ServiceError } from '../errors.ts';

/** What the gate decided about one request. */
export interface Admission {
  readonly principal: Principal;
  /** Set when the request is refused: 401 or 429, ready to be answered. */
  readonly refusal: ServiceError | null;
  /** Requests a minute. */
  readonly limit: number;
  /** Whole tokens left in the bucket. */
  readonly remaining: number;
  /** Epoch second at which the bucket is full. */
  readonly resetAtS: number;
  /** Set on a daily rejection: the RateLimit-* headers and X-RateLimit-Scope. */
  readonly daily: { readonly limit: number; readonly remaining: number; readonly resetAtS: number } | null;
}

/** One finished request, for usage and metrics. */
export interface FinishedRequest {
  readonly principal: Principal;
  readonly status: number;
  readonly latencyMs: number;
}

/** The body of GET /v1/usage. */
export interface UsageAnswer {
  readonly started_at: string;
  readonly uptime_s: number;
  /** Masked. */
  readonly key: string;
  readonly tier: TierKey;
  readonly usage: KeyUsage;
  readonly total_requests: number;
  readonly total_errors: number;
}

export interface Gate {
  /**
   * Identifies the caller and charges `units` (0 or 1). A refused request costs nothing. Takes no SQL and no await for
   * a known key.
   * @param authorization the Authorization header, null when absent
   * @param clientAddress the client's IP address, after trusted proxies
   */
  admit(authorization: string | null, clientAddress: string, units: 0 | 1): Admission;
  /** Counts a finished request. */
  record(request: FinishedRequest): void;
  /** The usage of the principal's key since the server started; null for a caller without a key. */
  usage(principal: Principal, nowMs: number): UsageAnswer | null;
}
