// What happened to each request of a source so far, and what follows from that together: whether the first round is
// complete, whether the upstream answers at all, and up to when everything is confirmed.

import { newRequestState, type RequestState } from './schedule.ts';
import type { PlannedRequest } from './source.ts';

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

  /** Keeps the table small: requests that are planned no more, such as those of days gone by, are forgotten. */
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

  /** Whether the upstream is there at all: not everything that it was asked last has failed. */
  isAnswering(planned: readonly PlannedRequest[]): boolean {
    return planned.some((request) => {
      const { answeredAtMs, failure } = this.of(request);
      return answeredAtMs !== null && failure === null;
    });
  }

  /** When the oldest of the answers that confirm open quotes came, null before any did. */
  confirmedAtMs(planned: readonly PlannedRequest[]): number | null {
    const confirms = planned.filter((request) => request.confirms);
    // An answer with changes also confirms what it does not name. Full answers are asked for more rarely, so they confirm
    // only where no changes are asked for.
    const changes = confirms.filter(({ part }) => part === 'changes');
    const confirming = changes.length > 0 ? changes : confirms;
    const answered = confirming.flatMap((request) => this.of(request).answeredAtMs ?? []);
    return answered.length === 0 ? null : Math.min(...answered);
  }
}
