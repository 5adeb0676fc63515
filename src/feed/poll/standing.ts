// The state of a source, derived from its cooldown and its requests, and its counts. Pure except for these
// counts.

import type { Cooldown } from './cooldown.ts';
import type { PollFailureReason } from './failure.ts';
import type { RequestTable } from './request-table.ts';
import type { AnswerCount, PlannedRequest } from './source.ts';
import { type SourceStatus, Tally } from './status.ts';

export type SourceStanding = Pick<SourceStatus, 'state' | 'reason' | 'nextTryAtMs'>;

/**
 * The state of a source, why it fails, and when it tries again.
 * @param requests those that may be sent now
 * @param isRunning whether the snapshot of this epoch has been sent
 */
export function standingOf(
  requests: readonly PlannedRequest[],
  table: RequestTable,
  { cooldown, isRunning }: { readonly cooldown: Cooldown; readonly isRunning: boolean },
): SourceStanding {
  if (cooldown.failure !== null) {
    const state = cooldown.isStop ? 'stopped' : 'failing';
    return { state, reason: cooldown.failure.reason, nextTryAtMs: cooldown.untilMs };
  }
  const states = requests.map((request) => table.of(request));
  const failed = states.find(({ failure }) => failure !== null);
  if (failed?.failure != null) {
    // All requests were refused for good: a bad key that the upstream reports for each request separately.
    const isStopped = states.every(({ failure }) => failure?.kind === 'final');
    const state = isStopped ? 'stopped' : 'failing';
    return { state, reason: failed.failure.reason, nextTryAtMs: failed.notBeforeMs };
  }
  return { state: isRunning ? 'ok' : 'starting', reason: null, nextTryAtMs: null };
}

/** What a source has counted since it was opened. */
export class Ledger {
  readonly failures = new Tally<PollFailureReason>();
  readonly counts = new Tally<AnswerCount>();
  readonly unmapped = new Tally<string>();
  requestsAsked = 0;
  requestsAnswered = 0;
  creditsSpent = 0;
  epochs = 0;
}
