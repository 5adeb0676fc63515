// The history of each request of a source, and what follows from it: whether the first round is complete,
// whether the upstream answers at all, and up to when everything is confirmed.

import { newRequestState, type RequestState } from './schedule.ts';
import type { PlannedRequest } from './source.ts';

/** How late an answer may be, or how long a request may fail, before its prices count as lost. */
const LATE_MS = 30_000;
/** With more requests than this the table is full: `prune` then drops those that are no longer planned. */
const STATES_MAX = 256;

export class RequestTable {
  readonly #states = new Map<string, RequestState>();

  of({ key }: PlannedRequest): RequestState {
    const held = this.#states.get(key);
    if (held !== undefined) return held;
    const state = newRequestState();
    this.#states.set(key, state);
    return state;
  }

  /** If the table is full, drops requests that are neither planned nor open, such as those of past days. */
  prune(planned: readonly PlannedRequest[]): void {
    if (this.#states.size <= STATES_MAX) return;
    const keys = new Set(planned.map(({ key }) => key));
    for (const [key, { isInFlight }] of this.#states) {
      if (!keys.has(key) && !isInFlight) this.#states.delete(key);
    }
  }

  /**
   * Call it when a new epoch begins: every request then counts as unanswered, except `probe`, whose answer
   * has no prices.
   */
  restart(probe: PlannedRequest | null): void {
    for (const [key, state] of this.#states) {
      if (key === probe?.key) continue;
      if (state.isInFlight) state.answeredAtMs = null;
      else this.#states.delete(key);
    }
  }

  /**
   * Whether every request of the snapshot was answered or has a final failure, and at least one was answered.
   * @param isLate whether a failure of any kind is enough
   */
  isRoundComplete(full: readonly PlannedRequest[], isLate: boolean): boolean {
    const states = full.map((request) => this.of(request));
    const isComplete = states.every(
      ({ answeredAtMs, failure }) =>
        answeredAtMs !== null || failure?.kind === 'final' || (isLate && failure !== null),
    );
    return isComplete && states.some(({ answeredAtMs }) => answeredAtMs !== null);
  }

  /**
   * Whether the upstream still answers about prices: at least one request that confirms prices was answered
   * when it was last due. Other requests (fixtures, scores) say nothing about prices, so they count only
   * while no prices are requested.
   * @param everyMs the present interval of a request
   */
  isAnswering(
    planned: readonly PlannedRequest[],
    everyMs: (request: PlannedRequest) => number,
    nowMs: number,
  ): boolean {
    const prices = planned.filter(({ confirms }) => confirms);
    return (prices.length > 0 ? prices : planned).some((request) => {
      const { answeredAtMs, failure } = this.of(request);
      if (answeredAtMs === null) return false;
      const dueWithinMs = failure === null ? everyMs(request) : 0;
      return nowMs - answeredAtMs <= dueWithinMs + LATE_MS;
    });
  }

  /** When the oldest of the answers that confirm open quotes arrived, null before the first one. */
  confirmedAtMs(planned: readonly PlannedRequest[]): number | null {
    const confirms = planned.filter((request) => request.confirms);
    // An answer with changes also confirms what it does not name. Full answers are requested less often, so
    // they confirm only if no changes are requested.
    const changes = confirms.filter(({ part }) => part === 'changes');
    const confirming = changes.length > 0 ? changes : confirms;
    const answered = confirming.flatMap((request) => this.of(request).answeredAtMs ?? []);
    return answered.length === 0 ? null : Math.min(...answered);
  }
}
