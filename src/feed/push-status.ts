// The state of a push source, in the form that polled sources use: for /ready, /health and /metrics.

import type { SourceStatus } from './poll/status.ts';

export type PushStanding = Pick<SourceStatus, 'name' | 'state' | 'reason' | 'nextTryAtMs'>;

/** The state as a status without requests, credits or answers to count. */
export function pushStatus(standing: PushStanding): SourceStatus {
  return {
    ...standing,
    requestsAsked: 0,
    requestsAnswered: 0,
    creditsSpent: 0,
    creditsLeft: null,
    periodEndMs: null,
    epochs: 0,
    failures: new Map(),
    counts: new Map(),
    unmapped: new Map(),
    requests: [],
  };
}
