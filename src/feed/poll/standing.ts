// How a source is doing, worked out from its rest and its requests, and counted. Pure but for its own counts.

import type { PollFailureReason } from './failure.ts';
import type { RequestTable } from './request-table.ts';
import type { Rest } from './rest.ts';
import type { AnswerCount, PlannedRequest } from './source.ts';
import { type SourceStatus, Tally } from './status.ts';

export type Standing = Pick<SourceStatus, 'state' | 'reason' | 'nextTryAtMs'>;

/** @param requests what may be asked now @param isRunning whether the snapshot of this epoch is out */
export function standingOf(
  requests: readonly PlannedRequest[],
  table: RequestTable,
  { rest, isRunning }: { readonly rest: Rest; readonly isRunning: boolean },
): Standing {
  if (rest.failure !== null) {
    const state = rest.isStop ? 'stopped' : 'failing';
    return { state, reason: rest.failure.reason, nextTryAtMs: rest.untilMs };
  }
  const states = requests.map((request) => table.of(request));
  const failed = states.find(({ failure }) => failure !== null);
  if (failed?.failure != null) {
    // Refused for good, all that was asked: a bad key that the upstream reports request by request.
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
  asked = 0;
  answered = 0;
  creditsSpent = 0;
  epochs = 0;

  /** The counts as a status shows them. */
  shown(): Pick<
    SourceStatus,
    'requestsAsked' | 'requestsAnswered' | 'creditsSpent' | 'epochs' | 'failures' | 'counts' | 'unmapped'
  > {
    return {
      requestsAsked: this.asked,
      requestsAnswered: this.answered,
      creditsSpent: this.creditsSpent,
      epochs: this.epochs,
      failures: this.failures.counts,
      counts: this.counts.counts,
      unmapped: this.unmapped.counts,
    };
  }
}
