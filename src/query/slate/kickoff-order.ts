// Views of fixtures sorted by kickoff, then id, in an array. Fixtures are found, inserted and removed by
// binary search.

import { assert } from '../../errors.ts';
import { firstIndex } from '../first-index.ts';
import { comparePositions, type Position } from '../lists/cursor.ts';
import type { TimeRange } from '../lists/day.ts';
import type { FixtureView } from './fixture-view.ts';

/** Kickoff then id; fixtures without kickoff come last. */
export function compareKickoff(left: FixtureView, right: FixtureView): number {
  const difference = kickoffOrder(left) - kickoffOrder(right);
  if (difference !== 0 && !Number.isNaN(difference)) return difference;
  return left.id < right.id ? -1 : left.id > right.id ? 1 : 0;
}

/** The position of a fixture in a list by kickoff. */
export function kickoffPosition(view: FixtureView): Position {
  return [kickoffOrder(view), view.id];
}

/**
 * A range of kickoffs, Unix ms. The end is not part of it. If the end is null, the range has no end and
 * includes fixtures without a kickoff.
 */
export interface KickoffSpan {
  readonly fromMs: number;
  readonly toMs: number | null;
}

/** A range as a span; null means any time. */
export function spanOf(range: TimeRange | null): KickoffSpan {
  return range ?? { fromMs: Number.NEGATIVE_INFINITY, toMs: null };
}

function kickoffOrder({ scheduledAtMs }: FixtureView): number {
  return Number.isNaN(scheduledAtMs) ? Number.POSITIVE_INFINITY : scheduledAtMs;
}

export class KickoffOrder {
  readonly #views: FixtureView[] = [];

  get size(): number {
    return this.#views.length;
  }

  get first(): FixtureView | undefined {
    return this.#views[0];
  }

  /** Replaces `former` by `next`. Without `next` the fixture is removed, without `former` one is added. */
  replace(former: FixtureView | undefined, next: FixtureView | undefined): void {
    if (former !== undefined && next !== undefined && compareKickoff(former, next) === 0) {
      this.#views[this.#indexOf(former)] = next;
      return;
    }
    if (former !== undefined) this.#views.splice(this.#indexOf(former), 1);
    if (next !== undefined) this.#views.splice(this.#firstFrom(next), 0, next);
  }

  /** How many kick off in a span. */
  count(span: KickoffSpan): number {
    return Math.max(0, this.#endOf(span) - this.#startOf(span));
  }

  /** The fixtures of a span that come after a position (null means from the start), in order. */
  *walk(span: KickoffSpan, after: Position | null): Generator<FixtureView, void, undefined> {
    const end = this.#endOf(span);
    let index = this.#startOf(span);
    if (after !== null) {
      index = Math.max(
        index,
        this.#first((view) => comparePositions(kickoffPosition(view), after) > 0),
      );
    }
    for (; index < end; index++) yield this.#views[index]!;
  }

  #startOf({ fromMs }: KickoffSpan): number {
    return this.#first((view) => kickoffOrder(view) >= fromMs);
  }

  #endOf({ toMs }: KickoffSpan): number {
    return toMs === null ? this.#views.length : this.#first((view) => kickoffOrder(view) >= toMs);
  }

  #indexOf(view: FixtureView): number {
    // While an event moves between slots, the list may have two views of it for an instant. So the position
    // of this very object is searched for.
    const index = this.#views.indexOf(view, this.#firstFrom(view));
    assert(index >= 0, 'a fixture that leaves a list is on it');
    return index;
  }

  #firstFrom(view: FixtureView): number {
    return this.#first((held) => compareKickoff(held, view) >= 0);
  }

  /** Index of the first view for which `isReached` holds; it holds for all later views. */
  #first(isReached: (view: FixtureView) => boolean): number {
    return firstIndex(this.#views.length, (index) => isReached(this.#views[index]!));
  }
}
