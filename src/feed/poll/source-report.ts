// The state of a pull source, derived from its cooldown and its requests, and its counts. Reports it on
// request as a status, and to the log and the slate each time it changes.

import type { Log } from '../../log.ts';
import type { Cooldown } from './cooldown.ts';
import type { PollFailureReason } from './failure.ts';
import type { RequestTable } from './request-table.ts';
import { intervalMs } from './schedule.ts';
import type { AnswerCount, PlannedRequest } from './source.ts';
import { type SourceState, type SourceStatus, Tally } from './status.ts';
import type { Timetable, TimetableParts } from './timetable.ts';

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

export interface SourceReportParts extends TimetableParts {
  readonly log: Log;
  /** Called when the upstream starts or stops answering. */
  readonly connection: (isConnected: boolean) => void;
  readonly ledger: Ledger;
  readonly timetable: Timetable;
}

export class SourceReporter {
  readonly #parts: SourceReportParts;
  #isConnected = false;
  #reportedState: SourceState = 'starting';

  constructor(parts: SourceReportParts) {
    this.#parts = parts;
  }

  /** The state that was reported last. */
  get state(): SourceState {
    return this.#reportedState;
  }

  status(nowMs: number): SourceStatus {
    const { source, budget, ledger, table, timetable } = this.#parts;
    const pace = timetable.pace(nowMs);
    return {
      name: source.name,
      ...this.#standing(nowMs),
      ...ledger,
      creditsLeft: budget.quota?.left ?? null,
      periodEndMs: budget.quota?.periodEndMs ?? null,
      requests: timetable.requests(nowMs).map((request) => {
        const { askedAtMs, answeredAtMs, failure } = table.of(request);
        const { key, cost } = request;
        const everyMs = intervalMs(request, pace);
        return { key, cost, everyMs, askedAtMs, answeredAtMs, reason: failure?.reason ?? null };
      }),
    };
  }

  /** Whether the upstream answers about prices, and so confirms its quotes. */
  isAnswering(nowMs: number): boolean {
    const { cooldown, table, timetable, source } = this.#parts;
    if ((source.push?.confirmedAtMs() ?? null) !== null) return true; // prices arrive even if requests fail
    if (cooldown.failure !== null) return false;
    const pace = timetable.pace(nowMs);
    return table.isAnswering(timetable.plan(nowMs), (request) => intervalMs(request, pace), nowMs);
  }

  /** Reports the source's state to the log and the slate, if it has changed. */
  update(nowMs: number): void {
    const { source, log, connection } = this.#parts;
    const isConnected = this.isAnswering(nowMs);
    if (isConnected !== this.#isConnected) {
      this.#isConnected = isConnected;
      connection(isConnected);
    }
    const { state, reason, nextTryAtMs } = this.#standing(nowMs);
    if (state === this.#reportedState) return;
    this.#reportedState = state;
    const next = nextTryAtMs === null ? null : Math.max(0, Math.round((nextTryAtMs - nowMs) / 1_000));
    log.info('source_state', { source: source.name, state, reason, next_try_in_s: next });
  }

  /** Logs the interval at which each request is sent at present. */
  updatePace(nowMs: number): void {
    const { source, log, budget, timetable } = this.#parts;
    const pace = timetable.pace(nowMs);
    for (const request of timetable.requests(nowMs)) {
      const everyS = Math.round(intervalMs(request, pace) / 1_000);
      log.info('source_pace', {
        source: source.name,
        request: request.key,
        every_s: Number.isFinite(everyS) ? everyS : null,
        cost: request.cost,
        left: budget.quota?.left ?? null,
      });
    }
  }

  #standing(nowMs: number): SourceStanding {
    const { cooldown, sender, table, timetable } = this.#parts;
    return standingOf(timetable.requests(nowMs), table, { cooldown, isRunning: sender.isRunning });
  }
}

type SourceStanding = Pick<SourceStatus, 'state' | 'reason' | 'nextTryAtMs'>;

/**
 * The state of a source, why it fails, and when it tries again.
 * @param requests those that may be sent now
 * @param isRunning whether the snapshot of this epoch has been sent
 */
function standingOf(
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
    // The source is stopped if all its requests have a final failure, such as a bad key that the upstream
    // reports for each request separately.
    const isStopped = states.every(({ failure }) => failure?.kind === 'final');
    const state = isStopped ? 'stopped' : 'failing';
    return { state, reason: failed.failure.reason, nextTryAtMs: failed.notBeforeMs };
  }
  return { state: isRunning ? 'ok' : 'starting', reason: null, nextTryAtMs: null };
}
