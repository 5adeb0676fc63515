// What happened to each request of a source so far, and what follows from that together: whether the first
// round is complete, whether the upstream answers at all, and up to when everything is confirmed.

import { newRequestState, type RequestState } from './schedule.ts';
import type { PlannedRequest } from './source.ts';

/** An answer may be this late, and a request fail for this long, before its prices count as lost. */
const LATE_MS = 30_000;
/** Requests remembered before those that are planned no more are forgotten. */
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

  /**
   * Keeps the table small: requests that are planned no more, such as those of days gone by, are forgotten.
   */
  prune(planned: readonly PlannedRequest[]): void {
    if (this.#states.size <= STATES_MAX) return;
    const keys = new Set(planned.map(({ key }) => key));
    for (const [key, { isInFlight }] of this.#states) {
      if (!keys.has(key) && !isInFlight) this.#states.delete(key);
    }
  }

  /** A new epoch: nothing has been answered, but for the probe, which says nothing about prices. */
  restart(probe: PlannedRequest | null): void {
    for (const [key, state] of this.#states) {
      if (key === probe?.key) continue;
      if (state.isInFlight) state.answeredAtMs = null;
      else this.#states.delete(key);
    }
  }

  /**
   * Whether the full answers are all in, some at least.
   * @param isLate whether those that keep failing are waited for no longer
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
   * Whether the upstream still answers about prices: one request at least that confirms them was answered
   * when it was last due. What is asked beside them (fixtures, scores) says nothing about prices, so it
   * counts only while no prices are asked for at all.
   * @param everyMs how often a request is asked now
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

  /** When the oldest of the answers that confirm open quotes came, null before any did. */
  confirmedAtMs(planned: readonly PlannedRequest[]): number | null {
    const confirms = planned.filter((request) => request.confirms);
    // An answer with changes also confirms what it does not name. Full answers are asked for more rarely, so
    // they confirm only where no changes are asked for.
    const changes = confirms.filter(({ part }) => part === 'changes');
    const confirming = changes.length > 0 ? changes : confirms;
    const answered = confirming.flatMap((request) => this.of(request).answeredAtMs ?? []);
    return answered.length === 0 ? null : Math.min(...answered);
  }
}
