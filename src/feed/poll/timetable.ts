// Which requests of a pull source may be sent, which comes next and when: the source's plan, compared with
// its quota (budget.ts), its cooldown (cooldown.ts) and the history of each request (request-table.ts). It
// changes none of those.

import type { CreditBudget } from './budget.ts';
import type { Cooldown } from './cooldown.ts';
import type { EpochSender } from './epoch-sender.ts';
import type { Picture } from './picture.ts';
import type { RequestTable } from './request-table.ts';
import { dueAtMs, type PollPace, pressure } from './schedule.ts';
import type { PlannedRequest, PolledSource } from './source.ts';

export interface TimetableParts {
  readonly source: PolledSource;
  /** The shortest interval between requests, as the operator has set it; null for the source's own. */
  readonly forcedEveryMs: number | null;
  readonly picture: Picture;
  readonly budget: CreditBudget;
  readonly cooldown: Cooldown;
  readonly table: RequestTable;
  readonly sender: Pick<EpochSender, 'isRunning'>;
}

export class Timetable {
  readonly #parts: TimetableParts;
  #gapMs = 0;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: TimetableParts) {
    this.#parts = parts;
  }

  /**
   * The requests that the source wants. A request for changes is left out if its answer reaches back no
   * further than the operator's shortest interval, because changes would be lost between two answers.
   */
  plan(nowMs: number): readonly PlannedRequest[] {
    const { source, picture, forcedEveryMs } = this.#parts;
    return source
      .plan(picture.fixtures, nowMs)
      .filter(({ windowMs }) => windowMs === undefined || windowMs > (forcedEveryMs ?? 0));
  }

  /** The requests that the source's state allows now, whether they are due or not. */
  requests(nowMs: number): readonly PlannedRequest[] {
    const plan = this.plan(nowMs);
    const { cooldown, table, sender } = this.#parts;
    const { probe } = this.#parts.source;
    if (cooldown.isStop) return probe === null ? plan.slice(0, 1) : [probe];
    // The free request comes before all others, because it shows the quota before any credit is spent.
    if (probe !== null && table.of(probe).answeredAtMs === null) return [probe];
    return sender.isRunning ? plan : plan.filter(({ part }) => part === 'full');
  }

  pace(nowMs: number): PollPace {
    const { budget, forcedEveryMs } = this.#parts;
    return { forcedEveryMs, stretch: budget.stretch(this.plan(nowMs), nowMs) };
  }

  /** When each of `requests` is due, Unix ms; Infinity for open ones. */
  dueTimesMs(nowMs: number): number[] {
    const pace = this.pace(nowMs);
    return this.requests(nowMs).map((request) => this.#dueAtMs(request, pace, nowMs));
  }

  /** The due request to send first, null when none is due. */
  mostPressing(nowMs: number): PlannedRequest | null {
    const pace = this.pace(nowMs);
    let chosen: PlannedRequest | null = null;
    let most = Number.NEGATIVE_INFINITY;
    for (const request of this.requests(nowMs)) {
      if (this.#dueAtMs(request, pace, nowMs) > nowMs) continue;
      const pressing = pressure(request, this.#parts.table.of(request), pace, nowMs);
      if (pressing > most) {
        most = pressing;
        chosen = request;
      }
    }
    return chosen;
  }

  /** Whether not even the cheapest request can be paid until the period ends. */
  isSpent(nowMs: number): boolean {
    const costs = this.plan(nowMs).map(({ cost }) => cost);
    return costs.length > 0 && !this.#parts.budget.hasLeft(Math.min(...costs), nowMs);
  }

  /** Notes that a request was sent. */
  asked(nowMs: number): void {
    this.#askedAtMs = nowMs;
  }

  /** Keeps this much time between any two requests, as the upstream requires. */
  keepGap(gapMs: number): void {
    this.#gapMs = gapMs;
  }

  #dueAtMs(request: PlannedRequest, pace: PollPace, nowMs: number): number {
    const { cooldown, budget, table } = this.#parts;
    const state = table.of(request);
    if (cooldown.failure !== null) return state.isInFlight ? Number.POSITIVE_INFINITY : cooldown.untilMs;
    const dueMs = dueAtMs(request, state, { pace, budget, nowMs });
    return Math.max(dueMs, this.#askedAtMs + this.#gapMs);
  }
}
