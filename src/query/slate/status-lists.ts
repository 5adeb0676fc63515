// Fixtures by kickoff, in three groups by what is known about their status without the time. Those that may
// be in play have to be checked one by one. Those that the feed reports as finished are finished. The others
// are scheduled or over by their kickoff alone. So a list of one status, a count, and the first few by
// urgency cost as much as they return, however many others there are.

import { type EventStatus, STATUS_FINISHED, STATUS_LIVE, STATUS_SCHEDULED } from '../../domain/catalogue.ts';
import { MATCH_DURATION_RANGE_MS, statusAt } from '../../domain/match-status.ts';
import type { Position } from '../lists/cursor.ts';
import type { TimeRange } from '../lists/day.ts';
import type { FixtureView } from './fixture-view.ts';
import { compareKickoff, KickoffOrder, type KickoffSpan, spanOf } from './kickoff-order.ts';

/**
 * A request for the fixtures that have a status (undefined means any) at an instant, and a kickoff in a range
 * (null means any).
 */
export interface StatusRequest {
  readonly status: EventStatus | undefined;
  readonly range: TimeRange | null;
  readonly nowMs: number;
}

const STATUS_INDEXES: Readonly<Record<EventStatus, number>> = {
  scheduled: STATUS_SCHEDULED,
  live: STATUS_LIVE,
  finished: STATUS_FINISHED,
};
/** Most urgent first. */
const STATUSES_BY_URGENCY = ['live', 'scheduled', 'finished'] as const;

export class StatusLists {
  readonly #all = new KickoffOrder();
  readonly #perhapsLive = new KickoffOrder();
  readonly #finished = new KickoffOrder();
  readonly #timed = new KickoffOrder();

  get size(): number {
    return this.#all.size;
  }

  /** Any one of the fixtures. */
  get any(): FixtureView | undefined {
    return this.#all.first;
  }

  /** Replaces `former` by `next`. Without `next` the fixture is removed, without `former` one is added. */
  replace(former: FixtureView | undefined, next: FixtureView | undefined): void {
    this.#all.replace(former, next);
    const from = former && this.#listOf(former);
    const to = next && this.#listOf(next);
    if (from === to) from?.replace(former, next);
    else {
      from?.replace(former, undefined);
      to?.replace(undefined, next);
    }
  }

  /** The fixtures of a request after a position (null means from the start), by kickoff. */
  *walk(request: StatusRequest, after: Position | null = null): Generator<FixtureView, void, undefined> {
    const { status, range, nowMs } = request;
    if (status === undefined) {
      yield* this.#all.walk(spanOf(range), after);
      return;
    }
    const wanted = STATUS_INDEXES[status];
    const { certain, uncertain } = this.#parts(request);
    for (const view of inOrder([...certain, ...uncertain].map(([order, span]) => order.walk(span, after)))) {
      if (statusAt(view.facts, nowMs) === wanted) yield view;
    }
  }

  /** The fixtures of a request: live ones first, then the soonest kickoffs, finished ones last. */
  *byUrgency(request: StatusRequest): Generator<FixtureView, void, undefined> {
    for (const status of STATUSES_BY_URGENCY) {
      if (request.status === undefined || request.status === status) yield* this.walk({ ...request, status });
    }
  }

  /** How many fixtures `walk` yields. */
  count(request: StatusRequest): number {
    const { status, range, nowMs } = request;
    if (status === undefined) return this.#all.count(spanOf(range));
    const wanted = STATUS_INDEXES[status];
    const { certain, uncertain } = this.#parts(request);
    let count = certain.reduce((sum, [order, span]) => sum + order.count(span), 0);
    for (const [order, span] of uncertain) {
      for (const { facts } of order.walk(span, null)) count += Number(statusAt(facts, nowMs) === wanted);
    }
    return count;
  }

  /**
   * The parts of the lists with fixtures of a status: all in `certain` have it, those in `uncertain` have to
   * be checked.
   */
  #parts({ status, range, nowMs }: StatusRequest): { certain: Part[]; uncertain: Part[] } {
    const span = spanOf(range);
    const uncertain: Part[] = [[this.#perhapsLive, span]];
    if (status === 'live') return { certain: [], uncertain };
    // A match for which no end is reported ends a fixed time after its kickoff. The time depends on the sport
    // and is between these two.
    const overFromMs = nowMs - MATCH_DURATION_RANGE_MS.most;
    const openFromMs = nowMs - MATCH_DURATION_RANGE_MS.least + 1;
    uncertain.push([this.#timed, within(span, { fromMs: overFromMs, toMs: openFromMs })]);
    const certain: Part[] =
      status === 'scheduled'
        ? [[this.#timed, within(span, { fromMs: openFromMs, toMs: null })]]
        : [
            [this.#finished, span],
            [this.#timed, within(span, { fromMs: Number.NEGATIVE_INFINITY, toMs: overFromMs })],
          ];
    return { certain, uncertain };
  }

  #listOf({ facts }: FixtureView): KickoffOrder {
    if (facts.feedStatus === STATUS_FINISHED) return this.#finished;
    return facts.feedStatus === STATUS_LIVE || facts.clock !== null ? this.#perhapsLive : this.#timed;
  }
}

export const NO_FIXTURES = new StatusLists();

type Part = readonly [KickoffOrder, KickoffSpan];

function within(span: KickoffSpan, { fromMs, toMs }: KickoffSpan): KickoffSpan {
  return {
    fromMs: Math.max(span.fromMs, fromMs),
    toMs: span.toMs === null ? toMs : toMs === null ? span.toMs : Math.min(span.toMs, toMs),
  };
}

/** Merges several walks by kickoff into one. A fixture that two of them yield in a row is yielded once. */
export function* inOrder(
  walks: readonly Generator<FixtureView, void, undefined>[],
): Generator<FixtureView, void, undefined> {
  const heads = walks.map((walk) => ({ walk, view: walk.next().value }));
  for (let last: FixtureView | undefined; ; ) {
    let first = heads[0];
    for (const head of heads) {
      if (head.view === undefined) continue;
      if (first?.view === undefined || compareKickoff(head.view, first.view) < 0) first = head;
    }
    if (first?.view === undefined) return;
    if (first.view !== last) yield first.view;
    last = first.view;
    first.view = first.walk.next().value;
  }
}
