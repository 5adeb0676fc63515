// The state of a push source, in the form that polled sources use: for /ready, /health and /metrics.

import type { PollFailureReason } from './poll/failure.ts';
import type { SourceState, SourceStatus } from './poll/status.ts';

export interface PushStanding {
  readonly name: string;
  readonly state: SourceState;
  readonly reason: PollFailureReason | null;
  /** When the source connects next, Unix ms; null while it is connected. */
  readonly nextTryAtMs: number | null;
}

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
